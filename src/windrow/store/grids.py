"""Records and collections as grids: what is known of each record first, then a column a label."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

from windrow.result import Column, declared_column, free_name
from windrow.result.grid import Grid
from windrow.store.fields import ABOUT_RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from windrow.result.grid import Cell, Row
    from windrow.store.collections import Gathering
    from windrow.store.fields import FieldRow
    from windrow.store.rows import Key, Record, Rows

ABOUT = ABOUT_RECORDS[1:]
"""What a file says of a record before its labels."""
MOMENTS = ("first_seen", "last_seen")


class Several(Protocol):
    """Records of a source, with its fields."""

    @property
    def fields(self) -> Sequence[FieldRow]:
        """The fields of the source."""

    def __iter__(self) -> Iterator[Record]:
        """Yield the records."""


def records_to_grid(sources: Sequence[Several], label: str, passing: Callable[[], None]) -> Grid:
    """Return the records of one source, or of several with their name; ``passing`` is called for each on its way."""
    fields: dict[str, FieldRow] = {}
    for rows in sources:
        for field in rows.fields:
            if field.label not in fields or (fields[field.label].kind is None and field.kind is not None):
                fields[field.label] = field
    about = ABOUT if len(sources) == 1 else ("source", *ABOUT)
    columns = [Column(_name_beside(fields, name), wordy=name not in MOMENTS) for name in about]
    columns += [declared_column(field.label, field.kind) for field in fields.values()]

    def read() -> Iterator[Row]:
        for rows in sources:
            for record in rows:
                yield [*(_about(record, name) for name in about), *(record.values.get(name) for name in fields)]

    return Grid(label, tuple(columns), read, len(about), passing)


def _name_beside(labels: Collection[str], name: str) -> str:
    """Return what a column is called that says something about the record, where a label may have the same name."""
    return free_name(f"record {name}", labels) if name in labels else name


def _about(record: Record, name: str) -> Cell:
    if name == "kept":
        return record.kept or None
    return _in_one(record.key) if name == "key" else getattr(record, name)


def _in_one(key: Key | None) -> str | None:
    """Return a key as one text; several labels that make it are a JSON array."""
    return key if key is None or isinstance(key, str) else json.dumps(key, ensure_ascii=False)


def collection_to_grid(gathering: Gathering, passing: Callable[[], None]) -> Grid:
    """Return the rows of a collection: the values that are shown, then each source's own beside each other."""
    collection = gathering.collection
    labels = collection.labels
    own = [(name, label) for label in labels for name, mapped in collection.sources.items() if label in mapped]
    names = [*labels, *(f"{label} ({name})" for name, label in own)]
    about = ("key", "sources", "conflicts")
    columns = [Column(_name_beside(names, name), wordy=True) for name in about]
    types = [collection.types.get(label) for label in (*labels, *(label for _, label in own))]
    columns += [declared_column(name, type_) for name, type_ in zip(names, types, strict=True)]

    def read() -> Iterator[Row]:
        for row in gathering:
            values = [row.values[label] for label in labels]
            beside = [row.sources.get(name, {}).get(label) for name, label in own]
            yield [_in_one(row.key), list(row.sources), row.conflicts, *values, *beside]

    return Grid(collection.name, tuple(columns), read, len(about), passing)


def grid_to_table(grid: Grid) -> tuple[str, Sequence[str], Iterable[Row]]:
    """Return a grid as a table of texts."""
    return grid.label, [column.name for column in grid.columns], grid.passing_rows()


def records_to_table(rows: Rows, passing: Callable[[], None]) -> tuple[str, Sequence[str], Iterable[Sequence[Any]]]:
    """Return the records of a source as its view shows them: beside a label of a declared type, what its text says."""
    columns: list[tuple[str, str, bool]] = []
    for field in rows.fields:
        columns.append((field.column_name, field.label, False))
        if field.kind not in (None, "text"):
            columns.append((f"{field.column_name}_value", field.label, True))

    def read() -> Iterator[Sequence[Any]]:
        for record in rows:
            passing()
            values = [(record.typed if is_typed else record.values).get(label) for _, label, is_typed in columns]
            yield [*(_about(record, name) for name in ABOUT), *values]

    return rows.source.name, [*ABOUT, *(name for name, *_ in columns)], read()
