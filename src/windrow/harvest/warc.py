"""Kept pages as a WARC file (version 1.1) that other tools read: each document as a response, its layout beside it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Protocol

from windrow.extras import library
from windrow.page import Page
from windrow.pagefile import bytes_to_parts
from windrow.store.bodies import find_body, list_kept

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import Connection

    from windrow.store.bodies import KeptBody


class Written(Protocol):
    """A file that is written to."""

    def write(self, data: bytes, /) -> object:
        """Append to it."""


LAYOUT = "application/x-windrow-page"
"""The content type of a captured page, which ``windrow read`` opens as a file."""
NOT_THE_BODYS = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection"})
"""Headers that held of the transfer and not of what was kept."""


def write_warc(connection: Connection, source_id: int, file: Written, passing: Callable[[], None]) -> int:
    """Write all pages that were kept of a source, and return how many there are."""
    kept = list_kept(connection, source_id)
    writer = library("fastwarc.stream_io").GzipWriter(file)
    for address_id in kept:
        body = find_body(connection, address_id)
        if body is not None:
            for record in _records(body):
                record.write(writer, checksum_data=True)
                writer.finish()  # each record is a member of its own, so that any of them can be read alone
        passing()
    return len(kept)


def _records(body: KeptBody) -> list[Any]:
    """Return the records of a page: the response, and what a browser captured of it."""
    content, layout = body.content, None
    if body.kind == "page":
        layout = body.content
        content = Page(**bytes_to_parts(body.content)).html.encode("utf-8", "replace")
    status = int(body.headers.get(":status") or 200)
    reason = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    kept = {name: text for name, text in body.headers.items() if not name.startswith(":") and name not in NOT_THE_BODYS}
    if body.kind == "page":
        kept["content-type"] = "text/html; charset=utf-8"
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {text}" for name, text in kept.items())]
    head = "\r\n".join([*lines, f"content-length: {len(content)}", "", ""]).encode("utf-8", "replace")
    url = body.headers.get(":url") or body.url
    response = _record("response", url, body.at, "application/http; msgtype=response", head + content)
    if layout is None:
        return [response]
    beside = _record("conversion", url, body.at, LAYOUT, layout)
    beside.headers["WARC-Refers-To"] = response.headers["WARC-Record-ID"]
    return [response, beside]


def _record(kind: str, url: str, at: str, content_type: str, content: bytes) -> Any:  # noqa: ANN401 - of a library without types
    warc = library("fastwarc.warc")
    record = warc.WarcRecord()
    record.init_headers(record_type=getattr(warc.WarcRecordType, kind))
    record.headers["WARC-Target-URI"] = url
    record.headers["WARC-Date"] = f"{at[:19]}Z"
    record.headers["Content-Type"] = content_type
    record.set_bytes_content(content)
    return record
