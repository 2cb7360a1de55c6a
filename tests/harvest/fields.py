"""A site on loopback, a store, and the source between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nursery import values_of

import windrow
from windrow.harvest.harvest import harvest_source
from windrow.harvest.progress import RunChoices
from windrow.harvest.settings import SourceSettings
from windrow.store.history import History
from windrow.store.rows import Rows, Wanted
from windrow.store.sources import add_wrapper, get_source, save_source
from windrow.store.warnings import list_warnings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nursery import Server

    from windrow.harvest.report import Report
    from windrow.store import Store

PRIVATE = windrow.Options(allow_private=True)


class Field:
    """A site on loopback, a store, and the source between them."""

    def __init__(self, store: Store, server: Server) -> None:
        self.store, self.server, self.site = store, server, server.site

    def learn(self, *numbers: int) -> windrow.Wrapper:
        trees = [self.site.trees[number] for number in numbers or (1, 3)]
        pages = [windrow.load(f"{self.server.url}/p/{tree.sku}", render=False, options=PRIVATE) for tree in trees]
        return windrow.learn(
            [(page, values_of(tree, self.site.language)) for page, tree in zip(pages, trees, strict=True)]
        )

    def add(
        self, wrapper: windrow.Wrapper | None = None, *, starts: Sequence[str] = ("/list",), **tables: dict[str, Any]
    ) -> None:
        plain: dict[str, Any] = {
            "name": "orchard",
            "start": [start if "://" in start else f"{self.server.url}{start}" for start in starts],
            "follow": {"list": "region", "detail": "/p/*", **tables.get("follow", {})},
            "read": {"wrapper": "orchard.json", "key": ["sku"], **tables.get("read", {})},
            "manners": {"rate": 1000, "retries": 2, **tables.get("manners", {})},
            "network": {"render": False, "allow_private": True, **tables.get("network", {})},
            "warn": tables.get("warn", {}),
            "keep": tables.get("keep", {}),
            **({"schedule": tables["schedule"]} if "schedule" in tables else {}),
        }
        if plain["read"].get("reader"):
            del plain["read"]["wrapper"]
        settings = SourceSettings.from_dict(plain)
        with self.store.writing() as connection:
            source = save_source(connection, "orchard", settings.to_dict())
            if wrapper is not None:
                add_wrapper(connection, source.id, wrapper.to_json(), "person")

    def harvest(self, **choices: Any) -> Report:  # noqa: ANN401 - of several types
        return harvest_source(self.store, "orchard", RunChoices(**choices))

    def records(self, *, gone: bool = False) -> dict[str, dict[str, Any]]:
        with self.store.reading() as connection:
            rows = list(Rows(connection, get_source(connection, "orchard"), Wanted(gone=gone)))
        return {str(row.key): {label: text for label, text in row.values.items() if text is not None} for row in rows}

    def kept(self) -> dict[str, list[str]]:
        """Return the labels of values that are kept though their pages do not show them, by key."""
        with self.store.reading() as connection:
            rows = list(Rows(connection, get_source(connection, "orchard")))
        return {str(row.key): row.kept for row in rows if row.kept}

    def history(self, kind: str) -> list[tuple[str, str | None, Any, Any]]:
        with self.store.reading() as connection:
            changes = list(History(connection, get_source(connection, "orchard")).changes())
        return [(str(each.key), each.label, each.old, each.new) for each in changes if each.kind == kind]

    def warnings(self, state: str = "open") -> dict[str, str]:
        with self.store.reading() as connection:
            return {each["kind"]: each["text"] for each in list_warnings(connection, state)}

    def state(self) -> str:
        with self.store.reading() as connection:
            return get_source(connection, "orchard").state
