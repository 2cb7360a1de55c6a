"""Where records and regions lead to: the page of each record, and the next page of the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, eq=False)
class Addresses:
    """The absolute address that each node links to, and of the picture that it shows; None for most."""

    links: Sequence[str | None]
    images: Sequence[str | None]
