"""Where records lead to: the links and pictures of each, and the next page of the list.

The next page is what the page itself declares or its pager calls next, or the number after the current one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.region.measures import PageMeasures

SCHEMES = ("http:", "https:", "file:")
"""How the addresses of pages begin."""
NEXT_WORDS = re.compile(
    r"(?:go to |show |view )?(?:the )?(?:(?:page|página|pagina|pàgina|strona|страница)\s)?"
    r"(?:next(?: results?| \d+)?|older(?: posts| entries)?|more results|load more|weiter|nächste|suivante?s?|siguiente|"
    r"próxim[ao]|seguinte|següent|successiv[ao]|avanti|volgende|nästa|neste|næste|seuraava|järgmine|nākamā|kitas|następn[ay]|další|"
    r"ďalš[ií]a?|sljedeć[ai]|naslednja|következő|următo(?:area|r)|επόμενη|sonraki|tiếp(?: theo)?|trang sau|berikutnya|"
    r"selanjutnya|seterusnya|далее|дальше|следующая|вперед|далі|наступна|следваща|напред|следећа|التالي(?:ة)?|הבא|بعدی|अगला|"
    r"ถัดไป|次へ?|次の(?:ページ|\d+件)(?:へ)?|下一?[页頁]|后一[页頁]|다음(?: 페이지)?)"
    r"(?:\s(?:page|seite|página|pagina|pàgina|sida|side|sivu|strona|strana|stránka|oldal|pagină|σελίδα|sayfa|halaman|"
    r"страница|сторінка|صفحة|الصفحة))?",
    re.IGNORECASE,
)
ARROWS = frozenset("\u203a » > → \u276f ≫ ⟩ ▶ ►".split())
TRIMMED = "".join(ARROWS) + " \t\n\u00a0.:|"
NEXT_NAMES = re.compile(
    r"(?:^|[^a-z])next(?:$|[^a-z])|(?:pager|pagination|page)[-_]?next|next[-_]?(?:page|link)", re.IGNORECASE
)


OF_PAGES = re.compile(r"[^\W\d]{3,12}\W{0,3}(?P<page>\d{1,5})(?:\s[^\W\d]{1,5}\s|\s?/\s?)(?P<pages>\d{1,5})\b\D{0,12}")
"""A place among pages: "Page 3 of 31", "Seite 3 von 31", "Página 3/31"."""
CURRENT_NAMES = re.compile(r"(?:^|[^a-z])(?:current|active|selected)(?:$|[^a-z])", re.IGNORECASE)
DIGITS = re.compile(r"\d+")
BY_CLASS = 1  # not a decision: a name


@dataclass(frozen=True)
class Parameters:
    """What can be a link to the next page; set by hand."""

    longest: int = 40
    """A link with more characters is no pager's."""
    long_number: int = 6
    """A number with so many digits is no page's."""
    close: int = 12
    """How many links away from the next number the current one may stand."""


PARAMETERS = Parameters()


class TableRows(NamedTuple):
    """Rows of the page's tables that hold no data."""

    headings: frozenset[int] = frozenset()
    """Those that name the columns."""
    beside: frozenset[int] = frozenset()
    """All of them: headings, also where they are said again, footers, notes, page numbers."""


@dataclass(frozen=True, eq=False)
class Addresses:
    """The absolute address that each node links to, and of the picture that it shows; None for most."""

    links: Sequence[str | None]
    images: Sequence[str | None]
    url: str = ""
    """The address of the page itself; empty where nobody said."""
    following: Sequence[str] = ()
    """What the head of the page calls the next one."""
    table_rows: Callable[[], TableRows] = TableRows
    """What the page's tables say of their rows."""


