"""The words of a language that titles and lists are read with, kept as data: a file adds a language, no code does."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEFAULT = "en"
FOLDER = files(__package__) / "languages"
NAMES = (DEFAULT, *sorted({file.name.removesuffix(".json") for file in FOLDER.iterdir()} - {DEFAULT}))
"""The languages that there is a file for, the default first."""


@dataclass(frozen=True, eq=False)
class Language:
    """Word lists of one language, all in lower case."""

    numbers: Mapping[str, int]
    """Number words and what they count."""
    ranges: frozenset[str]
    """What stands between the numbers of a range: "five *to* ten"."""
    joins: frozenset[str]
    """What may stand between a number and what it counts: "ten *of the* best"."""
    top: frozenset[str]
    superlatives: frozenset[str]
    most: frozenset[str]
    """Words that make the next adjective a superlative."""
    superlative_endings: tuple[str, ...]
    not_superlatives: frozenset[str]
    praise: frozenset[str]
    """Adjectives that say by what a list was chosen."""
    units: frozenset[str]
    """What is measured, not listed: days, miles, percent."""
    boundaries: frozenset[str]
    """Words that end the phrase that names what is counted."""
    joining: frozenset[str]
    generic: frozenset[str]
    """Nouns that end a phrase because no compound begins with them: things, ways, reasons. They decide nothing else."""
    plurals: frozenset[str]
    singular_endings: tuple[str, ...]
    singulars: frozenset[str]
    openers: frozenset[str]
    """What stands before the number of a promise: "the 10 …", "here are 10 …"."""
    steps: frozenset[str]
    """Nouns that a hyphen binds to the number although they are counted: "a five-step plan"."""
    times: frozenset[str]
    always: tuple[str, ...]
    places_after: frozenset[str]
    """Words behind which a title names a place: "*in* Spain"."""
    places: frozenset[str]
    """Countries, regions and cities that titles name most."""
    mentions: frozenset[str]
    """Words before "the top ten" where something is only said to be among them."""
    article_headings: tuple[str, ...]
    """How headings begin that belong to the article, not to its list."""
    asks: frozenset[str]
    """First words of headings that ask."""
    bonus: tuple[str, ...]
    """How entries begin that come on top of the promised ones."""

    @cached_property
    def common(self) -> frozenset[str]:
        """Words that give the language away."""
        return self.boundaries | self.joins | self.generic


@cache
def load_language(name: str) -> Language:
    """Read the word lists of a language that there are."""
    words = orjson.loads((FOLDER / f"{name}.json").read_bytes())
    made: dict[str, Any] = {
        field.name: words[field.name]
        if field.name == "numbers"
        else (tuple if field.type == "tuple[str, ...]" else frozenset)(words[field.name])
        for field in fields(Language)
    }
    return Language(**made)


def choose_language(words: Iterable[str], declared: str = "") -> Language:
    """Return the language that most of the words are common in; what the page declares breaks a tie, English else."""
    declared = declared[:2].lower()
    names = dict.fromkeys([*([declared] if declared in NAMES else []), *NAMES])
    known = [word.lower() for word in words]
    best = max(names, key=lambda name: sum(word in load_language(name).common for word in known))
    return load_language(best)
