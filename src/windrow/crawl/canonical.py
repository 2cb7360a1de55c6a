"""The canonical address that a page claims for itself, as far as it can be believed.

It is meant to bring duplicates together, and where a template has it wrong, it makes one page of a thousand. So only
a claim within the page's own site counts, the front page is nobody else's, and an address must look like the page's
own. What is not believed costs no more than a page that is stored twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.crawl.addresses import Address, identity, is_same_site

if TYPE_CHECKING:
    from windrow.page import Page


def canonical_of(page: Page) -> str | None:
    """Return the canonical address that a page claims by ``<link rel=canonical>``; None where it can't be believed.

    What is meant for sharing (``og:url``) is no claim: it names the site or a campaign more often than the page.
    """
    nodes = page.nodes
    hrefs = nodes.attributes.having("href")
    claims = {
        page.resolve(hrefs[node].strip(), node)
        for node, rel in nodes.attributes.having("rel").items()
        if nodes.tag[node] == "link" and "canonical" in rel.lower().split() and hrefs.get(node, "").strip()
    }
    claim = claims.pop() if len(claims) == 1 else None
    if claim is None or not is_same_site(claim, page.url):
        return None
    return None if _is_front(claim) and not _is_front(page.url) else claim


def own_address(page: Page, url: str, ignored: frozenset[str] = frozenset()) -> str:
    """Return the identity of a record's page: that of the canonical address that it claims, if that can be its own.

    It can where it ends in the same name and has the same parameters as the page's address ``url``: a product in two
    categories, but not another product, nor the category. ``ignored`` are parameters that do not count, as in
    ``identity``.
    """
    own, claim = Address.parse(identity(url, ignored)), Address.parse(identity(canonical_of(page) or url, ignored))
    if own is None or claim is None or own == claim:
        return identity(url, ignored)
    is_own = _name(own) == _name(claim) != "" and own.query == claim.query
    return claim.identity() if is_own else identity(url, ignored)


def _name(address: Address) -> str:
    """Return the last name of an address's path."""
    return address.path.rstrip("/").rpartition("/")[2]


def _is_front(url: str) -> bool:
    address = Address.parse(identity(url))
    return address is not None and address.path == "/" and not address.query
