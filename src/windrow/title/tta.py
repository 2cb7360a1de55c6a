"""TTA, the title tag analyser.

N. Gali and P. Fränti, "Content-based title extraction from web page", WEBIST 2016.

The title tag and the meta tags ``title`` and ``og:title`` are cut into segments at fixed delimiters; each segment is
scored by its place in the tag (S1), by how often it stands in headings (S2) and by how much it is like a part of the
page's address (S3); the segment with the highest sum is the title.

Departures: the paper leaves some points open. Frequencies count whole words without regard to case. An address is
compared in letters and digits only, decoded and transliterated by a library that covers the paper's Table 2; the host
is taken without ``www`` and public suffix, each segment of the path by itself, the document without its extension, and
query and fragment not at all. Where the largest and the smallest value are the same, a normalised score is 0. Of
segments with the same score the earlier one wins. The printed Table 1 has lost its bars: a bar after a space is read
into the empty cell, and one before a space is added; its bare hyphen is read as a hyphen before a space, since
*S-market* stays whole. Of a tag's letters and of all segments only the first are read, far more than tags have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.title.address import Address, read_address, to_letters
from windrow.title.confidence import state_confidence
from windrow.title.likeness import fold_case, score_dice
from windrow.title.markup import read_markup, read_tag
from windrow.title.metadata import read_metas
from windrow.title.result import Candidate, Title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes import Nodes


@dataclass(frozen=True)
class TtaParameters:
    """The paper's values."""

    delimiters: tuple[str, ...] = (
        *(" – ", " / ", " . ", " : ", ", ", " -", "- ", ": ", " :", " |", "| "),
        *(" >", " <", " «", " »", "?,", "-,", " ::", " /"),
    )  # Table 1
    special: str = "!?@#*"  # section 2, and what Table 4 keeps
    placement: float = 0.1  # equation 1, section 3.1
    headings: tuple[int, ...] = (6, 5, 4, 3, 2, 1)  # equation 2, h1 to h6
    host: float = 1.0  # equation 4
    path: float = 1.5  # equation 4
    document: float = 3.0  # equation 4
    longest: int = 2000  # not a decision: letters of a tag; ours, so that work never grows with their square
    most: int = 300  # not a decision: segments; ours, for the same reason


PAPER = TtaParameters()


@dataclass
class Segment:
    """A candidate segment z_k with the three criteria and what they rest on."""

    text: str
    placement: float = 0.0
    popularity: float = 0.0
    position: float = 0.0
    compared: dict[str, str] = field(default_factory=dict)


def find_tta_title(nodes: Nodes, url: str = "", criteria: Sequence[int] = (1, 2, 3)) -> Title:
    """Return the title by the paper; ``criteria`` names those that count, for the ablation of its Table 3."""
    segments = find_segments(nodes)
    if not segments:
        return Title("", 0.0, reason="Neither the title tag nor the meta tags that the method reads hold any text.")
    popularity = score_popularity(segments, nodes)
    position = score_position(segments, read_address(url))
    candidates = []
    for segment, second, third in zip(segments, popularity, position, strict=True):
        terms = {"S1": segment.placement, "S2": second, "S3": third}
        total = sum(terms[f"S{number}"] for number in criteria)  # equation 6
        candidates.append(Candidate(segment.text, total, terms, segment.compared))
    candidates.sort(key=lambda candidate: -candidate.score)
    confidence = state_confidence("tta", candidates)
    return Title(candidates[0].text, candidates[0].score, tuple(candidates), confidence=confidence)


def find_segments(nodes: Nodes, parameters: TtaParameters = PAPER) -> list[Segment]:
    """Build Z from X and Y, without special characters and duplicates; the first spelling stays (section 2)."""
    markup = read_markup(nodes)
    metas = read_metas(markup)
    title = read_tag(markup)
    meta_names = ("title", "og:title") if title else ("keywords",)
    tags = [("title tag", title)] + [(f"meta {name}", text) for name in meta_names for text in metas.get(name, [])]
    found: dict[str, Segment] = {}
    for source, text in tags:
        parts = cut(text[: parameters.longest], parameters)
        for place, part in enumerate(parts):
            segment = found.setdefault(fold_case(part), Segment(part))
            if place in (0, len(parts) - 1) and not segment.placement:  # equation 1
                segment.placement = parameters.placement
                segment.compared["S1"] = f"{'first' if place == 0 else 'last'} segment of the {source}"
        if len(found) > parameters.most:
            break
    return list(found.values())[: parameters.most]


def cut(text: str, parameters: TtaParameters = PAPER) -> list[str]:
    """Split a tag's text at the delimiters of Table 1, longest first, and drop special characters."""
    longest_first = sorted(parameters.delimiters, key=len, reverse=True)
    parts = re.split("|".join(map(re.escape, longest_first)), text)
    drop = str.maketrans("", "", parameters.special)
    return [part for part in (" ".join(part.translate(drop).split()) for part in parts) if part]


def score_popularity(segments: list[Segment], nodes: Nodes, parameters: TtaParameters = PAPER) -> list[float]:
    """Score how often each segment stands in headings (equations 2 and 3)."""
    markup = read_markup(nodes)
    texts: list[str] = []
    for level in range(1, 7):
        headings = markup.named(f"h{level}")
        texts.append("\n".join(fold_case(markup.text(node)) for node in headings))
    for segment in segments:
        word = re.compile(rf"(?<!\w){re.escape(fold_case(segment.text))}(?!\w)")
        counts = [len(word.findall(text)) for text in texts]
        segment.popularity = float(sum(w * f for w, f in zip(parameters.headings, counts, strict=True)))
        stands = [f"h{level} × {count}" for level, count in enumerate(counts, 1) if count]
        segment.compared["S2"] = ", ".join(stands) or "in no heading"
    return normalise([segment.popularity for segment in segments])


def score_position(segments: list[Segment], address: Address, parameters: TtaParameters = PAPER) -> list[float]:
    """Score how much each segment is like its best place in the address (equations 4 and 5)."""
    places = [("host", address.host, parameters.host)]
    places += [("path", part, parameters.path) for part in address.path]
    places += [("document", address.document, parameters.document)]
    for segment in segments:
        letters = to_letters(segment.text)
        likeness = [
            (weight * score_dice(letters, to_letters(text)), place, text) for place, text, weight in places if text
        ]
        segment.position, place, text = max(likeness, key=lambda one: one[0], default=(0.0, "", ""))
        segment.compared["S3"] = f"{place} {text}: {segment.position:.2f}" if place else "the address is not known"
    return normalise([segment.position for segment in segments])


def normalise(values: Sequence[float]) -> list[float]:
    """Bring values to [0, 1] by the smallest and the largest (equations 3 and 5)."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
