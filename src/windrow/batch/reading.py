"""From a record to the rows of the tables: its page is read, or the record is rejected with a reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windrow.batch.record import TYPES, Origin, Reading, refers_to
from windrow.batch.resources import PageResources
from windrow.batch.response import Response, Unreadable, find_cause
from windrow.batch.selection import Selection
from windrow.batch.shapes import extraction_about, reader_rows, value_rows
from windrow.errors import EmptyError, LimitError, NotHtmlError, WindrowError
from windrow.loader import Loader, Task
from windrow.readers.registry import READERS, find_left_out
from windrow.source.sniffing import find_charset

if TYPE_CHECKING:
    from pathlib import Path

    from windrow.batch.job import Job
    from windrow.batch.resources import ArchivedResources
    from windrow.batch.schema import Row
    from windrow.batch.unit import Unit
    from windrow.page import Page
    from windrow.wrapper import Wrapper


class RecordReader:
    """Reads the pages of records, one after the other, by one job."""

    def __init__(self, job: Job, resources: ArchivedResources | None = None) -> None:
        """Load the wrapper; browsers start when a page is laid out."""
        self._job = job
        self._loader = Loader(job.options, workers=1)
        self._wrapper = _load_wrapper(job.wrapper) if job.wrapper else None
        self._resources = resources
        self.selection = Selection(job)

    def close(self) -> None:
        """End the browser, where there is one, and close what pages are laid out with."""
        self._loader.close()
        if self._resources is not None:
            self._resources.close()

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
        try:
            response, body = self.selection.take(unit, origin.unit.url)
        except Unreadable as error:
            return origin.reject(error.reason, str(error))
        return self._read_body(origin, response, body)

    def _read_body(self, origin: Origin, response: Response, body: bytes) -> Reading:
        url = origin.unit.url
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
        return self._read_page(origin, page, _find_warnings(page, task))

    def _refuse(self, origin: Origin, error: WindrowError | None) -> Reading:
        if isinstance(error, NotHtmlError):
            return origin.reject("empty" if isinstance(error, EmptyError) else "not-html", find_cause(error))
        if isinstance(error, LimitError):
            return origin.reject("too-large", str(error), is_html=True)
        return origin.reject("fault", str(error), is_html=True)

    def read_saved(self, origin: Origin, path: Path) -> Reading:
        """Return what comes of a page that was saved into a file of its own."""
        if reason := self._job.filters.refuse_address(""):
            return origin.reject(reason, "A saved page does not say where it came from.")
        return self._read_task(origin, Task(path, render=self._job.render, options=self._job.options), None)

    def _read_page(self, origin: Origin, page: Page, warnings: list[Row]) -> Reading:
        filters, place = self._job.filters, origin.place
        language = page_language(page)
        if filters.refuse_language(language):
            return origin.reject("language", language, is_html=True)
        if filters.keyword and filters.refuse_text(page.text):
            return origin.reject("keyword", is_html=True)
        rows: dict[str, list[Row]] = {}
        for name in self._job.readers:
            rows[name] = reader_rows(page, name, READERS[name].results(page.read(name)), place)
        left_out = find_left_out(page, {name: {} for name in self._job.readers})
        warnings = [*warnings, *((notice.kind, notice.text) for notice in left_out)]
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
                warnings,
            )
        ]
        return Reading(rows, is_response=origin.unit.type == "response", is_html=True)

    def _hold_back(self, origin: Origin) -> Reading:
        """Return a revisit with what leads to its original, which may stand anywhere in the input."""
        fields = origin.fields
        about = (fields.get(b"warc-record-id", ""), fields.get(b"warc-date", ""), origin.digest)
        row = (*origin.place, *about, *refers_to(origin))
        return Reading({"revisits": [row]}, "revisit")


def _load_wrapper(text: str) -> Wrapper:
    from windrow.wrapper import Wrapper  # noqa: PLC0415 - takes a while, which jobs without one do without

    return Wrapper.from_json(text)


def _find_warnings(page: Page, task: Task) -> list[Row]:
    """Return what is to be known of a page beside what was read, each with its kind."""
    found: list[Row] = [(notice.kind, notice.text) for notice in page.warnings]
    if isinstance(task.resources, PageResources) and (lacking := task.resources.find_missing_styles(page)):
        number = "a style sheet" if len(lacking) == 1 else f"{len(lacking)} style sheets"
        text = f"The archive does not hold {number} of the page ({lacking[0]}); hidden text may have been read."
        found.append(("unstyled", text))
    return found


def page_language(page: Page) -> str:
    """Return the language of a page: what its root says, else the server."""
    elements = page.nodes.elements  # one element is no reason to make columns of the page
    roots = elements.named("html")
    said = elements.attribute(roots[0], "lang").strip() if roots else ""
    return said or page.provenance.content_language.partition(",")[0].strip()
