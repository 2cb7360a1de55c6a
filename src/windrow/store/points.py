"""Points in the history of a source: a run of it, or a moment, up to which its changes are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from windrow.errors import UsageError
from windrow.store import moments, schema

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.engine import Connection

    from windrow.store.sources import SourceRow


@dataclass(frozen=True)
class Point:
    """The end of a run, or a moment."""

    run: int | None = None
    moment: str = ""
    """Where it is no run."""

    @property
    def before(self) -> ColumnElement[bool]:
        """What holds of the changes that it includes."""
        return schema.change.c.at <= self.moment if self.run is None else schema.change.c.run_id <= self.run

    @property
    def after(self) -> ColumnElement[bool]:
        """What holds of the changes that came later."""
        return schema.change.c.at > self.moment if self.run is None else schema.change.c.run_id > self.run

    def includes(self, run: int, moment: str) -> bool:
        """Whether a run, or something of it that happened at a moment, is not later."""
        return moment <= self.moment if self.run is None else run <= self.run

    @property
    def since(self) -> ColumnElement[bool]:
        """What holds of the changes that may be news to whoever was told of it: of its second, all."""
        return self.after if self.run is not None else schema.change.c.at > self.moment.replace(".999999Z", ".000000Z")

    def __str__(self) -> str:
        """Return what it is called in a sentence."""
        return str(moments.shown(self.moment)) if self.run is None else f"run {self.run}"


def find_point(connection: Connection, source: SourceRow, text: str) -> Point:
    """Return the point that a person means: the number of a run of the source, or a date or time."""
    if not text.isdecimal():
        return find_moment(text)
    number = int(text)
    chosen = select(schema.run.c.id).where(schema.run.c.source_id == source.id)
    # A number beyond those that a database knows is no run either.
    if number.bit_length() > 62 or connection.execute(chosen.where(schema.run.c.id == number)).first() is None:  # noqa: PLR2004
        runs = list(connection.execute(chosen.order_by(schema.run.c.id)).scalars())
        known = f"it has runs from {runs[0]} to {runs[-1]}" if runs else "it has not been harvested yet"
        raise UsageError(f"{source.name} has no run {text}; {known}. `windrow runs {source.name}` lists them.")
    return Point(number)


def find_moment(text: str) -> Point:
    """Return the point of a date or time; people are told seconds, so one without a fraction is the second's end."""
    return Point(moment=moments.parse(text).replace(".000000Z", ".999999Z"))
