"""A store with something on every screen: a source with hostile texts, runs, changes, warnings, and a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harvesting import add_source, harvest, seen
from hostile_values import VALUES

from windrow.store.collections import Collection, save_collection
from windrow.store.warnings import Warned, warn

if TYPE_CHECKING:
    from windrow.store import Store

NAMES = ("barn", "a/b & <script>window.windrowRan = true</script>")
"""The names of its sources."""


def stock(store: Store) -> None:
    """Fill a store: each record has a hostile text as key, value and address, under a hostile label."""
    settings = {"start": ["https://example.org/"], "read": {"reader": "records", "key": ["sku"]}}
    for name in NAMES:
        source_id = add_source(store, name, {"name": name, **settings})
        labels = {"sku": "", VALUES[0]: "", "price": ""}
        texts = [{**dict.fromkeys(labels, value), "sku": f"{value} {number}"} for number, value in enumerate(VALUES)]
        pages = {"list": [seen(each["sku"], **each) for each in texts]}
        harvest(store, pages, name=name)
        changed = [seen(each["sku"], **{**each, "price": f"{each['price']} again"}) for each in texts[1:]]
        harvest(store, {"list": changed}, name=name)
        with store.writing() as connection:
            for kind, text in zip(("gone", "healed", "template"), VALUES, strict=False):
                warn(connection, source_id, None, Warned(kind, "warning", text, text))  # type: ignore[arg-type] # of the kinds
    with store.writing() as connection:
        mapped = {name: {"sku": "sku", VALUES[0]: VALUES[0]} for name in NAMES}
        save_collection(connection, Collection(name=VALUES[7], key=["sku"], sources=mapped))
