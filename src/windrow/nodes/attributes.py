"""The attributes of all nodes as one column, wherever they are kept."""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NONE: Mapping[str, str] = MappingProxyType({})


class Attributes(Protocol):
    """Attributes by node; a node without any has an empty mapping."""

    def __getitem__(self, node: int, /) -> Mapping[str, str]:
        """Return the attributes of one node, names in lower case, in source order."""

    def having(self, name: str, *tags: str) -> dict[int, str]:
        """Return the value of one attribute by node, in document order, for the nodes that have it.

        Where tags are named, other elements may be left out: the parser finds those of a tag without looking at all.
        """


class ListedAttributes:
    """Attributes that are already there, one mapping a node."""

    def __init__(self, mappings: Sequence[Mapping[str, str]]) -> None:
        """Hold one mapping a node."""
        self._mappings = mappings

    def __getitem__(self, node: int) -> Mapping[str, str]:
        """Return the attributes of one node."""
        return MappingProxyType(self._mappings[node]) if self._mappings[node] else NONE

    def having(self, name: str, *_: str) -> dict[int, str]:
        """Return the value of one attribute by node, in document order, for the nodes that have it."""
        return dict(self._by_name.get(name, {}))

    @cached_property
    def _by_name(self) -> dict[str, dict[int, str]]:
        """All attributes by name and node: readers ask for several, and one pass finds them all."""
        found: dict[str, dict[int, str]] = {}
        for node, mapping in enumerate(self._mappings):
            for name, value in mapping.items():
                found.setdefault(name, {})[node] = value
        return found
