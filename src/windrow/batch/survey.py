"""A first look at an archive, without reading its pages: which pages come again, and where what they load stands."""

from __future__ import annotations

import base64
import hashlib
import sqlite3
from typing import TYPE_CHECKING, Any

from windrow.batch.record import Origin, Reading, refers_to
from windrow.batch.response import Unreadable
from windrow.batch.revisits import Originals, place_of, read_rows, reference_of
from windrow.batch.unit import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.output import Output
    from windrow.batch.schema import Row
    from windrow.batch.selection import Selection
    from windrow.batch.shard import Shard
    from windrow.batch.unit import Unit

SURVEY = "survey-"
"""What stands before the name of a shard of which only this look is taken."""
INSERT = "INSERT INTO resource VALUES (?, ?, ?, ?, ?)"


class SurveyReader:
    """Notes the answers of an archive; those with a page that is wanted and whole with what tells its copies."""

    def __init__(self, job: Job, selection: Selection) -> None:
        """Take what a job looks for."""
        self._job = job
        self._selection = selection

    def read(self, place: Place, file: str, unit: Unit) -> Reading:
        """Return the row of an answer or of a revisit, or nothing."""
        if unit.reason or unit.content is None or unit.type not in ("response", "revisit"):
            return Reading({})
        origin = Origin(file, unit)
        is_revisit = unit.type == "revisit"
        key = self._key(origin) if self._job.dedup and not is_revisit else ""
        about = (unit.type, origin.fields.get(b"warc-record-id", ""), origin.time, origin.digest)
        return Reading({"survey": [(*origin.place, place.range, place.offset, *about, key, *refers_to(origin))]})

    def _key(self, origin: Origin) -> str:
        """Return what copies of a page have in common; empty where there is no page, or none that can be read.

        A copy that is cut or broken must not stand for one that is whole.
        """
        try:
            response, _ = self._selection.take_page(origin.unit, origin.unit.url)
        except Unreadable:
            return ""
        # Where a filter may go by what the server says, the same page with another header is another one.
        language = response.headers.get("content-language", "") if self._job.filters.languages else ""
        return f"{origin.digest or _digest(response.body)} {language}"


def _digest(body: bytes) -> str:
    found = hashlib.sha1(body, usedforsecurity=False).digest()
    return f"sha1:{base64.b32encode(found).decode()}"


def _rows(output: Output, shard: Shard) -> Iterator[dict[str, Any]]:
    return read_rows(output.path("survey", f"{SURVEY}{shard.name}"))


def find_duplicates(output: Output, shards: Sequence[Shard]) -> dict[str, frozenset[Place]]:
    """Return, by shard, the pages whose digest another page has before them, in the order of the input."""
    seen: set[bytes] = set()
    found: dict[str, set[Place]] = {shard.name: set() for shard in shards}
    for shard in shards:
        for row in _rows(output, shard):
            key = hashlib.blake2b(row["key"].encode(), digest_size=16).digest()
            if row["key"] and key in seen:
                found[shard.name].add(Place(row["range"], row["at"], row["part"]))
            elif row["key"]:
                seen.add(key)
    return {name: frozenset(places) for name, places in found.items()}


def write_resources(output: Output, shards: Sequence[Shard], path: Path) -> None:
    """Write the index of everything that the archive holds, by address, for pages that are laid out.

    What was kept as a revisit leads to its original, wherever in the input that stands.
    """
    path.unlink(missing_ok=True)
    revisits = [row for shard in shards for row in _rows(output, shard) if row["type"] == "revisit"]
    originals = Originals(map(reference_of, revisits))
    with sqlite3.connect(path) as store:
        store.execute("CREATE TABLE resource (url TEXT, time REAL, file TEXT, place INTEGER, part INTEGER)")
        for shard in shards:
            answers = [row for row in _rows(output, shard) if row["type"] == "response"]
            for row in answers:
                originals.add(row)
            store.executemany(INSERT, (_resource(row, place_of(row)) for row in answers))
        found = ((row, originals.find(reference_of(row))) for row in revisits)
        store.executemany(INSERT, (_resource(row, place) for row, place in found if place is not None))
        store.execute("CREATE INDEX by_url ON resource (url)")
    store.close()


def _resource(row: dict[str, Any], place: Row) -> Row:
    return row["url"].partition("#")[0], row["time"].timestamp() if row["time"] else 0.0, *place
