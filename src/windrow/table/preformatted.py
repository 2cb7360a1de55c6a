"""Tables drawn with characters in preformatted text: by lines and bars, by tabs, or by columns of blanks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.table.grid import Grid, Place, sections_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes import Nodes


@dataclass(frozen=True)
class TextParameters:
    """When lines of preformatted text are a table; by principle."""

    least_rows: int = 2
    least_share: float = 0.7  # of the lines must fill two columns or more
    most_code: float = 0.3  # share of the lines that look like a program
    most_lines: int = 5000  # not a decision: more are an attack
    widest: int = 2000  # not a decision: characters of a line that are looked at; more are an attack


PARAMETERS = TextParameters()
DRAWN = ("pre", "listing", "xmp")
RULE = re.compile(r"[\s\-=+|_:*~─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬]{3,}")
BAR = re.compile(r"[|│┃║]")
GROUPS = re.compile(r"[-=─━═]{2,}")
CODE = re.compile(r"[{};]\s*$|^\s*(?:def|class|import|return|for|if|while|var|let|const|function)\b|=>|\(\)")


def find_text_grids(nodes: Nodes) -> list[Grid]:
    """Return a grid for every block of lines in visible preformatted text that stands in columns."""
    grids = []
    for root in nodes.tag.where(*DRAWN).tolist():
        if nodes.visible[root]:
            for block in _blocks(nodes.spans.text[nodes.spans.start[root] : nodes.spans.end[root]]):
                found = _block_to_rows(block)
                if found is not None:
                    grids.append(_rows_to_grid(root, *found))
    return grids


def _blocks(text: str) -> list[list[str]]:
    """Part the text where lines are empty."""
    blocks: list[list[str]] = [[]]
    for line in text.split("\n")[: PARAMETERS.most_lines]:
        if line.strip():
            blocks[-1].append(line[: PARAMETERS.widest].rstrip())
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if len(block) >= PARAMETERS.least_rows]


def _block_to_rows(block: Sequence[str]) -> tuple[list[list[str]], int] | None:
    """Return rows of texts and how many are headings; None for lines that stand in no columns."""
    lines = [line for line in block if RULE.fullmatch(line) is None]
    if len(lines) < PARAMETERS.least_rows or sum(
        CODE.search(line) is not None for line in lines
    ) > PARAMETERS.most_code * len(lines):
        return None
    head = _rows_above_rule(block)
    if all(BAR.search(line) for line in lines):
        rows = _by_bars([line.strip() for line in lines])
    elif all("\t" in line for line in lines):
        rows = [[cell.strip() for cell in line.split("\t")] for line in lines]
    else:
        rows = _by_blanks([line.expandtabs() for line in block if RULE.fullmatch(line) is None], _rule_of(block))
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    full = sum(sum(map(bool, row)) > 1 for row in rows)
    return (rows, head) if width > 1 and full >= PARAMETERS.least_share * len(rows) else None


def _rows_above_rule(block: Sequence[str]) -> int:
    """Count the lines between the top, or the line drawn on top, and the first line drawn below them."""
    count = 0
    for line in block:
        if RULE.fullmatch(line) is None:
            count += 1
        elif count:
            return count if count < len(block) - 1 else 0
    return 0


def _rule_of(block: Sequence[str]) -> str | None:
    """Return the line that is drawn under the names in pieces, one a column."""
    return next((line for line in block if RULE.fullmatch(line) and len(GROUPS.findall(line)) > 1), None)


def _by_bars(lines: list[str]) -> list[list[str]]:
    """Cut lines at their bars; a bar at the edge is a frame where all lines have it, else it parts an empty cell."""
    first, last = all(BAR.match(line) for line in lines), all(BAR.match(line[-1]) for line in lines)
    return [[cell.strip() for cell in cells[first : len(cells) - last]] for cells in map(BAR.split, lines)]


def _by_blanks(lines: list[str], rule: str | None) -> list[list[str]]:
    """Cut lines where a rule has gaps, or where two columns of characters or more are blank in all of them."""
    width = max(map(len, lines))
    if rule is not None:
        starts = [found.start() for found in GROUPS.finditer(rule)]
    else:
        ink = np.array([[char != " " for char in line.ljust(width)] for line in lines])
        blank = np.asarray(~ink.any(axis=0))
        wide = blank & np.roll(blank, 1)
        wide[0] = False
        starts = [at for at in range(width) if not blank[at] and (at == 0 or wide[at - 1])]
        first = int(np.argmax(~blank))
        starts = sorted({first, *starts})
    starts[0] = 0
    ends = [*starts[1:], width]
    return [[line[start:end].strip() for start, end in zip(starts, ends, strict=True)] for line in lines]


def _rows_to_grid(root: int, rows: list[list[str]], head: int) -> Grid:
    places = tuple(
        Place(root, row, column, 1, 1, text, heading=row < head)
        for row, line in enumerate(rows)
        for column, text in enumerate(line)
    )
    return Grid(root, "text", places, sections_of(len(rows), head))
