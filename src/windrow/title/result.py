"""What a title reader gives: the title, and every candidate with its terms, so that the choice explains itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class Candidate:
    """One text that could be the title."""

    text: str
    score: float
    terms: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """What the score is made of, by name."""


@dataclass(frozen=True)
class Title:
    """The title of a page; its text is empty where there is none, and ``reason`` says why."""

    text: str
    score: float
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        """Give the text."""
        return self.text
