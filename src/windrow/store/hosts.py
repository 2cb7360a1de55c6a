"""Hosts: their robots.txt, when the next request may go out, and until when they want to be left alone.

All processes on one store pass through the same gate: one statement moves the time of the next request on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import case, select, update

from windrow.store import schema
from windrow.store.batches import insert_or_ignore

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


@dataclass(frozen=True)
class HostRow:
    """What is known of a host."""

    robots: bytes | None
    robots_status: int | None
    robots_until: float | None
    closed_until: float


def find_host(connection: Connection, name: str) -> HostRow | None:
    """Return what is known of a host, or None."""
    table = schema.host
    columns = table.c.robots, table.c.robots_status, table.c.robots_until, table.c.closed_until
    row = connection.execute(select(*columns).where(table.c.name == name)).first()
    return None if row is None else HostRow(*row)


def _know(connection: Connection, name: str) -> None:
    row = {"name": name, "next_at": 0.0, "closed_until": 0.0}
    connection.execute(insert_or_ignore(connection, schema.host).values(row))


def keep_robots(connection: Connection, name: str, body: bytes, status: int, until: float) -> None:
    """Keep a host's robots.txt, and until when it holds."""
    _know(connection, name)
    values = {"robots": body, "robots_status": status, "robots_until": until}
    connection.execute(update(schema.host).where(schema.host.c.name == name).values(values))


def take_turn(connection: Connection, name: str, moment: float, interval: float) -> float:
    """Return when the next request may go to a host, and move the one after it on by an interval of seconds."""
    _know(connection, name)
    table = schema.host
    ready = case((table.c.next_at > moment, table.c.next_at), else_=moment)
    ready = case((table.c.closed_until > ready, table.c.closed_until), else_=ready)
    moved = update(table).where(table.c.name == name).values(next_at=ready + interval).returning(table.c.next_at)
    return float(connection.execute(moved).scalar_one()) - interval


def close_host(connection: Connection, name: str, until: float) -> None:
    """Leave a host alone until a moment."""
    _know(connection, name)
    later = schema.host.c.name == name, schema.host.c.closed_until < until
    connection.execute(update(schema.host).where(*later).values(closed_until=until))
