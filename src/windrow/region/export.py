"""A region in the forms that people use: CSV, JSON, data frames, Arrow, XLSX.

Texts are written as they stand on the page. A spreadsheet would take a text that begins with ``=`` for an order: CSV
has no way to say that it is none, XLSX has, and there every text is written as text.
"""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from windrow.extras import library

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from windrow.region.result import Cell, Record, Region
    from windrow.value import Value

NOT_IN_SHEET = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LONGEST_TEXT = 32_767
"""XLSX's own limit."""


def to_csv(region: Region) -> str:
    """Write the names and the rows by RFC 4180."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(region.columns)
    writer.writerows([_one(cell) for cell in row] for row in region.rows)
    return written.getvalue()


def to_value(region: Region) -> dict[str, Any]:
    """Give everything that is known as plain values."""
    return {
        "method": region.method,
        "rendered": region.rendered,
        "confidence": round(region.confidence, 3),
        "box": region.box,
        "next_url": region.next_url,
        "columns": [{"name": name, "kind": region.kinds.get(name, "text")} for name in region.columns],
        "records": [_record_to_value(record) for record in region.records],
    }


def to_json(region: Region) -> str:
    """Write everything that is known."""
    return json.dumps(to_value(region), ensure_ascii=False)


def _record_to_value(record: Record) -> dict[str, Any]:
    read = record.values  # noqa: PD011 -- no data frame
    typed = {name: _plain_or_several(value) for name, value in read.items()}
    return {
        "text": record.text,
        "url": record.url,
        "box": record.box,
        "fields": record.fields,
        "values": {name: value for name, value in typed.items() if value is not None},
    }


def _plain_or_several(value: Value | list[Value]) -> dict[str, Any] | list[dict[str, Any] | None] | None:
    """Give the values of a repeated field as a list, with nothing where a text is only words."""
    if not isinstance(value, list):
        return _plain(value)
    several = [_plain(each) for each in value]
    return several if any(several) else None


def _plain(value: Value) -> dict[str, Any] | None:
    """Give a value that is more than its text: dates as ISO 8601, durations in seconds."""
    if value.value is None:
        return None
    plain: int | float | str
    if isinstance(value.value, date):
        plain = value.value.isoformat()
    else:
        plain = value.value.total_seconds() if isinstance(value.value, timedelta) else value.value
    return {"kind": value.kind, "value": plain} | ({"unit": value.unit} if value.unit else {})


def to_pandas(region: Region) -> pd.DataFrame:
    """Give the rows as a data frame."""
    frame: pd.DataFrame = library("pandas").DataFrame(region.rows, columns=region.columns)
    return frame


def to_arrow(region: Region) -> pa.Table:
    """Give the rows as an Arrow table; a column in which some cell is a list is a column of lists."""
    columns: dict[str, list[Any]] = {}
    for number, name in enumerate(region.columns):
        cells = [row[number] for row in region.rows]
        several = any(isinstance(cell, list) for cell in cells)
        columns[name] = [_several(cell) for cell in cells] if several else cells
    table: pa.Table = library("pyarrow").table(columns)
    return table


def to_xlsx(region: Region) -> bytes:
    """Write a workbook with one sheet."""
    book = library("openpyxl").Workbook()
    header: list[Cell] = [*region.columns]
    for number, row in enumerate([header, *region.rows], 1):
        for column, cell in enumerate(row, 1):
            place = book.active.cell(number, column)
            place.value = NOT_IN_SHEET.sub("\ufffd", _one(cell))[:LONGEST_TEXT]
            place.data_type = "s"
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _one(cell: Cell) -> str:
    return cell if isinstance(cell, str) else "\n".join(cell)


def _several(cell: Cell) -> list[str]:
    if isinstance(cell, list):
        return cell
    return [cell] if cell else []
