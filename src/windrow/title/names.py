"""Whose site a page is on: everything that may be the name of the site or the business."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from windrow.title.address import to_letters

if TYPE_CHECKING:
    from windrow.nodes import Handle
    from windrow.title.address import Address
    from windrow.title.markup import Markup
    from windrow.title.metadata import Thing

METAS = ("og:site_name", "application-name", "apple-mobile-web-app-title", "author", "dc.publisher")
LOGO = re.compile(r"^logo\b\s*|\s*\blogo$", re.IGNORECASE)
RIGHTS = re.compile(
    r"(?:©|\(c\)|copyright)(?:[\s\d,©–-]|\(c\)|copyright|by\b){0,40}+([^\W\d_][^|©\n]{2,59})", re.IGNORECASE
)
"""Whoever holds the rights; bounded and without a way back, so that a line of nothing but signs costs little."""
SIGNS = re.compile(r"©|opyright|\(c\)")
AFTER_NAME = re.compile(
    r"\s*(?:\.\s|\ball rights|\balle rechte|\btous droits|\btodos los|\d{4}|,? inc\.? all|[|•·–]|\s-\s).*$",
    re.IGNORECASE,
)
HOME_LINKS = frozenset(
    {"/", "./", ".", "../", "index.html", "index.htm", "index.php", "/index.html", "default.aspx", "/home"}
)
FORM = re.compile(
    r"(?:\.(?:com|net|org)\b)?(?:,?\s+(?:company|corporation|corp|group|inc|limited|llc|ltd|gmbh|plc|co)\b\.?)?",
    re.IGNORECASE,
)
"""What may follow a name: a domain, the legal form."""
DOMAIN_END = re.compile(r"\.[a-z]{2}")
"""What follows a name that is written in one word where it is the host's, as an address."""


@dataclass(frozen=True)
class NameLimits:
    """Where names are looked for, and what can be one; set by hand, none tuned."""

    links: int = 4  # not a decision: bounds the work
    """Links to the front page."""
    images: int = 6  # not a decision: bounds the work
    """Images at the top of the page, one of which may be the logo."""
    owners: int = 2  # not a decision: bounds the work
    """Names in copyright lines."""
    rights: int = 20  # not a decision: bounds the work
    """Copyright lines that are looked at, from the end of the page."""
    shortest: int = 3
    longest: int = 79
    """Letters of a name."""
    shortest_host: int = 4
    """Letters of a host that do not occur by chance."""
    widest: int = 4
    """How far two letters of a name may be apart: a space, an ampersand, a space."""


LIMITS = NameLimits()


def read_names(metas: dict[str, list[str]], things: list[Thing]) -> list[tuple[str, str]]:
    """Return the names that meta tags and structured data give, each with where it was found."""
    found = [(key, value) for key in METAS for value in metas.get(key, [])[:2]]
    found += [("copyright", name) for name in read_owners([f"© {text}" for text in metas.get("copyright", [])[:2]])]
    found += [("data", thing.text) for thing in things if thing.kind == "site"]
    return _keep(found)


def read_linked_names(markup: Markup, address: Address) -> list[tuple[str, str]]:
    """Return the names in links to the front page and beside logos, each with where it was found."""
    found = [("home link", text) for text in _home_links(markup, address)]
    return _keep(found + [("logo", text) for text in _logos(markup)])


def _keep(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((kind, text) for kind, text in found if 1 < len(text) <= LIMITS.longest))


def read_owners(texts: list[str]) -> list[str]:
    """Return the names in the last copyright lines of a page."""
    found = list[str]()
    if not SIGNS.search("\n".join(texts)):  # looked for in all of them at once, for most have none
        return found
    for text in islice(filter(SIGNS.search, reversed(texts)), LIMITS.rights):
        if match := RIGHTS.search(text):
            name = AFTER_NAME.sub("", match[1]).strip(" .,-–|")
            if len(name) >= LIMITS.shortest:
                found.append(name)
        if len(found) == LIMITS.owners:
            break
    return found


def spell_host(label: str, texts: list[str]) -> list[str]:
    """Return how a page writes its host's name: the same letters with spaces, capitals and marks between them."""
    letters = to_letters(label)
    if len(letters) < LIMITS.shortest_host:
        return []
    found = Counter(name for text in texts if letters[:2] in text.lower() and (name := _spell(letters, text)))
    return [name for name, _ in found.most_common(2)]


def _spell(letters: str, text: str) -> str:
    """Return the part of a text that has exactly these letters, with the legal form that follows it."""
    folded = text.lower()
    if len(folded) != len(text):
        return ""
    places = [place for place, sign in enumerate(folded) if sign.isalnum()]
    start = "".join(folded[place] for place in places).find(letters)
    if start < 0:
        return ""
    own = places[start : start + len(letters)]
    first, last = own[0], own[-1] + 1
    is_whole = not (folded[first - 1 : first].isalnum() or folded[last : last + 1].isalnum())
    is_address = folded[first - 1 : first] in ("@", ".", "/") or folded[last : last + 1] in ("@", "/")
    is_address |= last - first == len(letters) and DOMAIN_END.match(folded, last) is not None
    if not is_whole or is_address or any(after - before > LIMITS.widest for before, after in pairwise(own)):
        return ""
    form = FORM.match(text, last)
    return " ".join(text[first : form.end() if form else last].split())


def _home_links(markup: Markup, address: Address) -> list[str]:
    """Return the texts of the first links to the front page, or the words for their pictures."""
    found = []
    homes = HOME_LINKS | {
        f"{scheme}//{www}{address.domain}{end}"
        for scheme in ("http:", "https:", "")
        for www in ("", "www.")
        for end in ("", "/")
    }
    seen = 0
    for node in markup.named("a"):
        if markup.elements.attribute(node, "href") in homes:
            seen += 1
            text = markup.text(node) or _alt(markup, node)
            if text:
                found.append(LOGO.sub("", text))
            if seen >= LIMITS.links:
                break
    return found


def _alt(markup: Markup, node: Handle) -> str:
    for inner, _ in markup.elements.walk(node):
        if markup.elements.tag(inner) == "img":
            return " ".join(markup.attributes(inner).get("alt", "").split())
    return ""


def _logos(markup: Markup) -> list[str]:
    found = []
    for node in markup.named("img")[: LIMITS.images]:
        attributes = markup.attributes(node)
        alt = " ".join(attributes.get("alt", "").split())
        if LIMITS.shortest <= len(alt) <= LIMITS.longest:
            words = " ".join(
                (alt, attributes.get("class", ""), attributes.get("id", ""), attributes.get("src", "")[-60:])
            )
            if "logo" in words.lower() or "logo" in markup.around(node):
                found.append(LOGO.sub("", alt))
    return found
