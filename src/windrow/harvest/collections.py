"""Keeping a collection that somebody described, once it is known that its sources read what it maps."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from windrow.harvest.sources import check_collections
from windrow.store.collection_views import renew_collection_view
from windrow.store.collections import Collection, save_collection

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import Connection

    from windrow.harvest.settings import CollectionSettings
    from windrow.store import Store


def keep_collection(store: Store, settings: CollectionSettings, check: Callable[[Connection], None]) -> None:
    """Add a collection, or give it another schema; ``UsageError`` where it maps what is not read.

    ``check`` may refuse, within the same transaction, what was changed meanwhile.
    """
    check_collections(store, [settings], {})
    with store.writing() as connection:
        check(connection)
        save_collection(connection, Collection(**asdict(settings)))
        renew_collection_view(connection, settings.name)
