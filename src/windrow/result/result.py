"""``Result``: the verbs that everything has that a reader returns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from windrow.errors import UsageError
from windrow.extras import library
from windrow.result import export, files, grid
from windrow.result.data import Box, Data
from windrow.result.members import FEW, Members, gather, to_pieces
from windrow.result.typed_rows import TypedRows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa

TAG = "windrow"
"""The key under which the plain form of a result says what it is."""


WRITTEN_BY_NEED = {"by need": True}
"""Metadata of a field that the plain form has only where it is not as usual."""


class Result(ABC):
    """What a reader returns: columns and rows of values, how sure it is, and where on the page it was read.

    Subclasses are frozen dataclasses; their fields are all that is stored, and everything else follows from them.
    """

    _kinds: ClassVar[dict[str, type[Result]]] = {}
    _name: ClassVar[str]

    kind: str
    """What it is: title, toplist, region, table, …"""
    confidence: float | Mapping[str, float]
    """The share of such results that are right; of an extraction, by label."""
    nodes: tuple[int, ...]
    """The nodes it was read from; ``page.xpath(node)`` finds each again."""
    box: Box | None
    """Where it stands, or None where the page was not laid out."""

    def __init_subclass__(cls, *, name: str, **settings: object) -> None:
        """Register the kind of result under its name."""
        super().__init_subclass__(**settings)
        cls._name = name
        if "kind" not in cls.__dict__:
            cls.kind = name
        Result._kinds[name] = cls

    @property
    @abstractmethod
    def data(self) -> Data:
        """The result as columns with types and rows of values."""

    @property
    def lack(self) -> str:
        """What the page has more of than was read, in a sentence; empty where nothing was left out."""
        return ""

    @property
    def label(self) -> str:
        """What a sheet or a heading calls it."""
        return self._name

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.data.names

    @property
    def unread(self) -> Data:
        """The rows as exports without types need them, where nobody has to say what the texts mean."""
        return self.data

    def displayed_rows(self) -> list[list[str]]:
        """Return the rows of a sheet, headings first."""
        return export.to_texts(self.data)

    def to_dicts(self, *, typed: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary a row: texts, lists of texts where there are several, None where there is none.

        ``typed`` gives numbers, dates and durations instead, where they fit their column.
        """
        return export.to_dicts(self.data if typed else self.unread, typed=typed)

    def to_csv(self) -> str:
        """Return the rows as CSV (RFC 4180), texts as they stand on the page; several values are lines of a cell."""
        return export.to_csv(self.displayed_rows())

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is known as JSON can hold it; ``from_dict`` reads it again."""
        plain: dict[str, Any] = gather(self.members())
        return plain

    def members(self) -> Members:
        """Return what ``to_dict`` gives, each part made when its turn comes."""
        return Members(self._members())

    def _members(self) -> Iterator[tuple[str, Any]]:
        import msgspec  # noqa: PLC0415 - takes a while, which results that nobody writes down do without

        yield TAG, self._name
        to_plain = partial(msgspec.to_builtins, str_keys=True)
        for each in fields(self):  # type: ignore[arg-type] # all results are dataclasses
            value = getattr(self, each.name)
            if value != each.default or each.metadata != WRITTEN_BY_NEED:
                is_long = isinstance(value, tuple) and len(value) > FEW
                yield each.name, map(to_plain, value) if is_long else to_plain(value)
        data = self.data
        yield "columns", map(export.column_to_dict, data.columns)
        yield "typed", export.to_typed(data)

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote."""
        found = from_dict(plain)
        if not isinstance(found, cls):
            raise UsageError(f"This is a {plain[TAG]}, no {cls._name}. Read it with windrow.from_dict.")
        return found

    def to_json(self) -> str:
        """Return ``to_dict`` as a JSON text."""
        return "".join(to_pieces(self.members()))

    def about(self) -> dict[str, Any]:
        """Return what holds of the whole; a data frame has it in ``attrs``."""
        return {"kind": self.kind}

    def to_pandas(self, *, typed: bool = False) -> pd.DataFrame:
        """Return the rows as a data frame of texts, or of typed values; see ``to_arrow``."""
        frame = export.to_pandas(self.data if typed else self.unread, typed=typed)
        frame.attrs.update(self.about())
        return frame

    def to_arrow(self, *, typed: bool = False) -> pa.Table:
        """Return the rows as an Arrow table; a column with several values somewhere is one of lists.

        Of a typed column, what does not fit is null, and all its texts stand in a column beside it: "NAME (text)".
        """
        return export.to_arrow(self.data, typed=typed)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the rows to whatever speaks Arrow, as ``to_arrow`` gives them: polars, DuckDB, pandas."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_parquet(self, path: str | Path, *, typed: bool = False) -> None:
        """Write the rows into a Parquet file, as a whole or not at all."""
        export.to_parquet(self.data, path, typed=typed)

    def to_xlsx(self) -> bytes:
        """Return a workbook with one sheet; a text is never a formula."""
        return results_to_xlsx([self])

    def fill_sheet(self, sheet: export.Sheet) -> None:
        """Write the rows into a sheet of a workbook: real numbers and dates, and their texts beside them."""
        files.fill_sheet(library("openpyxl"), sheet, self._sheet_rows())

    def _sheet_rows(self) -> TypedRows:
        return TypedRows(grid.stack([grid.Part.of(self)]))

    def _repr_html_(self) -> str:
        """Show the first rows in a notebook."""
        return export.to_html(self.data, self.label)


def results_to_xlsx(results: Sequence[Result]) -> bytes:
    """Return a workbook with a sheet a result."""
    return export.to_xlsx([(result.label, result.fill_sheet) for result in results])


def from_dict(plain: object) -> Result:
    """Return the result, of whatever kind, that ``to_dict`` wrote."""
    name = str(plain.get(TAG)) if isinstance(plain, dict) else ""
    kind = Result._kinds.get(name)  # noqa: SLF001 - the registry is the class's own
    if kind is None:
        known = ", ".join(Result._kinds)  # noqa: SLF001
        raise UsageError(f"This is no result that Windrow wrote; its {TAG!r} should be one of: {known}.")
    import msgspec  # noqa: PLC0415 - as above

    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"This {name} is not as Windrow wrote it: {error}. Read the page again.") from None
