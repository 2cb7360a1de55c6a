"""What a title reader gives: the title, and every candidate with its terms, so that the choice explains itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTHING: Mapping[str, float] = MappingProxyType({})
NO_WORDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Candidate:
    """One text that could be the title."""

    text: str
    score: float
    terms: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    """What the score is made of, by name."""
    compared: Mapping[str, str] = field(default_factory=lambda: NO_WORDS)
    """What was held against what, in words, by the same names or by the place where the text was found."""


@dataclass(frozen=True, repr=False)
class Title:
    """The title of a page; its text is empty where there is none, and ``reason`` says why."""

    text: str
    score: float
    candidates: tuple[Candidate, ...] = ()
    """Every text that was considered, best first."""
    reason: str = ""
    confidence: float = 0.0
    """The share of such titles that are right."""

    def __str__(self) -> str:
        """Give the text."""
        return self.text

    def __repr__(self) -> str:
        """Say what the title is, in a line."""
        return f"<Title {self.text!r} ({self.score:.2f} of {len(self.candidates)} candidates)>"
