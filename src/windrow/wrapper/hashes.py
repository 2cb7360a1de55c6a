"""Words and ways as numbers, so that the places of a whole page are compared at once.

Names of tags and classes have the same numbers in every process. Texts have the numbers of one process, which cost
nothing; what is kept for later are the texts.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Hashes: TypeAlias = NDArray[np.uint64]

BASE = 0x9E3779B97F4A7C15
ORDINAL = 0xC2B2AE3D27D4EB4F
MASK = (1 << 64) - 1


def text_hash(text: str) -> int:
    """Give the hash of a text; nothing has 0."""
    return hash(text) & MASK if text else 0


def texts_hash(texts: Sequence[str]) -> Hashes:
    """Give the hashes of many texts, none of them empty."""
    return np.fromiter(map(hash, texts), np.int64, len(texts)).view(np.uint64)


@lru_cache(maxsize=8192)
def name_hash(name: str) -> int:
    """Give the hash of a tag or of classes; nothing has 0."""
    if not name:
        return 0
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def names_hash(names: Iterable[str]) -> Hashes:
    """Give the hashes of many tags or classes."""
    return np.array([name_hash(name) for name in names], dtype=np.uint64)


def key_hash(tag: str, names: str) -> int:
    """Give the hash of a tag with its classes."""
    return (name_hash(tag) + name_hash(names) * BASE) & MASK


def path_hash(words: Iterable[int], start: int = 0) -> int:
    """Sum up hashes from above down, as ``Evidence`` does it for the whole page."""
    total = start
    for word in words:
        total = (total * BASE + word) & MASK
    return total
