"""Pages that are kept as they came, so that a mended wrapper can read them again without the network."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import delete, select

from windrow.store import schema
from windrow.store.batches import insert_or_ignore
from windrow.store.frontier import Lead
from windrow.store.moments import now
from windrow.store.text import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

BodyKind: TypeAlias = Literal["html", "page"]


@dataclass(frozen=True)
class Body:
    """A page as it came: the bytes of its document, or what a browser captured of it."""

    kind: BodyKind
    content: bytes
    headers: Mapping[str, str]
    """The headers that came with it, and its final address and status as ``:url`` and ``:status``."""
    role: str = "detail"


@dataclass(frozen=True)
class KeptBody(Body):
    """A page that was kept."""

    address_id: int = 0
    url: str = ""
    at: str = ""


def keep_body(connection: Connection, address_id: int, body: Body) -> None:
    """Keep a page; what is kept of an address is the newest page of it, and the same page is kept once."""
    table = schema.body
    row = {
        "digest": digest(address_id.to_bytes(8, "big") + body.content),
        "address_id": address_id,
        "at": now(),
        "kind": body.kind,
        "role": body.role,
        "headers": dict(body.headers),
        "size": len(body.content),
        "content": zlib.compress(body.content),
    }
    connection.execute(delete(table).where(table.c.address_id == address_id, table.c.digest != row["digest"]))
    connection.execute(insert_or_ignore(connection, table).values(row))


def forget_body(connection: Connection, address_id: int) -> None:
    """Throw away what was kept of an address."""
    connection.execute(delete(schema.body).where(schema.body.c.address_id == address_id))


def list_kept(connection: Connection, source_id: int) -> dict[int, Lead]:
    """Return the addresses of which a page was kept, by their number, in the order in which they came."""
    table, address = schema.body, schema.address
    columns = address.c.id, address.c.url, address.c.as_found, table.c.role
    chosen = select(*columns).join(address, address.c.id == table.c.address_id)
    chosen = chosen.where(address.c.source_id == source_id).order_by(table.c.at, address.c.id)
    return {row.id: Lead(row.url, row.as_found, row.role) for row in connection.execute(chosen)}


def find_body_of(connection: Connection, page_id: int) -> KeptBody | None:
    """Return what is kept of the address of a page that was read: the newest page of it, or None."""
    table = schema.page
    number = connection.execute(select(table.c.address_id).where(table.c.id == page_id)).scalar()
    return None if number is None else find_body(connection, number)


def find_body(connection: Connection, address_id: int) -> KeptBody | None:
    """Return the page that was kept of an address, or None."""
    table, address = schema.body, schema.address
    chosen = select(table, address.c.url).join(address, address.c.id == table.c.address_id)
    row = connection.execute(chosen.where(table.c.address_id == address_id)).first()
    if row is None:
        return None
    return KeptBody(row.kind, zlib.decompress(row.content), row.headers or {}, row.role, address_id, row.url, row.at)
