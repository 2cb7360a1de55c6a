"""Some records with their pages, to heal a wrapper by, and to learn which parameters of addresses matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from windrow.store import schema

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store.records import Ledger


def sample_records(connection: Connection, source_id: int, count: int) -> dict[str, dict[str, list[str]]]:
    """Return the values of some records that are alone on their page, by its address, those seen last first."""
    record, address, field = schema.record, schema.address, schema.field
    labels = {
        str(number): label
        for number, label in connection.execute(select(field.c.id, field.c.label).where(field.c.source_id == source_id))
    }
    chosen = (
        select(address.c.as_found, record.c.texts)
        .join(address, address.c.id == record.c.address_id)
        .where(record.c.source_id == source_id, record.c.gone_run.is_(None))
        .order_by(address.c.seen_run.desc(), record.c.id)
        .limit(count)
    )
    return {
        url: {labels[name]: [text] if isinstance(text, str) else text for name, text in texts.items() if name in labels}
        for url, texts in connection.execute(chosen)
    }


def keys_of_pages(connection: Connection, ledger: Ledger, most: int) -> dict[str, str]:
    """Return the keys of the records by the addresses that show them, those included that showed one a second time."""
    record, address = schema.record, schema.address
    chosen = select(address.c.url, record.c.key).join(address, address.c.id == record.c.address_id)
    mine = record.c.source_id == ledger.run.source_id, record.c.gone_run.is_(None)
    keys = {url: key for url, key in connection.execute(chosen.where(*mine).limit(most))}  # noqa: C416 - a row is no pair
    for number, key in ledger.twins[:most]:
        keys[connection.execute(select(address.c.url).where(address.c.id == number)).scalar_one()] = key
    return keys
