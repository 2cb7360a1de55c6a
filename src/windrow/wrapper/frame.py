"""The frame of a template: which kinds of elements stand in which; what pages of one template have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.hashes import BASE
from windrow.wrapper.hashes import ORDINAL

if TYPE_CHECKING:
    from windrow.wrapper.evidence import Evidence

LEFT_OUT = frozenset("head script style noscript template link meta title html body".split())
ROOTS = frozenset({"html", "body"})
"""Their classes often name the single page."""


@dataclass(frozen=True)
class Frame:
    """Pairs of an element and the one around it, each by tag and classes, as short numbers."""

    always: frozenset[int]
    """What every example has."""
    ever: frozenset[int]
    """What any example has."""

    def likeness(self, pairs: frozenset[int]) -> float:
        """Say how much of the frame is there, or how much of the page belongs to it, whichever is more.

        Pages of a template leave parts out, or add parts; a page of another template does both.
        """
        if not pairs or not self.always:
            return 1.0 if not pairs and not self.always else 0.0
        return max(len(self.always & pairs) / len(self.always), len(self.ever & pairs) / len(pairs))

    def overlap(self, pairs: frozenset[int]) -> float:
        """Say how many of all pairs are in both."""
        return len(self.always & pairs) / max(1, len(self.always | pairs))


def find_pairs(evidence: Evidence) -> frozenset[int]:
    """List the pairs of a page."""
    tags, key = evidence.nodes.tag, evidence.key
    counted = np.flatnonzero(evidence.is_element & ~tags.is_in(LEFT_OUT))
    around = evidence.up[counted]
    outer = np.where(tags.is_in(ROOTS)[around], evidence.tag[around], key[around])
    pairs = (outer * np.uint64(BASE) + key[counted]) * np.uint64(ORDINAL) >> np.uint64(32)
    return frozenset(pairs.tolist())


def merge_frames(pages: list[frozenset[int]]) -> Frame:
    """Make one frame of the pairs of all examples."""
    return Frame(frozenset.intersection(*pages), frozenset.union(*pages))
