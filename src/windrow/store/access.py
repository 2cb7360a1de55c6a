"""Who may come in from outside: sessions of people and tokens of programs. Their secrets are kept as digests only."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import bindparam, delete, insert, select, update

from windrow.errors import UsageError
from windrow.store import schema
from windrow.store.moments import now, shown, to_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.engine import Connection

Kind: TypeAlias = Literal["session", "token"]
Scope: TypeAlias = Literal["read", "run", "write"]
SCOPES: tuple[Scope, ...] = ("read", "run", "write")
SESSION = timedelta(days=14)
"""How long a session lasts that nobody ends."""
MOST_TOKENS = 100
LONGEST_NAME = 100
USED_AGAIN = timedelta(minutes=1)
"""How much later a use must be than the last one to be written down."""
# Made once: every request asks this.
_ACCESS = select(schema.access).where(
    schema.access.c.digest == bindparam("digest"), schema.access.c.kind == bindparam("kind")
)


@dataclass(frozen=True)
class Access:
    """A session or a token that was found good."""

    id: int
    kind: Kind
    name: str
    scopes: frozenset[str]
    made_at: str
    used_at: str | None


def open_session(connection: Connection) -> str:
    """Begin a session, and return its secret; those that are over are forgotten."""
    table = schema.access
    connection.execute(delete(table).where(table.c.until < now()))
    return _add(connection, "session", "", SCOPES, to_text(datetime.now(UTC) + SESSION))


def make_token(connection: Connection, name: str, scopes: Iterable[str]) -> str:
    """Make a token, and return its secret, which can't be had again."""
    name, chosen = name.strip(), [scope for scope in SCOPES if scope in set(scopes)]
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A token needs a name of 1 to {LONGEST_NAME} printable characters, to know it by later.")
    if not chosen:
        raise UsageError(f"A token needs a scope: {', '.join(SCOPES)}.")
    if len(list_tokens(connection)) >= MOST_TOKENS:
        raise UsageError(f"There are {MOST_TOKENS} tokens already. Revoke one that nobody needs.")
    return _add(connection, "token", name, chosen, None)


def _add(connection: Connection, kind: Kind, name: str, scopes: Iterable[str], until: str | None) -> str:
    secret = secrets.token_urlsafe(32)
    row = {"kind": kind, "name": name, "digest": _digest(secret), "scopes": list(scopes), "until": until}
    connection.execute(insert(schema.access).values(made_at=now(), **row))
    return secret


def find_access(connection: Connection, secret: str, kind: Kind) -> Access | None:
    """Return the session or token with a secret; None where there is none, or it is over."""
    row = connection.execute(_ACCESS, {"digest": _digest(secret), "kind": kind}).first()
    if row is None or (row.until is not None and row.until < now()):
        return None
    return Access(row.id, row.kind, row.name, frozenset(row.scopes), row.made_at, row.used_at)


def note_use(connection: Connection, access: Access) -> None:
    """Write down that a token was used."""
    connection.execute(update(schema.access).where(schema.access.c.id == access.id).values(used_at=now()))


def is_use_worth_noting(access: Access) -> bool:
    """Whether the last use that was written down is so long ago that this one is news."""
    return access.used_at is None or access.used_at < to_text(datetime.now(UTC) - USED_AGAIN)


def end_session(connection: Connection, secret: str) -> None:
    """End a session."""
    connection.execute(delete(schema.access).where(schema.access.c.digest == _digest(secret)))


def end_sessions(connection: Connection) -> None:
    """End all sessions, as after a new password."""
    connection.execute(delete(schema.access).where(schema.access.c.kind == "session"))


def list_tokens(connection: Connection) -> list[dict[str, object]]:
    """Return what may be shown of all tokens, newest first."""
    table = schema.access
    chosen = select(table).where(table.c.kind == "token").order_by(table.c.id.desc())
    return [
        {
            "id": row.id,
            "name": row.name,
            "scopes": row.scopes,
            "made_at": shown(row.made_at),
            "used_at": shown(row.used_at),
        }
        for row in connection.execute(chosen)
    ]


def revoke_token(connection: Connection, number: int) -> None:
    """Make a token worthless."""
    table = schema.access
    if not connection.execute(delete(table).where(table.c.id == number, table.c.kind == "token")).rowcount:
        raise UsageError(f"There is no token {number}; it may have been revoked already.")


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
