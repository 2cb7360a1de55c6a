from __future__ import annotations

import windrow
from windrow.toplist.paths import number_paths

PAGE = "<ul><li><p>a</p></li><li><div><p>b</p></div></li></ul><ol><li><p>c</p></li></ol><p>d</p>"


def test_paths_are_equal_where_the_tags_above_are() -> None:
    nodes = windrow.parse(PAGE).nodes
    exact, similar = number_paths(nodes)
    a, b, c, d = nodes.tag.where("p").tolist()
    first, second, _ = nodes.tag.where("li").tolist()
    assert exact[first] == exact[second]
    assert len({exact[a], exact[b], exact[c], exact[d]}) == 4
    assert similar[a] == similar[b]
    assert len({similar[a], similar[c], similar[d]}) == 3
