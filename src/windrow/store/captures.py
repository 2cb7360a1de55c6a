"""Pages that wrappers were learned from, healed on, or refused: what a person is shown when a template changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import delete, insert, select

from windrow.store import schema
from windrow.store.moments import now

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

Kind: TypeAlias = Literal["learned", "healed", "refused"]
MOST_KEPT = 20
"""Captures of a source that are kept; a picture of a page takes half a megabyte."""


@dataclass(frozen=True)
class Capture:
    """A page as it was when something was learned from it, or could not be."""

    id: int
    kind: Kind
    wrapper_version: int
    run: int | None
    url: str
    at: str


def keep_capture(  # noqa: PLR0913 - by name: what there is to know of it
    connection: Connection,
    source_id: int,
    *,
    kind: Kind,
    wrapper_version: int,
    url: str,
    content: bytes,
    run_id: int | None = None,
) -> int:
    """Keep a page in one file, and return its number; the oldest ones of the source go.

    Of the pages that a version of the wrapper refused, the last is kept: a source may be tried again and again.
    """
    table = schema.capture
    mine = table.c.source_id == source_id
    if kind == "refused":
        same = table.c.kind == kind, table.c.wrapper_version == wrapper_version
        connection.execute(delete(table).where(mine, *same))
    row = {"source_id": source_id, "run_id": run_id, "wrapper_version": wrapper_version, "kind": kind, "url": url}
    added = insert(table).values(at=now(), content=content, **row).returning(table.c.id)
    number = int(connection.execute(added).scalar_one())
    old = select(table.c.id).where(mine).order_by(table.c.id.desc()).offset(MOST_KEPT)
    numbers = list(connection.execute(old).scalars())
    connection.execute(delete(table).where(table.c.id.in_(numbers)))
    return number


def list_captures(connection: Connection, source_id: int) -> list[Capture]:
    """Return what is known of the captures of a source, newest first."""
    table = schema.capture
    columns = (table.c[name] for name in ("id", "kind", "wrapper_version", "run_id", "url", "at"))
    chosen = select(*columns).where(table.c.source_id == source_id).order_by(table.c.id.desc())
    return [Capture(*row) for row in connection.execute(chosen)]


def find_capture(connection: Connection, source_id: int, number: int) -> bytes | None:
    """Return the page of a capture in one file; None where it is no more."""
    table = schema.capture
    chosen = select(table.c.content).where(table.c.source_id == source_id, table.c.id == number)
    content: bytes | None = connection.execute(chosen).scalar()
    return content
