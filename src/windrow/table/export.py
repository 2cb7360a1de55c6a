"""Forms that only a table has, with its spans and headings: Markdown, HTML, XML, and a sheet with merged cells."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from windrow.errors import UsageError
from windrow.result.export import MOST_COLUMNS, MOST_ROWS, NOT_IN_XML, Sheet, put_text

if TYPE_CHECKING:
    from windrow.table.result import Cell, Table


def to_markdown(table: Table) -> str:
    """Return a Markdown table with the names of the columns."""
    lines = [table.columns, ["---"] * table.column_count, *(table.rows[row] for row in table.data_rows)]
    return "\n".join("| " + " | ".join(_in_markdown(text) for text in line) + " |" for line in lines) + "\n"


def _in_markdown(text: str) -> str:
    return re.sub(r"([\\|`*_<\[\]])", r"\\\1", " ".join(text.split()))


def to_html(table: Table) -> str:
    """Return a plain table: caption, headings, spans, texts."""
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
    """Return the cells by rows, with their places and boxes."""
    from xml.sax.saxutils import escape, quoteattr  # noqa: PLC0415 - brings the network along, which few need

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


def fill_sheet(sheet: Sheet, table: Table) -> None:
    """Write the cells into a sheet, merged as they span."""
    if table.row_count > MOST_ROWS or table.column_count > MOST_COLUMNS:
        raise UsageError(f"The table {table.name!r} is larger than an XLSX sheet can be. Write it as CSV instead.")
    for cell in table.cells:
        put_text(sheet.cell(cell.row + 1, cell.column + 1), cell.text)
        if cell.row_span > 1 or cell.column_span > 1:
            end = {"end_row": cell.row + cell.row_span, "end_column": cell.column + cell.column_span}
            sheet.merge_cells(start_row=cell.row + 1, start_column=cell.column + 1, **end)
