"""What a text looks like: a price, a date, a number, a rating, an address, or plain words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from windrow.value import read_value

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = {"money": "price", "date": "date", "number": "number", "percent": "number"}
KINDS |= {"duration": "duration", "rating": "rating", "datetime": "date"}
"""How the kinds of values are called where they name a column."""
PRICE = re.compile(r"[$€£¥₹₽₩₺]\s*\d|\d\s*[€£₽₺]|\b(?:USD|EUR|GBP|Rs\.?)\s*\d")
AGO = re.compile(
    r"\b(?:\d+|an?)\s+(?:sec|second|min|minute|hour|hr|day|week|month|year)s?\s+ago\b|\byesterday\b", re.IGNORECASE
)
RATING = re.compile(r"\b\d(?:[.,]\d+)?\s*(?:/|out of)\s*(?:5|10)\b|\b\d(?:[.,]\d+)?\s*stars?\b|[★☆⭐]", re.IGNORECASE)
ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)+/\S*")
WORDS = re.compile(r"[^\d★☆⭐.]*")
"""What has no figure, star or point is words, unless it says when."""
FURTHER = re.compile(r"\s[^\W\d_][^\s:]{1,20}:\s")
"""A label within a text."""
LABEL = re.compile(r"\s*([^\W\d][^:\uff1a]{0,28}?)\s*[:\uff1a](?:\s|$)")
AMOUNT = re.compile(r"[\w$€£¥₹₽₩₺].*[\w$€£¥₹₽₩₺.]")
"""An amount that is no end of a range: "$20 -" and "- $20" are."""
SHORT = 48
"""A text longer than this is words, whatever figures stand in it."""

ENOUGH = 500  # not a decision: only faster
"""Texts that tell what a column holds: a long list's are read for their kind in part."""


class Kinds:
    """Tells kinds, each text once."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._known: dict[str, str] = {}

    def of(self, text: str) -> str:
        """Name the kind of a text: price, date, number, duration, rating, address or text."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = kind_of(text)
        return found

    def common(self, texts: Sequence[str]) -> str:
        """Name the kind that most of the texts have, or most of those evenly among them; text where there is none."""
        texts = texts[:: max(len(texts) // ENOUGH, 1)]
        times: dict[str, int] = {}
        for text in texts:
            kind = self.of(text)
            times[kind] = times.get(kind, 0) + 1
            if 2 * times[kind] > len(texts):
                return kind
        return "text"


def kind_of(text: str) -> str:
    """Name the kind of a text."""
    if len(text) > SHORT:
        return "address" if ADDRESS.fullmatch(text) else "text"
    if WORDS.fullmatch(text):
        return "date" if AGO.search(text) else "text"
    found = KINDS.get(read_value(text).kind)
    if found is not None:
        return found
    for kind, look in (("rating", RATING), ("price", PRICE), ("date", AGO)):
        if look.search(text):
            return kind
    return "address" if ADDRESS.fullmatch(text) else "text"


def label_of(text: str) -> str:
    """Return the label that a text begins with ("Weight: 3 kg"), or nothing."""
    label = LABEL.match(text)
    return label[1] if label and label.end() < len(text) else ""


def sole_label_of(text: str) -> str:
    """Return the label that all of a text is about: none of one that goes on with another ("Size: 3 Colour: red")."""
    label = label_of(text)
    return "" if label and FURTHER.search(text, len(label) + 1) else label


def split_prices(text: str) -> list[str]:
    """Return the amounts that a text is nothing but, one after the other ("$20.00 $15.00"); else the text itself."""
    words = text.split(" ") if len(text) <= SHORT else []
    for place in range(1, len(words)):
        amount = " ".join(words[:place])
        rest = " ".join(words[place:])
        if _is_money(amount) and all(map(_is_money, parts := split_prices(rest))):
            return [amount, *parts]
    return [text]


def _is_money(text: str) -> bool:
    return AMOUNT.fullmatch(text) is not None and read_value(text).kind == "money"
