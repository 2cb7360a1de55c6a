"""What an item is called: the part of its line that names it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from windrow.nodes import Kind
from windrow.toplist.numbering import BARE, read_label
from windrow.toplist.phrase import is_superlative

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windrow.toplist.lines import Lines

LONGEST = 110
"""Characters beyond which a line is a paragraph, of which only the beginning can be a name."""
LONGEST_DASH = 10
SELDOM = 4
"""A mark on fewer lines than one in so many is part of a name, and cuts none."""
CUTTING = frozenset(":：–—-")  # noqa: RUF001  # the signs that pages use
CUT = re.compile(r"[:：–—-](?:(?<=[:：])(?=\s)|(?<=\s[–—])|(?<=[–—])(?=\s)|(?<=\s-)[–—-]*(?=\s))")  # noqa: RUF001  # the signs that pages use
"""A colon before a space, or a dash beside one; what leads is a set of signs, which is searched for fast."""
AWARD_END = re.compile(r"[^:：–—]{3,60}[:：]\s")  # noqa: RUF001  # the signs that pages use
"""A colon before which an award may stand: "Best overall: Boskoop"."""
SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-Z\"“])")
TRAILING = " \t:：-–—|»›→↗⤵\xa0"  # noqa: RUF001  # the signs that pages use
WORDLESS = re.compile(r"[\W\d_]*")


def read_names(lines: Lines, places: Iterable[int]) -> dict[int, str]:
    """Return the names that lines hold, without their labels and closing marks."""
    levels, bold = lines.level.tolist(), lines.bold.tolist()
    found = {}
    for place, text in _without_awards(lines, places).items():
        name = text if levels[place] else _part_of_line(lines, place, text, bold=bold[place])
        found[place] = name.strip(TRAILING) or name.strip()
    return found


def _without_awards(lines: Lines, places: Iterable[int]) -> dict[int, str]:
    """Return what lines say after their labels, and after the awards where most leads of their path are awards.

    "Best for: …" under each item is no award but a label, since it says the same of all.
    """
    labels = lines.labels
    said = {place: label.rest if (label := labels[place]) else lines.texts[place] for place in places}
    leads = {place: lead for place, text in said.items() if AWARD_END.match(text) and (lead := _find_lead(text))}
    paths, language = lines.path.tolist(), lines.language
    given = Counter(paths[place] for place in leads)
    distinct = {(paths[at], lead.lower()) for at, lead in leads.items()}
    won = Counter(path for path, lead in distinct if is_superlative(lead.split()[0], language))
    for place, lead in leads.items():
        if won[paths[place]] > 1 and 2 * won[paths[place]] >= given[paths[place]]:
            said[place] = said[place][len(lead) :].lstrip(TRAILING)
    return said


def restore_names(lines: Lines, places: Sequence[int], names: Mapping[int, str]) -> dict[int, str]:
    """Return the names of a list, those that a mark or a number cut made whole again where it cut only a few of them.

    A list whose items are described after a dash has a dash in most of them; a dash in one belongs to its name, and so
    does the number of “7 Wonders” where the others have none.
    """
    whole, counted = {}, {}
    for place in places:
        label, line = lines.labels[place], lines.texts[place].strip(TRAILING)
        text = label.rest.strip(TRAILING) if label else line
        rest = text[len(names[place]) :].lstrip()
        if text.startswith(names[place]) and rest[:1] in CUTTING and rest and len(text) <= LONGEST:
            whole[place] = text
        if label and label.strength == BARE and line[:1].isdecimal() and names[place] in line:
            counted[place] = line[: line.index(names[place])] + names[place]
    numbered = sum(lines.labels[place] is not None for place in places)
    restored = dict(names) | (whole if SELDOM * len(whole) < len(places) else {})
    restored |= counted if SELDOM * numbered < len(places) else {}
    return {place: restored[place] for place in places}


def _part_of_line(lines: Lines, place: int, text: str, *, bold: bool) -> str:
    """Return the part of a line, its label left off, that names something."""
    if "\t" in text:
        return _cell_name(text, lines.label_words)
    lead = _bold_lead(lines, place) if bold else ""
    return lead or _plain_name(text)


def _without_label(text: str, words: frozenset[str]) -> str:
    label = read_label(text, words)
    return label.rest if label and label.rest else text


def _cell_name(text: str, words: frozenset[str]) -> str:
    """Return the first cell of a row that has words in it."""
    cells = [cell.strip() for cell in text.split("\t")]
    return next((_without_label(cell, words) for cell in cells if not WORDLESS.fullmatch(cell)), cells[0])


def _bold_lead(lines: Lines, place: int) -> str:
    """Return the text in bold that begins a line; nothing where only its label is bold."""
    spans, start = lines.nodes.spans, int(lines.start[place])
    nodes = slice(int(lines.first[place]), int(lines.last[place]) + 1)
    columns = (lines.nodes.kind[nodes], lines.bold_nodes[nodes], spans.start[nodes], spans.end[nodes])
    end = start
    for kind, bold, begins, ends in zip(*(column.tolist() for column in columns), strict=True):
        if kind != Kind.TEXT or ends <= begins:
            continue
        if bold:
            end = ends
        elif not WORDLESS.fullmatch(spans.text, begins, ends):
            break
    lead = spans.text[start : min(end, start + len(lines.texts[place]))]
    rest = _without_label(lead, lines.label_words)
    if WORDLESS.fullmatch(rest):
        return ""
    return rest if len(rest) <= LONGEST else _plain_name(rest)


def _find_lead(text: str) -> str | None:
    """Return the part of a running text before its first dash or colon that can be a name; None without one."""
    cut = CUT.search(text, 0, LONGEST + LONGEST_DASH)
    name = text[: cut.start()].rstrip() if cut else ""
    return name if 1 < len(name) <= LONGEST and not WORDLESS.fullmatch(name) else None


def _plain_name(text: str) -> str:
    """Return the part of a running text before its first dash or colon, else its first sentence."""
    if lead := _find_lead(text):
        return lead
    end = SENTENCE_END.search(text) if len(text) > LONGEST else None
    return text[: end.start() + 1] if end else text
