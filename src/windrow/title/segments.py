"""A tag's text cut where writers put marks between its parts, in any script.

A mark is strong where it stands for nothing else (bars, guillemets, a dash between spaces) and weak where it also
occurs inside names and sentences (colon, comma).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff00-\uff60"
MARKS = {
    "bar": r"\s*[|\uff5c\u00a6\u2502\u2503\u2758\ufe31]+\s*",
    "arrow": r"\s*[\u00bb\u00ab\u203a\u2039\u2192\u2190]+\s*|\s(?:&gt;|>|<|>>|<<|->)\s",
    "dash": r"\s+[-\u2010-\u2015\u2212\u2e3a\uff0d~\u301c\uff5e]+\s+|\s+-{2,}\s*"
    rf"|(?<=[{CJK}])\s?[-\u2013\u2014\uff0d]+\s?(?=[{CJK}])",
    "dot": r"\s+[\u00b7\u2022\u2219\u22c5\u30fb\u2027\u25cf*\u2605\u2665\u2022]+\s+|\s+::+\s+|\s+//?\s+|\s+\.\s+",
    "underscore": rf"(?<=[{CJK}])_+(?=\S)|(?<=\S)_+(?=[{CJK}])|\s_+\s",
    "bracket": r"\s*[\u3010\u3011\u3014\u3015]\s*",
    "colon": r"\s*:\s+|\s+:\s*|\s*\uff1a\s*",
    "comma": r"\s*[,;]\s+|\s*[\uff0c\u3001\uff1b\u060c]\s*",
    "sentence": r"(?<=[.!?\u3002\uff01\uff1f])\s+(?=\S)",
    "loose dash": r"\s+[-\u2013\u2014](?=\w)|(?<=\w)[-\u2013\u2014]\s+",
}
MARK = "|".join(f"(?P<{name.replace(' ', '_')}>{mark})" for name, mark in MARKS.items())
CUT = re.compile(rf"(?=[\W_])(?:{MARK})")
"""No mark begins with a letter, and to see so first takes a quarter of the time."""
ANY_MARK = re.compile(r"[^\w\s'\u2019&()]|_")
STRONG = frozenset({"bar", "arrow", "dash", "dot", "underscore", "bracket"})
QUOTED = re.compile(r"«[^«»]{1,200}»|»(?=\S)[^«»]{1,200}(?<=\S)«")
"""Guillemets as quotation marks, French or German way round: they part nothing, nor does anything between them."""
MOST_SEGMENTS = 24  # not a decision: bounds the work


@dataclass(frozen=True)
class Segments:
    """A text in parts: part ``i`` is ``text[starts[i]:ends[i]]``, and ``marks[i]`` parts it from the next."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    marks: tuple[str, ...]

    def __len__(self) -> int:
        """Return the number of parts."""
        return len(self.starts)

    def run(self, first: int, last: int) -> str:
        """Return the text from one part to another, both included, with the marks between them."""
        return self.text[self.starts[first] : self.ends[last]]

    def parts(self) -> list[str]:
        """Return the parts one by one."""
        return [self.run(place, place) for place in range(len(self))]


@lru_cache(maxsize=256)  # the same tag is cut by everything that reads it
def cut_segments(text: str) -> Segments:
    """Cut a text, white space already collapsed, at every mark; what would be empty is no part."""
    if text and not ANY_MARK.search(text):
        return Segments(text, (0,), (len(text),), ())
    starts: list[int] = []
    ends: list[int] = []
    marks: list[str] = []
    begin, mark = 0, ""
    quoted = [match.span() for match in QUOTED.finditer(text)]
    for found in CUT.finditer(text):
        if len(starts) >= MOST_SEGMENTS:
            break
        if any(start < found.end() and found.start() < end for start, end in quoted):
            continue
        if found.start() > begin:
            if starts:
                marks.append(mark)
            starts.append(begin)
            ends.append(found.start())
            mark = (found.lastgroup or "").replace("_", " ")
        elif starts and (found.lastgroup or "") in STRONG:
            mark = found.lastgroup or ""
        begin = found.end()
    if begin < len(text):
        if starts:
            marks.append(mark)
        starts.append(begin)
        ends.append(len(text))
    return Segments(text, tuple(starts), tuple(ends), tuple(marks))
