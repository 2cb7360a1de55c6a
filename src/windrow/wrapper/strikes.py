"""The texts of a field that hold, beside those that the page strikes through."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.wrapper.page_features import PageFeatures


def has_struck_part(features: PageFeatures, node: int) -> bool:
    """Whether a part of what a node shows is struck out, and not all of it."""
    first, last = features.first_text.item(node), features.last_text.item(node)
    struck = struck_texts(features, first, last) if last > first + 1 else ()
    return any(struck) and not all(struck)


def text_that_holds(features: PageFeatures, first: int, last: int) -> str:
    """Return some shown texts that follow each other, without those that are struck out."""
    struck = struck_texts(features, first, last)
    edges = [0, *(1 + np.flatnonzero(np.diff(struck))).tolist(), len(struck)]
    runs = ((start, end) for start, end in pairwise(edges) if not struck[start])
    return " ".join(features.text_between(first + start, first + end) for start, end in runs)


def struck_texts(features: PageFeatures, first: int, last: int) -> Mask:
    """Return which of some shown texts that follow each other are struck out."""
    return features.struck[features.texts[first:last]]
