"""The texts that name values: what makes one ("Directed by", "Price:"), and when one is called like a label."""

from __future__ import annotations

import re
from dataclasses import dataclass

from windrow.wrapper.normalization import COLONS, shape, signs_in

COLONS_AND_SPACE = "".join(COLONS) + " "
WORDS = re.compile(r"[^\W\d_]+")
LABEL = re.compile(r".*[^\W\d].*:\s*", re.DOTALL)
NAME = re.compile(r"\W*(?:[^\W\d]+[^\w\n]*){1,4}")
"""Up to four words."""
OWN_LABEL = re.compile(r"[^\W\d_][^\d:]*:(?=\s)")


@dataclass(frozen=True)
class NamingParameters:
    """What may be a name; set by principle."""

    most_label: int = 40
    """Characters of a label at most: a sentence that ends in a colon is none."""
    most_name: int = 30
    """Characters of a name without a colon at most."""
    least_stem: int = 4
    """Letters that two words begin with where they are of one stem."""


PARAMETERS = NamingParameters()


def is_label(text: str) -> bool:
    """Whether a text names what follows it, by its colon."""
    return len(text) <= PARAMETERS.most_label and LABEL.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a text may name what follows it: a few words without figures."""
    return 0 < len(text) <= PARAMETERS.most_name and NAME.fullmatch(text) is not None


def name_of(label: str) -> str:
    """Return what a label says, however it is written: without its colon, in small letters."""
    return label.rstrip(COLONS_AND_SPACE).casefold()


def is_called(text: str, label: str) -> bool:
    """Whether a text has a word of the same stem as a label's name."""
    if len(text) > PARAMETERS.most_label:
        return False
    stems = {word[: PARAMETERS.least_stem] for word in WORDS.findall(label.casefold())}
    return any(
        len(word) >= PARAMETERS.least_stem and word[: PARAMETERS.least_stem] in stems
        for word in WORDS.findall(text.casefold())
    )


def own_label(text: str, label: str) -> str:
    """Return the name that a text itself begins with, up to its colon, where it is called like the label."""
    found = OWN_LABEL.match(text[: PARAMETERS.most_label])
    return found[0] if found and is_called(found[0], label) else ""


def name_within(text: str) -> str:
    """Return the name that a text itself begins with, up to its colon ("Phone: 804-828-0100")."""
    found = OWN_LABEL.match(text[: PARAMETERS.most_label])
    return name_of(found[0]) if found else ""


def name_of_figure(text: str) -> str:
    """Return the name that a text begins with, where nothing but figures follows it ("MSRP: $22,245")."""
    found = OWN_LABEL.match(text[: PARAMETERS.most_label])
    return name_of(found[0]) if found and signs_in(shape(text[found.end() :]))[:2] == (True, False) else ""


def is_named_outside(text: str, before: str) -> bool:
    """Whether the colon that a text begins with makes a name of what stands before it."""
    return text.startswith(COLONS) and len(before) <= PARAMETERS.most_label and any(map(str.isalpha, before))
