"""What can be said of each line alone, as a name of one of the promised things: one column a fact."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.toplist.phrase import is_superlative

if TYPE_CHECKING:
    from windrow.toplist.lines import Lines

Column = NDArray[np.float64]
MARKS = "\"'“”‘’([{¿¡.,:;!?)]}"  # noqa: RUF001  # the signs that pages use
LONGEST = 200
"""Characters of a name that are looked at."""
LONG_NAME = 14
"""Words from which on a name is a sentence."""
NEAR = 600
"""Characters below a name in which it is mentioned if it is one."""
OF_NAMES = (
    "words",
    "long names",
    "empty names",
    "questions",
    "enders",
    "asks",
    "awards",
    "capital",
    "repeated",
)


def read_facts(lines: Lines, names: dict[int, str]) -> dict[str, Column]:
    """Give what can be said of each line; what is said of names is 0 for the lines of no candidate."""
    plain = lines.level == 0
    facts: dict[str, Column] = {
        "headings": (~plain).astype(float),
        "first level": (lines.level == 1).astype(float),
        "bold": (lines.bold & plain).astype(float),
        "items": ((lines.item >= 0) & plain).astype(float),
        "cells": ((lines.row >= 0) & plain).astype(float),
        "links": ((lines.link >= 0) & plain).astype(float),
    }
    of_names = np.zeros((len(OF_NAMES), len(lines)))
    of_names[:, list(names)] = list(zip(*_read_names_facts(lines, names), strict=True))
    return facts | dict(zip(OF_NAMES, of_names, strict=True))


def _read_names_facts(lines: Lines, names: dict[int, str]) -> list[tuple[float, ...]]:
    """Give the facts of each name, in the order of ``OF_NAMES``."""
    language, ender, repeated = lines.language, lines.ender, _find_repeated(lines, names)
    rows: list[tuple[float, ...]] = []
    for place, name in names.items():
        words = name[:LONGEST].split()
        count, first = len(words), words[0].strip(MARKS).lower() if words else ""
        row = (
            min(count, 2 * LONG_NAME),
            count > LONG_NAME,
            not count,
            name[-1:] == "?",
            ender[place],
            first in language.asks,
            is_superlative(first, language),
            name[:1].isupper() or name[:1].isdigit(),
            count <= LONG_NAME and place in repeated,
        )
        rows.append(row)
    return rows


def _find_repeated(lines: Lines, names: dict[int, str]) -> set[int]:
    """Give the lines whose names stand on the page once more: as a line of an overview, or in the text right below."""
    text, texts, starts, labels = lines.nodes.spans.text, lines.texts, lines.start.tolist(), lines.labels
    seen = Counter(label.rest if label else line for line, label in zip(texts, labels, strict=True))
    repeated = set()
    for place, name in names.items():
        label, below = labels[place], starts[place] + len(texts[place])
        own = name == (label.rest if label else texts[place])
        if seen.get(name, 0) > own or text.find(name, below, below + NEAR) >= 0:
            repeated.add(place)
    return repeated
