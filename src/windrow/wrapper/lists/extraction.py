"""The rows of a list as an extraction: values by label with the number of their row, and what is doubtful apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import find_language, xpath
from windrow.wrapper.lists.confidence import LEAST_CONFIDENCE, judge_rows
from windrow.wrapper.lists.doubts import doubt_cells
from windrow.wrapper.lists.pattern import has_container
from windrow.wrapper.lists.rule import read_rows
from windrow.wrapper.page_features import features_of
from windrow.wrapper.result import Extraction, Located

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes import Nodes
    from windrow.page import Page
    from windrow.result import Box
    from windrow.wrapper.lists.fields import Cell
    from windrow.wrapper.lists.rule import ListRule
    from windrow.wrapper.reference import Example
    from windrow.wrapper.template.walls import PageKind

SENTENCES: dict[PageKind, str] = {
    "page": "",
    "empty": "The list is there, but it has no records.",
    "other": "The page has no list like the learned one. Look whether it is a page of the list, and learn it again.",
}


def extract_rows(page: Page, rule: ListRule, examples: Sequence[Example]) -> Extraction:
    """Read every row of a page that has a sure cell; none where the page has no such list."""
    read = doubt_cells(features_of(page.nodes), read_rows(page, rule), rule, examples)
    judged = zip(read, judge_rows(read), strict=True)
    sure = [(row, told) for row, told in judged if any(_is_sure(row.cells[label], told[label]) for label in told)]
    rows = [row for row, _ in sure]
    located: dict[str, tuple[Located, ...]] = {}
    doubtful: dict[str, list[str]] = {}
    for label in rule.labels:
        cells = [(number, row.cells[label], told[label]) for number, (row, told) in enumerate(sure, 1) if label in told]
        located[label] = tuple(found for cell in cells if _is_sure(*cell[1:]) for found in _locate(page.nodes, *cell))
        if unsure := [text for _, cell, told in cells if not _is_sure(cell, told) for text in cell.texts]:
            doubtful[label] = unsure
    kind: PageKind = "page" if rows else "empty" if has_container(features_of(page.nodes), rule.pattern) else "other"
    return Extraction(
        {label: [found.text for found in values] for label, values in located.items()},
        {label: min(found.confidence for found in values) for label, values in located.items() if values},
        [label for label, values in located.items() if not values],
        located,
        doubtful,
        language=find_language(page.nodes, rows[0].node if rows else 0),
        kind=kind,
        sentence=SENTENCES[kind],
        links=tuple(row.link for row in rows),
    )


def _is_sure(cell: Cell, confidence: float) -> bool:
    """Whether nothing says that something else is meant, and cells like this are right often enough."""
    return not cell.is_disputed and confidence >= LEAST_CONFIDENCE


def _locate(nodes: Nodes, row: int, cell: Cell, confidence: float) -> list[Located]:
    return [
        Located(text, node, xpath(nodes, node), _box_of(nodes, node), confidence, cell.runner_up, row)
        for text, node in zip(cell.texts, cell.nodes, strict=True)
    ]


def _box_of(nodes: Nodes, node: int) -> Box | None:
    if nodes.layout is None:
        return None
    left, top, right, bottom = nodes.layout.box[node].tolist()
    return None if np.isnan(left) else (left, top, right, bottom)
