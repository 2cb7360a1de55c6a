"""Pages of the same site that are read one after the other tell each other what is the site's in their titles."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import ada_url

from windrow.title import PageNames, find_page_names

if TYPE_CHECKING:
    from collections.abc import Generator

    from windrow.loader.outcome import Outcome

MOST_HOSTS = 1000
"""Hosts whose last page is remembered."""


class Introduction(NamedTuple):
    """What a page says to the others of its host."""

    host: str
    url: str
    names: PageNames


class Circle:
    """The pages that came last, one a host; the next of that host meets it."""

    def __init__(self) -> None:
        """Know nobody yet."""
        self._last: OrderedDict[str, Introduction] = OrderedDict()

    def __contains__(self, host: str) -> bool:
        """Return whether a page of a host has come."""
        return host in self._last

    def meet(self, page: Introduction, following: Introduction | None) -> PageNames | None:
        """Return what the page before it on its host says to a page, or to the first that which follows."""
        sibling = self._last.get(page.host)
        if sibling is None and following is not None and following.host == page.host and following.url != page.url:
            sibling = following
        self._last[page.host] = page
        self._last.move_to_end(page.host)
        if len(self._last) > MOST_HOSTS:
            self._last.popitem(last=False)
        return None if sibling is None or sibling.names == page.names else sibling.names


def with_siblings(found: Generator[Outcome, None, None]) -> Generator[Outcome, None, None]:
    """Yield pages in order, each with the names of the page of its host before it; the first with those of the next.

    So that the first can have them, a page is held back until the one after it is there, and no longer.
    """
    circle = Circle()
    held: Outcome | None = None
    with closing(found):
        for each in map(introduced, found):
            if held is not None:
                yield _acquaint(held, each, circle)
            held = each
    if held is not None:
        yield _acquaint(held, None, circle)


def introduced(outcome: Outcome) -> Outcome:
    """Return an outcome with what its page says to others, where that is whole and known to live on a host."""
    page = outcome.page
    if page is None or not outcome.is_whole or not (host := find_host(page.url)):
        return outcome
    return replace(outcome, says=Introduction(host, page.url, find_page_names(page.nodes)))


def with_sibling(outcome: Outcome, sibling: PageNames | None) -> Outcome:
    """Return an outcome whose page knows what another one says; one that knows already keeps that."""
    page = outcome.page
    if page is None or sibling is None or page.siblings:
        return outcome
    return replace(outcome, page=replace(page, siblings=(sibling,)))


def find_host(url: str) -> str:
    """Return the host of an address, or nothing."""
    try:
        return str(ada_url.URL(url).hostname).removeprefix("www.")
    except ValueError:
        return ""


def _acquaint(outcome: Outcome, following: Outcome | None, circle: Circle) -> Outcome:
    if outcome.says is None:
        return outcome
    return with_sibling(outcome, circle.meet(outcome.says, following.says if following is not None else None))
