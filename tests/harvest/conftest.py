"""What the tests of harvests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fields import Field
from nursery import Server, Site, grow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.store import Store


@pytest.fixture
def field(store: Store) -> Iterator[Field]:
    with Server(Site(trees=grow(24))) as server:
        yield Field(store, server)
