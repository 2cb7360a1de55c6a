"""A first look at an archive, without reading its pages: which pages come again, and where what they load stands."""

from __future__ import annotations

import base64
import hashlib
import sqlite3
from typing import TYPE_CHECKING

from windrow.batch.record import Origin, Reading, record_type
from windrow.batch.response import Unreadable, parse_response
from windrow.batch.unit import Place
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.output import Output
    from windrow.batch.shard import Shard
    from windrow.batch.unit import Headers, Unit


SURVEY = "survey-"
"""What stands before the name of a shard of which only this look is taken."""


class SurveyReader:
    """Notes the answers of an archive; those that pass the filters by their heads with their digests."""

    def __init__(self, job: Job) -> None:
        """Take the filters of a job."""
        self._filters = job.filters
        self._most = 2 * job.options.limits.bytes

    def wants(self, headers: Headers, length: int) -> bool:
        """Whether the content of a record is needed."""
        return record_type(headers) == b"response" and length <= self._most

    def read(self, place: Place, file: str, unit: Unit) -> Reading:
        """Return the row of an answer, or nothing."""
        origin = Origin(file, unit)
        if unit.reason or unit.type != "response" or unit.content is None or unit.find_cut():
            return Reading({})
        try:
            response = parse_response(unit.content)
        except Unreadable:
            return Reading({})
        is_refused = self._filters.refuse_address(unit.url) or self._filters.refuse_response(response)
        is_page = not is_refused and (response.is_called_html or not response.content_type)
        digest = origin.digest or _digest(response.body)
        return Reading({"survey": [(*origin.place, place.range, place.offset, origin.time, digest if is_page else "")]})


def _digest(body: bytes) -> str:
    found = hashlib.sha1(body, usedforsecurity=False).digest()
    return f"sha1:{base64.b32encode(found).decode()}"


def find_duplicates(output: Output, shards: Sequence[Shard]) -> dict[str, frozenset[Place]]:
    """Return, by shard, the pages whose digest another page has before them, in the order of the input."""
    seen: set[bytes] = set()
    found: dict[str, set[Place]] = {shard.name: set() for shard in shards}
    for shard in shards:
        rows = library("pyarrow.parquet").read_table(output.path("survey", f"{SURVEY}{shard.name}")).to_pylist()
        for row in rows:
            key = hashlib.blake2b(row["digest"].encode(), digest_size=16).digest()
            if row["digest"] and key in seen:
                found[shard.name].add(Place(row["range"], row["at"], row["part"]))
            elif row["digest"]:
                seen.add(key)
    return {name: frozenset(places) for name, places in found.items()}


def write_resources(output: Output, shards: Sequence[Shard], path: Path) -> None:
    """Write the index of everything that the archive holds, by address, for pages that are laid out."""
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as store:
        store.execute("CREATE TABLE resource (url TEXT, time REAL, file TEXT, place INTEGER, part INTEGER)")
        for shard in shards:
            rows = library("pyarrow.parquet").read_table(output.path("survey", f"{SURVEY}{shard.name}")).to_pylist()
            store.executemany(
                "INSERT INTO resource VALUES (?, ?, ?, ?, ?)",
                [
                    (
                        row["url"].partition("#")[0],
                        row["time"].timestamp() if row["time"] else 0.0,
                        *(row[name] for name in ("file", "offset", "part")),
                    )
                    for row in rows
                ],
            )
        store.execute("CREATE INDEX by_url ON resource (url)")
    store.close()
