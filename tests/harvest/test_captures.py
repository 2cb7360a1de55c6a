"""Pages are kept for people to look at: the learned one, one that was healed on, one that was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windrow.errors import UsageError
from windrow.harvest.captures import read_capture
from windrow.harvest.versions import go_back
from windrow.store.captures import list_captures
from windrow.store.sources import find_wrapper, get_source
from windrow.wrapper import Wrapper
from windrow.wrapper.portrait import portray, portray_learned

if TYPE_CHECKING:
    from fields import Field


def captures(field: Field) -> list[tuple[str, int]]:
    with field.store.reading() as connection:
        found = list_captures(connection, get_source(connection, "orchard").id)
    return [(each.kind, each.wrapper_version) for each in found]


def test_the_learned_page_is_kept_once_and_a_healed_one_beside_it(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.harvest(fresh=True)
    assert captures(plot) == [("learned", 1)]
    plot.site.template = "cards"
    plot.harvest()
    assert captures(plot) == [("healed", 2), ("learned", 1)]
    with plot.store.reading() as connection:
        source = get_source(connection, "orchard")
        old, new = (find_wrapper(connection, source.id, version) for version in (1, 2))
        after, before = (read_capture(connection, source.id, each.id) for each in list_captures(connection, source.id))
    assert old is not None
    assert new is not None
    assert before is not None
    assert after is not None
    wrapper = Wrapper.from_json(old.body)
    learned, now = portray_learned(wrapper, before), portray(Wrapper.from_json(new.body), after)
    assert now is not None
    assert len(learned.elements) == learned.tree.depth + 1
    assert learned.elements[0] == "html"
    picture = learned.to_svg("Bar-tree <before>", now)
    assert picture.count("<title>") == 2 * learned.tree.depth
    assert 'aria-label="Bar-tree &lt;before>"' in picture
    assert "style=" not in picture


def test_what_is_refused_is_kept_once_however_often_it_is_met(plot: Field) -> None:
    plot.add(plot.learn())
    plot.harvest()
    plot.site.wall = True
    for _ in range(3):
        assert plot.harvest(fresh=True).state == "deferred"
    assert captures(plot) == [("refused", 1), ("learned", 1)]


def test_going_back_is_a_new_version_with_the_old_wrapper(plot: Field) -> None:
    plot.add(plot.learn())
    with pytest.raises(UsageError, match="no such version"):
        go_back(plot.store, "orchard")
    plot.harvest()
    plot.site.template = "cards"
    plot.harvest()
    assert go_back(plot.store, "orchard") == (3, 1)
    with plot.store.reading() as connection:
        source = get_source(connection, "orchard")
        first, third = (find_wrapper(connection, source.id, version) for version in (1, 3))
    assert first is not None
    assert third is not None
    assert first.body == third.body
