"""Whose a value is: a page shows other records as well, in lists of related ones, often in the markup of its own.

A value that stands in an entry of a list whose entries lead to pages like this one, while most values of the record
stand elsewhere, is the value of another record. So is one that stands in a single such entry, in other elements than it
was learned in.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from windrow.wrapper.page_features import steady_class

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from urllib.parse import SplitResult

    from windrow.nodes import Nodes
    from windrow.wrapper.text_search import Resolve

LINKS = frozenset({"a", "area", "svg:a"})


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a page's lists that lead to other records; links are resolved when an entry is looked at."""

    nodes: Nodes
    url: str
    """The page's own address; without one nothing is known."""
    resolve: Resolve | None

    def find_foreign(self, places: Mapping[str, Sequence[int]], strayed: Container[str] = ()) -> set[str]:
        """Return the labels whose one value stands among those of other records; nodes by label come in.

        Of a label that strayed from its elements, a single entry of another record is enough.
        """
        foreign = set()
        for label, own in places.items():
            others = [node for other, some in places.items() if other != label for node in some]
            if len(own) == 1 and others and self.is_foreign(own[0], others, is_strayed=label in strayed):
                foreign.add(label)
        return foreign

    def is_foreign(self, node: int, others: Sequence[int], *, is_strayed: bool = False) -> bool:
        """Whether a node stands in an entry that leads to another record, beside others that do, away from the rest.

        Where it strayed, it need not have others beside it, but what leads there must be another text than the node.
        """
        if not self._linking or self._own is None or self.resolve is None:
            return False
        nodes, entry, parent = self.nodes, node, int(self.nodes.parent[node])
        # Two values may have strayed into one entry; where most of them stand, there the record is.
        while parent >= 0 and 2 * sum(parent <= other < nodes.end[parent] for other in others) < max(1, len(others)):
            targets = self._targets(entry)
            if len(targets) > 1:
                return False  # nor do the elements around it lead to one
            target = targets[0] if targets else ""
            is_beside = is_strayed and self._is_beside_link(entry, node)
            if target and (is_beside or self._has_others(entry, parent, target)):
                return True
            entry, parent = parent, int(nodes.parent[parent])
        return False

    def _is_beside_link(self, entry: int, node: int) -> bool:
        """Whether what leads from an element to another record is not the node itself but stands beside it."""
        return any(
            not link <= node < self.nodes.end[link] and not node <= link < self.nodes.end[node]
            for link in self._links(entry)
            if self._like(link)
        )

    def _has_others(self, entry: int, parent: int, target: str) -> bool:
        """Whether elements that are made like one lead to further records."""
        return any(self._target(each) not in {"", target} for each in self._kin(entry, parent))

    def _kin(self, entry: int, parent: int) -> list[int]:
        """Return the siblings of an element that are made like it."""
        tag = self.nodes.tag
        beside = [int(each) for each in self.nodes.children(parent) if each != entry and tag[each] == tag[entry]]
        return [each for each in beside if self._are_kin(entry, each)]

    def _are_kin(self, one: int, other: int) -> bool:
        """Whether two elements have children of the same tags, or one has more of them and both have one class."""
        nodes = self.nodes
        made, made_other = ([nodes.tag[int(child)] for child in nodes.children(each)] for each in (one, other))
        if made == made_other:
            return True
        names, names_other = (steady_class(nodes.attributes[each].get("class", "")) for each in (one, other))
        return names == names_other and (set(made) <= set(made_other) or set(made) >= set(made_other))

    @cached_property
    def _hrefs(self) -> dict[int, str]:
        return self.nodes.attributes.having("href")

    @cached_property
    def _linking(self) -> list[int]:
        """The elements that link somewhere, in document order."""
        is_link = self.nodes.tag.is_in(LINKS).item
        return [node for node in self._hrefs if is_link(node)]

    @cached_property
    def _own(self) -> SplitResult | None:
        return parts_of(self.url)

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}

    def _target(self, entry: int) -> str:
        """Return the one page like this one that an element leads to; empty where it leads to none or to several."""
        targets = self._targets(entry)
        return targets[0] if len(targets) == 1 else ""

    def _targets(self, entry: int) -> list[str]:
        """Return the pages like this one that an element leads to, two at most."""
        targets: list[str] = []
        for node in self._links(entry):
            target = self._like(node)
            if target and target not in targets:
                targets.append(target)
                if len(targets) > 1:
                    break
        return targets

    def _links(self, entry: int) -> list[int]:
        """Return the links in an element."""
        first, last = (bisect_left(self._linking, node) for node in (entry, int(self.nodes.end[entry])))
        return self._linking[first:last]

    def _like(self, node: int) -> str:
        """Return where a link leads, if that is another page whose address is like this one's; empty otherwise."""
        href = self._hrefs[node].strip()
        if href not in self._known:
            target = None if href.startswith("#") or self.resolve is None else self.resolve(href, node)
            other = parts_of(target or "")
            is_like = self._own is not None and other is not None and are_alike(self._own, other)
            self._known[href] = (target or "").partition("#")[0] if is_like else ""
        return self._known[href]


def parts_of(url: str) -> SplitResult | None:
    """Return the parts of a page's address; None where it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return parts if parts.netloc else None


def are_alike(own: SplitResult, other: SplitResult) -> bool:
    """Whether two addresses are of two records: of one site and folder, and the other no view of the first one.

    What is asked for of a record ("?id=7") is asked for in its views as well ("print?id=7").
    """
    hosts = {each.netloc.casefold().removeprefix("www.") for each in (own, other)}
    folders = {each.path.rpartition("/")[0] for each in (own, other)}
    asked, asked_there = (set(each.query.split("&")) - {""} for each in (own, other))
    is_view = asked <= asked_there if asked else own.path == other.path
    return len(hosts) == len(folders) == 1 and not is_view
