"""A place on a page, as words that people can read, and as the hashes that other pages are compared with."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.nodes.hashes import BASE, MASK, hash_name, hash_path
from windrow.nodes.inline import INLINE_TAGS
from windrow.nodes.paths import BOUNDARY, element_name
from windrow.wrapper.normalization import shape, shown
from windrow.wrapper.page_features import ORDINAL, RANK, TEXT, hash_key, hash_text, name_element, steady_class

if TYPE_CHECKING:
    from windrow.nodes.hashes import Hashes
    from windrow.wrapper.page_features import PageFeatures

FEATURES = ("key", "tag path", "exact path", "before", "after", "shape")
"""What two places are compared in; the first entries of ``Location.row`` and the first rows of ``Candidates``."""
FORGIVING = {"key": "block key", "tag path": "block path", "exact path": "exact block path"}
"""What may agree instead where the text before or the block is the same: inline elements come and go around a text."""
AROUND = "around"
"""The nearest name above a place, which tells a list with several groups from another list."""
COLUMNS = (*FEATURES, AROUND, *FORGIVING.values(), "named block")


@dataclass(frozen=True)
class Step:
    """One element on the way from the document down to a place, or the text at its end."""

    tag: str
    ordinal: int
    """Which of its siblings of the same tag, from 0."""
    names: str = ""
    """Classes, without those that carry numbers."""
    id: str = ""
    """The id, unless it carries a number."""

    @property
    def name(self) -> str:
        """What the element is called in its template: its id, else its classes."""
        return name_element(self.names, self.id)

    @property
    def xpath(self) -> str:
        """The step as one of an XPath; blank texts do not count."""
        name = "text()[normalize-space()]" if self.tag == TEXT else element_name(self.tag)
        return f"{name}[{self.ordinal + 1}]"

    @property
    def key(self) -> int:
        """Tag and classes as one hash."""
        return hash_key(self.tag, self.names)


@dataclass(frozen=True)
class Location:
    """A place: the way to it and the texts around it."""

    steps: tuple[Step, ...]
    before: str = ""
    after: str = ""
    shape: str = ""
    prefix: str = ""
    suffix: str = ""
    """What the node shows before and after the text that was pasted."""
    part: str = ""
    """The format of the pasted text, where it is a part of what the node shows."""
    rank: int = 0
    """Which of the texts of its block it is, from 0."""
    attribute: str = ""
    """The attribute that holds the value, where the page does not display it."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process can use: what was worked out holds hashes of texts, which are this one's own."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def is_text(self) -> bool:
        """Whether it is a text, not an element."""
        return self.steps[-1].tag == TEXT

    @property
    def words_around(self) -> tuple[str, ...]:
        """What stands around a part of a text and holds words, so that the part is found where these stand again."""
        return tuple(shown(affix) for affix in (self.prefix, self.suffix) if any(map(str.isalpha, affix)))

    @property
    def element(self) -> Step:
        """The element that it is, or that its text stands in."""
        return self.steps[-2 if self.is_text and len(self.steps) > 1 else -1]

    @cached_property
    def has_class(self) -> bool:
        """Whether its element has a class, by which it can be known."""
        return any(step.names for step in self.steps[-2:] if step.tag != TEXT)

    @property
    def path(self) -> str:
        """The way as an XPath, from one document into the next where there are frames on it."""
        scopes: list[list[str]] = [[]]
        for step in self.steps[:-1]:
            if step.tag == TEXT:  # no element: the document in a frame
                scopes.append([])
            else:
                scopes[-1].append(step.xpath)
        scopes[-1] += [self.steps[-1].xpath, *([f"@{self.attribute}"] if self.attribute else [])]
        return BOUNDARY.join("/" + "/".join(scope) for scope in scopes)

    @cached_property
    def block(self) -> tuple[Step, ...]:
        """The way to the block that the place stands in: inline elements come and go around a text."""
        if not self.is_text:
            return self.steps
        steps = self.steps[:-1]
        while len(steps) > 1 and steps[-1].tag in INLINE_TAGS:
            steps = steps[:-1]
        return steps

    @cached_property
    def key_path(self) -> int:
        """The tags and classes on the way as one hash."""
        return hash_path(step.key for step in self.steps)

    @cached_property
    def row(self) -> Hashes:
        """The place as hashes, one a feature; 0 where there is nothing to compare."""
        element = self.steps[-2 if self.is_text else -1 :][:1]
        block = self.block
        row = [
            element[0].key if element else 0,
            hash_path(hash_name(step.tag) for step in self.steps),
            exact_hash(self.steps),
            hash_text(self.before),
            hash_text(self.after),
            hash_text(self.shape),
            hash_around(self.steps[: len(self.steps) - self.is_text]),
            block[-1].key if block else 0,
            hash_path(hash_name(step.tag) for step in block),
            (exact_hash(block) + (self.rank + 1) * RANK) & MASK,
            (hash_around(block) + (block[-1].key if block else 0) * BASE + (self.rank + 1) * RANK) & MASK,
        ]
        return np.array(row, dtype=np.uint64)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {"path": [step_to_list(step) for step in self.steps]}
        around = {
            "before": self.before,
            "after": self.after,
            "shape": self.shape,
            "prefix": self.prefix,
            "suffix": self.suffix,
            "part": self.part,
            "rank": self.rank,
            "attribute": self.attribute,
        }
        return plain | {name: value for name, value in around.items() if value}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Location:
        """Return what ``to_dict`` wrote."""
        steps = tuple(Step(str(s[0]), int(s[1]), *map(str, s[2:4])) for s in plain["path"])
        around = {name: str(value) for name, value in plain.items() if name not in {"path", "rank"}}
        return cls(steps, **around, rank=int(plain.get("rank", 0)))


def exact_hash(steps: tuple[Step, ...]) -> int:
    """Return the tags and ordinals of a way as one hash."""
    return hash_path(hash_name(step.tag) + (step.ordinal + 1) * ORDINAL for step in steps)


def hash_around(steps: tuple[Step, ...]) -> int:
    """Return the way down to an element from the nearest one above it that has a name, as one hash."""
    *above, own = steps or (Step("", 0),)
    begin = next((place for place in range(len(above) - 1, -1, -1) if above[place].name), 0)
    named = [hash_key(step.tag, step.name) for step in above[begin:][:1]]
    return hash_path([*named, *(hash_name(step.tag) for step in [*above[begin + 1 :], own])])


def step_to_list(step: Step) -> list[str | int]:
    """Return a step as a list: tag, ordinal, and where there are any the classes, and the id."""
    return [step.tag, step.ordinal, *([step.names] if step.names or step.id else []), *([step.id] if step.id else [])]


def locate(features: PageFeatures, node: int, prefix: str = "", suffix: str = "", attribute: str = "") -> Location:
    """Return the description of a place."""
    steps, at = [], node
    while at > 0:
        attributes = features.nodes.attributes[at]
        tag = features.nodes.tag[at] if features.is_element[at] else TEXT
        names, own_id = (steady_class(attributes.get(name, "")) for name in ("class", "id"))
        steps.append(Step(tag, int(features.ordinal[at]), names, own_id))
        at = int(features.up[at])
    first, last = int(features.first_text[node]), int(features.last_text[node])
    return Location(
        tuple(reversed(steps)),
        features.text_before(first),
        features.text_after(last),
        shape(features.words[first]) if features.is_text[node] else "",
        prefix,
        suffix,
        shape(features.text_of(node)[len(prefix) :].removesuffix(suffix)) if prefix or suffix else "",
        int(features.rank_in_block(np.array([first]))[0]) if features.is_text[node] else 0,
        attribute,
    )
