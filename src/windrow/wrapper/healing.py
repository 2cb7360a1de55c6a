"""Healing: after a template change the old values are found on the new page, learned again, and verified before use.

Whether the page is still the learned one is told by the share of the old texts that it shows. A text that shows up on
another address proves little when it is short: a byline or an agency stands on many pages. Other pages of the new
template need not show any old text; what is read from them must look like it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.errors import HealUncertain, RegionGone
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.page import Page
    from windrow.wrapper.result import Extraction
    from windrow.wrapper.rule import Place, Rule

Rules: TypeAlias = "Mapping[str, tuple[Rule, ...]]"
Values: TypeAlias = "Mapping[str, tuple[str, ...]]"
GONE = "The text that was learned is no longer on the page. Paste another text from it and learn again."


@dataclass(frozen=True)
class HealParameters:
    """When a page counts as the learned one in a new dress; set by principle."""

    heal: float = 0.8
    """Share of the labels that must be found and verified to heal without asking: of four or fewer labels all."""
    gone: float = 0.34
    """Share below which the text is gone: one label of three may be there by chance."""
    distinct: int = 20
    """Characters from which on a text is taken to stand on one page only: longer than names and dates are."""


PARAMETERS = HealParameters()


@dataclass(frozen=True)
class Move:
    """Where a label was and where it is now."""

    old: str
    new: str
    confidence: float
    runner_up: str = ""
    pages: int = 1
    """On how many of the given pages it was read, and fits."""


@dataclass(frozen=True)
class HealReport:
    """What was found again and where, and what was not."""

    confidence: float
    moves: Mapping[str, Move]
    lost: tuple[str, ...] = ()
    """Labels that are no longer read."""
    doubtful: tuple[str, ...] = ()
    """Labels that are read on this address only, since their place may belong to something else."""
    sentence: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "confidence": self.confidence,
            "moves": {label: vars(move) for label, move in self.moves.items()},
            "lost": list(self.lost),
            "doubtful": list(self.doubtful),
            "sentence": self.sentence,
        }


def find_again(page: Page, values: Values, *, is_home: bool) -> dict[str, tuple[str, ...]]:
    """Return the labels of which the page shows every old value; an error where they are too few."""
    index = TextIndex(features_of(page.nodes))
    shares = {label: shown_share(index, texts) for label, texts in values.items()}
    found = {label: values[label] for label, share in shares.items() if share == 1}
    share = sum(shares.values()) / max(1, len(shares))
    lost = tuple(label for label in values if label not in found)
    report = HealReport(
        round(share, 3), {}, lost, (), f"{len(found)} of {len(values)} labels show all their old values."
    )
    if share < PARAMETERS.gone or not found:
        raise RegionGone(GONE, report)
    if not is_home and not any(len(folded(text)) >= PARAMETERS.distinct for texts in found.values() for text in texts):
        if page.url:
            raise RegionGone(GONE, report)
        raise HealUncertain(
            "The learned text is there, but it is so short that it may be another page's. Say where the page came "
            "from: with url=, on the command line with --url.",
            report,
        )
    if len(found) < PARAMETERS.heal * len(values):
        raise HealUncertain(
            f"Only some of the learned text is on the page; not found: {', '.join(lost)}. Look, and paste these anew.",
            report,
        )
    return found


def shown_share(index: TextIndex, texts: tuple[str, ...]) -> float:
    """Return the share of texts that a page shows."""
    return sum(bool(index.find(text)) for text in texts) / max(1, len(texts))


def doubt_rules(rules: Rules, old: Rules) -> Rules:
    """Keep to this address what was found only within a longer text, unless it stood within the same one before."""
    doubted = {}
    for label, alternatives in rules.items():
        known = {(place.location.prefix, place.location.suffix) for place in places_in(old.get(label, ()))}
        doubted[label] = tuple(
            replace(rule, values=tuple(tuple(doubt_place(place, known) for place in places) for places in rule.values))
            for rule in alternatives
        )
    return doubted


def doubt_place(place: Place, known: set[tuple[str, str]]) -> Place:
    """Mark a place whose text stands within a longer one that was not there before."""
    around = (place.location.prefix, place.location.suffix)
    return replace(place, is_local=True) if any(around) and around not in known else place


def places_in(rules: tuple[Rule, ...]) -> list[Place]:
    """Return all places of a label's rules."""
    found = [place for rule in rules for places in rule.values for place in places]
    return found + [place for rule in rules if rule.listing is not None for place in rule.listing.around]


def verify(readings: Sequence[Extraction], values: Sequence[Values]) -> dict[str, int]:
    """Count for each label the pages whose reading fits; 0 where the pages do not agree on it.

    The first pages show old values, which must be read back. The others must show something of the same kind, most of
    them at least.
    """
    counts = {}
    for label, texts in {label: texts for old in values for label, texts in old.items()}.items():
        known = [is_read_back(got, old, label) for got, old in zip(readings, values, strict=False) if label in old]
        other = [is_like(got.values.get(label, ()), texts) for got in readings[len(values) :]]
        agreed = all(known) and 2 * sum(other) >= len(other)
        counts[label] = sum(known) + sum(other) if agreed else 0
    return counts


def is_read_back(got: Extraction, values: Values, label: str) -> bool:
    """Whether exactly the old values of a label were read."""
    return {folded(text) for text in got.values.get(label, ())} == {folded(text) for text in values[label]}


def is_like(texts: Sequence[str], values: Sequence[str]) -> bool:
    """Whether something was read, and with numbers where the old values have some."""
    return bool(texts) and any(map(has_digits, texts)) == any(map(has_digits, values))


def has_digits(text: str) -> bool:
    """Whether a text holds a number."""
    return any(map(str.isdigit, text))


def report_on(old: Rules, new: Rules, readings: Sequence[Extraction], counts: Mapping[str, int]) -> HealReport:
    """Return where each label was and is; an error where too few were read back."""
    moves = {}
    for label, rules in new.items():
        before, now = places_in(old[label]), places_in(rules)
        got = next(got for got in readings if label in got.confidence)
        rival = next((reading.runner_up for reading in got.located[label] if reading.runner_up), "")
        paths = [places[0].location.path if places else "" for places in (before, now)]
        moves[label] = Move(paths[0], paths[1], got.confidence[label], rival, counts[label])
    lost = tuple(label for label in old if label not in new)
    doubtful = tuple(label for label, rules in new.items() if all(place.is_local for place in places_in(rules)))
    share = len(new) / max(1, len(old))
    sentence = f"{len(new)} of {len(old)} labels were found by their old values, learned again, and read back."
    report = HealReport(round(share, 3), moves, lost, doubtful, sentence)
    if share < PARAMETERS.heal:
        raise HealUncertain(
            f"Some labels could not be read back after healing: {', '.join(lost)}. Look, and paste these anew.", report
        )
    return report
