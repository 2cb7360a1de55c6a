"""Runs without a network: what pages show, stored as the harvest stores it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.store.frontier import Lead, enqueue, pending
from windrow.store.records import Ledger
from windrow.store.runs import Counts, begin_run, end_run
from windrow.store.sightings import Origin, Sighting
from windrow.store.sources import get_source, save_source
from windrow.store.views import make_view
from windrow.store.visits import Visit, store_visit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.store import Store

SITE = "https://example.org"
SAME = "same"
"""A page that is what it was when it was read last."""
FAILED = "failed"
"""A page that could not be had."""


@dataclass(frozen=True)
class Harvested:
    """A run that has ended."""

    run: int
    counts: Counts


def seen(key: str, **values: Any) -> Sighting:  # noqa: ANN401 - texts
    """Return the sighting of a record whose values stand somewhere on its page."""
    origin = {label: Origin(f"/html/body/p[@class='{label}']", 0.9, (1, 2, 3, 4)) for label in values}
    return Sighting(key, values, origin=origin, url=f"{SITE}/{key}")


def many_pages() -> dict[str, list[Sighting]]:
    """Return what twenty pages show: half a megabyte of text in all."""
    return {str(page): [seen(f"{page} {number}", x="hay" * 500) for number in range(20)] for page in range(20)}


def add_source(store: Store, name: str = "barn", settings: Mapping[str, Any] | None = None) -> int:
    with store.writing() as connection:
        return save_source(connection, name, settings or {"read": {"key": ["sku"]}}).id


def harvest(  # noqa: PLR0913 - by name: the parts of a run
    store: Store,
    pages: Mapping[str, Sequence[Sighting] | str],
    *,
    name: str = "barn",
    state: str = "whole",
    kinds: Mapping[str, str | None] | None = None,
    version: int = 1,
) -> Harvested:
    """Store a run that found pages by their names, in their order; only a whole run removes."""
    with store.writing() as connection:
        source = get_source(connection, name)
        run = begin_run(connection, source.id, source.version, "hand")
        leads = [Lead(f"{SITE}/{page}", f"{SITE}/{page}", "list") for page in pages]
        enqueue(connection, run, leads)
    ledger = Ledger(run)
    if kinds:
        with store.writing() as connection:
            ledger.declare(connection, kinds)
    with store.reading() as connection:
        entries = {entry.url: entry for entry in pending(connection, run, 10_000)}
    for page, shown in pages.items():
        entry = entries.get(f"{SITE}/{page}")
        if entry is None:  # a run that is gone on with has it already
            continue
        read_by = f"wrapper {version}".encode()
        about: dict[str, Any] = {"entry": entry, "status": 200, "wrapper_version": version, "read_by": read_by}
        if shown == FAILED:
            visit = Visit(entry=entry, verdict="failed", seen=False, error="No answer.")
        elif isinstance(shown, str) and entry.read_by is None:
            msg = f"{page} is to be read again, whatever its server says"
            raise AssertionError(msg)
        elif isinstance(shown, str):
            visit = Visit(**about | {"status": 304}, verdict="same", not_modified=True)
        else:
            visit = Visit(**about, verdict="read", final_url=entry.url, sightings=shown)
        with store.writing() as connection:
            ledger.run = store_visit(connection, ledger, visit)
    with store.writing() as connection:
        counts = ledger.run.counts
        counts += ledger.remove_unseen(connection, run.started_at) if state == "whole" else Counts()
        end_run(connection, ledger.run, state, counts, "")
    if ledger.has_new_fields:
        make_view(store, run.source_id)
    return Harvested(run.id, counts)
