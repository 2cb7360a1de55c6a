"""Is a grid a table that a reader would want as one? Measures between 0 and 1, and their weighed sum.

Each measure looks at the grid (its shape, what its cells hold, how alike its columns are) or at the markup around it.
Which way a measure may count is known beforehand and stands beside its name; how much it counts, and how sure that
makes the reader, is fitted to labelled grids of real pages by ``make weights-table``.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import Kind
from windrow.nodes.boilerplate import find_landmarks
from windrow.table.grid import condense
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.nodes import Nodes
    from windrow.table.grid import Grid

MARKED = {  # not a decision: only the fit looks at the signs
    "rows": 1,
    "colons": 1,
    "holes": -1,
    "spanning": -1,
    "linked": -1,
    "fields": -1,
    "blocks": -1,
    "calendar": -1,
    "inner_labels": -1,
    "numbered": -1,
    "empty_unnamed": -1,
    "uniform_unnamed": -1,
    "title_over_row": -1,
    "in_table": -1,
    "nested": -1,
}
"""The measures of a grid that its author marked as one (a table, a definition list, preformatted text), and whether
more of one speaks for a table or against it."""
UNMARKED = {  # not a decision: only the fit looks at the signs
    "rows": 1,
    "digits": 1,
    "holes": -1,
    "spanning": -1,
    "uniform": -1,
    "length": -1,
    "menu": -1,
    "fields": -1,
    "calendar": -1,
    "inner_labels": -1,
    "mixed_tags": -1,
    "around": -1,
}
"""The measures of a grid that only looks or is built like one, likewise."""

MARKED_FILE, UNMARKED_FILE = "weights.json", "unmarked.json"
"""What grids are judged by that their author marked as one, and what others are."""
WORDS = {"rows": "many rows", "colons": "labels with colons", "digits": "numbers", "named": "heading cells"}
"""What the measures that speak for a table say."""

NUMERIC = re.compile(r"[^\w]{0,3}\d[\d\s.,:/%'’°–\u2212+-]{0,24}\w{0,4}\W{0,2}")
PLACEHOLDER = re.compile(r"[-–—\u2212]|n/?a", re.IGNORECASE)
DAY = re.compile(r"(?:[1-9]|[12]\d|3[01])")
ORDINAL = re.compile(r"#?\d{1,3}[.)]?")
INNER_LABEL = re.compile(r"[^\W\d][^:.]{0,20}(?::\s?|\.\s)\S")


@dataclass(frozen=True)
class EvidenceParameters:
    """What the measures are counted by; all by principle, the weights are what is fitted."""

    most_rows: int = 60  # rows that are looked at: those further down are like them
    enough_rows: int = 32  # more rows than this make nothing more of a table
    longest_figure: int = 40  # not a decision: characters; no figure has as many, and most texts are told apart at once
    form_tags: frozenset[str] = frozenset({"input", "select", "textarea", "button", "label"})
    block_tags: frozenset[str] = frozenset({"li", "p", "h1", "h2", "h3", "h4", "h5", "h6", "dd"})
    most_blocks: int = 1  # a cell may hold one paragraph; with more it is a page of its own
    most_reasons: int = 3
    longest_mean: int = 100  # characters a cell: longer texts are prose, however long
    # By tags alone: with the words in classes and ids, fewer tables of sites left out were found.
    around: tuple[str, ...] = ("navigation", "header", "footer", "sidebar", "form")


PARAMETERS = EvidenceParameters()


@dataclass(frozen=True, eq=False)
class Counts:
    """How much of something stands inside each node, the node itself left out."""

    nodes: Nodes

    @cached_property
    def fields(self) -> NDArray[np.int64]:
        """Parts of forms that can be seen."""
        return self._below(self.nodes.tag.is_in(PARAMETERS.form_tags) & self.nodes.visible)

    @cached_property
    def tables(self) -> NDArray[np.int64]:
        """Table elements."""
        return self._below(self.nodes.tag.is_in({"table"}))

    @cached_property
    def blocks(self) -> NDArray[np.int64]:
        """Headings, paragraphs and items of lists."""
        return self._below(self.nodes.tag.is_in(PARAMETERS.block_tags))

    @cached_property
    def linked_text(self) -> NDArray[np.int64]:
        """Characters that stand in links."""
        nodes = self.nodes
        linked = nodes.inside(nodes.tag.is_in({"a"})) & (nodes.kind == Kind.TEXT) & nodes.visible
        return self._below(np.where(linked, nodes.spans.end - nodes.spans.start, 0))

    @cached_property
    def in_table(self) -> Mask:
        """Nodes with a table around them, which is not themselves."""
        inside = self.nodes.inside(self.nodes.tag.is_in({"table"}))
        return np.asarray(inside[np.maximum(self.nodes.parent, 0)])

    @cached_property
    def around(self) -> Mask:
        """Nodes in the parts around a page's content."""
        return find_landmarks(self.nodes, PARAMETERS.around)

    def _below(self, values: NDArray[np.integer] | Mask) -> NDArray[np.int64]:
        return np.asarray(self.nodes.sum_inside(values) - values)