@dataclass(frozen=True, eq=False)
class Links:
    """The links and pictures of a page, to be asked for by place."""

    measures: PageMeasures
    addresses: Addresses

    @cached_property
    def pages(self) -> dict[int, str]:
        """The addresses that nodes link to, as far as a page can be there: no mail, no telephone, no data."""
        return {node: link for node, link in enumerate(self.addresses.links) if link and link.startswith(SCHEMES)}

    @cached_property
    def linking(self) -> list[int]:
        """The nodes that link to a page, in document order."""
        return list(self.pages)

    @cached_property
    def showing(self) -> list[int]:
        """The nodes that show a picture, in document order."""
        return [node for node, image in enumerate(self.addresses.images) if image]

    def find_inside(self, record: tuple[int, ...]) -> list[int]:
        """Return the nodes of a record that link to a page."""
        return self._within(self.linking, record)

    def find_image(self, record: tuple[int, ...]) -> str | None:
        """Return the address of a record's first picture."""
        inside = self._within(self.showing, record)
        return self.addresses.images[inside[0]] if inside else None

    def find_around(self, node: int, record: tuple[int, ...]) -> str | None:
        """Return the address that a field of a record links to."""
        above = int(self.nearest[node])
        return self.addresses.links[above] if above >= record[0] else None

    @cached_property
    def nearest(self) -> NDArray[np.int32]:
        """For each node, itself or the nearest one around it that links anywhere; -1 where none does."""
        nodes = self.measures.nodes
        linking = np.fromiter(map(bool, self.addresses.links), bool, len(nodes))
        return nodes.nearest(linking)

    def _within(self, nodes: list[int], record: tuple[int, ...]) -> list[int]:
        end = self.measures.nodes.end
        return [
            found for node in record for found in nodes[bisect_left(nodes, node) : bisect_left(nodes, int(end[node]))]
        ]


