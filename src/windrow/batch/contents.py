"""The pages of a shard as bytes, for those who read them by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.batch.record import Origin
from windrow.batch.response import Unreadable
from windrow.batch.selection import Selection
from windrow.batch.unit import Place
from windrow.batch.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.batch.job import Job
    from windrow.batch.shard import Shard


def read_pages(shard: Shard, job: Job) -> Iterator[tuple[Any, ...]]:
    """Yield the responses with HTML that pass the filters of a job, their codings undone."""
    selection = Selection(job)
    for place, unit in Walk(shard, selection.asks_for).units(Place(0, 0)):
        if unit.type != "response" or unit.reason:
            continue
        origin = Origin(shard.ranges[place.range].file, unit)
        try:
            response, body = selection.take_page(unit, unit.url)
        except Unreadable:
            continue
        about = (origin.time, response.status, response.content_type, origin.digest, bytearray(body))
        yield (*origin.place, *about)