@dataclass(frozen=True)
class Judgement:
    """How sure it is that a grid is a table, and what made it so, strongest first."""

    confidence: float
    reasons: tuple[str, ...]


def judge(grid: Grid, counts: Counts) -> Judgement:
    """Weigh the evidence."""
    measures = measure(condense(grid), counts)
    weights = load_weights("table", MARKED_FILE if grid.is_marked else UNMARKED_FILE)
    parts = {name: weight * measures[name] for name, weight in weights.values.items()}
    confidence = weights.calibrations["table" if grid.kind == "table" else "other"].confidence(
        {"score": weights.bias + sum(parts.values())}
    )
    # Heading cells count by what they make up for: empty cells, and columns that are all alike.
    parts["named"] = -measures["named"] * sum(
        weights.values.get(f"{name}_unnamed", 0.0) * measures[name] for name in ("empty", "uniform")
    )
    told = sorted((-parts[name], words) for name, words in WORDS.items() if parts.get(name, 0.0) > 0)
    return Judgement(round(confidence, 4), tuple(words for _, words in told[: PARAMETERS.most_reasons]))


def measure(grid: Grid, counts: Counts) -> dict[str, float]:
    """Return all measures of one grid, by name."""
    part = _Part(grid, counts)
    found = {**_shape(part), **_content(part), **_columns(part), **_markup(part)}
    unnamed = 1 - found["named"]
    together = {
        "empty_unnamed": found["empty"] * unnamed,
        "uniform_unnamed": found["uniform"] * unnamed,
        "menu": found["uniform"] * found["linked"],
    }
    return {**found, **together}


class _Part:
    """The rows of a grid that are looked at."""

    def __init__(self, grid: Grid, counts: Counts) -> None:
        most = PARAMETERS.most_rows
        self.grid, self.counts = grid, counts
        self.cells = [place for place in grid.places if place.row < most]
        self.ids = np.array([place.node for place in self.cells], dtype=np.int64)
        self.texts = [place.text for place in self.cells]
        self.filled = [text for text in self.texts if text]
        self.rows = grid.texts[:most]

    @cached_property
    def named(self) -> float:
        """The share of heading cells in one of the first two rows, or in the first column."""
        first_rows = ([place.heading for place in self.cells if place.row == row] for row in range(2))
        first_column = [place.heading for place in self.cells if place.column == 0 and place.row]
        return max(*map(_share, first_rows), _share(first_column))

    @cached_property
    def linked(self) -> float:
        """The share of the text that stands in links."""
        lengths = [len(text) for text in self.texts]
        return float(np.minimum(self.counts.linked_text[self.ids], lengths).sum() / max(sum(lengths), 1))


def _shape(part: _Part) -> dict[str, float]:
    grid, matrix, head = part.grid, part.grid.matrix[: PARAMETERS.most_rows], part.rows[0]
    is_title = len(head) > 1 and bool(head[0]) and len(set(head)) == 1
    return {
        "rows": min(math.log2(grid.row_count) / math.log2(PARAMETERS.enough_rows), 1.0),
        "holes": float((matrix < 0).mean()),
        "spanning": _share([place.column_span > 1 or place.row_span > 1 for place in part.cells]),
        "title_over_row": float(is_title and grid.row_count == 2),  # noqa: PLR2004 - the title and one row
    }


