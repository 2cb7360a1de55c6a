"""Content processor (TOPK, fourth stage): each item with rank, name, description, picture, link and attributes.

Attributes are what the page itself names: "Director: …", "by …", a price, a year, the columns of a table.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from windrow.toplist.item_links import ItemLinks
from windrow.toplist.names import WORDLESS, restore_names
from windrow.toplist.numbering import read_label
from windrow.toplist.result import Item

if TYPE_CHECKING:
    from windrow.toplist.candidates import Candidate
    from windrow.toplist.item_links import Resolve
    from windrow.toplist.lines import Lines

PAIR = re.compile(r"(?P<name>[^\W\d_][\w /&().'’-]{1,30}?)\s*[:：]\s+(?P<value>\S.{0,200})")  # noqa: RUF001  # the signs that pages use
COLON = re.compile("[:：]")  # noqa: RUF001  # the signs that pages use
CURRENCY = re.compile("[$€£¥]")
MONEY = re.compile(
    r"(?:US|C|A)?[$€£¥]\s?\d[\d.,]*(?:\s?(?:million|billion|trillion|thousand|[kmb]n?)\b)?(?:\s?[-–]\s?[$€£]?\d[\d.,]*)?",
    re.IGNORECASE,
)
YEAR = re.compile(r"\((?P<year>(?:1[89]|20)\d\d)\)|(?<=, )(?P<other>(?:1[89]|20)\d\d)$")
AUTHOR = re.compile(r"\bby\s+(?P<author>[A-Z][\w.’'-]+(?:\s+(?:[A-Z][\w.’'-]*|de|van|von|and|&))*)")
TAGLINE = re.compile(r"^.{2,60}?(?:\s[–—-]\s|:\s)(?P<tagline>\S.*)$")


@dataclass(frozen=True)
class Parameters:
    """Where what belongs to an item begins and ends; set by what pages do, not fitted."""

    farthest_colon: int = 40
    """Characters within which the name of a pair ends."""
    most_words: int = 4
    """Words of the name of an attribute."""
    long_value: int = 60
    """Characters beyond which a value that only one item names is a sentence, not an attribute."""
    priced: int = 6
    """Lines under a name among which its price is looked for."""
    longest_price: int = 40
    """Characters of such a line: a sentence that names an amount need not say what the item costs."""
    last_body: float = 1.5
    """The last item ends where its text would be this much longer than the longest of the others."""


PARAMETERS = Parameters()


def read_items(lines: Lines, candidate: Candidate, names: dict[int, str], resolve: Resolve) -> tuple[Item, ...]:
    """Read every item of a list, in the order of their ranks: a countdown is turned around."""
    nodes, header = lines.nodes, _table_header(lines, candidate)
    names = restore_names(lines, candidate.lines, names)
    cards = _find_cards(lines, candidate)
    spans = list(zip(candidate.lines, _find_ends(lines, candidate, cards), strict=True))
    attributes = [
        read_attributes(lines.texts[place], names[place], lines.texts[place + 1 : end], header) for place, end in spans
    ]
    stops = [*cards[1:], len(nodes)]
    reaches = [
        range(_holder(lines, place), min(_last_node(lines, end), stop))
        for (place, end), stop in zip(spans, stops, strict=True)
    ]
    links = ItemLinks(nodes, resolve, [names[place] for place, _ in spans], reaches)
    items = []
    for number, ((place, end), rank, found) in enumerate(
        zip(spans, _find_ranks(lines, candidate), _without_sentences(attributes), strict=True)
    ):
        reach, above = reaches[number], _first_line(lines, cards[number])
        seen = range(min(_before(lines, place), cards[number]), reach.stop)
        body = [*lines.texts[above:place], *lines.texts[place + 1 : end]]
        items.append(
            Item(
                rank=rank,
                name=names[place],
                attributes=found,
                url=links.find(number, range(reach.start, int(lines.last[place]) + 1)),
                image=_first_address(nodes.images, seen, resolve),
                text=_description(lines.texts[place], names[place], body),
                node=int(lines.heading[place] if lines.heading[place] >= 0 else lines.block[place]),
            )
        )
    return tuple(sorted(items, key=lambda item: item.rank))


def _find_cards(lines: Lines, candidate: Candidate) -> list[int]:
    """Return where the block of each item begins, the outermost that holds no other one: above the name, sometimes."""
    nodes = lines.nodes
    holders = [_holder(lines, place) for place in candidate.lines]
    cards = []
    for number, holder in enumerate(holders):
        before = holders[number - 1] if number else 0
        behind = holders[number + 1] if number + 1 < len(holders) else len(nodes)
        card = holder
        while (above := int(nodes.parent[card])) > before and nodes.end[above] <= behind:
            card = above
        cards.append(card)
    return cards


def _first_line(lines: Lines, node: int) -> int:
    """Return the first line that begins at a node or behind it."""
    return int(np.searchsorted(lines.first, node))


def _without_sentences(attributes: list[dict[str, str]]) -> list[dict[str, str]]:
    """Drop what only looks like an attribute: a sentence with a colon that no other item has."""
    named = Counter(name for each in attributes for name in each)
    return [
        {name: value for name, value in each.items() if named[name] > 1 or len(value) <= PARAMETERS.long_value}
        for each in attributes
    ]


def _find_ranks(lines: Lines, candidate: Candidate) -> list[int]:
    """Return the printed numbers where each is used once, else the places in the list."""
    labels = [lines.labels[place] for place in candidate.lines]
    numbers = [label.number for label in labels if label]
    whole = len(set(numbers)) == len(labels)
    return numbers if whole else list(range(1, len(labels) + 1))


def _find_ends(lines: Lines, candidate: Candidate, cards: list[int]) -> list[int]:
    """Return the line before which each item ends: where the next one's block begins.

    The last one ends where its like would, or where the article goes on.
    """
    places = candidate.lines
    begins = [_first_line(lines, card) for card in cards]
    ends = [*(max(begin, place + 1) for begin, place in zip(begins[1:], places, strict=False)), len(lines)]
    longest = max((after - place for place, after in itertools.pairwise(places)), default=1)
    last = places[-1]
    level = int(lines.level[last]) or 9
    limit = min(len(lines), last + 1 + int(PARAMETERS.last_body * longest))
    stops = [at for at in range(last + 1, limit) if 0 < lines.level[at] <= level or not lines.in_content[at]]
    ends[-1] = stops[0] if stops else limit
    return ends


def read_attributes(line: str, name: str, body: list[str], header: list[str]) -> dict[str, str]:
    """Return what a line and the lines under it say of an item by name."""
    found: dict[str, str] = {}
    if "\t" in line and header:
        cells = [cell.strip() for cell in line.split("\t")]
        found.update({key: cell for key, cell in zip(header, cells, strict=False) if key and cell and cell != name})
    waiting = ""
    for text in body:
        if waiting:
            found.setdefault(waiting, text.strip())
            waiting = ""
        elif pair := _read_pair(text.strip()):
            found.setdefault(*pair)
        elif text.rstrip().endswith(":") and len(text.split()) <= PARAMETERS.most_words:
            waiting = text.strip().rstrip(":").strip()
    return found | _named_by_shape(line, name, body, found)


def _read_pair(text: str) -> tuple[str, str] | None:
    """Return the name and the value of "Director: Ada Lee"; None for what is no such pair."""
    pair = PAIR.fullmatch(text) if COLON.search(text, 0, PARAMETERS.farthest_colon) else None
    if not pair or len(pair["name"].split()) > PARAMETERS.most_words:
        return None
    return pair["name"].strip(), pair["value"].strip()


def _named_by_shape(line: str, name: str, body: list[str], found: dict[str, str]) -> dict[str, str]:
    """Return what needs no name on the page: who made it, its year, its price, its tagline."""
    shaped: dict[str, str] = {}
    if author := AUTHOR.search(line):
        shaped["by"] = author["author"].strip(" .,")
    if year := YEAR.search(line):
        shaped["year"] = year["year"] or year["other"]
    under = (text for text in body[: PARAMETERS.priced] if len(text) <= PARAMETERS.longest_price)
    if price := _find_price((line, *under)):
        shaped["price"] = price.strip(" .,")
    if tagline := TAGLINE.match(name):
        shaped["tagline"] = tagline["tagline"].strip()
    named = set(map(str.casefold, found))
    return {key: value for key, value in shaped.items() if key not in named}


def _find_price(texts: Iterable[str]) -> str:
    """Return the first amount of money that texts name; empty where none does."""
    for text in texts:
        if CURRENCY.search(text) and (money := MONEY.search(text)):
            return money.group()
    return ""


def _description(line: str, name: str, body: list[str]) -> str:
    """Return the text under an item's name, and what its own line says after it."""
    label_free = line.split(name, 1)[1] if name in line else ""
    rest = label_free.strip(" \t:：-–—.")  # noqa: RUF001  # the signs that pages use
    return "\n".join(filter(None, [rest if not WORDLESS.fullmatch(rest) else "", *body])).strip()


