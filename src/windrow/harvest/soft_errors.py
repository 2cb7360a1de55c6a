"""Pages that say with status 200 that there is no such page.

Words alone may be wrong. Sure is what a site shows for an address that nobody ever made: where a page is the same as
that one, there is no page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import ada_url

from windrow.wrapper.normalization import folded
from windrow.wrapper.template.walls import ABSENCE, WALL, says

if TYPE_CHECKING:
    from windrow.page import Page

ABSENT = "The page says that there is no such page, though its status does not."
NOBODYS = "windrow-no-such-page"
"""The name of a page that nobody ever made."""
NO_NUMBER = "1987654321"
"""The number of a page that nobody ever made, within what sites can reckon with."""
_VALUE = re.compile(r"(?<==).+|^[^=]+$")
"""What a pair of a query says, and one that is no pair."""
_NUMBERED = re.compile(r"error (?:404|410)\b", re.IGNORECASE)
"""What such a page says as well as a wall with another number."""


def says_absent(page: Page) -> bool:
    """Whether a page that does not show what it should says that there is no such page, and asks for nothing."""
    return says(page.text, ABSENCE) and not says_wall(page)


def says_wall(page: Page) -> bool:
    """Whether a page asks for a password, or says what walls say."""
    asks = "password" in page.nodes.attributes.having("type").values()
    return asks or says(_NUMBERED.sub(" ", page.text), WALL)


def made_up_address(url: str) -> str:
    """Return an address beside another one that nobody ever made: of the same form, with another name or number.

    Where an address has a query, its values tell pages apart.
    """
    parsed = ada_url.URL(url)
    if parsed.search:
        query = "&".join(_VALUE.sub(_made_up, pair) for pair in parsed.search[1:].split("&"))
        return f"{parsed.origin}{parsed.pathname}?{query}"
    above, _, name = parsed.pathname.rpartition("/")
    return f"{parsed.origin}{above}/{_nobodys(name)}"


def _made_up(value: re.Match[str]) -> str:
    return _nobodys(value[0])


def _nobodys(name: str) -> str:
    return NO_NUMBER if name.isdecimal() else NOBODYS


def is_alike(page: Page, url: str, other: Page, other_url: str) -> bool:
    """Whether two pages are the same but for their addresses, which such pages like to repeat."""
    urls = url, other_url
    return _without_addresses(page, urls) == _without_addresses(other, urls)


def _without_addresses(page: Page, urls: tuple[str, str]) -> str:
    text = folded(page.text)
    for parsed in map(ada_url.URL, urls):
        path, query = parsed.pathname, parsed.search
        for part in (parsed.href, path + query, path, path.rpartition("/")[2]):
            text = text.replace(folded(part), "") if part.strip("/") else text
        for value in (value for pair in query[1:].split("&") for value in _VALUE.findall(pair)):
            text = re.sub(rf"\b{re.escape(folded(value))}\b", "", text)
    return text
