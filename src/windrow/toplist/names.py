"""What an item is called: the part of its line that names it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from windrow.toplist.labels import read_label

if TYPE_CHECKING:
    from windrow.toplist.lines import Lines

LONGEST = 110
"""Characters beyond which a line is a paragraph, of which only the beginning can be a name."""
SPLIT = re.compile(r"\s[–—-]+\s|[:：](?=\s)|\s[–—]|[–—]\s")  # noqa: RUF001  # the signs that pages use
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])")
TRAILING = " \t:：-–—|»›→↗⤵\xa0"  # noqa: RUF001  # the signs that pages use
WORDLESS = re.compile(r"[\W\d_]*")


def read_name(lines: Lines, place: int) -> str:
    """Give the name that a line holds, without its label and closing marks."""
    text = lines.texts[place]
    if lines.level[place]:
        return _clean(text, lines)
    if "\t" in text:
        return _clean(_cell_name(text, lines), lines)
    if lines.bold[place] and (lead := _bold_lead(lines, place)):
        return _clean(lead, lines)
    return _clean(_plain_name(_without_label(text, lines)), lines)


def _without_label(text: str, lines: Lines) -> str:
    label = read_label(text, lines.language)
    return label.rest if label and label.rest else text


def _clean(text: str, lines: Lines) -> str:
    text = _without_label(text.strip(), lines).strip()
    return text.strip(TRAILING) or text


def _cell_name(text: str, lines: Lines) -> str:
    """Give the first cell of a row that has words in it."""
    cells = [cell.strip() for cell in text.split("\t")]
    return next((_without_label(cell, lines) for cell in cells if not WORDLESS.fullmatch(cell)), cells[0])


def _bold_lead(lines: Lines, place: int) -> str:
    """Give the text in bold that begins a line; nothing where only its label is bold."""
    spans, bold = lines.nodes.spans, lines.bold_nodes
    end = int(lines.start[place])
    node, last = int(lines.first[place]), int(lines.last[place])
    stop = int(lines.start[place]) + len(lines.texts[place])
    while node <= last:
        if spans.end[node] > spans.start[node] and lines.nodes.kind[node] == 3:  # noqa: PLR2004  # a text node
            if not bold[node] and WORDLESS.fullmatch(spans.text[spans.start[node] : spans.end[node]]) is None:
                break
            if bold[node]:
                end = min(int(spans.end[node]), stop)
        node += 1
    lead = spans.text[int(lines.start[place]) : end]
    rest = _without_label(lead, lines)
    if WORDLESS.fullmatch(rest):
        return ""
    return rest if len(rest) <= LONGEST else _plain_name(rest)


def _plain_name(text: str) -> str:
    """Give the part of a running text before its first dash or colon, else its first sentence."""
    parts = SPLIT.split(text, maxsplit=1)
    if len(parts) > 1 and 1 < len(parts[0]) <= LONGEST and not WORDLESS.fullmatch(parts[0]):
        return parts[0]
    return SENTENCE.split(text, maxsplit=1)[0] if len(text) > LONGEST else text
