"""The attributes of all nodes as one column, whoever holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

NONE: Mapping[str, str] = MappingProxyType({})


class Attributes(Protocol):
    """Attributes by node; a node without any has an empty mapping."""

    def __getitem__(self, node: int, /) -> Mapping[str, str]:
        """Give one node's attributes, names in lower case, in source order."""

    def column(self, name: str) -> list[str | None]:
        """Give the value of one attribute for every node, None where a node does not have it."""


class ListedAttributes:
    """Attributes that are already there, one mapping a node."""

    def __init__(self, mappings: Sequence[Mapping[str, str]]) -> None:
        """Take one mapping a node."""
        self._mappings = mappings

    def __getitem__(self, node: int) -> Mapping[str, str]:
        """Give one node's attributes."""
        return MappingProxyType(dict(self._mappings[node])) if self._mappings[node] else NONE

    def column(self, name: str) -> list[str | None]:
        """Give the value of one attribute for every node."""
        return [attributes.get(name) for attributes in self._mappings]
