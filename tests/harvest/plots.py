"""Fields for tests: a site of our own on loopback that is harvested into a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from nursery import Server, Site, grow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fields import Field

    from windrow.store import Store


@pytest.fixture
def field(store: Store) -> Iterator[Field]:
    """A field with a store on both databases."""
    from fields import Field  # noqa: PLC0415 - most tests do without SQLAlchemy

    with Server(Site(trees=grow(24))) as server:
        yield Field(store, server)


@pytest.fixture
def plot(tmp_path: Path) -> Iterator[Field]:
    """A field whose store is a file, for what has nothing to do with the database."""
    from fields import Field  # noqa: PLC0415 - as above

    from windrow.store import open_store  # noqa: PLC0415 - as above

    with Server(Site(trees=grow(24))) as server, open_store(tmp_path / "windrow.db") as store:
        yield Field(store, server)
