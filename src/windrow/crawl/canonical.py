"""The canonical address that a page claims for itself, as far as it can be believed.

It is meant to bring duplicates together, and where a template has it wrong, it makes one page of a thousand. So only
a claim within the page's own site counts, the front page is nobody else's, and pages that share a claim must look like
one page by their addresses, too. What is not believed costs no more than a page that is fetched twice.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from windrow.crawl.addresses import Address, identity, is_same_site

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def believable(canonicals: Mapping[str, str], ignored: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return the claims of records' pages that hold beside each other, by the addresses of the pages that make them.

    A claim does not hold where the page that it names claims another. Where several pages share it, their addresses
    must end in the same name and the same parameters, and where the page that it names is among them, in its name: a
    product in two categories, but not two products. ``ignored`` are parameters that do not count, as in ``identity``.
    """
    claims = {identity(url, ignored): identity(claim, ignored) for url, claim in canonicals.items()}
    others: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for url, claim in claims.items():
        if url != claim:
            others[claim].add(_end(url))
    held = {claim for claim, ends in others.items() if len(ends) == 1 and _agrees(claim, claims, ends)}
    found = {url: identity(claim, ignored) for url, claim in canonicals.items()}
    return {url: canonicals[url] for url, claim in found.items() if claim in held or claim == identity(url, ignored)}


def _agrees(claim: str, claims: Mapping[str, str], ends: set[tuple[str, str]]) -> bool:
    """Whether the page that others claim to be says the same of itself and has their name, where it is known."""
    return claim not in claims or (claims[claim] == claim and all(name == _end(claim)[0] for name, _ in ends))


def _end(url: str) -> tuple[str, str]:
    """Return the last name of an address's path, and its query."""
    address = Address.parse(url)
    return (address.path.rstrip("/").rpartition("/")[2], address.query) if address else (url, "")


def _is_front(url: str) -> bool:
    address = Address.parse(identity(url))
    return address is not None and address.path == "/" and not address.query
