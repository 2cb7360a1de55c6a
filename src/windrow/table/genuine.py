"""Is a grid a table that a reader would want as one? A weighed sum of the evidence, with its reasons in words.

The weights are a logistic regression over labelled tables of real pages (``weights.py``); each measure's part in the
sum can be read off, which is what the reasons do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.table.weights import BIAS, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Mapping

LEAST_CONFIDENCE = 0.5
"""Where a reader is as likely to call it a table as not."""
MOST_REASONS = 3
WORDS = {
    "two_rows": "two rows",
    "two_columns": "two columns",
    "many_rows": "many rows",
    "many_columns": "many columns",
    "holes": "places without a cell",
    "even_rows": "rows of the same length",
    "spanning": "cells over several places",
    "wide_spans": "cells over the whole width",
    "empty": "empty cells",
    "numeric": "numbers",
    "prose": "cells of prose",
    "long_cell": "a very long cell",
    "length": "long texts",
    "linked": "linked text",
    "menus": "cells with several links",
    "images": "pictures",
    "only_images": "cells with nothing but a picture",
    "fields": "form fields",
    "fields_a_row": "form fields in its rows",
    "blocks": "paragraphs and lists in cells",
    "separators": "links strung together with separators",
    "headings": "section headings in cells",
    "calendar": "the days of a month",
    "alike": "columns of cells alike",
    "number_columns": "columns of numbers",
    "any_number_column": "a column of numbers",
    "varied": "texts that do not repeat",
    "labels": "labels with colons",
    "inner_labels": "labels within cells",
    "inner_labels_unnamed": "labels within cells without heading cells",
    "uniform": "columns all alike",
    "uniform_unnamed": "columns all alike without heading cells",
    "keys": "names in the first column",
    "unanswered": "labels with nothing beside them",
    "ordinals": "counting in the first column",
    "title_row": "a title row",
    "head_names": "names in the first row",
    "head_filled": "a full first row",
    "th": "heading cells",
    "th_row": "a row of heading cells",
    "th_column": "a column of heading cells",
    "caption": "a caption",
    "head": "a table head",
    "scoped": "heading cells with a scope",
    "border": "a border",
    "presentation": "markup that calls it a layout",
    "full_width": "the whole width by its markup",
    "nested": "tables in its cells",
    "in_table": "a table around it",
    "around": "a place beside the page's content",
    "linked_unnamed": "linked text without heading cells",
    "pairs": "pairs of name and value",
    "labelled_pairs": "pairs of label and value",
    "numeric_unnamed": "numbers without heading cells",
    "named_columns": "every column named",
    "small_unnamed": "few rows without heading cells",
    "numbered_list": "a numbered list",
    "empty_unnamed": "empty cells without heading cells",
    "title_and_names": "a title over named columns",
}


@dataclass(frozen=True)
class Judgement:
    """How sure it is that a grid is a table, and what made it so, strongest first."""

    confidence: float
    reasons: tuple[str, ...]


def judge(measures: Mapping[str, float]) -> Judgement:
    """Weigh the evidence."""
    parts = {name: weight * measures[name] for name, weight in WEIGHTS.items()}
    total = BIAS + sum(parts.values())
    confidence = 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
    return Judgement(round(confidence, 4), _reasons(parts, agree=confidence >= LEAST_CONFIDENCE))


def _reasons(parts: Mapping[str, float], *, agree: bool) -> tuple[str, ...]:
    """Name the measures that did most for the verdict."""
    strongest = sorted(parts.items(), key=lambda part: -part[1] if agree else part[1])
    return tuple(WORDS[name] for name, part in strongest[:MOST_REASONS] if (part > 0) == agree and part)
