"""A page that was learned from: where it lives, and what was pasted from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.page import Page


@dataclass(frozen=True)
class Example:
    """What is kept of an example to heal by."""

    url: str
    values: Mapping[str, tuple[str, ...]]
    """What was pasted, by label."""

    @classmethod
    def of(cls, page: Page, wanted: Mapping[str, Sequence[str]]) -> Example:
        """Take an example."""
        return cls(address_of(page), {label: tuple(texts) for label, texts in wanted.items()})

    def is_of(self, page: Page) -> bool:
        """Say whether a page has the address of the example."""
        return bool(self.url) and address_of(page) == self.url

    def to_plain(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        return {"url": self.url, "values": {label: list(texts) for label, texts in self.values.items()}}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Example:
        """Take it back from what JSON held."""
        return cls(str(plain["url"]), {label: tuple(map(str, texts)) for label, texts in plain["values"].items()})


def address_of(page: Page) -> str:
    """Give a page's address without the part that never reaches a server."""
    return page.url.partition("#")[0]
