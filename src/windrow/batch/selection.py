"""Which records hold a page that is wanted: one test for all who read pages, look for copies, or pass pages on."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from windrow.batch.record import record_type
from windrow.batch.response import Response, Unreadable, decode_body, parse_response
from windrow.source.sniffing import EMPTY, PLAIN, find_kind

if TYPE_CHECKING:
    from windrow.batch.job import Job
    from windrow.batch.unit import Headers, Unit

A_PAGE = b"<html>"
"""What is no page by its header alone is none even where its body looks like this."""
HEAD_BYTES = 64 * 1024
"""Of an answer that is too large to be read, its head says whether anybody wanted it."""


class Selection:
    """The pages that a job is about."""

    def __init__(self, job: Job) -> None:
        """Take the filters and limits of a job."""
        self._filters = job.filters
        self._most = job.options.limits.bytes
        self._verify = job.verify

    def asks_for(self, headers: Headers, length: int) -> int | None:
        """Return how many bytes are needed of a record: of an answer all, or its head; None of all others."""
        if record_type(headers) not in (b"response", b"revisit"):
            return None
        return length if length <= 2 * self._most else HEAD_BYTES

    def take(self, unit: Unit, url: str) -> tuple[Response, bytes]:
        """Return the answer in a record and its body with the codings undone; ``Unreadable`` where nobody wants it.

        ``url`` is where the page was found, which of a revisit is not where its content stands. A body that is called
        HTML is not looked at here, since whoever reads it does.
        """
        if reason := self._filters.refuse_address(url):
            raise Unreadable(reason, "")
        response = parse_response(unit.content or b"")
        if reason := self._filters.refuse_response(response):
            raise Unreadable(reason, f"status {response.status}")
        self._check_head(response, url)
        self._check_whole(unit)
        body = decode_body(response, self._most, url)
        if not response.is_called_html:
            _require_page(body, response, url)
        return response, body

    def take_page(self, unit: Unit, url: str) -> tuple[Response, bytes]:
        """Return the same for whoever does not read the page, of which it is certain here that it is one."""
        response, body = self.take(unit, url)
        if response.is_called_html:
            _require_page(body, response, url)
        return response, body

    def _check_head(self, response: Response, url: str) -> None:
        if not response.body:
            raise Unreadable("empty", f"status {response.status}")
        kind = None if response.is_called_html else find_kind(A_PAGE, response.content_type, url)
        if kind is not None:
            raise Unreadable("not-html", f"It is called {kind}.")

    def _check_whole(self, unit: Unit) -> None:
        if not unit.is_complete:
            raise Unreadable("too-large", f"The record has {unit.length:,} bytes. Raise the limit (--max-bytes).")
        if self._verify and not is_intact(unit):
            raise Unreadable("digest", "")
        if why := unit.find_cut():
            raise Unreadable("truncated", why)


def _require_page(body: bytes, response: Response, url: str) -> None:
    kind = find_kind(body, response.content_type or None, url)
    if kind is not None and not (response.is_called_html and kind == PLAIN):
        raise Unreadable("empty" if kind == EMPTY else "not-html", f"It is {kind}.")


def is_intact(unit: Unit) -> bool:
    """Whether the content of a record is what its digest says; one without a digest, or of an unknown kind, is."""
    name, _, said = unit.get(b"warc-block-digest").strip().partition(":")
    if unit.content is None or name.lower() not in ("sha1", "sha256", "md5"):
        return True
    found = hashlib.new(name.lower(), unit.content, usedforsecurity=False).digest()
    forms = {base64.b32encode(found).decode().rstrip("="), found.hex().upper(), base64.b64encode(found).decode()}
    return said.rstrip("=").upper() in forms or said in forms
