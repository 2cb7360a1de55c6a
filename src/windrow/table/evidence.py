"""What speaks for and against a grid being a table that a reader would want as one: measures between 0 and 1.

Each measure looks at the grid (its shape, what its cells hold, how alike the cells of a column are) or at the markup
around it. Counts come from sums over the page's columns, so that a cell costs the same however much it holds.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.table.grid import Grid

NUMERIC = re.compile(r"[^\w]{0,3}\d[\d\s.,:/%'’°–\u2212+-]{0,24}\w{0,4}\W{0,2}|[-–—\u2212]|n/?a", re.IGNORECASE)
DAY = re.compile(r"(?:[1-9]|[12]\d|3[01])")
SEPARATORS = re.compile(r" [·•|] | • | · ")
ORDINAL = re.compile(r"#?\d{1,3}[.)]?")
LABEL = re.compile(r".{1,60}:")
INNER_LABEL = re.compile(r"[^\W\d][^:.]{0,20}(?::\s?|\.\s)\S")
SENTENCE_WORDS = 20
"""The paper's bound: a cell with more words holds prose."""
PAIR = 2
MOSTLY = 0.6
LONGEST_NAME, LONGEST_FIGURE = 40, 40
MOST_ROWS = 60
"""Rows that are looked at; those further down are like them."""
FORM_TAGS = frozenset({"input", "select", "textarea", "button", "label"})
AROUND_PAGE = frozenset({"nav", "header", "footer", "aside", "form"})
DATA_ATTRIBUTES = ("scope", "headers", "abbr")


@dataclass(frozen=True, eq=False)
class Counts:
    """How much of something stands inside each node, the node itself left out."""

    nodes: Nodes

    @cached_property
    def links(self) -> NDArray[np.int64]:
        """Linked elements."""
        return self._below(self.nodes.tag.is_in({"a"}))

    @cached_property
    def images(self) -> NDArray[np.int64]:
        """Pictures."""
        return self._below(self.nodes.tag.is_in({"img", "svg:svg", "canvas", "video", "iframe", "object"}))

    @cached_property
    def fields(self) -> NDArray[np.int64]:
        """Parts of forms that can be seen."""
        return self._below(self.nodes.tag.is_in(set(FORM_TAGS)) & self.nodes.visible)

    @cached_property
    def tables(self) -> NDArray[np.int64]:
        """Table elements."""
        return self._below(self.nodes.tag.is_in({"table"}))

    @cached_property
    def blocks(self) -> NDArray[np.int64]:
        """Headings, paragraphs and items of lists: what makes a cell a page of its own."""
        return self._below(self.nodes.tag.is_in({"li", "p", "h1", "h2", "h3", "h4", "h5", "h6", "dd"}))

    @cached_property
    def headings(self) -> NDArray[np.int64]:
        """Headings."""
        return self._below(self.nodes.tag.is_in({"h1", "h2", "h3", "h4"}))

    @cached_property
    def linked_text(self) -> NDArray[np.int64]:
        """Characters that stand in links."""
        return self._characters(self.nodes.inside(self.nodes.tag.is_in({"a"})))

    @cached_property
    def scoped(self) -> frozenset[int]:
        """Cells that say which others they belong to."""
        return frozenset(node for name in DATA_ATTRIBUTES for node in self.nodes.attributes.having(name))

    @cached_property
    def around(self) -> Mask:
        """Nodes in the parts around a page's content."""
        return self.nodes.inside(self.nodes.tag.is_in(set(AROUND_PAGE)))

    @cached_property
    def in_table(self) -> Mask:
        """Nodes with a table around them, which is not themselves."""
        inside = self.nodes.inside(self.nodes.tag.is_in({"table"}))
        return np.asarray(inside[np.maximum(self.nodes.parent, 0)])

    def _characters(self, mask: Mask) -> NDArray[np.int64]:
        texts = np.flatnonzero(mask & (self.nodes.kind == Kind.TEXT) & self.nodes.visible)
        lengths = np.zeros(len(self.nodes), dtype=np.int64)
        spans = self.nodes.spans
        lengths[texts] = (spans.end - spans.start)[texts]
        return self._below(lengths)

    def _below(self, values: NDArray[np.int64] | Mask) -> NDArray[np.int64]:
        return np.asarray(self.nodes.sum_inside(values) - values)


