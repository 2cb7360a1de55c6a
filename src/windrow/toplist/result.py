"""What a top-k reader gives: the list with its items, or why the page has none."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

NONE: Mapping[str, str] = MappingProxyType({})
FIXED = ("rank", "name", "url", "image", "text")


@dataclass(frozen=True)
class Item:
    """One entry of a list; every value is text that stands on the page."""

    rank: int
    name: str
    attributes: Mapping[str, str] = field(default_factory=lambda: NONE)
    """What the page says of it by name: "Director", "by", "price", "year", or the columns of a table."""
    url: str | None = None
    image: str | None = None
    text: str = ""
    """What is written under the name."""
    node: int = -1
    """The element that holds the name."""


@dataclass(frozen=True)
class TopList:
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

    def __len__(self) -> int:
        """Count the items."""
        return len(self.items)

    @property
    def columns(self) -> list[str]:
        """The columns of the table that the list makes: the fixed ones, then attributes in the order they appear."""
        found = dict.fromkeys(name for item in self.items for name in item.attributes)
        return [*FIXED, *(name if name not in FIXED else f"{name} (attribute)" for name in found)]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Give one row an item, all with the same columns; None where the page says nothing."""
        rows = []
        for item in self.items:
            fixed: dict[str, Any] = {name: getattr(item, name) for name in FIXED}
            for name in self.columns[len(FIXED) :]:
                fixed[name] = item.attributes.get(name.removesuffix(" (attribute)"))
            rows.append(fixed)
        return rows

    def to_json(self) -> str:
        """Write the list with what the title says of it as JSON."""
        return json.dumps({**self.about(), "items": self.to_dicts()}, ensure_ascii=False, indent=2)

    def about(self) -> dict[str, Any]:
        """Give what is true of the whole list."""
        names = ("k", "concept", "criterion", "time", "location", "title", "score")
        return {name: getattr(self, name) for name in names}

    def to_csv(self) -> str:
        """Write the items as CSV, with a line of column names."""
        written = io.StringIO()
        writer = csv.DictWriter(written, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.to_dicts())
        return written.getvalue()

    def to_pandas(self) -> pd.DataFrame:
        """Give the items as a data frame, one row an item; what holds of the whole list stands in ``attrs``."""
        frame: pd.DataFrame = library("pandas").DataFrame(self.to_dicts(), columns=self.columns)
        frame.attrs.update(self.about())
        return frame


@dataclass(frozen=True)
class Verdict:
    """Whether a page is a top-k page, and why or why not, in a sentence."""

    is_topk: bool
    reason: str
    k: int | None = None

    def __bool__(self) -> bool:
        """Say whether it is one."""
        return self.is_topk
