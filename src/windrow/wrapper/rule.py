"""What was learned of one label: the places of its values, or the list that they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from windrow.wrapper.spot import Spot


@dataclass(frozen=True)
class Place:
    """One place that shows a value, and how far each of its features can be trusted."""

    spot: Spot
    worth: float = 1.0
    """How much its word counts among other places of the same value."""
    trust: tuple[float, ...] = ()
    """For each feature the share of the other examples that agreed in it; empty with one example."""
    is_labelled: bool = False
    """Whether the text before it is a label, without which the value is not there."""
    is_run: bool = False
    """Whether more values follow as its siblings, parted by a comma or the like."""

    def to_plain(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        plain = self.spot.to_plain() | {"worth": round(self.worth, 3)}
        if self.trust:
            plain["trust"] = [round(share, 3) for share in self.trust]
        return plain | {name: True for name in ("is_labelled", "is_run") if getattr(self, name)}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Place:
        """Take it back from what JSON held."""
        own = {"worth", "trust", "is_labelled", "is_run"}
        spot = Spot.from_plain({name: value for name, value in plain.items() if name not in own})
        return cls(
            spot,
            float(plain["worth"]),
            tuple(map(float, plain.get("trust", ()))),
            bool(plain.get("is_labelled")),
            bool(plain.get("is_run")),
        )


@dataclass(frozen=True)
class Listing:
    """A list: the element around it, and the ways from there down to its items."""

    around: tuple[Place, ...]
    ways: tuple[tuple[tuple[str, str], ...], ...]
    """Tags and classes of each step; a class of ``*`` stands for any."""

    def to_plain(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        return {"around": [place.to_plain() for place in self.around], "items": [list(map(list, way)) for way in self.ways]}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Listing:
        """Take it back from what JSON held."""
        ways = tuple(tuple((str(tag), str(names)) for tag, names in way) for way in plain["items"])
        return cls(tuple(map(Place.from_plain, plain["around"])), ways)


@dataclass(frozen=True)
class Rule:
    """One label's values: each has places that showed it; a list has one rule for all its items."""

    label: str
    values: tuple[tuple[Place, ...], ...] = ()
    listing: Listing | None = None

    def to_plain(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        plain: dict[str, Any] = {}
        if self.values:
            plain["values"] = [[place.to_plain() for place in places] for places in self.values]
        if self.listing is not None:
            plain["list"] = self.listing.to_plain()
        return plain

    @classmethod
    def from_plain(cls, label: str, plain: dict[str, Any]) -> Rule:
        """Take it back from what JSON held."""
        values = tuple(tuple(map(Place.from_plain, places)) for places in plain.get("values", ()))
        return cls(label, values, Listing.from_plain(plain["list"]) if "list" in plain else None)
