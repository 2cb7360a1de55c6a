"""``Data``: columns and rows of values, the shape that every result is exported from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from windrow.result.columns import Column, KnownTexts, decide_columns
from windrow.value import Kind, Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from windrow.value import Typed

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom, in CSS pixels from the page's top left corner."""
Json: TypeAlias = int | float | str | None


class Source(NamedTuple):
    """One text as a reader found it, before anybody says what it means."""

    text: str
    link: str | None = None
    image: str | None = None
    node: int = -1


@dataclass(frozen=True, slots=True)
class Value:
    """One text of the page, what it says, and where it stands."""

    text: str
    """As it stands on the page."""
    kind: Kind = "text"
    """What the text is by itself, in the conventions of its column."""
    value: Plain | None = None
    """The number, date or duration; None where it is words, or could be read in two ways."""
    unit: str = ""
    fits: bool = True
    """Whether it has the kind and unit of its column; one that does not stays text in typed exports."""
    link: str | None = None
    image: str | None = None
    node: int = -1
    """Its node; ``page.xpath(value.node)`` finds it again. -1 where it has none of its own."""

    @property
    def plain(self) -> Json:
        """The value as JSON can hold it: dates by ISO 8601, durations in seconds."""
        if isinstance(self.value, date):
            return self.value.isoformat()
        return self.value.total_seconds() if isinstance(self.value, timedelta) else self.value


Cell: TypeAlias = tuple[Value, ...]
"""What stands in one place: nothing, one value, or several."""


@dataclass(frozen=True)
class SourceRows:
    """Rows that are made anew each time they are gone through, since those of a large result take more than it does."""

    make: Callable[[], Iterable[Sequence[Sequence[Source]]]]

    def __iter__(self) -> Iterator[Sequence[Sequence[Source]]]:
        """Go through the rows."""
        return iter(self.make())


@dataclass(frozen=True)
class Data:
    """Columns with their types, and rows with a cell for each."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def column(self, number: int) -> list[Cell]:
        """Return the cells of a column."""
        return [row[number] for row in self.rows]


def read_data(
    columns: Sequence[Column], rows: Iterable[Sequence[Sequence[Source]]], headings: Sequence[str] = ()
) -> Data:
    """Decide the columns from all texts, and read every text by its column; the rows are gone through twice."""
    texts: list[list[str]] = [[] for _ in columns]
    for row in rows:
        for found, cell in zip(texts, row, strict=True):
            found += [source.text for source in cell]
    known = KnownTexts()
    decided = decide_columns(columns, texts, headings or [column.name for column in columns], known)
    return read_rows(decided, rows, known)


def read_rows(
    columns: Sequence[Column], rows: Iterable[Sequence[Sequence[Source]]], known: KnownTexts | None = None
) -> Data:
    """Read every text by its column, which is decided already."""
    known = known or KnownTexts()
    reading = [(column, column.reader(known)) for column in columns]
    return Data(
        tuple(columns),
        tuple(
            [
                tuple(
                    [
                        tuple([_read(column, read(source.text), source) for source in cell])
                        for (column, read), cell in zip(reading, row, strict=True)
                    ]
                )
                for row in rows
            ]
        ),
    )


def _read(column: Column, typed: Typed, source: Source) -> Value:
    fits = column.fits(typed)
    return Value(
        source.text,
        typed.kind,
        typed.value,
        typed.unit or (column.unit if fits and column.unit_in_heading and typed.value is not None else ""),
        fits,
        source.link,
        source.image,
        source.node,
    )