def _content(part: _Part) -> dict[str, float]:
    counts = part.counts
    return {
        "linked": part.linked,
        "fields": _fields(part),
        "blocks": float((counts.blocks[part.ids] > PARAMETERS.most_blocks).mean()),
        "calendar": _calendar(part),
        "colons": _share([text.endswith(":") for text in part.texts]),
        "digits": _share([any(map(str.isdecimal, text)) for text in part.filled]),
        "length": min(sum(map(len, part.filled)) / max(len(part.filled), 1) / PARAMETERS.longest_mean, 1.0),
        "empty": 1 - len(part.filled) / len(part.texts),
        "named": part.named,
    }


def _fields(part: _Part) -> float:
    """Return how far the grid is a form: the share of its cells, or of its rows, that have fields.

    A column with a field in every row is what one does to the row ("Add"): beside more columns of data it says nothing.
    """
    fields, root = part.counts.fields, part.grid.root
    has = [bool(found) for found in (fields[part.ids] > 0).tolist()]
    rows = len(part.rows) - 1
    filled = Counter(place.column for place, found in zip(part.cells, has, strict=True) if found and place.row)
    actions = {column for column, count in filled.items() if count == rows > 1}
    if 2 * len(actions) >= part.grid.column_count:
        actions = set()
    own = [(place, found) for place, found in zip(part.cells, has, strict=True) if place.column not in actions]
    set_apart = sum(int(fields[place.node]) for place in part.grid.places if place.column in actions)
    a_row = min((float(fields[root]) - set_apart) / part.grid.row_count, 1.0)
    return max(_share([found for _, found in own]), a_row)


def _calendar(part: _Part) -> float:
    """Return how far the cells are the days of a month in order."""
    days = [int(text) for text in part.texts if DAY.fullmatch(text)]
    ordered = sum(after - before == 1 for before, after in itertools.pairwise(days))
    return ordered / max(len(part.filled), 1)


def _columns(part: _Part) -> dict[str, float]:
    columns = [column for column in zip(*(part.rows[1:] or part.rows), strict=True) if any(column)]
    lengths = [sum(map(len, column)) / len(column) for column in columns]
    uniform = (min(lengths) + 1) / (max(lengths) + 1) if lengths else 0.0
    words = 1 - _share([is_numeric(text) for text in part.filled])
    beside = [text for row in part.rows for text in row[1:] if text]
    return {
        "uniform": uniform * words,
        "inner_labels": _share([INNER_LABEL.match(text) is not None for text in beside]),
        "numbered": _numbered(part),
    }


def _numbered(part: _Part) -> float:
    """Return how far two columns are a list that was set as a table: numbers beside links. Others may be a ranking."""
    if part.grid.column_count != 2:  # noqa: PLR2004 - as it says
        return 0.0
    return _share([ORDINAL.fullmatch(row[0]) is not None for row in part.rows if row[0]]) * part.linked


def _markup(part: _Part) -> dict[str, float]:
    counts, root = part.counts, part.grid.root
    return {
        "nested": float(counts.tables[root] > 0),
        "in_table": float(counts.in_table[root]),
        "around": float(counts.around[root]),
        "mixed_tags": _mixed_tags(part),
    }


def _mixed_tags(part: _Part) -> float:
    """Return the share of cells that are other elements than most cells of their column."""
    codes = part.counts.nodes.tag.codes[part.ids].tolist()
    counted = Counter(zip((place.column for place in part.cells), codes, strict=True))
    usual: dict[int, int] = {}
    for (column, _), count in counted.items():
        usual[column] = max(usual.get(column, 0), count)
    return 1 - sum(usual.values()) / len(part.cells)


@lru_cache(maxsize=8192)
def is_numeric(text: str) -> bool:
    """Whether a text is a figure with little around it."""
    return len(text) <= PARAMETERS.longest_figure and NUMERIC.fullmatch(text) is not None


def is_placeholder(text: str) -> bool:
    """Whether a text only says that there is no value."""
    return PLACEHOLDER.fullmatch(text) is not None


def _share(marks: Sequence[bool]) -> float:
    return sum(marks) / len(marks) if marks else 0.0
