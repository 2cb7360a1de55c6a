"""A part of a text: what stands before and after it tells where it begins and ends in the text of another page.

Where the same words stand around it, figures may be others and white space may be more or less. Where other words do,
the marks right beside it tell, as long as only one part of the text stands between such marks and is written like the
learned one; a name before a colon is such a mark, since another name names another value. Else nothing tells which part
is meant, so there is none. A part at the end of a text ends there, unless more follows it after a comma or the like.
"""

from __future__ import annotations

import re
from functools import lru_cache

from windrow.wrapper.normalization import FIGURE, LETTERS, shape, shown, signs_in

TOKENS = re.compile(r"\d+|\s+|[^\d\s]+")
MARKS_BEFORE, MARKS_AFTER = re.compile(r"(?:[^\W\d_]+\s*[:\uff1a])?\W*\Z"), re.compile(r"\A\W*")
MORE = re.compile(r"[,;|·•]\s")
"""What parts one value from the next in a line."""


def cut(text: str, prefix: str, suffix: str, part: str = "") -> str:
    """Return the part of a text between what stood around the learned one, whose format is ``part``."""
    if not prefix and not suffix:
        return text
    found = _pattern(prefix, suffix).fullmatch(text.strip())
    if found is None:
        return _cut_at_marks(shown(text), prefix, suffix, part)
    goes_on = not suffix and _goes_on(found[1], part)
    return "" if goes_on or _lacks_figure(found[1], part) else shown(found[1])


def _lacks_figure(text: str, part: str) -> bool:
    """Whether words stand where the learned part was a figure alone ("none of 40")."""
    return FIGURE in part and LETTERS not in part and not any(map(str.isnumeric, text))


def _goes_on(text: str, part: str) -> bool:
    """Whether the end of a text holds more than a part like the learned one: a year after the pages, or the name."""
    if not part or MORE.search(part) or not MORE.search(text):
        return False
    return LETTERS not in part or signs_in(shape(text)) != signs_in(part)


def _cut_at_marks(text: str, prefix: str, suffix: str, part: str) -> str:
    """Return the only part of a text between the marks that stood beside the learned one; nothing where more do."""
    before, after = MARKS_BEFORE.findall(prefix)[0], MARKS_AFTER.findall(suffix)[0]
    if not part or (prefix and not before.strip()) or (suffix and not after.strip()):
        return ""  # a space alone is no mark: it stands between any two words
    starts = [found.end() for found in re.finditer(re.escape(before), text)] if prefix else [0]
    parts = set()
    for start in starts:
        end = text.find(after, start) if suffix else len(text)
        between = text[start:end] if end >= 0 else ""
        if not suffix and _goes_on(between, part):
            continue
        if between.strip() and not (before and before in between) and signs_in(shape(between)) == signs_in(part):
            parts.add(shown(between))
    return parts.pop() if len(parts) == 1 else ""


@lru_cache(maxsize=1024)
def _pattern(prefix: str, suffix: str) -> re.Pattern[str]:
    return re.compile(f"{_loosened(prefix.lstrip())}(.+?){_loosened(suffix.rstrip())}", re.DOTALL)


def _loosened(affix: str) -> str:
    """Return a pattern for a text whose figures and white space may be others."""
    return "".join(_loosened_token(token) for token in TOKENS.findall(affix))


def _loosened_token(token: str) -> str:
    if token[0].isdigit():
        return r"\d+"
    return r"\s*" if token[0].isspace() else re.escape(token)
