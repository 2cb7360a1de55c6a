"""What a title reader returns: the title, and every candidate with its terms, so that the choice explains itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from windrow.result import Box, Column, Data, Result, Source, read_data


@dataclass(frozen=True)
class Candidate:
    """One text that could be the title."""

    text: str
    score: float
    terms: Mapping[str, float] = field(default_factory=dict)
    """What the score is made of, by name."""
    compared: Mapping[str, str] = field(default_factory=dict)
    """What was held against what, in words, by the same names or by the place where the text was found."""


@dataclass(frozen=True, repr=False)
class Title(Result, name="title"):
    """The title of a page; its text is empty where there is none, and ``reason`` says why."""

    text: str
    score: float
    candidates: tuple[Candidate, ...] = ()
    """Every text that was considered, best first."""
    reason: str = ""
    site: str = ""
    """The name of the site or business; empty where nothing tells it."""
    confidence: float = 0.0
    """The share of such titles that are right."""
    nodes: tuple[int, ...] = ()
    box: Box | None = None

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __repr__(self) -> str:
        """Return the title in a line."""
        return f"<Title {self.text!r} ({self.score:.2f} of {len(self.candidates)} candidates)>"

    @property
    def node(self) -> int:
        """The first node that shows it; -1 where none does."""
        return next(iter(self.nodes), -1)

    @cached_property
    def data(self) -> Data:
        """The title as the one row of a table; no row where there is none."""
        return read_data([Column("title", wordy=True)], [[[Source(self.text, node=self.node)]]] if self.text else [])
