"""What a table reader gives: the cells with their places, what they are, and the same in the forms that people use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from windrow.table import export
from windrow.value import Mark, Value, read_value

Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
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
    mark: Mark | None = None
    """The mark that parts decimals in its column, where the data of the column tell."""

    @cached_property
    def value(self) -> Value:
        """The text as a number, an amount, a date or a duration, where it is one; always with the text itself."""
        return read_value(self.text, self.mark)


@dataclass(frozen=True, repr=False)
class Table:
    """A table of a page. Everything in it is text that stands on the page."""

    cells: tuple[Cell, ...]
    """Every cell once, by rows."""
    row_count: int
    column_count: int
    header_rows: int = 0
    header_columns: int = 0
    footer_rows: int = 0
    repeated_headers: tuple[int, ...] = ()
    """Rows further down that only say again what the heading rows say."""
    name: str = ""
    """The caption, or else the title row or the nearest heading above."""
    caption: str = ""
    notes: tuple[str, ...] = ()
    """Remarks at the end that belong to the whole table."""
    box: Box | None = None
    xpath: str = ""
    node: int = -1
    """The smallest element that holds all of it."""
    kind: str = "table"
    """How it was found; see ``windrow.table.grid.Kind``."""
    confidence: float = 1.0
    reasons: tuple[str, ...] = ()
    rendered: bool = True
    """Whether boxes were used; where not, the table was read from structure alone."""
    visible: bool = True
    """False for a table in a closed tab, fold or dialog."""

    def __repr__(self) -> str:
        """Say what the table is, in a line."""
        size = f"{self.row_count} × {self.column_count}"
        return f"<Table {self.name!r} ({size}: {', '.join(self.columns)}; {self.confidence:.0%})>"

    @cached_property
    def rows(self) -> list[list[str]]:
        """The texts by rows; a text stands in every place that its cell covers."""
        rows = [[""] * self.column_count for _ in range(self.row_count)]
        for cell in self.cells:
            for row in range(cell.row, cell.row + cell.row_span):
                rows[row][cell.column : cell.column + cell.column_span] = [cell.text] * cell.column_span
        return rows

    @cached_property
    def columns(self) -> list[str]:
        """One name a column: its headings from top to bottom; numbered where it has none or a name comes again."""
        names: dict[str, None] = {}
        title = self._title_rows
        for column in range(self.column_count):
            parts = dict.fromkeys(
                self.rows[row][column] for row in range(self.header_rows) if row not in title and self.rows[row][column]
            )
            base = name = " / ".join(parts) or f"column {column + 1}"
            again = 2
            while name in names:
                name, again = f"{base} ({again})", again + 1
            names[name] = None
        return list(names)

    @cached_property
    def units(self) -> list[str]:
        """One unit a column: what its heading or all its values name, or an empty text."""
        return export.find_units(self)

    @cached_property
    def records(self) -> list[dict[str, str]]:
        """One record a row of data, by the names of the columns; without headings, footers and repeated headings."""
        return [dict(zip(self.columns, self.rows[row], strict=True)) for row in self.data_rows]

    @property
    def data_rows(self) -> list[int]:
        """Numbers of the rows that hold data."""
        left_out = set(self.repeated_headers)
        return [row for row in range(self.header_rows, self.row_count - self.footer_rows) if row not in left_out]

    def cell(self, row: int, column: int) -> Cell | None:
        """Give the cell that covers a place, if there is one."""
        return self._by_place.get((row, column))

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], Cell]:
        return {
            (row, column): cell
            for cell in self.cells
            for row in range(cell.row, cell.row + cell.row_span)
            for column in range(cell.column, cell.column + cell.column_span)
        }

    @cached_property
    def _title_rows(self) -> frozenset[int]:
        """Heading rows that are one cell over the whole width, as long as others name the columns."""
        titles = {
            cell.row for cell in self.cells if cell.column_span == self.column_count > 1 and cell.row < self.header_rows
        }
        return frozenset(titles)

    def to_dicts(self) -> list[dict[str, str]]:
        """Give the records as plain dictionaries."""
        return [dict(record) for record in self.records]

    def to_csv(self) -> str:
        """Write all rows as CSV, texts as they are."""
        return export.to_csv(self)

    def to_json(self) -> str:
        """Write everything that is known as JSON."""
        return export.to_json(self)

    def to_markdown(self) -> str:
        """Write a Markdown table; spans are written out."""
        return export.to_markdown(self)

    def to_html(self) -> str:
        """Write a plain HTML table, with spans, headings and caption."""
        return export.to_html(self)

    def to_xml(self) -> str:
        """Write the cells as XML, as the paper saves its tables."""
        return export.to_xml(self)

    def to_pandas(self, *, typed: bool = False) -> Any:  # noqa: ANN401 - a library that may not be there
        """Give the records as a data frame of texts, or of typed values where a whole column has one type."""
        return export.to_pandas(self, typed=typed)

    def to_arrow(self, *, typed: bool = False) -> Any:  # noqa: ANN401 - a library that may not be there
        """Give the records as an Arrow table of texts, or of typed values where a whole column has one type."""
        return export.to_arrow(self, typed=typed)

    def to_xlsx(self) -> bytes:
        """Write a workbook with one sheet; every cell is text, never a formula."""
        return export.to_xlsx([self])

    def to_value(self) -> dict[str, Any]:
        """Give everything that is known as plain values, as ``to_json`` writes it."""
        return export.to_value(self)
