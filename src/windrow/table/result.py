"""What a table reader returns: the cells with their places, and the same in the forms that people use."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from windrow.result import (
    WRITTEN_BY_NEED,
    Box,
    Column,
    Data,
    Result,
    Source,
    SourceRows,
    Value,
    number_names,
    read_data,
)
from windrow.table import export

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windrow.result.export import Sheet


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell, once, however many places it covers."""

    text: str
    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    heading: bool = False
    """Whether it stands in a heading row or column, or is marked as a heading within the data."""
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    box: Box | None = None
    node: int = -1
    """Its element among the page's nodes; ``page.xpath(cell.node)`` finds it again."""


@dataclass(frozen=True, repr=False)
class Table(Result, name="table"):
    """A table of a page. Everything in it is text that stands on the page."""

    cells: tuple[Cell, ...]
    """Every cell once, by rows."""
    row_count: int
    column_count: int
    header_rows: int = 0
    header_columns: int = 0
    footer_rows: int = 0
    repeated_headers: tuple[int, ...] = ()
    """Rows further down that only say again what the heading rows say, or say it where none stand on top."""
    name: str = ""
    """The caption, or else the title row or the nearest heading above."""
    caption: str = ""
    notes: tuple[str, ...] = ()
    """Remarks at the end that belong to the whole table."""
    box: Box | None = None
    xpath: str = ""
    node: int = -1
    """The smallest element that holds all of it."""
    origin: str = "table"
    """How it was found: by table markup, as a grid of boxes, in a list, in preformatted text; see ``table.grid``."""
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    rendered: bool = True
    """Whether boxes were used; where not, the table was read from structure alone."""
    language: str = ""
    """The language that the page says it is in."""
    visible: bool = True
    """False for a table in a closed tab, fold or dialog."""
    left_out: int = field(default=0, metadata=WRITTEN_BY_NEED)
    """Rows that go on behind these and were not read, since the page has more than may be read of it."""

    @classmethod
    def later(cls, make: Callable[[], tuple[Cell, ...]], **values: Any) -> Table:  # noqa: ANN401 - its other fields
        """Return a table whose cells are made when they are first asked for; a large one has a million."""
        table = cls((), **values)
        del table.__dict__["cells"]
        table.__dict__["_make"] = make
        return table

    def __getattr__(self, name: str) -> tuple[Cell, ...]:
        """Make the cells when they are found missing."""
        make = self.__dict__.get("_make")
        if name != "cells" or (make is None and "cells" not in self.__dict__):
            raise AttributeError(name)
        if make is not None:  # else another thread was faster
            self.__dict__["cells"] = make()
            self.__dict__.pop("_make", None)
        cells: tuple[Cell, ...] = self.__dict__["cells"]
        return cells

    def __getstate__(self) -> dict[str, Any]:
        """Go from one process to another with its cells, and without what follows from them."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def lack(self) -> str:
        """What was left out, in a sentence; empty where nothing was. ``Limits.nodes`` says how much is read."""
        if not self.left_out:
            return ""
        return f"A table has {self.left_out:,} more rows than the {self.row_count:,} that were read."

    def __repr__(self) -> str:
        """Return the table in a line."""
        size = f"{self.row_count} × {self.column_count}"
        return f"<Table {self.name!r} ({size}: {', '.join(self.columns)}; {self.confidence:.0%})>"

    @cached_property
    def rows(self) -> list[list[str]]:
        """The texts by rows; a text stands in every place that its cell covers."""
        return [[cell.text if cell else "" for cell in row] for row in self._places]

    @cached_property
    def columns(self) -> list[str]:
        """One name a column: its headings from top to bottom; numbered where it has none or a name comes again."""
        rows = [self.rows[row] for row in self._naming_rows if row not in self._title_rows]
        headings = (dict.fromkeys(row[column] for row in rows if row[column]) for column in range(self.column_count))
        return number_names(" / ".join(parts) or f"column {number}" for number, parts in enumerate(headings, 1))

    @property
    def _naming_rows(self) -> list[int]:
        """Rows whose headings name the columns: those on top, or else the one at the bottom."""
        return list(range(self.header_rows)) or list(self.repeated_headers[:1])

    @property
    def data_rows(self) -> list[int]:
        """Numbers of the rows that hold data; headings, footers and repeated headings are none."""
        left_out = set(self.repeated_headers)
        return [row for row in range(self.header_rows, self.row_count - self.footer_rows) if row not in left_out]

    @cached_property
    def data(self) -> Data:
        """The rows of data, every cell in each place that it covers, with the columns' types and units."""
        columns = [Column(name, language=self.language) for name in self.columns]
        headings = [" ".join(self.rows[row][each] for row in self._naming_rows) for each in range(len(columns))]
        return read_data(columns, SourceRows(self._source_rows), headings)

    def _source_rows(self) -> Iterator[list[tuple[Source, ...]]]:
        places = self._places
        return ([_sources(cell) if cell else () for cell in places[row]] for row in self.data_rows)

    @cached_property
    def unread(self) -> Data:
        """The rows of data as texts alone: a large table is on its way before its values are read."""
        rows = (self._places[row] for row in self.data_rows)
        return Data(
            tuple(Column(name) for name in self.columns),
            tuple(tuple([(Value(cell.text, node=cell.node),) if cell else () for cell in row]) for row in rows),
        )

    def read(self, cell: Cell) -> Value:
        """Return what the text of a cell says, by its column; headings and footers are text."""
        row = self._place_in_data.get(cell.row)
        return Value(cell.text, node=cell.node) if row is None else self.data.rows[row][cell.column][0]

    @cached_property
    def _place_in_data(self) -> dict[int, int]:
        return {row: place for place, row in enumerate(self.data_rows)}

    def cell(self, row: int, column: int) -> Cell | None:
        """Return the cell that covers a place, if there is one."""
        inside = 0 <= row < self.row_count and 0 <= column < self.column_count
        return self._places[row][column] if inside else None

    @cached_property
    def _places(self) -> list[list[Cell | None]]:
        """The cell that covers each place, by rows."""
        places: list[list[Cell | None]] = [[None] * self.column_count for _ in range(self.row_count)]
        for cell in self.cells:
            for row in range(cell.row, cell.row + cell.row_span):
                places[row][cell.column : cell.column + cell.column_span] = [cell] * cell.column_span
        return places

    @cached_property
    def _title_rows(self) -> frozenset[int]:
        """Heading rows that are one cell over the whole width, as long as others name the columns."""
        titles = {
            cell.row for cell in self.cells if cell.column_span == self.column_count > 1 and cell.row < self.header_rows
        }
        return frozenset(titles)

    @property
    def nodes(self) -> tuple[int, ...]:  # type: ignore[override] # follows from the cells
        """The elements of the cells; for preformatted text, the element that holds it."""
        return tuple(dict.fromkeys(cell.node for cell in self.cells))

    @property
    def units(self) -> list[str]:
        """One unit a column: what its heading or nearly all its values name, or an empty text."""
        return [column.unit for column in self.data.columns]

    @property
    def label(self) -> str:
        """Its name."""
        return self.name or "a table without a name"

    def displayed_rows(self) -> list[list[str]]:
        """Return all rows as the page shows them, headings and footers included."""
        return self.rows

    def fill_sheet(self, sheet: Sheet) -> None:
        """Write the cells into a sheet of a workbook, with their spans."""
        export.fill_sheet(sheet, self)

    def _members(self) -> Iterator[tuple[str, Any]]:
        """Yield what every result says of itself, with what each cell says, and the texts by rows."""
        for name, value in super()._members():
            yield name, map(self._with_value, self.cells, value) if name == "cells" else value
        yield "rows", iter(self.rows)

    def _with_value(self, cell: Cell, plain: dict[str, Any]) -> dict[str, Any]:
        value = self.read(cell)
        if value.value is not None:
            plain.update({"type": value.kind, "value": value.plain, "unit": value.unit})
            plain.update({} if value.fits else {"fits": False})
        return plain

    def to_markdown(self) -> str:
        """Return a Markdown table; spans are written out."""
        return export.to_markdown(self)

    def to_html(self) -> str:
        """Return a plain HTML table, with spans, headings and caption."""
        return export.to_html(self)

    def to_xml(self) -> str:
        """Return the cells as XML, as the paper saves its tables."""
        return export.to_xml(self)


def _sources(cell: Cell) -> tuple[Source, ...]:
    link, image = next(iter(cell.links), None), next(iter(cell.images), None)
    return (Source(cell.text, link, image, cell.node),)
