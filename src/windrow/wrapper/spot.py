"""A place on a page, as words that people can read, and as the hashes that other pages are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.wrapper.evidence import BASE, MASK, ORDINAL, Hashes, steady_class, steady_id, word_hash
from windrow.wrapper.writing import shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes.columns import Ids
    from windrow.wrapper.evidence import Evidence

TEXT = "#text"
FEATURES = (
    "key", "parent key", "grandparent key", "tag path", "key path", "exact path",
    "before", "after", "ordinal", "element ordinal", "parent ordinal", "id", "shape",
)  # fmt: skip
"""What two places are compared in; the columns of ``candidate_rows`` and the entries of ``Spot.row``."""
ORDINALS = slice(8, 11)


@dataclass(frozen=True)
class Step:
    """One element on the way from the document down to a place, or the text at its end."""

    tag: str
    ordinal: int
    """Which of its siblings of the same tag, from 0."""
    ident: str = ""
    names: str = ""
    """Classes, without those that carry numbers."""

    @property
    def key(self) -> int:
        """Tag and classes as one hash."""
        return (word_hash(self.tag) + word_hash(self.names) * BASE) & MASK


@dataclass(frozen=True)
class Spot:
    """A place: the way to it and the texts around it."""

    steps: tuple[Step, ...]
    before: str = ""
    after: str = ""
    shape: str = ""
    prefix: str = ""
    suffix: str = ""
    """What the node shows before and after the text that was pasted."""

    @property
    def is_text(self) -> bool:
        """Whether it is a text, not an element."""
        return self.steps[-1].tag == TEXT

    @cached_property
    def has_class(self) -> bool:
        """Whether its element has a class, by which it can be known."""
        return any(step.names for step in self.steps[-2:] if step.tag != TEXT)

    @property
    def path(self) -> str:
        """The way as one line for people."""
        return "/".join(f"{step.tag}[{step.ordinal + 1}]" for step in self.steps)

    @cached_property
    def row(self) -> Hashes:
        """The place as hashes, one a feature; 0 where there is nothing to compare."""
        ways = [self.steps[-1 - up] if up < len(self.steps) else None for up in range(4)]
        if not self.is_text:
            ways = [None, *ways[:3]]
        text, element, parent, grand = ways
        ident = next((step.ident for step in (element, parent) if step and step.ident), "")
        row = [
            element.key if element else 0,
            parent.key if parent else 0,
            grand.key if grand else 0,
            path_hash([word_hash(step.tag) for step in self.steps]),
            path_hash([step.key for step in self.steps]),
            path_hash([word_hash(step.tag) + (step.ordinal + 1) * ORDINAL for step in self.steps]),
            word_hash(self.before),
            word_hash(self.after),
            text.ordinal + 1 if text else 0,
            element.ordinal + 1 if element else 0,
            parent.ordinal + 1 if parent else 1,
            word_hash(ident),
            word_hash(self.shape),
        ]
        return np.array(row, dtype=np.uint64)

    def to_plain(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        plain: dict[str, Any] = {"path": [step_to_plain(step) for step in self.steps]}
        around = {
            "before": self.before,
            "after": self.after,
            "shape": self.shape,
            "prefix": self.prefix,
            "suffix": self.suffix,
        }
        return plain | {name: value for name, value in around.items() if value}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Spot:
        """Take it back from what JSON held."""
        around = {name: str(value) for name, value in plain.items() if name != "path"}
        return cls(tuple(Step(str(s[0]), int(s[1]), *map(str, s[2:4])) for s in plain["path"]), **around)


def step_to_plain(step: Step) -> list[str | int]:
    """Give a step as a list without an empty end."""
    plain: list[str | int] = [step.tag, step.ordinal, step.ident, step.names]
    while plain[-1] == "":
        plain.pop()
    return plain


def path_hash(words: Sequence[int]) -> int:
    """Sum up hashes from the document down, as ``Evidence`` does it for the whole page."""
    total = 0
    for word in words:
        total = (total * BASE + word) & MASK
    return total


def spot_at(evidence: Evidence, node: int, prefix: str = "", suffix: str = "") -> Spot:
    """Describe a place."""
    steps, at = [], node
    while at > 0:
        attributes = evidence.nodes.attributes[at]
        tag = evidence.nodes.tag[at] if evidence.is_element[at] else TEXT
        ident = steady_id(attributes.get("itemprop", "")) or steady_id(attributes.get("id", ""))
        steps.append(Step(tag, int(evidence.ordinal[at]), ident, steady_class(attributes.get("class", ""))))
        at = int(evidence.up[at])
    first, last = int(evidence.first_text[node]), int(evidence.last_text[node])
    return Spot(
        tuple(reversed(steps)),
        evidence.words[first - 1] if first else "",
        evidence.words[last] if last < len(evidence.words) else "",
        shape(evidence.words[first]) if evidence.is_text[node] else "",
        prefix,
        suffix,
    )


def candidate_rows(evidence: Evidence, candidates: Ids) -> Hashes:
    """Describe many places at once: one row a node, one column a feature; formats are left to be filled in."""
    up = evidence.up
    before, after = texts_around(evidence, candidates)
    is_text = evidence.is_text[candidates]
    element = np.where(is_text, up[candidates], candidates)
    parent = up[element]
    ident = np.where(evidence.ident[element] != 0, evidence.ident[element], evidence.ident[parent])
    rows = np.empty((len(candidates), len(FEATURES)), dtype=np.uint64)
    columns = (
        evidence.key[element],
        evidence.key[parent],
        evidence.key[up[parent]],
        evidence.tag_path[candidates],
        evidence.key_path[candidates],
        evidence.exact_path[candidates],
        before,
        after,
        np.where(is_text, evidence.ordinal[candidates] + np.uint64(1), np.uint64(0)),
        evidence.ordinal[element] + np.uint64(1),
        evidence.ordinal[parent] + np.uint64(1),
        ident,
        np.zeros(len(candidates), dtype=np.uint64),
    )
    for number, column in enumerate(columns):
        rows[:, number] = column
    return rows


def texts_around(evidence: Evidence, candidates: Ids) -> tuple[Hashes, Hashes]:
    """Give the texts before and after each candidate; for all texts of the page they are their neighbours."""
    if candidates is evidence.texts:
        return evidence.text_hash[1:-3], evidence.text_hash[3:-1]
    return evidence.before[candidates], evidence.after[candidates]
