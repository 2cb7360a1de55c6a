"""Texts and classes as numbers, beside those of names and paths.

Names of tags and classes have the same numbers in every process. Texts have the numbers of one process, which cost
nothing; what is kept for later are the texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.hashes import BASE, MASK, hash_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes.hashes import Hashes

ORDINAL = 0xC2B2AE3D27D4EB4F
"""What ordinals are multiplied with, so that they differ from all other numbers."""


def hash_text(text: str) -> int:
    """Return the number of a text; 0 for an empty one."""
    return hash(text) & MASK if text else 0


def hash_texts(texts: Sequence[str]) -> Hashes:
    """Return the numbers of many texts, none of them empty."""
    return np.fromiter(map(hash, texts), np.int64, len(texts)).view(np.uint64)


def hash_key(tag: str, names: str) -> int:
    """Return the number of a tag with its classes."""
    return (hash_name(tag) + hash_name(names) * BASE) & MASK
