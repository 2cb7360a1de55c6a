"""What people said of pairs of records that are alike: one thing, or two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import delete, insert, select

from windrow.store import schema
from windrow.store.moments import now
from windrow.store.text import digest, dump

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

    from windrow.store.collections import Merged
    from windrow.store.rows import Key

Side: TypeAlias = tuple[str, str]
"""A record by its source and its key."""
Pair: TypeAlias = tuple[Side, Side]


@dataclass(frozen=True)
class Verdicts:
    """All that was said of the pairs of a collection."""

    same: list[Pair]
    different: frozenset[frozenset[Side]]

    def tells_apart(self, one: Merged, other: Merged) -> bool:
        """Whether somebody said that two rows are two things."""
        if not self.different:
            return False
        sides = [[side_of(source, key) for source, key in row.records.items()] for row in (one, other)]
        return any(frozenset((first, second)) in self.different for first in sides[0] for second in sides[1])


def side_of(source: str, key: Key) -> Side:
    """Return what a record is known by here."""
    return source, key if isinstance(key, str) else dump(key)


def first_side(records: Mapping[str, Key]) -> Side:
    """Return the record by which a row is known: that of its first source."""
    return side_of(*next(iter(records.items())))


def say_verdict(connection: Connection, collection: str, pair: Pair, *, same: bool) -> None:
    """Keep what somebody said of a pair, in the place of what was said before."""
    table = schema.verdict
    number = digest(dump(sorted(map(list, pair))))
    connection.execute(delete(table).where(table.c.collection == collection, table.c.digest == number))
    row = {"collection": collection, "digest": number, "pair": [list(side) for side in pair], "same": int(same)}
    connection.execute(insert(table).values(at=now(), **row))


def forget_verdict(connection: Connection, collection: str, number: int) -> None:
    """Take back what was said of a pair."""
    table = schema.verdict
    connection.execute(delete(table).where(table.c.collection == collection, table.c.id == number))


def list_verdicts(connection: Connection, collection: str) -> Verdicts:
    """Return what was said of the pairs of a collection."""
    same: list[Pair] = []
    different = set[frozenset[Side]]()
    for row in read_verdicts(connection, collection):
        one, other = ((str(source), str(key)) for source, key in row["pair"])
        if row["same"]:
            same.append((one, other))
        else:
            different.add(frozenset((one, other)))
    return Verdicts(same, frozenset(different))


def read_verdicts(connection: Connection, collection: str) -> list[dict[str, Any]]:
    """Return the same as rows, oldest first."""
    table = schema.verdict
    columns = table.c.id, table.c.pair, table.c.same, table.c.at
    chosen = select(*columns).where(table.c.collection == collection).order_by(table.c.id)
    return [dict(row) for row in connection.execute(chosen).mappings()]
