"""Data in the forms that people use: dictionaries, CSV, JSON, data frames, Arrow, Parquet, XLSX, HTML.

Texts are written as they stand on the page. A spreadsheet would take a text that begins with ``=`` for a formula: CSV
has no way to say that it is none, XLSX has, and there every text is written as text.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.atomic import written
from windrow.extras import library
from windrow.result.columns import free_name

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from windrow.result.columns import Column
    from windrow.result.data import Cell, Data, Value

Sheet: TypeAlias = Any
"""A sheet of a workbook, by a library that may not be there."""

NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOT_IN_SHEET_NAME = re.compile(r"[\[\]:*?/\\\x00-\x1f\ud800-\udfff\ufffe\uffff]")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_SHEET_NAME, LONGEST_TEXT = 31, 32_767
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""XLSX's own limits."""
WITHOUT_VALUES = {"number": "float64", "money": "float64", "date": "date32"}
"""What a declared column without any value is in Arrow."""
UNTYPED = frozenset({"text", "link", "image"})
"""Kinds of columns whose texts say nothing more."""
SHOWN_ROWS = 20
"""Rows that a notebook shows."""


def column_to_dict(column: Column) -> dict[str, Any]:
    """Return a column without what is as usual."""
    known = {
        field.name: getattr(column, field.name) for field in fields(column) if field.name not in ("wordy", "declared")
    }
    return {name: value for name, value in known.items() if name in ("name", "kind") or value}


def to_dicts(data: Data, *, typed: bool) -> list[dict[str, Any]]:
    """Return one dictionary a row."""
    return [
        {
            column.name: _one_or_several(column, cell, typed=typed)
            for column, cell in zip(data.columns, row, strict=True)
        }
        for row in data.rows
    ]


def _one_or_several(column: Column, cell: Cell, *, typed: bool) -> Any:  # noqa: ANN401 - whatever a cell holds
    found = [_typed(column, value) if typed else _raw(column, value) for value in cell]
    return None if not found else found[0] if len(found) == 1 else found


def _raw(column: Column, value: Value) -> Any:  # noqa: ANN401 - a text, or a number of ours
    return value.value if column.counted else value.text


def _typed(column: Column, value: Value) -> Any:  # noqa: ANN401 - whatever a column holds
    """Return a value as its column has it: typed where it fits, None where it is missing, else its text."""
    if column.kind in UNTYPED:
        return value.text
    if value.kind in ("empty", "missing"):
        return None
    return value.value if value.fits else value.text


def to_typed(data: Data) -> Iterator[dict[str, Any]]:
    """Yield, for each row, what its texts say where that is more than the text, as JSON can hold it."""
    typed = [(number, column.name) for number, column in enumerate(data.columns) if column.kind not in UNTYPED]
    for row in data.rows:
        yield {
            name: found[0] if len(found) == 1 else found
            for number, name in typed
            if any(value.value is not None and value.fits for value in row[number])
            and (found := [value.plain if value.fits else None for value in row[number]])
        }


def to_texts(data: Data) -> list[list[str]]:
    """Return the names of the columns and the rows as texts; several values of a cell stand on lines of their own."""
    return [data.names, *(["\n".join(value.text for value in cell) for cell in row] for row in data.rows)]


def to_csv(rows: Sequence[Sequence[str]]) -> str:
    """Write rows by RFC 4180."""
    into = io.StringIO()
    csv.writer(into).writerows(rows)
    return into.getvalue()


def to_columns(data: Data, *, typed: bool) -> dict[str, list[Any]]:
    """Return the columns by name; beside a typed one with texts that do not fit, those texts."""
    found: dict[str, list[Any]] = {}
    taken = set(data.names)
    for number, column in enumerate(data.columns):
        cells = data.column(number)
        is_typed = column.counted or (typed and column.kind not in UNTYPED)
        read = _as_value if is_typed else _as_text
        found[column.name] = _column(cells, read)
        if is_typed and not all(value.fits for cell in cells for value in cell):
            beside = free_name(f"{column.name} (text)", taken)
            taken.add(beside)
            found[beside] = _column(cells, _as_text)
    return found


def _as_value(value: Value) -> Any:  # noqa: ANN401 - a number, a date, a duration
    return value.value if value.fits else None


def _as_text(value: Value) -> str:
    return value.text


def _column(cells: Sequence[Cell], read: Callable[[Value], Any]) -> list[Any]:
    """Return one entry a cell: its value, or a list where some cell of the column has several."""
    if any(len(cell) > 1 for cell in cells):
        return [[read(value) for value in cell] for cell in cells]
    return [read(cell[0]) if cell else None for cell in cells]


def to_pandas(data: Data, *, typed: bool) -> pd.DataFrame:
    """Return a data frame."""
    pandas = library("pandas")
    columns = {name: _series(pandas, entries) for name, entries in to_columns(data, typed=typed).items()}
    frame: pd.DataFrame = pandas.DataFrame(columns, columns=list(columns))
    return frame


def _series(pandas: Any, entries: list[Any]) -> Any:  # noqa: ANN401 - a library that may not be there
    """Return a column; integers stay integers where some are missing."""
    known = [entry for entry in entries if entry is not None]
    is_whole = bool(known) and len(known) < len(entries) and all(isinstance(entry, int) for entry in known)
    return pandas.array(entries, dtype="Int64") if is_whole else entries


