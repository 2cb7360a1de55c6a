"""Addresses: when two lead to one page, and whether two are of one site.

An address is fetched as it was found; its identity is for comparing it with others. What is certain to mean the same
is made the same: spelling, by the URL standard and RFC 3986, fragments, and parameters that only say where a visitor
came from. The order of parameters is kept: sorting them would make one page of two where a site tells them apart by
it, and a page that is lost is worse than one that is fetched twice.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_plus

import ada_url

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class AddressParameters:
    """Parameters of addresses that never decide what a page shows, by what their makers document."""

    tracking: frozenset[str] = frozenset(
        "gclid gclsrc dclid gbraid wbraid srsltid _ga _gl fbclid fb_action_ids fb_action_types fb_source igshid igsh "
        "msclkid yclid ysclid _openstat twclid ttclid li_fat_id epik rdt_cid mc_cid mc_eid mkt_tok _hsenc _hsmi "
        "hsctatracking vero_id vero_conv oly_anon_id oly_enc_id wickedid rb_clickid ml_subscriber ml_subscriber_hash "
        "piwik_campaign piwik_kwd piwik_keyword".split()
    )
    """Clicks and campaigns: what search engines, social networks, mailers and analytics add."""
    prefixes: tuple[str, ...] = ("utm_", "pk_", "mtm_", "matomo_")
    """The beginnings of the names of such parameters."""
    sessions: frozenset[str] = frozenset("phpsessid jsessionid aspsessionid cfid cftoken".split())
    """Sessions by the names that servers give them of themselves; those with other names are learned."""
    most: int = 50
    """Parameters of an address from which something is learned; more is a denial of service."""


PARAMETERS = AddressParameters()

_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SESSION = re.compile(r";jsessionid=[^/?#;]*", re.IGNORECASE)


class Address(NamedTuple):
    """The parts of an address as the URL standard serialises it, without user name and password."""

    scheme: str
    host: str
    """With its port, unless that is the scheme's own."""
    path: str
    query: str
    fragment: str

    @classmethod
    def parse(cls, url: str, base: str | None = None) -> Address | None:
        """Return the parts of an address, or of a reference that stands on another; None where it is none."""
        try:
            href = ada_url.normalize_url(url) if base is None else ada_url.join_url(base, url)
        except ValueError:
            return None
        # The standard's own serialisation is taken apart by its first separators, much faster than by asking for parts.
        rest, _, fragment = href.partition("#")
        rest, _, query = rest.partition("?")
        scheme, _, rest = rest.partition(":")
        authority, slash, path = rest[2:].partition("/") if rest.startswith("//") else ("", "", rest)
        return cls(scheme, authority.rpartition("@")[2], f"{slash}{path}", query, fragment)

    @property
    def is_page(self) -> bool:
        """Whether it is an address that pages have: of the web."""
        return self.scheme in {"http", "https"}

    @property
    def site(self) -> str:
        """What the addresses of a site have in common: the host, with or without ``www.``, and the port.

        Plain and secure are one site on their default ports. Other hosts of a domain are not: they may be anybody's.
        """
        return self.host.removeprefix("www.") if self.is_page else ""

    def identity(self, ignored: frozenset[str] = frozenset()) -> str:
        """Return the form in which it is compared with others; ``ignored`` are names of parameters to leave out."""
        host = f"{self.scheme}://{self.host}" if self.host else f"{self.scheme}:"
        path = unescape(_PATH_SESSION.sub("", self.path))
        kept = [part for part in self.query.split("&") if part and not _is_ignored(part, ignored)] if self.query else []
        query = f"?{unescape('&'.join(kept))}" if kept else ""
        return f"{host}{path}{query}{f'#{self.fragment}' if self.fragment.startswith('!') else ''}"


def identity(url: str, ignored: frozenset[str] = frozenset()) -> str:
    """Return the form in which an address is compared with others; ``ignored`` are names of parameters to leave out.

    What is no address is returned as it is.
    """
    address = Address.parse(url)
    return url.strip() if address is None else address.identity(ignored)


def unescape(text: str) -> str:
    """Return a part of an address with one spelling for each character (RFC 3986, 6.2.2): unreserved ones plain."""

    def spell(found: re.Match[str]) -> str:
        char = chr(int(found[1], 16))
        return char if char in _UNRESERVED else found[0].upper()

    return _ESCAPED.sub(spell, text) if "%" in text else text


def name_of(parameter: str) -> str:
    """Return the name of a parameter as it stands in a query, ``name=value``."""
    return unquote_plus(parameter.partition("=")[0])


def _is_ignored(parameter: str, ignored: frozenset[str]) -> bool:
    name = name_of(parameter)
    folded = name.lower()
    known = folded in PARAMETERS.tracking or folded in PARAMETERS.sessions or folded.startswith(PARAMETERS.prefixes)
    return known or name in ignored


def is_same_site(url: str, other: str) -> bool:
    """Whether two addresses are of one site of the web."""
    one, two = Address.parse(url), Address.parse(other)
    return one is not None and two is not None and one.site == two.site != ""


def learn_ignored(keys: Mapping[str, str]) -> frozenset[str]:
    """Return the names of parameters that do not decide which record a page shows, such as those of sessions.

    ``keys`` are the keys of the records by the addresses of their pages. A parameter is learned from two addresses
    that differ in nothing else and have one key. Where leaving out all that was learned would make one address of
    pages with different keys, or where there is only one key, nothing is certain, and nothing is learned.
    """
    named = {url: _names_of(url) for url in keys}
    alike: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    """By an address without a parameter, and that parameter: the addresses that differ in it alone."""
    without: defaultdict[str, set[str]] = defaultdict(set)
    for url, names in named.items():
        for name in names:
            rest = identity(url, frozenset({name}))
            alike[rest, name].add(url)
            without[rest].add(name)
    for url in keys:  # the address that does not have the parameter at all is one of them
        whole = identity(url)
        for name in without.get(whole, ()):
            alike[whole, name].add(url)
    found = frozenset(
        name
        for (_, name), urls in alike.items()
        if len({identity(url) for url in urls}) > 1 and len({keys[url] for url in urls}) == 1
    )
    merged: dict[str, str] = {}
    is_certain = all(merged.setdefault(identity(url, found), key) == key for url, key in keys.items())
    return found if is_certain and len(set(keys.values())) > 1 else frozenset()


def _names_of(url: str) -> set[str]:
    """Return the names of the parameters of an address; none where it has so many that they are no parameters."""
    parameters = identity(url).partition("#")[0].partition("?")[2].split("&")
    return set(map(name_of, filter(None, parameters))) if len(parameters) <= PARAMETERS.most else set()
