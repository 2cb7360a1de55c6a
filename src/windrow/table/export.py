"""A table in the forms that people use: CSV, JSON, Markdown, HTML, XML, XLSX, data frames.

Texts are written as they stand on the page. A spreadsheet would take a text that begins with ``=`` for an order: CSV
has no way to say that it is none, XLSX has, and there every text is written as text.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from windrow.errors import UsageError
from windrow.extras import library
from windrow.value import Value, read_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.table.result import Cell, Table

UNIT = re.compile(r"[(\[]\s*([^()\[\]\d]{1,12})\s*[)\]]|,\s*in\s+([^\s,]{1,12})$|\bin\s+(%|[A-Z€$£]{1,4})$")
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOT_IN_SHEET = re.compile(r"[\[\]:*?/\\\x00-\x1f\ud800-\udfff\ufffe\uffff]")
LONGEST_SHEET, LONGEST_TEXT = 31, 32_767
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""XLSX's own limits."""


def find_units(table: Table) -> list[str]:
    """Give each column's unit: the one that its heading has in brackets, or the one that all its values share."""
    units = []
    for column, values in enumerate(table_to_values(table)):
        heading = " ".join(table.rows[row][column] for row in range(table.header_rows))
        named = UNIT.search(heading)
        shared = {value.unit for value in values if value.kind != "empty"}
        own = shared.pop() if len(shared) == 1 else ""
        numeric = any(value.kind == "number" for value in values)
        units.append(own or (next(filter(None, named.groups()), "").strip() if named and numeric else ""))
    return units


def table_to_values(table: Table) -> list[list[Value]]:
    """Read the data by columns."""
    return [read_values([table.rows[row][column] for row in table.data_rows]) for column in range(table.column_count)]


def to_csv(table: Table) -> str:
    """Write all rows, headings included, by RFC 4180."""
    written = io.StringIO()
    csv.writer(written).writerows(table.rows)
    return written.getvalue()


def to_value(table: Table) -> dict[str, Any]:
    """Give everything that is known as plain values."""
    return {
        "name": table.name,
        "caption": table.caption,
        "kind": table.kind,
        "columns": table.columns,
        "units": table.units,
        "header_rows": table.header_rows,
        "header_columns": table.header_columns,
        "footer_rows": table.footer_rows,
        "repeated_headers": list(table.repeated_headers),
        "rows": table.rows,
        "cells": [_cell_to_value(cell) for cell in table.cells],
        "notes": list(table.notes),
        "box": table.box,
        "xpath": table.xpath,
        "confidence": table.confidence,
        "reasons": list(table.reasons),
        "rendered": table.rendered,
        "visible": table.visible,
    }


def to_json(table: Table) -> str:
    """Write everything that is known."""
    return json.dumps(to_value(table), ensure_ascii=False)


def _cell_to_value(cell: Cell) -> dict[str, Any]:
    """Give a cell without what is as usual."""
    value = cell.value
    found: dict[str, Any] = {"row": cell.row, "column": cell.column, "text": cell.text}
    spans = {"row_span": cell.row_span, "column_span": cell.column_span}
    found |= {name: span for name, span in spans.items() if span > 1}
    found |= {"heading": True} if cell.heading else {}
    if value.kind not in ("text", "empty"):
        found["type"] = value.kind
        found["value"] = _plain(value)
        found |= {"unit": value.unit} if value.unit else {}
    found |= {"links": list(cell.links)} if cell.links else {}
    found |= {"images": list(cell.images)} if cell.images else {}
    return found


def _plain(value: Value) -> int | float | str | None:
    """Give a date as ISO 8601 and a duration in seconds."""
    if isinstance(value.value, date):
        return value.value.isoformat()
    return value.value.total_seconds() if isinstance(value.value, timedelta) else value.value


def to_markdown(table: Table) -> str:
    """Write a Markdown table with the names of the columns."""
    lines = [table.columns, ["---"] * table.column_count, *(table.rows[row] for row in table.data_rows)]
    return "\n".join("| " + " | ".join(_in_markdown(text) for text in line) + " |" for line in lines) + "\n"


def _in_markdown(text: str) -> str:
    return re.sub(r"([\\|`*_<\[\]])", r"\\\1", " ".join(text.split()))


def to_html(table: Table) -> str:
    """Write a plain table: caption, headings, spans, texts."""
    rows: list[list[str]] = [[] for _ in range(table.row_count)]
    begins = {(cell.row, cell.column): cell for cell in table.cells}
    covered = {
        (row, column)
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    }
    for row, written in enumerate(rows):
        for place in ((row, column) for column in range(table.column_count)):
            if place in begins:
                written.append(_cell_to_html(begins[place]))
            elif place not in covered:
                written.append("<td></td>")
    caption = f"<caption>{html.escape(table.caption or table.name)}</caption>\n" if table.caption or table.name else ""
    return f"<table>\n{caption}" + "".join(f"<tr>{''.join(row)}</tr>\n" for row in rows) + "</table>\n"