def to_arrow(data: Data, *, typed: bool) -> pa.Table:
    """Return an Arrow table; kind and unit of each column stand in its metadata."""
    pyarrow = library("pyarrow")
    about = {column.name: column for column in data.columns}
    arrays, fields_of = [], []
    for name, entries in to_columns(data, typed=typed).items():
        declared = about[name].declared if typed and name in about else ()
        array, field = to_arrow_column(pyarrow, name, entries, about.get(name), declared)
        arrays.append(array)
        fields_of.append(field)
    table: pa.Table = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields_of))
    return table


def to_arrow_column(
    pyarrow: Any,  # noqa: ANN401 - a library that may not be there
    name: str,
    entries: Sequence[Any],
    about: Column | None,
    declared: Sequence[str] = (),
) -> tuple[Any, Any]:
    """Return a column of Arrow's and its field; what is known of it stands in the field's metadata."""
    field = to_arrow_field(pyarrow, name, entries, about, declared)
    return to_arrow_array(pyarrow, entries, field.type), field


def to_arrow_field(
    pyarrow: Any,  # noqa: ANN401 - a library that may not be there
    name: str,
    entries: Sequence[Any],
    about: Column | None,
    declared: Sequence[str] = (),
) -> Any:  # noqa: ANN401 - as above
    """Return the field of a column with some entries; what is known of it stands in the field's metadata."""
    metadata = None if about is None else {"kind": about.kind, "unit": about.unit}
    return pyarrow.field(_encodable(name), _arrow_type(pyarrow, entries, declared), metadata=metadata)


def to_arrow_array(pyarrow: Any, entries: Sequence[Any], type_: Any) -> Any:  # noqa: ANN401 - as above
    """Return entries as an array of Arrow's."""
    try:
        return pyarrow.array(entries, type_)
    except UnicodeEncodeError:  # a lone surrogate
        return pyarrow.array([_encodable(entry) for entry in entries], type_)


def _encodable(entry: Any) -> Any:  # noqa: ANN401 - a text, several, or anything else
    """Return texts with what UTF-8 has no form for replaced."""
    if isinstance(entry, list):
        return [_encodable(each) for each in entry]
    return LONE_SURROGATE.sub("\ufffd", entry) if isinstance(entry, str) else entry


def _arrow_type(pyarrow: Any, entries: Sequence[Any], declared: Sequence[str]) -> Any:  # noqa: ANN401 - a library that may not be there
    """Return the type of a column, the same for the same kind of entries; without any, what was declared."""
    flat = [value for entry in entries for value in (entry if isinstance(entry, list) else [entry])]
    known = [value for value in flat if value is not None]
    kind = getattr(pyarrow, WITHOUT_VALUES.get(declared[0], "string") if declared and not known else "string")()
    if known and all(isinstance(value, int | float) for value in known):
        kind = pyarrow.int64() if all(isinstance(value, int) for value in known) else pyarrow.float64()
    elif known and all(isinstance(value, datetime) for value in known):
        kind = pyarrow.timestamp("us", tz="UTC" if known[0].tzinfo else None)
    elif known and all(isinstance(value, date) for value in known):
        kind = pyarrow.date32()
    elif known and all(isinstance(value, timedelta) for value in known):
        kind = pyarrow.duration("us")
    return pyarrow.list_(kind) if any(isinstance(entry, list) for entry in entries) else kind


def to_parquet(data: Data, path: str | Path, *, typed: bool) -> None:
    """Write a Parquet file as a whole or not at all."""
    into = io.BytesIO()
    library("pyarrow.parquet").write_table(to_arrow(data, typed=typed), into)
    with written(Path(path)) as file:
        file.write(into.getvalue())


def to_xlsx(sheets: Sequence[tuple[str, Callable[[Sheet], None]]]) -> bytes:
    """Return a workbook with a sheet for each name and what fills it."""
    book = library("openpyxl").Workbook()
    book.remove(book.active)
    names = sheet_names(name for name, _ in sheets)
    for name, (_, fill) in zip(names, sheets, strict=True):
        fill(book.create_sheet(name))
    if not sheets:
        book.create_sheet("nothing found")
    into = io.BytesIO()
    book.save(into)
    return into.getvalue()


def sheet_names(names: Iterable[str]) -> list[str]:
    """Return names that sheets may have, no two the same but for letters' case."""
    found: list[str] = []
    taken = {"history"}  # no sheet may be called so
    following: dict[str, int] = {}
    for given in names:
        name = NOT_IN_SHEET_NAME.sub(" ", given).strip(" '")[:LONGEST_SHEET_NAME].strip(" '") or "Sheet"
        base = name[: LONGEST_SHEET_NAME - len(" (99999)")]
        again = following.get(base.casefold(), 2)
        while name.casefold() in taken:
            name, again = f"{base} ({again})", again + 1
        following[base.casefold()] = again
        taken.add(name.casefold())
        found.append(name)
    return found


def put_text(place: Any, text: str) -> None:  # noqa: ANN401 - a cell, by a library that may not be there
    """Write a text into a cell of a sheet, which never takes it for a formula."""
    place.value = NOT_IN_XML.sub("\ufffd", text)[:LONGEST_TEXT]
    place.data_type = "s"


def to_html(data: Data, label: str) -> str:
    """Return the first rows as an HTML table, every text escaped."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in data.names)
    shown = to_texts(data)[1 : SHOWN_ROWS + 1]
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in shown)
    left = len(data.rows) - len(shown)
    more = f"<p>… {left:,} more rows</p>" if left else ""
    return f"<table><caption>{html.escape(label)}</caption><tr>{head}</tr>{body}</table>{more}"
