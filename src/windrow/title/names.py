"""Whose site a page is on: everything that may be the name of the site or the business."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from windrow.title.address import to_letters

if TYPE_CHECKING:
    from windrow.title.address import Address
    from windrow.title.markup import Markup
    from windrow.title.metadata import Thing

METAS = ("og:site_name", "application-name", "apple-mobile-web-app-title", "author", "copyright", "dc.publisher")
LOGO = re.compile(r"\s*\blogo\b\s*", re.IGNORECASE)
RIGHTS = re.compile(r"(?:©|\(c\)|copyright)[\s\d,©–-]*(?:\(c\)|copyright|by)?[\s\d,©–-]*([^|©\n]{3,60})", re.IGNORECASE)
AFTER_NAME = re.compile(
    r"\s*(?:\.\s|\ball rights|\balle rechte|\btous droits|\btodos los|\d{4}|,? inc\.? all|[|•·–]|\s-\s).*$", re.IGNORECASE
)
HOME_LINKS = frozenset({"/", "./", ".", "../", "index.html", "index.htm", "index.php", "/index.html", "default.aspx", "/home"})
MOST_LINKS = 4
MOST_IMAGES = 15
LONGEST = 80
FORM = r"(?:,?\s+(?:company|corporation|corp|group|inc|limited|llc|ltd|gmbh|plc|co)\b\.?)?"


def read_names(
    markup: Markup, metas: dict[str, list[str]], things: list[Thing], links: dict[int, str], address: Address
) -> list[tuple[str, str]]:
    """List where a name was found and the name."""
    found = [(key, value) for key in METAS for value in metas.get(key, [])[:2]]
    found += [("data", thing.text) for thing in things if thing.kind == "site"]
    found += [("home link", text) for text in _home_links(markup, links, address)]
    found += [("logo", text) for text in _logos(markup)]
    return list(dict.fromkeys((kind, text) for kind, text in found if 1 < len(text) < LONGEST))


def read_owners(texts: list[str]) -> list[str]:
    """Give the names in the last copyright lines of a page."""
    found = []
    for text in reversed([text for text in texts if "©" in text or "opyright" in text or "(c)" in text]):
        if match := RIGHTS.search(text):
            name = AFTER_NAME.sub("", match[1]).strip(" .,-–|")
            if len(name) > 2:  # noqa: PLR2004 - letters of the shortest name
                found.append(name)
        if len(found) == 2:  # noqa: PLR2004 - the last two will do
            break
    return found


def spell_host(label: str, text: str) -> list[str]:
    """Find how a page writes its host's name: the same letters with spaces, capitals and marks between them."""
    letters = to_letters(label)
    if len(letters) < 4:  # noqa: PLR2004 - fewer letters occur by chance
        return []
    pattern = r"[\s&'’.+-]{0,3}".join(letters)
    spellings = re.findall(rf"(?<![\w@./-])(?:the\s)?{pattern}(?:\.com|\.net|\.org)?(?![\w@/-]){FORM}", text, re.IGNORECASE)
    return [" ".join(name.split()) for name, _ in Counter(spellings).most_common(2)]


def _home_links(markup: Markup, links: dict[int, str], address: Address) -> list[str]:
    """Give the texts of the first links to the front page, or the words for their pictures."""
    found = []
    homes = HOME_LINKS | {f"{scheme}//{www}{address.domain}{end}" for scheme in ("http:", "https:", "") for www in ("", "www.") for end in ("", "/")}
    seen = 0
    for node, href in links.items():
        if href in homes and markup.tags[node] == "a":
            seen += 1
            text = markup.text(node) or _alt(markup, node)
            if text:
                found.append(LOGO.sub(" ", text).strip())
            if seen >= MOST_LINKS:
                break
    return found


def _alt(markup: Markup, node: int) -> str:
    for inner in markup.inside(node):
        if markup.tags[inner] == "img":
            return " ".join(markup.attributes(inner).get("alt", "").split())
    return ""


def _logos(markup: Markup) -> list[str]:
    found = []
    for node in markup.nodes.tag.where("img").tolist()[:MOST_IMAGES]:
        attributes = markup.attributes(node)
        alt = " ".join(attributes.get("alt", "").split())
        if 2 < len(alt) < LONGEST:  # noqa: PLR2004 - letters of the shortest name
            words = " ".join((alt, attributes.get("class", ""), attributes.get("id", ""), attributes.get("src", "")[-60:]))
            if "logo" in words.lower() or "logo" in markup.around(node):
                found.append(LOGO.sub(" ", alt).strip())
    return found
