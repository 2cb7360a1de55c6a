"""What is a what: instances of concepts, from WordNet's nouns, as one sorted array of hashed pairs.

The file is derived from WordNet 3.0 (licence beside it) by the benchmark's command; a pair is a lemma and the name of
a concept at most a few steps above it. Asking costs one hash and one search, loading a few milliseconds.
"""

from __future__ import annotations

import re
import zlib
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
MOST_WORDS = 8
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
    pairs = load_pairs()
    wanted = np.uint32(hash_pair(instance, concept))
    place = int(np.searchsorted(pairs, wanted))
    return place < len(pairs) and bool(pairs[place] == wanted)


def match_instances(names: list[str], concept: str) -> NDArray[np.float64]:
    """Give LMI(n) / Len(n) of TOPK for each name: the share of its words that the longest known instance covers."""
    pairs = load_pairs()
    hashes: list[int] = []
    owners: list[int] = []
    lengths: list[float] = []
    for owner, name in enumerate(names):
        words = WORD.findall(name.lower())
        if len(words) > MOST_WORDS:
            continue
        for length in range(1, min(LONGEST, len(words)) + 1):
            for start in range(len(words) - length + 1):
                hashes.append(hash_pair(" ".join(words[start : start + length]), concept))
                owners.append(owner)
                lengths.append(length / len(words))
    shares = np.zeros(len(names))
    if hashes:
        wanted = np.array(hashes, dtype=np.uint32)
        places = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
        known = pairs[places] == wanted
        np.maximum.at(shares, np.array(owners)[known], np.array(lengths)[known])
    return shares


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