@dataclass(frozen=True, eq=False)
class Pager:
    """What could lead to the next page, for all lists of a page."""

    links: Links

    def find_next(self, after: int) -> str | None:
        """Return the address of the next page; ``after`` is the node at which the list begins."""
        return next((addresses[0] for addresses in self.find_candidates(after)), None)

    def find_candidates(self, after: int) -> Iterator[list[str]]:
        """Yield addresses that may be the next page's, those together that are as clear, the clearest first."""
        if self.declared:
            yield self.declared
        following = self.find_following(self.current) or self.find_following(self._told_numbers)
        # Below the list rather than above it; of two, the first.
        ranked = sorted(self.scores, key=lambda node: (-self.scores[node], node <= after, node))
        for score, nodes in groupby(ranked, self.scores.__getitem__):
            addresses = [self.links.pages[node] for node in nodes]
            if following and (score == BY_CLASS or _lead_further(addresses, following)):
                yield [following]
                following = None
            yield addresses
        if following:
            yield [following]

    @cached_property
    def declared(self) -> list[str]:
        """What the page itself calls the next one, by ``rel``, in its head or in a link."""
        relations = self.links.measures.nodes.attributes.having("rel")
        linking = [node for node, rel in relations.items() if "next" in rel.lower().split()]
        heads = [url for url in self.links.addresses.following if url != self.links.addresses.url]
        return heads + [self.links.pages[node] for node in linking if node in self.links.pages]

    @cached_property
    def short(self) -> dict[int, str]:
        """The links that can be seen and say little, with what they say."""
        measures = self.links.measures
        linking = np.array(self.links.linking, dtype=np.intp)
        seen = linking[measures.nodes.visible[linking] & (measures.chars[linking] <= 2 * PARAMETERS.longest)]
        texts = ((node, measures.nodes.visible_text(node)) for node in seen.tolist())
        return {node: text for node, text in texts if len(text) <= PARAMETERS.longest}

    @cached_property
    def scores(self) -> dict[int, int]:
        """How clearly links lead to the next page: 3 by their words, 2 by their arrow, 1 by their class alone."""
        visible, attributes = self.links.measures.nodes.visible, self.links.measures.nodes.attributes
        found = self._named()
        found |= {node: 2 for node, text in self.short.items() if text.strip() in ARROWS}
        said = [*self.short.items()]
        for name in ("aria-label", "title"):
            labels = attributes.having(name).items()
            said += [(node, text) for node, text in labels if node in self.links.pages and visible[node]]
        found |= {
            node: 3
            for node, text in said
            if len(text) <= PARAMETERS.longest and NEXT_WORDS.fullmatch(text.strip(TRIMMED))
        }
        return found

    def _named(self) -> dict[int, int]:
        called = (self.links.measures.nodes.classes, self.links.measures.nodes.ids)
        earlier = {node for names in called for node in names.holding(["prev"], bool).tolist()}
        found = [node for names in called for node in names.holding(["next"], _is_next).tolist()]
        return {node: BY_CLASS for node in found if node in self.short and node not in earlier}

    def find_following(self, current: Mapping[int, int]) -> str | None:
        """Return where the number after the current one leads, in a row of page numbers.

        ``current`` are the nodes that may be the number of this page, with their numbers.
        """
        numbers = self.numbers
        places = list(numbers)
        for node, number in current.items() if numbers else ():
            rank = bisect_left(places, node)
            near = places[max(rank - PARAMETERS.close, 0) : rank + PARAMETERS.close]
            values = {numbers[each] for each in near}
            after = next((each for each in near if each > node and numbers[each] == number + 1), None)
            if after is not None and (number == 1 or number - 1 in values):
                address = self.links.pages[after]
                if len(values) > 1 or str(number + 1) in DIGITS.findall(address):  # two pages have one link
                    return address
        return None

    @cached_property
    def current(self) -> dict[int, int]:
        """What may be the number of this page: no link, one to the page itself, or one that the page marks as such."""
        attributes, url = self.links.measures.nodes.attributes, self.links.addresses.url
        marks = attributes.having("aria-current")
        classes = self.links.measures.nodes.classes
        marked = {*marks, *classes.holding(["current", "active", "selected"], _is_current).tolist()}
        parent = self.links.measures.nodes.parent
        linked = {
            node: number
            for node, number in self.numbers.items()
            if node in marked or int(parent[node]) in marked or (url and self.links.pages[node] == url)
        }
        return self._plain_numbers | linked

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The links that say nothing but a number."""
        said = self.short.items()
        return {node: int(text) for node, text in said if text.isdecimal() and len(text) < PARAMETERS.long_number}

    @cached_property
    def _plain_numbers(self) -> dict[int, int]:
        """The texts that are a number and no link."""
        found = self._unlinked.items()
        return {node: int(text) for node, text in found if text.isdecimal() and len(text) < PARAMETERS.long_number}

    @cached_property
    def _told_numbers(self) -> dict[int, int]:
        """The texts that say which of some pages this is.

        What counts fewer than are linked counts no pages, and a page that is linked is another one than this.
        """
        linked = {*self.numbers.values()}
        most = max(linked, default=0)
        told = ((node, OF_PAGES.fullmatch(text)) for node, text in self._unlinked.items())
        found = {node: (int(place["page"]), int(place["pages"])) for node, place in told if place}
        return {node: page for node, (page, pages) in found.items() if page <= pages >= most and page not in linked}

    @cached_property
    def _unlinked(self) -> dict[int, str]:
        """The short texts that stand in no link."""
        measures = self.links.measures
        texts = measures.texts_in_order
        plain = texts[(measures.chars[texts] <= PARAMETERS.longest) & ~measures.nodes.inside(measures.is_link)[texts]]
        return {node: measures.nodes.text[node].strip() for node in plain.tolist()}


def find_declared(nodes: Nodes, resolve: Callable[[str, int], str | None]) -> list[str]:
    """Return what the head of a page calls the next one; ``resolve`` makes the address at a node absolute."""
    hrefs, relations = nodes.attributes.having("href"), nodes.attributes.having("rel")
    heads = [node for node in nodes.tag.where("link").tolist() if "next" in relations.get(node, "").lower().split()]
    return [url for node in heads if (href := hrefs.get(node, "").strip()) and (url := resolve(href, node))]


def _lead_further(addresses: Sequence[str], following: str) -> bool:
    """Whether addresses are those of the same pager as the following page, but of other pages: ten on, the last."""
    return following not in addresses and any(
        DIGITS.sub("", address) == DIGITS.sub("", following) for address in addresses
    )


def _is_current(name: str) -> bool:
    return CURRENT_NAMES.search(name) is not None


def _is_next(name: str) -> bool:
    return NEXT_NAMES.search(name) is not None
