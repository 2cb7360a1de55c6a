"""``Gathered``: what a wrapper read from several pages, as one result: each row with its page's address and time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from windrow.result import Box, Column, Data, Result, Source, free_name, read_data
from windrow.result.typed_rows import TypedColumn
from windrow.wrapper.field import AS_IT_COMES
from windrow.wrapper.result import Extraction, find_misfits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.result import Value
    from windrow.result.typed_rows import TypedRows
    from windrow.wrapper.field import Field

ABOUT_THE_PAGE = ("source", "url", "fetched")
LINK = "link"
"""Where the page of a row is; only lists have it."""


@dataclass(frozen=True)
class PageReading:
    """What was read from one page, where the page came from, and when."""

    source: str
    """What was asked for: an address or a file."""
    url: str
    """Where the page lives; empty where nobody said."""
    fetched: str
    """When it was fetched, in ISO 8601; empty for a page from memory."""
    found: Extraction


@dataclass(frozen=True, repr=False)
class Gathered(Result, name="gathered"):
    """What was read from several pages, typed together; a page that gave no value has no row."""

    pages: tuple[PageReading, ...]

    def __repr__(self) -> str:
        """Return how much was read, in a line."""
        return f"<Gathered {len(self.data.rows)} rows of {len(self.pages)} pages ({', '.join(self.labels)})>"

    @property
    def nodes(self) -> tuple[int, ...]:  # type: ignore[override] # several pages have none in common
        """No node: each page has its own."""
        return ()

    @property
    def box(self) -> Box | None:  # type: ignore[override] # several pages have none in common
        """No box: each page has its own."""
        return None

    @property
    def confidence(self) -> dict[str, float]:  # type: ignore[override] # follows from the pages
        """The least sure page's, for each label that was found."""
        found: dict[str, float] = {}
        for page in self.pages:
            for label, sure in page.found.confidence.items():
                found[label] = min(sure, found.get(label, 1.0))
        return found

    @cached_property
    def labels(self) -> list[str]:
        """The labels of all pages."""
        return list(dict.fromkeys(label for page in self.pages for label in page.found.values))

    @cached_property
    def beginning(self) -> tuple[str, ...]:
        """What stands before the labels: source, address and time of the page; in lists, where the row leads."""
        return (*ABOUT_THE_PAGE, LINK) if any(any(page.found.links) for page in self.pages) else ABOUT_THE_PAGE

    @cached_property
    def data(self) -> Data:
        """The rows of all pages, with what is about the page before the labels."""
        return self._read(with_empty=False)

    @property
    def misfits(self) -> dict[str, list[str]]:
        """The values that are not what their label was declared to be, and stay text."""
        return find_misfits(self.data)

    @property
    def misfits_by_page(self) -> list[dict[str, list[str]]]:
        """The same for each page: what other pages tell of how dates and numbers are written holds for all."""
        data, found, first = self._read(with_empty=True), [], 0
        for page in self.pages:
            last = first + len(page.found.data.rows)
            found.append(find_misfits(replace(data, rows=data.rows[first:last])))
            first = last
        return found

    def _sheet_rows(self) -> TypedRows:
        """Return the rows of a sheet, in which the time of a page is a date in UTC, without its text beside it."""
        rows = super()._sheet_rows()
        number = len(ABOUT_THE_PAGE) - 1
        when = rows.columns[number]
        if when.column is not None and when.column.kind == "datetime":
            rows.columns[number : number + 2] = [_Fetched(when.name, when.place, when.column, when.several)]
        return rows

    def records(self) -> list[list[dict[str, Any]]]:
        """Return for each page its rows as JSON can hold them; a page that gave no value has one row without any.

        ``values`` are the texts: one, a list, or None. ``typed`` are numbers and dates where they fit their label.
        """
        data, first = self._read(with_empty=True), len(self.beginning)
        rows, found = iter(data.rows), []
        for page in self.pages:
            about = {"source": page.source, "url": page.url, "fetched": page.fetched or None, "kind": page.found.kind}
            beside = {"doubtful": page.found.doubtful, "missing": page.found.missing}
            records = []
            for link in _links_of(page.found):
                leads = {LINK: link or None} if LINK in self.beginning else {}
                cells = dict(zip(self.labels, next(rows)[first:], strict=True))
                values = {label: self._shown(label, cell) for label, cell in cells.items()}
                typed = {
                    label: value for label, cell in cells.items() if (value := self._typed(label, cell)) is not None
                }
                records.append({**about, **leads, "values": values, "typed": typed, **beside})
            found.append(records)
        return found

    def _read(self, *, with_empty: bool) -> Data:
        columns = [Column(free_name(name, self.labels), wordy=name != "fetched") for name in self.beginning]
        languages = {page.found.language for page in self.pages if any(page.found.values.values())}
        language = languages.pop() if len(languages) == 1 else ""
        columns += [self._field(label).column(label, language) for label in self.labels]
        rows = []
        for page in self.pages:
            for row, link in zip(page.found.data.rows, _links_of(page.found), strict=True):
                texts = (page.source, page.url, page.fetched, link)[: len(self.beginning)]
                about = [[Source(text)] if text else [] for text in texts]
                cells = dict(zip(page.found.data.names, row, strict=True))
                sources = [[_source(value) for value in cells.get(label, ())] for label in self.labels]
                if with_empty or any(sources):
                    rows.append([*about, *sources])
        return read_data(columns, rows)

    def _field(self, label: str) -> Field:
        return next((page.found.fields[label] for page in self.pages if label in page.found.fields), AS_IT_COMES)

    def _shown(self, label: str, cell: Sequence[Value]) -> str | list[str] | None:
        texts = [value.text for value in cell]
        if self._field(label).several:
            return texts
        return None if not texts else texts[0] if len(texts) == 1 else texts

    def _typed(self, label: str, cell: Sequence[Value]) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """Return the numbers or dates of a cell; None where they say no more than the texts."""
        values = [value.plain if value.fits else None for value in cell]
        if all(value is None for value in values):
            return None
        return values if self._field(label).several or len(values) > 1 else values[0]


class _Fetched(TypedColumn):
    """When pages were fetched, as moments that a sheet can hold, which knows no zones."""

    def entries(self, cells: Sequence[str | list[str] | None]) -> list[datetime | None]:
        """Return a moment in UTC for each page."""
        return [None if each is None else each.astimezone(UTC).replace(tzinfo=None) for each in super().entries(cells)]


def _links_of(found: Extraction) -> Sequence[str]:
    """Return where each row of a page leads; empty texts where that is unknown."""
    return found.links or [""] * len(found.data.rows)


def _source(value: Value) -> Source:
    return Source(value.text, value.link, value.image, value.node)


def find_same(found: Iterable[Extraction], labels: Sequence[str]) -> dict[str, list[str]]:
    """Return the labels that have the same values on every page that has some, and those values."""
    read = list(found)
    same = {}
    for label in labels:
        values = [each.values[label] for each in read if each.values.get(label)]
        if len(values) > 1 and all(each == values[0] for each in values):
            same[label] = values[0]
    return same
