from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow

PIECES = ("<p>", "</p>", "<b>", "x", " ", "\n", "<br>", "<td>", "<table>", "é", "<div>", "<pre>", "</pre>", "</div>")
CASES = {
    "inline elements do not part words": ("un<b>break</b>able", "unbreakable"),
    "white space collapses": ("a \n\t b <i> c</i>", "a b c"),
    "blocks stand on lines": ("<p>one</p><div>two<div>three</div></div>four", "one\ntwo\nthree\nfour"),
    "line breaks": ("one<br>two<hr>three", "one\ntwo\nthree"),
    "cells are a tab apart": ("<table><tr><th>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
    "lists": ("<ul><li>a<li>b</ul>", "a\nb"),
    "preformatted text keeps its shape": ("<pre>a\n  b   c</pre>", "a\n  b   c"),
    "lines of preformatted text that parts of it end": ("<pre>a\n<b>b</b>\nc</pre>d", "a\nb\nc\nd"),
    "highlighted code": ("<pre><b>def</b> f():\n    <i>return</i> 1\n</pre><p>x", "def f():\n    return 1\nx"),
    "what stands in for pictures that move": ("a<video>b</video><iframe><p>c</p></iframe><canvas>d</canvas>", "a"),
    "no-break spaces stay": ("a&nbsp;b &nbsp; c", "a\xa0b \xa0 c"),
    "scripts and styles are not text": ("a<script>b</script><style>c</style><template>d</template>", "a"),
    "noscript is for other readers": ("a<noscript>b</noscript>", "a"),
    "hidden by attribute": ("a<p hidden>b</p><span style='display : none'>c</span>", "a"),
    "hidden by style": ("a<b style='color:red;visibility:hidden'>c</b>", "a"),
    "closed details show their summary": ("<details><summary>s</summary>more</details>", "s"),
    "open details show everything": ("<details open><summary>s</summary>more</details>", "s\nmore"),
    "a closed dialog": ("a<dialog>b</dialog><dialog open>c</dialog>", "a\nc"),
    "options of a list": ("a<select><option>b</select>", "a"),
    "display by style": ("<span style='display:block'>a</span><span style='display:block'>b</span>", "a\nb"),
    "comments": ("a<!-- b -->c", "ac"),
    "titles of pictures": ("a<svg><title>t</title><text>b</text></svg>", "ab"),
    "scripts of the far east": ("<p>日本<b>語</b></p>", "日本語"),
}


@pytest.mark.parametrize("name", CASES)
def test_visible_text(name: str) -> None:
    html, expected = CASES[name]
    assert windrow.parse(html).text == expected


def test_text_of_a_node_is_its_part_of_the_page() -> None:
    page = windrow.parse("<h1>Big <i>news</i></h1><p>Small</p><div></div>")
    nodes = page.nodes
    (heading,), (empty,) = nodes.tag.where("h1").tolist(), nodes.tag.where("div").tolist()
    assert nodes.visible_text(heading) == "Big news"
    assert nodes.own_text(heading) == "Big "
    assert nodes.visible_text(empty) == ""


@given(st.lists(st.sampled_from(PIECES)))
def test_spans_nest_like_the_nodes(parts: list[str]) -> None:
    nodes = windrow.parse("".join(parts)).nodes
    spans = nodes.spans
    for node in range(1, len(nodes)):
        if spans.end[node] > spans.start[node]:
            above = nodes.parent[node]
            assert spans.start[above] <= spans.start[node] <= spans.end[node] <= spans.end[above]
    letters = "".join(parts).count("x") + "".join(parts).count("é")
    assert sum(char in "xé" for char in spans.text) == letters


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12), st.integers(0, 30))
def test_text_of_a_part_is_the_same_without_the_rest(pieces: list[str], number: int) -> None:
    whole, nodes = (windrow.parse("".join(pieces)).nodes for _ in range(2))
    root = number % len(nodes)
    part = nodes.with_text_in(np.arange(len(nodes)) == root)
    for node in range(root, int(nodes.end[root])):
        assert part.visible_text(node) == whole.visible_text(node)
    assert part.spans.text.strip(" \n\t") == whole.visible_text(root)
    assert nodes.visible_text() == whole.visible_text()