def _cell_to_html(cell: Cell) -> str:
    tag = "th" if cell.heading else "td"
    spans = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    spans += f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    return f"<{tag}{spans}>{html.escape(cell.text)}</{tag}>"


def to_xml(table: Table) -> str:
    """Write the cells by rows, with their places and boxes."""
    rows: list[list[str]] = [[] for _ in range(table.row_count)]
    for cell in table.cells:
        places = {"column": cell.column, "rowspan": cell.row_span, "colspan": cell.column_span}
        words = "".join(f' {name}="{number}"' for name, number in places.items())
        words += ' heading="true"' if cell.heading else ""
        words += f' box="{" ".join(f"{edge:g}" for edge in cell.box)}"' if cell.box else ""
        rows[cell.row].append(f"    <cell{words}>{escape(_in_xml(cell.text))}</cell>\n")
    lines = [f'  <row number="{number}">\n{"".join(row)}  </row>\n' for number, row in enumerate(rows)]
    start = f"<table name={quoteattr(_in_xml(table.name))} xpath={quoteattr(_in_xml(table.xpath))}>\n"
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + start + "".join(lines) + "</table>\n"


def _in_xml(text: str) -> str:
    return NOT_IN_XML.sub("\ufffd", text)


def to_pandas(table: Table, *, typed: bool = False) -> Any:  # noqa: ANN401 - a library that may not be there
    """Give a data frame of the data rows."""
    pandas = library("pandas")
    return pandas.DataFrame(_columns(table, typed=typed), columns=table.columns)


def to_arrow(table: Table, *, typed: bool = False) -> Any:  # noqa: ANN401 - a library that may not be there
    """Give an Arrow table of the data rows; a column with numbers that Arrow can't hold is one of texts."""
    pyarrow = library("pyarrow")
    columns = {}
    for (name, values), texts in zip(_columns(table, typed=typed).items(), table_to_values(table), strict=True):
        try:
            columns[name] = pyarrow.array(values)
        except (OverflowError, pyarrow.ArrowException):
            columns[name] = pyarrow.array([value.raw for value in texts])
    return pyarrow.table(columns)


def _columns(table: Table, *, typed: bool) -> dict[str, list[Any]]:
    values = table_to_values(table)
    return {
        name: _typed(column) if typed else [value.raw for value in column]
        for name, column in zip(table.columns, values, strict=True)
    }


def _typed(column: list[Value]) -> list[Any]:
    """Give a column's values where all that is not empty has one kind, one unit and a value; else its texts."""
    filled = [value for value in column if value.kind != "empty"]
    alike = len({(value.kind, value.unit) for value in filled}) == 1
    if not alike or any(value.value is None for value in filled):
        return [value.raw for value in column]
    return [value.value for value in column]


def to_xlsx(tables: Sequence[Table]) -> bytes:
    """Write a workbook with a sheet a table; every cell is text, none a formula."""
    openpyxl = library("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    names = {"history"}  # no sheet may be called so
    for number, table in enumerate(tables, 1):
        sheet = book.create_sheet(_sheet_name(table.name or f"Table {number}", names))
        _fill(sheet, table)
    if not tables:
        book.create_sheet("no tables")
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _sheet_name(name: str, taken: set[str]) -> str:
    """Make a name that a sheet may have and no other has, letters' case aside."""
    base = NOT_IN_SHEET.sub(" ", name).strip(" '")[:LONGEST_SHEET].strip(" '") or "Table"
    found, again = base, 2
    while found.casefold() in taken:
        found, again = f"{base[: LONGEST_SHEET - 6]} ({again})", again + 1
    taken.add(found.casefold())
    return found


def _fill(sheet: Any, table: Table) -> None:  # noqa: ANN401 - a library that may not be there
    if table.row_count > MOST_ROWS or table.column_count > MOST_COLUMNS:
        raise UsageError(f"The table {table.name!r} is larger than an XLSX sheet can be. Write it as CSV instead.")
    for cell in table.cells:
        place = sheet.cell(cell.row + 1, cell.column + 1)
        place.value = _in_sheet(cell.text)
        place.data_type = "s"
        if cell.row_span > 1 or cell.column_span > 1:
            end = {"end_row": cell.row + cell.row_span, "end_column": cell.column + cell.column_span}
            sheet.merge_cells(start_row=cell.row + 1, start_column=cell.column + 1, **end)


def _in_sheet(text: str) -> str:
    return NOT_IN_XML.sub("\ufffd", text)[:LONGEST_TEXT]
