"""Links that promise a table: where a page has none with the keyword, its specifications may be a page away.

So VENTREC gathers its pages: from the pages of a site, by links, to those on which the keyword stands in a table. A
link promises one by its text, by its title, or by its address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from windrow.crawl.addresses import Address
from windrow.crawl.links import Found, Gate
from windrow.region.measures import PageMeasures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.page import Page


@dataclass(frozen=True)
class PromiseParameters:
    """What promises a table; set by principle."""

    longest: int = 80
    """Characters; a longer link is a teaser, which promises a text."""
    words: tuple[str, ...] = tuple(
        "specifications|specification|specs|technical data|technical details|tech specs|data sheet|datasheet|"
        "technische daten|technische details|datenblatt|spezifikationen|fiche technique|caractéristiques|"
        "especificaciones|ficha técnica|características|especificações|specifiche|scheda tecnica|caratteristiche|"
        "specificaties|technische gegevens|specifikationer|tekniska data|tekniske data|tekniset tiedot|specyfikacja|"
        "dane techniczne|parametry|характеристики|технические данные|仕様|スペック|规格|参数|規格|사양|제원".split("|")
    )
    """How product pages in many languages call the page or the tab with the table."""


PARAMETERS = PromiseParameters()

LABEL = 200
"""Characters of a label that are looked at."""
SEPARATORS = re.compile(r"[-_.+]+")
_SCRIPTS_WITHOUT_SPACES = 0x2E80
"""From this code point on, words stand side by side."""


def find_promised(page: Page, words: Sequence[str] = ()) -> Found:
    """Return the links of a page's own site that promise a table, best first; ``words`` are what is looked for there.

    A link that names one of the words comes before one that only promises specifications, one that says nothing else
    before one that says more, one in the page's content before one in its margin.
    """
    gate, aside = Gate(page), PageMeasures(page.nodes).aside
    labels = [page.nodes.attributes.having(name) for name in ("title", "aria-label")]
    wanted = [folded for word in words if (folded := _fold(word))]
    promising: list[tuple[int, int, bool, str]] = []
    for node, url in enumerate(page.links):
        if url is not None:
            said = (
                _fold(page.nodes.visible_text(node)),
                *(_fold(label.get(node, "")[:LABEL]) for label in labels),
                _name(url),
            )
            scores = _score(said, wanted), _score(said, PARAMETERS.words)
            if any(scores):
                promising.append((-scores[0], -scores[1], bool(aside[node]), url))
    promising.sort(key=lambda link: link[:-1])
    addresses = gate.take_all(url for *_, url in promising)
    note = "" if addresses else "No link of the page promises a table. Name the words by which its site calls it."
    return Found(addresses, gate.sieve.passed, note)


def _score(said: Sequence[str], words: Iterable[str]) -> int:
    """Return how clearly a link names one of the words: 3 by nothing else, 2 among others, 1 in a label or address."""
    text, *others = said
    best = 0
    for word in words:
        if text == word:
            return 3
        if len(text) <= PARAMETERS.longest and _names(text, word):
            best = 2
        elif not best and any(_names(other, word) for other in others):
            best = 1
    return best


def _names(text: str, word: str) -> bool:
    """Whether a word stands in a text as a whole."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _joins(text[at - 1 : at], word[0]) and not _joins(word[-1], text[end : end + 1]):
            return True
        at = text.find(word, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    """Whether two characters side by side are of one word."""
    return left.isalnum() and right.isalnum() and min(map(ord, (left, right))) < _SCRIPTS_WITHOUT_SPACES


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def _name(url: str) -> str:
    """Return what an address calls its page, by the end of its path."""
    address = Address.parse(url)
    parts = [part for part in unquote(address.path).split("/") if part] if address else []
    return _fold(SEPARATORS.sub(" ", " ".join(parts[-2:])))
