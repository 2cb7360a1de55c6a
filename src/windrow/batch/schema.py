"""The tables that a batch writes, as Arrow types: what each column is called, and what it holds.

A change that readers of the files would notice gives ``VERSION`` the next number; docs/batch.md describes it.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = 2
Row: TypeAlias = tuple[Any, ...]
"""The values of a row in the order of its schema; structures within are tuples, too."""

PLACE = (("file", "string"), ("offset", "int64"), ("part", "int32"), ("url", "string"))
"""What every table begins with: the record that a row is from; ``pages`` has each once."""
VALUE = (
    ("text", "string"),
    ("type", "string"),
    ("value", "string"),
    ("number", "float64"),
    ("unit", "string"),
    ("fits", "bool_"),
)
"""A text, what it is, what it says as a text and as a number, its unit, and whether it fits its column."""
CELL = (
    ("row", "int32"),
    ("column", "int32"),
    ("row_span", "int32"),
    ("column_span", "int32"),
    ("heading", "bool_"),
    *VALUE,
    ("link", "string"),
    ("image", "string"),
    ("xpath", "string"),
)
COLUMN = (("name", "string"), ("type", "string"), ("unit", "string"))
FOUND = (
    ("result", "int32"),
    ("name", "string"),
    ("confidence", "float64"),
    ("xpath", "string"),
    ("box", ["float64"]),
    ("columns", [COLUMN]),
    ("cells", [CELL]),
)
"""One row a result, whatever reader found it."""
TABLES: dict[str, tuple[tuple[str, Any], ...]] = {
    "pages": (
        *PLACE,
        ("record_id", "string"),
        ("time", "time"),
        ("status", "int16"),
        ("content_type", "string"),
        ("encoding", "string"),
        ("language", "string"),
        ("title", "string"),
        ("digest", "string"),
        ("sha256", "string"),
        ("nodes", "int32"),
        ("rendered", "bool_"),
        ("original_file", "string"),
        ("original_offset", "int64"),
        ("kind", "string"),
        ("missing", ["string"]),
        ("doubtful", [(("label", "string"), ("text", "string"))]),
        ("warnings", [(("kind", "string"), ("text", "string"))]),
    ),
    "rejects": (
        *PLACE,
        ("record_id", "string"),
        ("type", "string"),
        ("time", "time"),
        ("digest", "string"),
        ("outcome", "string"),
        ("reason", "string"),
        ("detail", "string"),
    ),
    "values": (
        *PLACE,
        ("row", "int32"),
        ("label", "string"),
        ("n", "int32"),
        *VALUE,
        ("confidence", "float64"),
        ("link", "string"),
        ("xpath", "string"),
    ),
    "revisits": (
        *PLACE,
        ("record_id", "string"),
        ("date", "string"),
        ("digest", "string"),
        ("refers_to", "string"),
        ("refers_to_url", "string"),
        ("refers_to_date", "string"),
    ),
    "survey": (
        *PLACE,
        ("range", "int32"),
        ("at", "int64"),
        ("type", "string"),
        ("record_id", "string"),
        ("time", "time"),
        ("digest", "string"),
        ("key", "string"),
        ("refers_to", "string"),
        ("refers_to_url", "string"),
        ("refers_to_date", "string"),
    ),
    "title": (*PLACE, ("text", "string"), ("score", "float64"), ("confidence", "float64"), ("xpath", "string")),
    "text": (*PLACE, ("text", "string")),
    "tables": (
        *PLACE,
        *FOUND,
        ("caption", "string"),
        ("rows", "int32"),
        ("header_rows", "int32"),
        ("header_columns", "int32"),
        ("origin", "string"),
        ("visible", "bool_"),
    ),
    "regions": (*PLACE, *FOUND, ("rows", "int32"), ("next_url", "string"), ("table", "string")),
    "toplist": (
        *PLACE,
        *FOUND,
        ("k", "int32"),
        ("concept", "string"),
        ("criterion", "string"),
        ("time", "string"),
        ("location", "string"),
    ),
}
"""The columns of each table; a reader that has no line of its own has those that all results have.

``revisits`` and ``survey`` are for ourselves, and are gone when the job is done.
"""


def fields_of(table: str) -> tuple[tuple[str, Any], ...]:
    """Return the columns of a table with their types."""
    return TABLES.get(table, (*PLACE, *FOUND))


@cache
def schema_of(table: str) -> Any:  # noqa: ANN401 - a library that may not be there
    """Return the Arrow schema of a table, with its version in the metadata."""
    pyarrow = library("pyarrow")
    fields = [pyarrow.field(name, _type(pyarrow, kind)) for name, kind in fields_of(table)]
    return pyarrow.schema(fields, metadata={"windrow.table": table, "windrow.schema": str(VERSION)})


def _type(pyarrow: Any, kind: Any) -> Any:  # noqa: ANN401 - a library that may not be there
    if isinstance(kind, list):
        return pyarrow.list_(_type(pyarrow, kind[0]))
    if isinstance(kind, tuple):
        return pyarrow.struct([pyarrow.field(name, _type(pyarrow, inner)) for name, inner in kind])
    return pyarrow.timestamp("us", tz="UTC") if kind == "time" else getattr(pyarrow, kind)()


def rows_to_batch(table: str, rows: Sequence[Row]) -> Any:  # noqa: ANN401 - a library that may not be there
    """Return rows as a record batch; column by column, which costs a tenth of what dictionaries do."""
    pyarrow, schema = library("pyarrow"), schema_of(table)
    columns = zip(*rows, strict=True) if rows else [() for _ in schema]
    arrays = [_to_array(pyarrow, field.type, column) for field, column in zip(schema, columns, strict=True)]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def _to_array(pyarrow: Any, kind: Any, values: Sequence[Any]) -> Any:  # noqa: ANN401 - a library that may not be there
    types = pyarrow.types
    if types.is_list(kind) and types.is_struct(kind.value_type):
        offsets = list(accumulate(map(len, values), initial=0))
        inner = [entry for entries in values for entry in entries]
        columns = zip(*inner, strict=True) if inner else [() for _ in range(kind.value_type.num_fields)]
        fields = [kind.value_type.field(number) for number in range(kind.value_type.num_fields)]
        arrays = [_to_array(pyarrow, field.type, column) for field, column in zip(fields, columns, strict=True)]
        structs = pyarrow.StructArray.from_arrays(arrays, fields=fields)
        return pyarrow.ListArray.from_arrays(pyarrow.array(offsets, pyarrow.int32()), structs, type=kind)
    try:
        return pyarrow.array(values, kind)
    except UnicodeEncodeError:  # a lone surrogate, which UTF-8 has no form for
        return pyarrow.array([_encodable(value) for value in values], kind)


def _encodable(value: Any) -> Any:  # noqa: ANN401 - a text, several, or nothing
    if isinstance(value, list):
        return [_encodable(each) for each in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
