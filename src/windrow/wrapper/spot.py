"""A place on a page, as words that people can read, and as the hashes that other pages are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.nodes.hashes import hash_name, hash_path
from windrow.wrapper.evidence import TEXT, steady_class, steady_id
from windrow.wrapper.hashes import ORDINAL, hash_key, hash_text
from windrow.wrapper.writing import shape

if TYPE_CHECKING:
    from windrow.nodes.hashes import Hashes
    from windrow.wrapper.evidence import Evidence

FEATURES = (
    "key", "parent key", "grandparent key", "tag path", "key path", "exact path",
    "before", "after", "ordinal", "element ordinal", "parent ordinal", "id", "shape",
)  # fmt: skip
"""What two places are compared in; the entries of ``Spot.row`` and the rows of ``Candidates``."""


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
        return hash_key(self.tag, self.names)


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
            hash_path(hash_name(step.tag) for step in self.steps),
            hash_path(step.key for step in self.steps),
            hash_path(hash_name(step.tag) + (step.ordinal + 1) * ORDINAL for step in self.steps),
            hash_text(self.before),
            hash_text(self.after),
            text.ordinal + 1 if text else 0,
            element.ordinal + 1 if element else 0,
            parent.ordinal + 1 if parent else 1,
            hash_text(ident),
            hash_text(self.shape),
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
