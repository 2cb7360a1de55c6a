"""What a title reader returns: the title, and every candidate with its terms, so that the choice explains itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

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
    site: str = field(default_factory=str)
    """The name of the site or business; empty where nothing tells it.

    It is worked out when it is first asked for (``with_site``), for that takes as long as finding many a title.
    """
    confidence: float = 0.0
    """The share of such titles that are right."""
    nodes: tuple[int, ...] = ()
    box: Box | None = None

    def with_site(self, find: Callable[[], str]) -> Title:
        """Return the same with the name of the site as a function will find it, which holds on to little."""
        made = object.__new__(Title)
        made.__dict__.update(self.__dict__, _find_site=find)
        del made.__dict__["site"]
        return made

    def __getattr__(self, name: str) -> str:
        """Work the name of the site out when it is found missing."""
        find = self.__dict__.get("_find_site")
        if name != "site" or (find is None and "site" not in self.__dict__):
            raise AttributeError(name)
        if find is not None:  # else another thread was faster
            self.__dict__["site"] = find()
            self.__dict__.pop("_find_site", None)
        return str(self.__dict__["site"])

    def __getstate__(self) -> dict[str, Any]:
        """Go from one process to another with the name of the site, not with what finds it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

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
