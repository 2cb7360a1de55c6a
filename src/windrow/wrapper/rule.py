"""What was learned of one label: the places of its values, or the list that they make."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from windrow.nodes.strikes import STRUCK
from windrow.wrapper.captions import NO_CAPTION, Caption
from windrow.wrapper.location import FEATURES, Location
from windrow.wrapper.naming import is_label, is_name
from windrow.wrapper.normalization import folded
from windrow.wrapper.series import split_series

if TYPE_CHECKING:
    from numpy.typing import NDArray

Way: TypeAlias = tuple[tuple[str, str], ...]
"""Tags and classes from below an element down to a node; a class of ``*`` stands for any."""
DIGITS = 3
"""Decimals of how much places count, in memory as in the file."""
FLAGS = tuple(
    "is_labelled is_run is_local is_unique is_filling is_struck is_kin is_last has_struck_part ends_block "
    "is_alone".split()
)
LIST_FLAGS = ("is_single", "is_numbered")


@dataclass(frozen=True)
class Place:
    """One place that shows a value, and how far each of its features can be trusted."""

    location: Location
    worth: float
    """How much its word counts among other places of the same value."""
    trust: tuple[float, ...] = ()
    """For each feature the share of the other examples that agreed in it; empty with one example."""
    is_labelled: bool = False
    """Whether the text before it is a label, without which the value is not there."""
    is_run: bool = False
    """Whether more values follow as its siblings, parted by a comma or the like."""
    is_local: bool = False
    """Whether it is too doubtful to be read anywhere but on the address where it was verified."""
    is_unique: bool = False
    """Whether nothing else on the page stood in the same tags and classes."""
    is_filling: bool = False
    """Whether it is a text that is all that its element shows."""
    is_struck: bool = False
    """Whether what stands there is struck through."""
    is_kin: bool = False
    """Whether all its siblings of its kind are values too."""
    is_last: bool = False
    """Whether it is the last of several siblings of its kind, so that it may be meant as the last or by its number."""
    has_struck_part: bool = False
    """Whether a part of the learned text was struck out."""
    ends_block: bool = False
    """Whether no text follows it in its block, so that what follows there on another page may be more values."""
    is_alone: bool = False
    """Whether no other element of its kind followed it in its line, so that those of another page are more values."""
    own_label: str = ""
    """The name that the value itself begins with, in the form in which texts are compared."""
    parting: tuple[str, ...] = ()
    """What parts the values, where several stand in the one text."""
    single: tuple[int, ...] = ()
    """Which of the elements that show only the value, counted from the last step, had no sibling of their kind."""
    caption: Caption = NO_CAPTION
    """What the page calls it by its column and its section."""

    def __post_init__(self) -> None:
        """Round the numbers, so that a place that was written and read again is the same."""
        object.__setattr__(self, "worth", round(self.worth, DIGITS))
        object.__setattr__(self, "trust", tuple(round(share, DIGITS) for share in self.trust))

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process can use, as a location does."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def values_in(self, text: str) -> list[str]:
        """Return the values of what stands there: the text, or several that stand in it."""
        return split_series(text, self.parting) if self.parting else [text]

    @cached_property
    def inner_name(self) -> str:
        """The name that its element shows before the value ("Calories:"), in the form in which texts are compared."""
        prefix = self.location.prefix
        return folded(prefix) if is_label(prefix) or is_name(prefix) else ""

    @cached_property
    def single_keys(self) -> list[int]:
        """Tags and classes of the elements that had no sibling of their kind, the innermost first."""
        return [self.location.steps[-1 - level].key for level in self.single]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """What the trust in each feature multiplies its weight by."""
        return np.array(self.trust or (1.0,) * len(FEATURES))

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain = self.location.to_dict() | {"worth": self.worth}
        if self.trust:
            plain["trust"] = list(self.trust)
        if self.own_label:
            plain["own label"] = self.own_label
        if self.parting:
            plain["parting"] = list(self.parting)
        if self.single:
            plain["single"] = list(self.single)
        if self.caption != NO_CAPTION:
            plain["caption"] = self.caption.to_dict()
        return plain | {name: True for name in FLAGS if getattr(self, name)}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Place:
        """Return what ``to_dict`` wrote."""
        own = {"worth", "trust", "own label", "parting", "single", "caption", *FLAGS}
        location = Location.from_dict({name: value for name, value in plain.items() if name not in own})
        flags = {name: bool(plain.get(name)) for name in FLAGS}
        flags["is_struck"] |= any(step.tag in STRUCK for step in location.steps)  # as files say that lack the flag
        return cls(
            location,
            float(plain["worth"]),
            tuple(map(float, plain.get("trust", ()))),
            own_label=str(plain.get("own label", "")),
            parting=tuple(map(str, plain.get("parting", ()))),
            single=tuple(map(int, plain.get("single", ()))),
            caption=Caption.from_dict(plain.get("caption", {})),
            **flags,
        )


@dataclass(frozen=True)
class Listing:
    """A list: the element around it, and the ways from there down to its items."""

    around: tuple[Place, ...]
    ways: tuple[Way, ...]
    is_single: bool = False
    """Whether no other element of the page stood in the same tags and classes, so that more of them are more of it."""
    is_numbered: bool = False
    """Whether each item begins with its number, which is not part of the value."""
    mark: str = ""
    """What each item begins with that is not part of the value, as a bullet."""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {
            "around": [place.to_dict() for place in self.around],
            "items": [list(map(list, way)) for way in self.ways],
        }
        if self.mark:
            plain["mark"] = self.mark
        return plain | {name: True for name in LIST_FLAGS if getattr(self, name)}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Listing:
        """Return what ``to_dict`` wrote."""
        ways = tuple(tuple((str(tag), str(names)) for tag, names in way) for way in plain["items"])
        flags = {name: bool(plain.get(name)) for name in LIST_FLAGS}
        return cls(tuple(map(Place.from_dict, plain["around"])), ways, **flags, mark=str(plain.get("mark", "")))


@dataclass(frozen=True)
class Rule:
    """One label's values: each has places that showed it; a list has one rule for all its items."""

    label: str
    values: tuple[tuple[Place, ...], ...] = ()
    listing: Listing | None = None
    proved: float = 0.0
    """Share of the other examples on which it read what was pasted."""

    def __post_init__(self) -> None:
        """Round the number, as those of places."""
        object.__setattr__(self, "proved", round(self.proved, DIGITS))

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {}
        if self.proved:
            plain["proved"] = self.proved
        if self.values:
            plain["values"] = [[place.to_dict() for place in places] for places in self.values]
        if self.listing is not None:
            plain["list"] = self.listing.to_dict()
        return plain

    @classmethod
    def from_dict(cls, label: str, plain: dict[str, Any]) -> Rule:
        """Return what ``to_dict`` wrote."""
        values = tuple(tuple(map(Place.from_dict, places)) for places in plain.get("values", ()))
        listing = Listing.from_dict(plain["list"]) if "list" in plain else None
        return cls(label, values, listing, float(plain.get("proved", 0.0)))
