"""The weights of the evidence, and how they came about: a logistic regression, one weight a measure.

Made by ``bench/tables.py weights`` from labelled tables of real pages; change them there, not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BIAS = 4.32

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "alike": -0.96,
        "any_number_column": 0.62,
        "around": -0.62,
        "blocks": -3.49,
        "border": 0.69,
        "calendar": -6.46,
        "caption": -0.11,
        "empty": -1.27,
        "empty_unnamed": -5.30,
        "even_rows": 0.79,
        "fields": -2.53,
        "fields_a_row": -2.17,
        "full_width": -1.08,
        "head": -0.13,
        "head_filled": 0.01,
        "head_names": -0.10,
        "headings": -0.43,
        "holes": -8.04,
        "images": 1.90,
        "in_table": -0.72,
        "keys": 0.09,
        "labelled_pairs": 0.48,
        "labels": 0.62,
        "length": -0.54,
        "linked": -1.65,
        "linked_unnamed": -0.54,
        "long_cell": 0.54,
        "many_columns": -0.22,
        "many_rows": 1.93,
        "menus": -0.61,
        "named_columns": 0.56,
        "nested": -1.46,
        "number_columns": -0.44,
        "numbered_list": -4.59,
        "numeric": 0.61,
        "numeric_unnamed": 2.89,
        "only_images": 0.41,
        "ordinals": -0.20,
        "pairs": 0.01,
        "prose": -0.20,
        "scoped": -1.05,
        "separators": -3.51,
        "small_unnamed": -1.72,
        "spanning": -2.40,
        "th": -0.52,
        "th_column": -0.53,
        "th_row": 0.73,
        "title_and_names": -0.70,
        "title_row": -0.10,
        "two_columns": -0.23,
        "two_rows": -0.26,
        "unanswered": -1.54,
        "varied": -1.52,
        "wide_spans": -2.94,
    }
)