def measure(grid: Grid, counts: Counts) -> dict[str, float]:
    """Give all measures of one grid, by name."""
    part = _Part(grid, counts)
    found = {**_shape(part), **_content(part), **_columns(part), **_markup(part)}
    return {**found, **_together(found)}


class _Part:
    """The rows of a grid that are looked at."""

    def __init__(self, grid: Grid, counts: Counts) -> None:
        self.grid = grid
        self.counts = counts
        self.nodes = counts.nodes
        self.cells = [place for place in grid.places if place.row < MOST_ROWS]
        self.ids = np.array([place.node for place in self.cells], dtype=np.int64)
        self.texts = [place.text for place in self.cells]
        self.rows = grid.texts[:MOST_ROWS]
        self.filled = np.array([bool(text) for text in self.texts])
        self.words = np.array([text.count(" ") + 1 if text else 0 for text in self.texts])
        self.numeric = np.array([is_numeric(text) for text in self.texts])


def _shape(part: _Part) -> dict[str, float]:
    grid, matrix = part.grid, part.grid.matrix[:MOST_ROWS]
    columns = matrix.shape[1]
    per_row = np.array([len({number for number in row if number >= 0}) for row in matrix.tolist()])
    usual = np.bincount(per_row).max() / max(len(per_row), 1)
    return {
        "one_row": float(grid.row_count == 1),
        "two_rows": float(grid.row_count == PAIR),
        "one_column": float(columns == 1),
        "two_columns": float(columns == PAIR),
        "many_rows": min(math.log2(max(grid.row_count, 1)) / 6, 1.0),
        "many_columns": min(math.log2(max(columns, 1)) / 4, 1.0),
        "holes": float((matrix < 0).mean()),
        "even_rows": float(usual),
        "spanning": float(np.mean([place.column_span > 1 or place.row_span > 1 for place in part.cells])),
        "wide_spans": float(np.mean([place.column_span == columns > 1 for place in part.cells])),
    }


def _content(part: _Part) -> dict[str, float]:
    counts, filled, total = part.counts, part.filled, max(len(part.cells), 1)
    links = counts.links[part.ids]
    images = counts.images[part.ids]
    fields = counts.fields[part.ids]
    blocks = counts.blocks[part.ids]
    characters = np.array([len(text) for text in part.texts])
    linked = np.minimum(counts.linked_text[part.ids], characters)
    many_links = links >= 3  # noqa: PLR2004 - a cell with three links is a menu
    return {
        "empty": float(1 - filled.mean()) if total else 1.0,
        "numeric": float(part.numeric[filled].mean()) if filled.any() else 0.0,
        "prose": float((part.words > SENTENCE_WORDS).mean()),
        "long_cell": min(float(part.words.max(initial=0)) / 200, 1.0),
        "length": min(float(characters[filled].mean()) / 100, 1.0) if filled.any() else 0.0,
        "linked": float(linked.sum() / max(characters.sum(), 1)),
        "menus": float(many_links.mean()),
        "images": float((images > 0).mean()),
        "only_images": float(((images > 0) & ~filled).mean()),
        "fields": float((fields > 0).mean()),
        "fields_a_row": min(float(counts.fields[part.grid.root]) / part.grid.row_count, 1.0),
        "blocks": float((blocks > 1).mean()),
        "separators": float(np.mean([SEPARATORS.search(text) is not None for text in part.texts])),
        "headings": float((counts.headings[part.ids] > 0).mean()),
        "calendar": _calendar(part),
    }


def _calendar(part: _Part) -> float:
    """Measure how far the cells are the days of a month in order."""
    days = [int(text) for text in part.texts if DAY.fullmatch(text)]
    ordered = sum(b - a == 1 for a, b in itertools.pairwise(days))
    return ordered / max(int(part.filled.sum()), 1)


