"""Pages that are kept as they came, so that a mended wrapper can read them again without the network."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlalchemy import delete, select

from windrow.store import schema
from windrow.store.batches import insert_or_ignore
from windrow.store.moments import now
from windrow.store.text import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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


def kept_bodies(connection: Connection, source_id: int) -> Iterator[KeptBody]:
    """Yield the pages that were kept of a source, in the order in which they came, one at a time."""
    table, address = schema.body, schema.address
    numbers = (
        select(table.c.digest).join(address).where(address.c.source_id == source_id).order_by(table.c.at, address.c.id)
    )
    for number in list(connection.execute(numbers).scalars()):
        row = connection.execute(select(table, address.c.url).join(address).where(table.c.digest == number)).one()
        content = zlib.decompress(row.content)
        yield KeptBody(row.kind, content, row.headers or {}, row.role, row.address_id, row.url, row.at)
