"""Sources and collections as TOML, to pass on: what is secret is not in it, wrappers are files beside it."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from windrow.harvest.settings import CollectionSettings, SourceSettings
from windrow.harvest.toml import to_toml
from windrow.store.collections import list_collections
from windrow.store.sources import find_wrapper, get_source, list_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.store import Store


def export_toml(store: Store, names: Sequence[str], *, collections: bool = True) -> tuple[str, dict[str, str]]:
    """Return sources, those that are named or all, and their collections as TOML, and the files of their wrappers."""
    with store.reading() as connection:
        rows = [get_source(connection, name) for name in names] or list_sources(connection)
        wrappers = {row.name: find_wrapper(connection, row.id) for row in rows}
        gathered = list_collections(connection) if collections else []
    exported, files = [], dict[str, str]()
    for row in rows:
        settings = SourceSettings.from_dict(row.settings)
        wrapper = wrappers[row.name]
        if wrapper is not None and settings.read.wrapper is not None:
            file = _free_file(row.name, files)
            files[file] = wrapper.body
            settings = replace(settings, read=replace(settings.read, wrapper=file))
        exported.append(settings)
    known = {row.name for row in rows}
    kept = [CollectionSettings(**asdict(each)) for each in gathered if not names or known.issuperset(each.sources)]
    return to_toml(exported, kept), files


def _free_file(name: str, taken: dict[str, str]) -> str:
    """Return a name for the file of a source's wrapper, whatever the source is called."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:80] or "source"
    number, file = 1, f"{stem}.json"
    while file in taken:
        number += 1
        file = f"{stem}-{number}.json"
    return file
