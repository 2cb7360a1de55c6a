"""Pages of the same site that are read one after the other tell each other what is the site's in their titles."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import ada_url

from windrow.page import Page
from windrow.title import find_page_names

if TYPE_CHECKING:
    from collections.abc import Generator

    from windrow.loader.outcome import Outcome
    from windrow.title import PageNames

MOST_HOSTS = 1000
"""Hosts whose last page is remembered."""


def with_siblings(found: Generator[Page | Outcome, None, None]) -> Generator[Page | Outcome, None, None]:
    """Yield pages in order, each with the names of the page of its host before it; the first with those of the next.

    So that the first can have them, a page is held back until the one after it is there, and no longer.
    """
    known: OrderedDict[str, PageNames] = OrderedDict()
    held: Page | Outcome | None = None
    with closing(found):
        for each in found:
            if held is not None:
                yield _introduce(held, each, known)
            held = each
    if held is not None:
        yield _introduce(held, None, known)


def _introduce(
    page: Page | Outcome, following: Page | Outcome | None, known: OrderedDict[str, PageNames]
) -> Page | Outcome:
    """Return a page with what another page of its host says, and remember what it says itself."""
    if not isinstance(page, Page) or page.siblings or not (host := _host(page)):
        return page
    own, sibling = find_page_names(page.nodes), known.get(host)
    if sibling is None and isinstance(following, Page) and _host(following) == host and following.url != page.url:
        sibling = find_page_names(following.nodes)
    known[host] = own
    known.move_to_end(host)
    if len(known) > MOST_HOSTS:
        known.popitem(last=False)
    return page if sibling is None or sibling == own else replace(page, siblings=(sibling,))


def _host(page: Page) -> str:
    try:
        return str(ada_url.URL(page.url).hostname).removeprefix("www.")
    except ValueError:
        return ""