def _table_header(lines: Lines, candidate: Candidate) -> list[str]:
    """Return the names of the columns of the table that the items stand in; empty where they stand in none."""
    first = candidate.lines[0]
    row = int(lines.row[first])
    if row < 0 or "\t" not in lines.texts[first]:
        return []
    holder = int(lines.nodes.parent[row])
    table = holder if lines.nodes.tag[holder] == "table" else int(lines.nodes.parent[holder])
    rows = np.flatnonzero((lines.row >= 0) & (lines.first > table) & (lines.first < lines.nodes.end[table]))
    if not len(rows) or rows[0] >= first or read_label(lines.texts[int(rows[0])], lines.label_words):
        return []
    return [cell.strip() for cell in lines.texts[int(rows[0])].split("\t")]


def _holder(lines: Lines, place: int) -> int:
    """Return the first node that belongs to an item: the link around its heading, or its block."""
    block = int(lines.heading[place] if lines.heading[place] >= 0 else lines.block[place])
    link = int(lines.link[place])
    return min(block, link) if link >= 0 else block


def _before(lines: Lines, place: int) -> int:
    """Return the node from which a picture belongs to an item: cards often show it above the name."""
    return int(lines.last[place - 1]) + 1 if place else 0


def _last_node(lines: Lines, end: int) -> int:
    return int(lines.block[end]) if end < len(lines) else len(lines.nodes)


def _first_address(found: Mapping[int, str], reach: range, resolve: Resolve) -> str | None:
    """Return the first address that a node in a range holds, made absolute; None where none does."""
    node = next((node for node in found if node in reach), None)
    return None if node is None else resolve(found[node], node)
