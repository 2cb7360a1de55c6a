"""The weights of the evidence, and how they came about: a logistic regression, one weight a measure.

Made by ``bench/tables.py weights`` from labelled tables of real pages; change them there, not here.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

BIAS = 5.25

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "alike": -0.98,
        "any_number_column": 0.42,
        "around": -0.55,
        "blocks": -3.29,
        "border": 0.68,
        "calendar": -5.57,
        "caption": -0.18,
        "empty": -1.46,
        "empty_unnamed": -5.13,
        "even_rows": 0.73,
        "fields": -2.37,
        "fields_a_row": -2.29,
        "full_width": -0.75,
        "head": -0.16,
        "head_filled": 0.49,
        "head_names": 0.08,
        "headings": -1.24,
        "holes": -8.43,
        "images": 2.45,
        "in_table": -1.01,
        "inner_labels": 0.40,
        "inner_labels_unnamed": -3.25,
        "keys": 0.01,
        "labelled_pairs": 0.63,
        "labels": 0.37,
        "length": -0.62,
        "linked": -1.87,
        "linked_unnamed": -0.49,
        "long_cell": -0.34,
        "many_columns": -0.37,
        "many_rows": 1.92,
        "menus": -0.87,
        "named_columns": 0.27,
        "nested": -1.31,
        "number_columns": -0.48,
        "numbered_list": -5.74,
        "numeric": 0.41,
        "numeric_unnamed": 1.80,
        "only_images": -0.09,
        "ordinals": -0.24,
        "pairs": 0.05,
        "prose": -0.51,
        "scoped": -1.18,
        "separators": -3.80,
        "small_unnamed": -1.11,
        "spanning": -2.12,
        "th": -0.97,
        "th_column": -0.71,
        "th_row": 0.41,
        "title_and_names": -0.54,
        "title_row": -0.42,
        "two_columns": -0.11,
        "two_rows": -0.42,
        "unanswered": -1.01,
        "uniform": -1.61,
        "uniform_unnamed": -2.34,
        "varied": -1.03,
        "wide_spans": -1.44,
    }
)
