"""From a record to the rows of the tables: its page is read, or the record is rejected with a reason."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windrow.batch.record import TYPES, Origin, Reading, record_type
from windrow.batch.response import Response, Unreadable, decode_body, parse_response
from windrow.batch.shapes import extraction_about, reader_rows, value_rows
from windrow.errors import EmptyError, LimitError, NotHtmlError, WindrowError
from windrow.loader import Loader, Task
from windrow.readers.registry import READERS
from windrow.source.fetch import find_charset
from windrow.source.sniffing import EMPTY, find_kind

if TYPE_CHECKING:
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.resources import ArchivedResources
    from windrow.batch.schema import Row
    from windrow.batch.unit import Headers, Unit
    from windrow.page import Page
    from windrow.wrapper import Wrapper

A_PAGE = b"<html>"
"""What is no page by its header alone is none even where its body looks like this."""


class RecordReader:
    """Reads the pages of records, one after the other, by one job."""

    def __init__(self, job: Job, resources: ArchivedResources | None = None) -> None:
        """Load the wrapper; browsers start when a page is laid out."""
        self._job = job
        self._loader = Loader(job.options, workers=1)
        self._wrapper = _load_wrapper(job.wrapper) if job.wrapper else None
        self._resources = resources
        self._most = job.options.limits.bytes

    def close(self) -> None:
        """End the browser, where there is one, and close what pages are laid out with."""
        self._loader.close()
        if self._resources is not None:
            self._resources.close()

    def wants(self, headers: Headers, length: int) -> bool:
        """Whether the content of a record is needed: it may be the answer of a server, and is not too large."""
        return record_type(headers) in (b"response", b"revisit") and length <= 2 * self._most

    def read(self, origin: Origin) -> Reading:
        """Return what comes of a record of an archive."""
        unit = origin.unit
        if unit.reason:
            return origin.reject(unit.reason, unit.detail)
        if unit.type == "revisit":
            return self._hold_back(origin)
        if unit.type != "response":
            return origin.reject(unit.type if unit.type in TYPES else "unknown-type")
        return self.read_response(origin, unit)

    def read_response(self, origin: Origin, unit: Unit) -> Reading:
        """Return what comes of an answer; ``unit`` holds it, which of a revisit is the original."""
        filters = self._job.filters
        if reason := filters.refuse_address(origin.unit.url):
            return origin.reject(reason)
        if unit.content is None:
            return origin.reject("too-large", f"The record has {unit.length:,} bytes. Raise the limit (--max-bytes).")
        try:
            response = parse_response(unit.content)
            if reason := filters.refuse_response(response):
                return origin.reject(reason, f"status {response.status}")
            return self._read_body(origin, unit, response)
        except Unreadable as error:
            return origin.reject(error.reason, str(error))

    def _read_body(self, origin: Origin, unit: Unit, response: Response) -> Reading:
        url = origin.unit.url
        if not response.body:
            return origin.reject("empty", f"status {response.status}")
        kind = None if response.is_called_html else find_kind(A_PAGE, response.content_type, url)
        if kind is not None:
            return origin.reject("not-html", f"It is called {kind}.")
        if self._job.verify and not is_intact(unit):
            return origin.reject("digest")
        if why := unit.find_cut():
            return origin.reject("truncated", why)
        body = decode_body(response, self._most, url)
        if not response.is_called_html:  # what is called HTML is looked at when it is read
            kind = find_kind(body, response.content_type or None, url)
            if kind is not None:
                return origin.reject("empty" if kind == EMPTY else "not-html", f"It is {kind}.")
        charset = find_charset(response.content_type)
        is_web = url.lower().startswith(("http:", "https:"))
        resources = self._resources.around(url, origin.time) if self._resources is not None and is_web else None
        task = Task(
            html=body,
            url=url,
            content_type=response.content_type or None,
            charset=charset,
            render=self._job.render,
            options=self._job.options,
            resources=resources,
        )
        return self._read_task(origin, task, response)

    def _read_task(self, origin: Origin, task: Task, response: Response | None) -> Reading:
        outcome = self._loader.outcome_of(task)
        page = outcome.page
        error = outcome.error
        if error is not None or page is None:
            return self._refuse(origin, error)
        if response is not None:
            provenance = page.provenance.but(status=response.status, fetched=origin.time)
            page = replace(page, source=origin.unit.url, provenance=provenance.with_headers(response.headers))
        return self._read_page(origin, page)

    def _refuse(self, origin: Origin, error: WindrowError | None) -> Reading:
        if isinstance(error, NotHtmlError):
            return origin.reject("empty" if isinstance(error, EmptyError) else "not-html", str(error))
        if isinstance(error, LimitError):
            return origin.reject("too-large", str(error), is_html=True)
        return origin.reject("fault", str(error), is_html=True)

    def read_saved(self, origin: Origin, path: Path) -> Reading:
        """Return what comes of a page that was saved into a file of its own."""
        if reason := self._job.filters.refuse_address(""):
            return origin.reject(reason, "A saved page does not say where it came from.")
        return self._read_task(origin, Task(path, render=self._job.render, options=self._job.options), None)

    def _read_page(self, origin: Origin, page: Page) -> Reading:
        filters, place = self._job.filters, origin.place
        language = page_language(page)
        if filters.refuse_language(language):
            return origin.reject("language", language, is_html=True)
        if filters.keyword and filters.refuse_text(page.text):
            return origin.reject("keyword", is_html=True)
        rows: dict[str, list[Row]] = {}
        for name in self._job.readers:
            rows[name] = reader_rows(page, name, READERS[name].results(page.read(name)), place)
        found = None if self._wrapper is None else self._wrapper.extract(page)
        if found is not None:
            rows["values"] = value_rows(page, found, place)
        title = page.read("title") if "title" in self._job.readers else page.read("title", method="tag")
        made = page.provenance
        about: tuple[Any, ...] = (page.status, made.content_type, page.encoding, language, title.text)
        file, offset = origin.original or (None, None)
        rows["pages"] = [
            (
                *place,
                origin.fields.get(b"warc-record-id", ""),
                origin.time,
                *about,
                origin.digest,
                made.sha256,
                len(page.nodes),
                page.rendered,
                file,
                offset,
                *extraction_about(found),
                [(notice.kind, notice.text) for notice in page.warnings],
            )
        ]
        return Reading(rows, is_response=origin.unit.type == "response", is_html=True)

    def _hold_back(self, origin: Origin) -> Reading:
        """Return a revisit with what leads to its original, which may stand anywhere in the input."""
        fields = origin.fields
        names = (b"warc-refers-to", b"warc-refers-to-target-uri", b"warc-refers-to-date")
        refers = (fields.get(name, "").strip().removeprefix("<").removesuffix(">") for name in names)
        row = (*origin.place, fields.get(b"warc-record-id", ""), fields.get(b"warc-date", ""), origin.digest, *refers)
        return Reading({"revisits": [row]}, "revisit")


def _load_wrapper(text: str) -> Wrapper:
    from windrow.wrapper import Wrapper  # noqa: PLC0415 - takes a while, which jobs without one do without

    return Wrapper.from_json(text)


def page_language(page: Page) -> str:
    """Return the language of a page: what its root says, else the server."""
    elements = page.nodes.elements  # one element is no reason to make columns of the page
    roots = elements.named("html")
    said = elements.attribute(roots[0], "lang").strip() if roots else ""
    return said or page.provenance.content_language.partition(",")[0].strip()


def is_intact(unit: Unit) -> bool:
    """Whether the content of a record is what its digest says; one without a digest, or of an unknown kind, is."""
    name, _, said = unit.get(b"warc-block-digest").strip().partition(":")
    if unit.content is None or name.lower() not in ("sha1", "sha256", "md5"):
        return True
    found = hashlib.new(name.lower(), unit.content, usedforsecurity=False).digest()
    forms = {base64.b32encode(found).decode().rstrip("="), found.hex().upper(), base64.b64encode(found).decode()}
    return said.rstrip("=").upper() in forms or said in forms
