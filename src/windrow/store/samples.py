"""Some records with their pages, to heal a wrapper by, and to learn which parameters of addresses matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import select

from windrow.store import schema
from windrow.store.fields import list_fields
from windrow.store.origins import Origins
from windrow.store.text import lookup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Select
    from sqlalchemy.engine import Connection

    from windrow.store.records import Ledger
    from windrow.store.sightings import Texts

Values: TypeAlias = dict[str, list[str]]
MOST_LOOKED_AT = 200
"""Records among which some are chosen."""
_NUMBER = re.compile(r"\[\d+\]")
"""Which of several elements a step of a path is."""


def sample_records(connection: Connection, source_id: int, count: int, first: str = "") -> dict[str, Values]:
    """Return the values of some records that are alone on their page, by its address, those seen last first.

    They are chosen so that every way in which a label is shown is among them: where a tree is on sale, its price stands
    in other elements. The record of the address ``first`` is one of them.
    """
    labels = {field.id: field.label for field in list_fields(connection, source_id)}
    pages = _of_pages(source_id)
    rows = [
        *connection.execute(pages.limit(MOST_LOOKED_AT)),
        *connection.execute(pages.where(schema.address.c.url == first)),
    ]
    origins = Origins(connection, rows, None)
    known, ways = {}, {}
    for row in rows:
        known[row.as_found] = _by_label(row.texts, labels)
        places = origins.of(row, labels, {name: text for name, text in row.texts.items() if int(name) in labels})
        ways[row.as_found] = {(label, _NUMBER.sub("", origin["path"] or "")) for label, origin in places.items()}
    chosen = [row.as_found for row in rows if row.url == first][:1]
    return {url: known[url] for url in _cover(ways, chosen, count + len(chosen))}


def find_values(connection: Connection, source_id: int, key: str) -> Values:
    """Return the values of the record with a key; none where there is no such record."""
    table = schema.record
    chosen = select(table.c.texts).where(table.c.source_id == source_id, table.c.lookup == lookup(key))
    texts = connection.execute(chosen).scalar()
    return _by_label(texts or {}, {field.id: field.label for field in list_fields(connection, source_id)})


def _by_label(texts: Mapping[str, Texts], labels: Mapping[int, str]) -> Values:
    return {
        labels[int(name)]: [text] if isinstance(text, str) else text
        for name, text in texts.items()
        if int(name) in labels
    }


def _of_pages(source_id: int) -> Select[Any]:
    record, address = schema.record, schema.address
    columns = ("id", "texts", "page_id", "wrapper_version", "origin")
    return (
        select(address.c.as_found, address.c.url, *(record.c[name] for name in columns))
        .join(address, address.c.id == record.c.address_id)
        .where(record.c.source_id == source_id, record.c.gone_run.is_(None))
        .order_by(address.c.seen_run.desc(), record.c.id)
    )


def _cover(ways: Mapping[str, set[tuple[str, str]]], chosen: list[str], count: int) -> list[str]:
    """Return so many addresses: those that show a label in a way that none before them does, then the first others."""
    shown = {way for url in chosen for way in ways[url]}
    while len(chosen) < count and (left := [url for url in ways if url not in chosen]):
        best = max(left, key=lambda url: len(ways[url] - shown))
        chosen.append(best)
        shown |= ways[best]
    return chosen


def keys_of_pages(connection: Connection, ledger: Ledger, most: int) -> dict[str, str]:
    """Return the keys of the records by the addresses that show them, those included that showed one a second time."""
    record, address = schema.record, schema.address
    chosen = select(address.c.url, record.c.key).join(address, address.c.id == record.c.address_id)
    mine = record.c.source_id == ledger.run.source_id, record.c.gone_run.is_(None)
    keys = {url: key for url, key in connection.execute(chosen.where(*mine).limit(most))}  # noqa: C416 - a row is no pair
    for number, key in ledger.twins[:most]:
        keys[connection.execute(select(address.c.url).where(address.c.id == number)).scalar_one()] = key
    return keys
