"""Warnings: one a source and kind while it is open, however often its cause is met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from sqlalchemy import func, insert, select, update

from windrow.errors import UsageError
from windrow.store import schema
from windrow.store.moments import now, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow

Kind: TypeAlias = Literal[
    "healed", "template", "gone", "blocked", "empty", "fewer", "missing", "type", "key", "failed", "robots",
    "limit",
]  # fmt: skip
Severity: TypeAlias = Literal["info", "warning", "error"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
State: TypeAlias = Literal["open", "acknowledged", "resolved"]


@dataclass(frozen=True)
class Warned:
    """Something that a person should know."""

    kind: Kind
    severity: Severity
    text: str
    url: str | None = None
    count: int = 1
    is_total: bool = False
    """Whether the count is of all there are, not of more than before."""


def warn(connection: Connection, source_id: int, run_id: int | None, warned: Warned) -> None:
    """Raise a warning; where one of its kind is open, it counts on and says the latest.

    One that grows graver is open again and told once more; none grows less grave while its cause is met.
    """
    table, moment = schema.warning, now()
    mine = table.c.source_id == source_id, table.c.kind == warned.kind, table.c.state != "resolved"
    latest = {"text": warned.text, "url": warned.url, "last_at": moment, "run_id": run_id}
    milder = SEVERITIES[: SEVERITIES.index(warned.severity)]
    graver = {"severity": warned.severity, "state": "open", "sent_at": None}
    connection.execute(update(table).where(*mine, table.c.severity.in_(milder)).values(graver))
    count = warned.count if warned.is_total else table.c.count + warned.count
    if connection.execute(update(table).where(*mine).values(count=count, **latest)).rowcount:
        return
    latest["severity"] = warned.severity
    row = {"source_id": source_id, "kind": warned.kind, "state": "open", "count": warned.count, "first_at": moment}
    connection.execute(insert(table).values(**latest, **row))


def resolve_absent(connection: Connection, source_id: int, met: Collection[str]) -> None:
    """Resolve the warnings of a source whose kind a whole run no longer met."""
    table = schema.warning
    over = table.c.source_id == source_id, table.c.state != "resolved", table.c.kind.not_in(list(met))
    connection.execute(update(table).where(*over).values(state="resolved", last_at=now()))


def set_warnings(connection: Connection, numbers: Sequence[int], state: State) -> None:
    """Acknowledge or resolve warnings by their numbers."""
    table = schema.warning
    known = set(connection.execute(select(table.c.id).where(table.c.id.in_(numbers))).scalars())
    if unknown := [number for number in numbers if number not in known]:
        raise UsageError(f"There is no warning {unknown[0]}. `windrow warnings --state all` lists them.")
    connection.execute(update(table).where(table.c.id.in_(numbers)).values(state=state))


def list_warnings(connection: Connection, state: str = "open", source_id: int | None = None) -> list[dict[str, Any]]:
    """Return the warnings in a state, or in any with ``all``, newest first."""
    chosen = select(schema.warning, schema.source.c.name).outerjoin(schema.source).order_by(schema.warning.c.id.desc())
    if state != "all":
        chosen = chosen.where(schema.warning.c.state == state)
    if source_id is not None:
        chosen = chosen.where(schema.warning.c.source_id == source_id)
    return [_plain(row) for row in connection.execute(chosen)]


def last_moments(connection: Connection, source_id: int) -> dict[int, str]:
    """Return when each warning of a source was last met, as the store keeps moments."""
    table = schema.warning
    chosen = select(table.c.id, table.c.last_at).where(table.c.source_id == source_id)
    return {row.id: row.last_at for row in connection.execute(chosen)}


def _plain(row: AnyRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "source": row.name,
        "run": row.run_id,
        "at": shown(row.last_at),
        "first_at": shown(row.first_at),
        "kind": row.kind,
        "severity": row.severity,
        "state": row.state,
        "url": row.url,
        "count": row.count,
        "text": row.text,
        "sent_at": shown(row.sent_at),
    }


def unsent(connection: Connection, source_id: int, least: Severity) -> list[AnyRow]:
    """Return the open warnings of a source that nobody was told of, from a severity on."""
    table = schema.warning
    graver = SEVERITIES[SEVERITIES.index(least) :]
    mine = table.c.source_id == source_id, table.c.state == "open", table.c.sent_at.is_(None)
    return list(connection.execute(select(table).where(*mine, table.c.severity.in_(graver)).order_by(table.c.id)))


def mark_sent(connection: Connection, numbers: Sequence[int]) -> None:
    """Say that people were told of warnings."""
    connection.execute(update(schema.warning).where(schema.warning.c.id.in_(numbers)).values(sent_at=now()))


def count_open(connection: Connection) -> dict[int, int]:
    """Return how many warnings of each source are open."""
    table = schema.warning
    chosen = select(table.c.source_id, func.count()).where(table.c.state == "open").group_by(table.c.source_id)
    return {source: count for source, count in connection.execute(chosen) if source is not None}


def kinds_of_run(connection: Connection, run_id: int) -> set[str]:
    """Return the kinds of the warnings that a run raised."""
    table = schema.warning
    return set(connection.execute(select(table.c.kind).where(table.c.run_id == run_id)).scalars())
