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
    from windrow.wrapper.lists.rule import ListRule, ReadRow
    from windrow.wrapper.reference import Example
    from windrow.wrapper.template.walls import PageKind

SENTENCES: dict[PageKind, str] = {
    "page": "",
    "empty": "The list is there, but it has no records.",
    "other": "The page has no list like the learned one. Look whether it is a page of the list, and learn it again.",
}


def extract_rows(page: Page, rule: ListRule, examples: Sequence[Example]) -> Extraction:
    """Read every row of a page that has a sure cell; none where the page has no such list.

    A row that has none, but texts in dispute, is no row of the result: its texts are doubtful.
    """
    read = doubt_cells(features_of(page.nodes), read_rows(page, rule), rule, examples)
    rows: list[ReadRow] = []
    judged: list[tuple[int, ReadRow, dict[str, float]]] = []
    for row, told in zip(read, judge_rows(read), strict=True):
        if any(_is_sure(row.cells[label], told[label]) for label in told):
            rows.append(row)
            judged.append((len(rows), row, told))
        elif any(row.cells[label].is_disputed for label in told):
            judged.append((0, row, told))
    located: dict[str, tuple[Located, ...]] = {}
    doubtful: dict[str, list[str]] = {}
    for label in rule.labels:
        cells = [(number, row.cells[label], told[label]) for number, row, told in judged if label in told]
        located[label] = tuple(found for cell in cells if _is_sure(*cell[1:]) for found in _locate(page.nodes, *cell))
        if unsure := [text for _, cell, told in cells if not _is_sure(cell, told) for text in cell.texts]:
            doubtful[label] = unsure
    kind: PageKind = "page" if judged else "empty" if has_container(features_of(page.nodes), rule.pattern) else "other"
    return Extraction(
        {label: [found.text for found in values] for label, values in located.items()},
        {label: min(found.confidence for found in values) for label, values in located.items() if values},
        [label for label, values in located.items() if not values],
        located,
        doubtful,
        language=find_language(page.nodes, judged[0][1].node if judged else 0),
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
