"""The pages of a shard as bytes, for those who read them by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.batch.record import Origin, record_type
from windrow.batch.response import Unreadable, decode_body, parse_response
from windrow.batch.unit import Place
from windrow.batch.walk import Walk
from windrow.source.sniffing import find_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.batch.job import Job
    from windrow.batch.shard import Shard
    from windrow.batch.unit import Headers


def read_pages(shard: Shard, job: Job) -> Iterator[tuple[Any, ...]]:
    """Yield the responses with HTML that pass the filters of a job, their codings undone."""
    most = job.options.limits.bytes

    def wants(headers: Headers, length: int) -> bool:
        return record_type(headers) == b"response" and length <= 2 * most

    for place, unit in Walk(shard, wants).units(Place(0, 0)):
        if unit.content is None or unit.reason or unit.find_cut():
            continue
        origin = Origin(shard.ranges[place.range].file, unit)
        try:
            response = parse_response(unit.content)
            if job.filters.refuse_address(unit.url) or job.filters.refuse_response(response):
                continue
            body = decode_body(response, most, unit.url)
        except Unreadable:
            continue
        if find_kind(body, response.content_type or None, unit.url) is None:
            about = (origin.time, response.status, response.content_type, origin.digest, bytearray(body))
            yield (*origin.place, *about)
