"""What is a what: instances of concepts, from WordNet's nouns, as one sorted array of hashed pairs.

The file is derived from WordNet 3.0 (licence beside it) by the benchmark's command; a pair is a lemma and the name of
a concept at most a few steps above it. Asking costs one hash and one search, loading a few milliseconds.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILE = "isa.bin"
PLACE = "location"
"""The concept that every place of the table is an instance of."""
ABBREVIATIONS = frozenset({"us", "usa", "uk", "eu", "uae", "nyc"})
LONGEST = 3
"""Words of the longest instance that is looked for."""
MOST_WORDS = 6
"""Names with more words are sentences, in which an instance would prove nothing."""
WORD = re.compile(r"\w[\w'’.-]*")


@cache
def load_pairs() -> NDArray[np.uint32]:
    """Read the hashes of all pairs, in ascending order."""
    planes = np.frombuffer(zlib.decompress((files(__package__) / FILE).read_bytes()), dtype=np.uint8)
    gaps = planes.reshape(4, -1).T.copy().view("<u4").ravel()
    return np.cumsum(gaps, dtype=np.uint64).astype(np.uint32)


def hash_pair(instance: str, concept: str) -> int:
    """Give the number that a pair is known by."""
    return zlib.crc32(f"{instance}|{concept}".encode())


def pack_pairs(hashes: set[int]) -> bytes:
    """Write hashes as they are stored: the gaps between them, byte by byte, compressed."""
    gaps = np.diff(np.array(sorted(hashes), dtype=np.uint64), prepend=np.uint64(0)).astype("<u4")
    return zlib.compress(gaps.view(np.uint8).reshape(-1, 4).T.copy().tobytes(), 9)


def is_instance(instance: str, concept: str) -> bool:
    """Say whether something is known to be one of these; both in lower case and in the singular."""
    return bool(find_known(np.array([hash_pair(instance, concept)], dtype=np.uint32))[0])


def find_known(hashes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Say which of these pairs the table holds."""
    pairs = load_pairs()
    places = np.minimum(np.searchsorted(pairs, hashes), len(pairs) - 1)
    return np.asarray(pairs[places] == hashes)


def match_instances(names: list[str], concept: str) -> NDArray[np.float64]:
    """Give LMI(n) / Len(n) of TOPK for each name: the share of its words that the longest known instance covers."""
    ending, hashes, offsets, counts = f"|{concept}".encode(), list[int](), list[int](), list[int]()
    for name in names:
        words = [] if name.count(" ") >= MOST_WORDS else [word.encode() for word in WORD.findall(name.lower())]
        offsets.append(len(hashes))
        counts.append(len(words))
        for start, first in enumerate(words):
            so_far = zlib.crc32(first)
            hashes.append(zlib.crc32(ending, so_far))
            for word in words[start + 1 : start + LONGEST]:
                so_far = zlib.crc32(b" " + word, so_far)
                hashes.append(zlib.crc32(ending, so_far))
    shares = np.zeros(len(names))
    for known in np.flatnonzero(find_known(np.array(hashes, dtype=np.uint32))).tolist():
        owner = bisect_right(offsets, known) - 1
        share = _run_length(known - offsets[owner], counts[owner]) / counts[owner]
        shares[owner] = max(shares[owner], share)
    return shares


def _run_length(place: int, words: int) -> int:
    """Give how many words a run of a name has, by its place among all runs: those from the first word on first."""
    lengths = [length for start in range(words) for length in range(1, min(LONGEST, words - start) + 1)]
    return lengths[place]


def find_place(text: str, after: frozenset[str]) -> str:
    """Give the place that a text names behind one of the words given, or as an abbreviation; empty where none is."""
    words = [(found.group(), found.start(), found.end()) for found in WORD.finditer(text)]
    for length in range(LONGEST, 0, -1):
        for start in range(len(words) - length + 1):
            run = words[start : start + length]
            given = text[run[0][1] : run[-1][2]]
            before = [word.lower() for word, _, _ in words[max(start - 2, 0) : start]]
            led = bool(before) and (before[-1] in after or (before[-1] == "the" and before[0] in after))
            short = length == 1 and given.isupper() and given.lower().replace(".", "") in ABBREVIATIONS
            if short or (led and given[0].isupper() and is_instance(given.lower().strip("."), PLACE)):
                return given
            if led and given.lower() == "world":
                return given
    return ""


def to_singular(noun: str) -> str:
    """Give the singular of a regular English plural."""
    noun = noun.lower()
    if noun.endswith("ies") and len(noun) > 4:  # noqa: PLR2004  # "ties", "pies"
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "sses", "xes", "zes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
