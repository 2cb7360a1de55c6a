"""What a top-k reader returns: the list with its items, or why the page has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from windrow.result import Box, Column, Data, Result, Source, free_name, read_data

FIXED = (
    Column("rank", "number", counted=True),
    Column("name", wordy=True),
    Column("url", "link"),
    Column("image", "image"),
)
TEXT = Column("text", wordy=True)


@dataclass(frozen=True)
class Item:
    """One entry of a list; every value is text that stands on the page."""

    rank: int
    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    """What the page says of it by name: "Director", "by", "price", "year", or the columns of a table."""
    url: str | None = None
    image: str | None = None
    text: str = ""
    """What is written under the name."""
    node: int = -1
    """The element that holds the name."""


@dataclass(frozen=True, repr=False)
class TopList(Result, name="toplist"):
    """A ranked list, as the title of its page promises it."""

    k: int
    """How many the title promises."""
    concept: str
    """What they are."""
    criterion: str
    """By what they were chosen; empty where the title does not say."""
    time: str
    location: str
    items: tuple[Item, ...]
    title: str
    """The title that makes the promise."""
    score: float
    """How much better the list is than the others of its page, from 0 to 1."""
    confidence: float = 0.0
    """The share of such lists that are right."""
    box: Box | None = None
    language: str = ""

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.items)

    def __repr__(self) -> str:
        """Return the list in a line."""
        return f"<TopList of {len(self.items)} ({self.title!r}; {self.confidence:.0%})>"

    @property
    def label(self) -> str:
        """The title that promises the list."""
        return self.title

    def about(self) -> dict[str, Any]:
        """Return what the title says of the whole list."""
        names = ("kind", "k", "concept", "criterion", "time", "location", "title", "score", "confidence")
        return {name: getattr(self, name) for name in names}

    @property
    def nodes(self) -> tuple[int, ...]:  # type: ignore[override] # follows from the items
        """The elements that hold the names."""
        return tuple(item.node for item in self.items)

    @cached_property
    def data(self) -> Data:
        """The items by rank: name, addresses, text, then attributes in the order in which they appear."""
        names = list(dict.fromkeys(name for item in self.items for name in item.attributes))
        fixed = {column.name for column in (*FIXED, TEXT)}
        titles = [free_name(f"{name} (attribute)", names) if name in fixed else name for name in names]
        columns = [Column(title, language=self.language) for title in titles]
        rows = [
            [
                [Source(str(item.rank))],
                [Source(item.name, item.url, item.image, item.node)],
                *([Source(address)] if address else [] for address in (item.url, item.image)),
                [Source(item.text)] if item.text else [],
                *([Source(item.attributes[name])] if name in item.attributes else [] for name in names),
            ]
            for item in self.items
        ]
        return read_data([*FIXED, TEXT, *columns], rows)


@dataclass(frozen=True)
class Verdict:
    """Whether a page is a top-k page, and why or why not, in a sentence."""

    is_topk: bool
    reason: str
    k: int | None = None

    def __bool__(self) -> bool:
        """Return whether it is one."""
        return self.is_topk
