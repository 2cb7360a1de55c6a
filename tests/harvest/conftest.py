"""What the tests of harvests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fields import Field
from nursery import Server, Site, grow

from windrow.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from windrow.store import Store


@pytest.fixture
def field(store: Store) -> Iterator[Field]:
    with Server(Site(trees=grow(24))) as server:
        yield Field(store, server)


@pytest.fixture
def plot(tmp_path: Path) -> Iterator[Field]:
    """A field whose store is a file, for what has nothing to do with the database."""
    with Server(Site(trees=grow(24))) as server, open_store(tmp_path / "windrow.db") as store:
        yield Field(store, server)