def _columns(part: _Part) -> dict[str, float]:
    """Measure how alike the cells of a column are, below the first row."""
    columns = list(zip(*(part.rows[1:] or part.rows), strict=True))
    alike, numbers, varied = [], 0, []
    for column in columns:
        texts = [text for text in column if text]
        if not texts:
            continue
        numeric = sum(is_numeric(text) for text in texts) / len(texts)
        alike.append(max(numeric, 1 - min(_spread([len(text) for text in texts]), 1.0)))
        numbers += numeric > MOSTLY
        varied.append(len(set(texts)) / len(texts))
    first = [row[0] for row in part.rows if row and row[0]]
    others = [text for row in part.rows for text in row[1:] if text]
    lengths = [sum(map(len, column)) / len(column) for column in columns if any(column)]
    head = part.rows[0] if part.rows else []
    names = [text for text in head if text and len(text) <= LONGEST_NAME and not is_numeric(text)]
    return {
        "alike": sum(alike) / max(len(alike), 1),
        "number_columns": numbers / max(len(columns), 1),
        "any_number_column": float(numbers > 0),
        "varied": sum(varied) / max(len(varied), 1),
        "labels": _share([LABEL.fullmatch(text) is not None for text in first]),
        "inner_labels": _share([INNER_LABEL.match(text) is not None for text in others]),
        "uniform": (min(lengths) + 1) / (max(lengths) + 1) if lengths else 0.0,
        "keys": _keys(part),
        "unanswered": _share([bool(row[0]) and not any(row[1:]) for row in part.rows if len(row) > 1]),
        "ordinals": _share([ORDINAL.fullmatch(text) is not None for text in first]),
        "title_row": float(len(head) > 1 and bool(head[0]) and len(set(head)) == 1),
        "head_names": len(set(names)) / max(len(head), 1),
        "head_filled": sum(map(bool, head)) / max(len(head), 1),
    }


def _spread(lengths: list[int]) -> float:
    """Give the standard deviation beside the mean."""
    mean = sum(lengths) / len(lengths)
    return math.sqrt(sum((length - mean) ** 2 for length in lengths) / len(lengths)) / (mean + 1)


@lru_cache(maxsize=8192)
def is_numeric(text: str) -> bool:
    """Say whether a text is a figure with little around it."""
    return len(text) <= LONGEST_FIGURE and NUMERIC.fullmatch(text) is not None


def _share(marks: Sequence[bool]) -> float:
    return sum(marks) / len(marks) if marks else 0.0


def _together(found: dict[str, float]) -> dict[str, float]:
    """Measure what says something only beside something else."""
    unnamed = 1 - max(found["th_row"], found["th_column"])
    return {
        "linked_unnamed": found["linked"] * unnamed,
        "pairs": found["two_columns"] * found["keys"],
        "labelled_pairs": found["two_columns"] * found["labels"],
        "numeric_unnamed": found["numeric"] * unnamed,
        "named_columns": found["th_row"] * found["head_filled"],
        "small_unnamed": (1 - found["many_rows"]) * unnamed,
        "numbered_list": found["two_columns"] * found["ordinals"] * found["linked"],
        "uniform_unnamed": found["uniform"] * unnamed * (1 - found["numeric"]),
        "inner_labels_unnamed": found["inner_labels"] * unnamed,
        "empty_unnamed": found["empty"] * unnamed,
        "title_and_names": found["title_row"] * found["th_row"],
    }


def _keys(part: _Part) -> float:
    """Measure how far the first column names what stands beside it: short, plain, different from row to row."""
    first = [row[0] for row in part.rows if row and row[0] and len(set(row)) > 1]
    if len(first) < 2:  # noqa: PLR2004 - one name is none
        return 0.0
    short = [text for text in first if text.count(" ") <= 4 and not is_numeric(text)]  # noqa: PLR2004
    return len(set(short)) / len(part.rows)


def _markup(part: _Part) -> dict[str, float]:
    grid, nodes, counts = part.grid, part.nodes, part.counts
    heading = np.array([place.heading for place in part.cells])
    first_row = max(([place.heading for place in part.cells if place.row == row] for row in range(2)), key=_share)
    first_column = [place.heading for place in part.cells if place.column == 0 and place.row]
    attributes = nodes.attributes[grid.root]
    scoped = not counts.scoped.isdisjoint(part.ids.tolist())
    nested = counts.tables[grid.root] > 0
    in_table = bool(counts.in_table[grid.root])
    return {
        "th": float(heading.mean()) if len(heading) else 0.0,
        "th_row": _share(first_row),
        "th_column": _share(first_column),
        "caption": float(bool(grid.caption)),
        "head": float("head" in grid.sections),
        "scoped": float(scoped),
        "border": float((attributes.get("border") or "0") not in ("", "0")),
        "presentation": float(attributes.get("role", "") in ("presentation", "none")),
        "full_width": float(attributes.get("width", "") == "100%"),
        "nested": float(nested),
        "in_table": float(in_table),
        "around": float(bool(counts.around[grid.root])),
    }
