"""A store with something in it for programs to ask for, and a way to ask with a token."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
from harvesting import add_source, harvest, seen

from windrow.store.access import SCOPES, make_token
from windrow.store.collections import Collection, save_collection
from windrow.store.warnings import Warned, warn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from interface import Interface

    from windrow.store import Store

RECORDS = 30
BARN = {
    "name": "barn",
    "start": ["https://orchard.example/"],
    "read": {"reader": "records"},
    "network": {"render": False, "headers": {"X-Token": "plain secret"}},
}


def stock(store: Store) -> None:
    """Put a source with two runs, a warning and a collection into a store."""
    number = add_source(store, "barn", BARN)
    for more in (3, 5):
        sightings = [seen(f"k{place}", title=f"tree {place}", price=f"{place + more} €") for place in range(RECORDS)]
        harvest(store, {"1": sightings})
    with store.writing() as connection:
        warn(connection, number, None, Warned("fewer", "warning", "There were fewer."))
        collection = Collection(name="all", key=["t"], sources={"barn": {"t": "title", "p": "price"}})
        save_collection(connection, collection)


@contextmanager
def asking(interface: Interface, scopes: Sequence[str] = SCOPES) -> Iterator[httpx.Client]:
    """Ask the API with a token."""
    with interface.open_store() as store, store.writing() as connection:
        token = make_token(connection, "a program", scopes)
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"{interface.url}/api/v1", headers=headers, timeout=60) as client:
        yield client
