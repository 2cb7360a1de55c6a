"""The page that a wrapper was set up on: its region of interest, its bar-tree, its skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.wrapper.bartree import BarTree, grow_bartree
from windrow.wrapper.skeleton import Skeleton, find_counted, read_digest, read_skeleton
from windrow.wrapper.writing import folded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from windrow.nodes.columns import Ids
    from windrow.wrapper.evidence import Evidence
    from windrow.wrapper.pasting import Found, Writing


@dataclass(frozen=True)
class Target:
    """A pasted text, the number of the element that shows it, and how often the page shows it."""

    text: str
    element: int
    count: int


@dataclass(frozen=True)
class Setup:
    """What is kept of the page that was learned first."""

    url: str
    targets: tuple[Target, ...]
    line: str
    """The skeleton."""
    digest: str
    tree: BarTree
    """The paper's tree, around the pasted texts."""

    @cached_property
    def skeleton(self) -> Skeleton:
        """The skeleton, read back."""
        return Skeleton.from_line(self.line)

    @property
    def texts(self) -> list[str]:
        """The pasted texts."""
        return [target.text for target in self.targets]

    def to_plain(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        return {
            "url": self.url,
            "targets": [[target.text, target.element, target.count] for target in self.targets],
            "skeleton": self.line,
            "digest": self.digest,
            "tree": self.tree.to_plain(),
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Setup:
        """Take it back from what JSON held."""
        targets = tuple(Target(str(text), int(element), int(count)) for text, element, count in plain["targets"])
        tree = BarTree.from_plain(plain["tree"])
        return cls(str(plain["url"]), targets, str(plain["skeleton"]), str(plain["digest"]), tree)


def set_up(url: str, writing: Writing, texts: Sequence[str]) -> Setup:
    """Describe the page that is learned, with the pasted texts in it."""
    evidence = writing.evidence
    nodes = evidence.nodes
    found = choose_places(writing, texts)
    counted = find_counted(nodes)
    elements = {text: element_number(evidence, counted, place.node) for text, place in found.items()}
    targets = tuple(Target(text, element, writing.whole.count(folded(text))) for text, element in elements.items())
    first, last = region_of(evidence, list(found.values()))
    tree = grow_bartree(nodes, first, last)
    return Setup(url, targets, read_skeleton(nodes).to_line(), read_digest(nodes), tree)


def choose_places(writing: Writing, texts: Sequence[str]) -> dict[str, Found]:
    """Find each text that the page shows; of several places the one nearest to the texts that stand only once."""
    evidence = writing.evidence
    found = {text: places for text in dict.fromkeys(texts) if (places := writing.find(text))}
    single = [int(evidence.first_text[places[0].node]) for places in found.values() if len(places) == 1]
    centre = float(np.median(single)) if single else 0.0
    return {
        text: min(places, key=lambda place: abs(int(evidence.first_text[place.node]) - centre))
        for text, places in found.items()
    }


def region_of(evidence: Evidence, places: Sequence[Found]) -> tuple[int, int]:
    """Give the first and the last text node of the region of interest."""
    firsts = [int(evidence.first_text[place.node]) for place in places]
    lasts = [int(evidence.last_text[place.node]) - 1 for place in places]
    return int(evidence.texts[min(firsts)]), int(evidence.texts[max(lasts)])


def element_number(evidence: Evidence, counted: Ids, node: int) -> int:
    """Give the number that the element of a place has among the counted ones."""
    element = int(evidence.up[node]) if evidence.is_text[node] else node
    return max(0, int(np.searchsorted(counted, element, side="right")) - 1)


def tree_of_texts(writing: Writing, texts: Sequence[str], ratio: Fraction) -> BarTree | None:
    """Grow the paper's tree of a page around learned texts; None where it shows none of them."""
    found = choose_places(writing, texts)
    if not found:
        return None
    return grow_bartree(writing.evidence.nodes, *region_of(writing.evidence, list(found.values())), ratio)
