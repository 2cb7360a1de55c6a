"""Warnings: one a source and kind, that is told once, and once more where it grows graver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harvesting import add_source

from windrow.store.sources import get_source
from windrow.store.warnings import Warned, list_warnings, mark_sent, set_warnings, unsent, warn

if TYPE_CHECKING:
    from windrow.store import Store


def test_one_that_grows_graver_is_told_once_more(store: Store) -> None:
    add_source(store)
    page, whole = Warned("blocked", "warning", "A page."), Warned("blocked", "error", "Nothing is stored any more.")
    with store.writing() as connection:
        source = get_source(connection, "barn").id
        warn(connection, source, None, page)
        [first] = unsent(connection, source, "warning")
        mark_sent(connection, [first.id])
        set_warnings(connection, [first.id], "acknowledged")
        warn(connection, source, None, page)
        assert unsent(connection, source, "warning") == []
        warn(connection, source, None, whole)
        [graver] = unsent(connection, source, "warning")
        assert (graver.id, graver.severity) == (first.id, "error")
        mark_sent(connection, [graver.id])
        for again in (page, whole, page):
            warn(connection, source, None, again)
        assert unsent(connection, source, "warning") == []
        [known] = list_warnings(connection)
    assert (known["severity"], known["state"], known["count"]) == ("error", "open", 6)
