"""Whether an old value that was found again on a new page is meant there, or stands there by chance.

A price that has changed may still be on the page as the cost of shipping, as what it was, as another thing's price, or
in what somebody writes. Each of these says so: by a name of its own, by a class, by where it stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from windrow.value import read_value
from windrow.wrapper.captions import captions_of
from windrow.wrapper.kinds import is_telling
from windrow.wrapper.learning import is_header
from windrow.wrapper.naming import is_called, is_label, is_name, name_of
from windrow.wrapper.page_features import features_of
from windrow.wrapper.value_lists import showing_only

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.page import Page
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.result import Located
    from windrow.wrapper.rule import Place

FORMER = frozenset("was old former formerly previous strike striked struck crossed strikethrough rrp".split())
"""Words in the class of what no longer holds."""
CLASS_WORDS = re.compile(r"[A-Z]?[a-z]+")


def is_misplaced(page: Page, label: str, value: Located, places: Sequence[Place], names: Iterable[str]) -> bool:
    """Whether a value stands somewhere else than the field of the old places; ``names`` stood right before those."""
    features = features_of(page.nodes)
    if is_amid_words(features, value, places) or is_called_former(features, value, places):
        return True
    learned = (name for place in places for name in (place.location.prefix, place.location.before))
    known = {name_of(name) for name in (*names, *learned)}
    name = find_name(features, value)
    is_other = bool(name) and name_of(name) not in known and not is_called(name, label)
    return is_other and has_rival(features, value)


def is_amid_words(features: PageFeatures, value: Located, places: Sequence[Place]) -> bool:
    """Whether a value is part of a sentence, with words right on both sides, where the old one was all of a text."""
    if any(place.location.prefix or place.location.suffix for place in places):
        return False
    before, found, after = features.text_of(value.node).partition(value.text)
    return bool(found) and before.rstrip()[-1:].isalpha() and after.lstrip()[:1].isalpha()


def is_called_former(features: PageFeatures, value: Located, places: Sequence[Place]) -> bool:
    """Whether the class of what shows a value says that it no longer holds, where the old one's did not."""
    learned = " ".join(step.names for place in places for step in place.location.steps)
    around = " ".join(features.classes.get(element, "") for element in showing_only(features, value.node))
    words, known = ({word.casefold() for word in CLASS_WORDS.findall(names)} for names in (around, learned))
    return bool(words & FORMER - known)


def find_name(features: PageFeatures, value: Located) -> str:
    """Return the name that stands before a value: in its text, in its line, or in its row; empty where none does."""
    before, found, _ = features.text_of(value.node).partition(value.text)
    before = before if found else ""  # a value in an attribute is no part of the text
    rank = int(features.first_text[value.node])
    named = features.before.item(rank) - 1
    if not before and named >= 0:
        is_in_line = features.block[named] == features.block[rank]
        is_in_row = is_header(features, value.node) or captions_of(features).is_named_in_row(value.node)
        before = features.words[named] if is_in_line or is_in_row else ""
    return before.strip() if is_name(before) or is_label(before) else ""


def has_rival(features: PageFeatures, value: Located) -> bool:
    """Whether the page shows another text of the kind of a value, where that says of what kind it is."""
    own = read_value(value.text)
    if not is_telling(own):
        return False
    visible = np.flatnonzero(features.nodes.visible[features.texts]).tolist()
    alike = [
        rank for rank in visible if len(words := features.words[rank]) <= 2 * len(value.text) and words != value.text
    ]
    of_kind = [rank for rank in alike if read_value(features.words[rank]).kind == own.kind]
    return any(not features.is_struck(int(features.texts[rank])) for rank in of_kind)
