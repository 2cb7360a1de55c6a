"""robots.txt by RFC 9309: which addresses of a host may be fetched, and how fast.

M. Koster, G. Illyes, H. Zeller, L. Sassman: Robots Exclusion Protocol, RFC 9309, 2022. A file is groups of rules for
product tokens; a crawler keeps to all groups of its own token, or to those of ``*`` where there is none (2.2.1). Of
the rules that match an address the longest decides, and of two as long the one that allows (2.2.2). Where there is no
file, the status of the answer decides (2.3.1).

Groups are read here and patterns are matched by protego, which would take a prefix of our token for it, keep versions
in tokens, lose the first group behind a byte-order mark, and let other records break groups apart.

Departures: Crawl-delay, which the standard does not know, is kept and counts as a rule of its group, as those mean it
who write it; 429 is a wish to be left alone and closes the host. A rule that ends in ``$`` also holds for addresses
that have a dollar sign there.
"""

from __future__ import annotations

import codecs
import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import ada_url

from windrow.errors import RobotsError, StatusError
from windrow.source.guard import shown_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from protego import Protego

    from windrow.errors import WindrowError
    from windrow.source.fetch import Answer

TOKEN = "windrow"  # noqa: S105 - the name by which robots.txt files know us
EVERYBODY = "*"


@dataclass(frozen=True)
class RobotsParameters:
    """The standard's values."""

    most_bytes: int = 500 * 1024  # 2.5
    most_redirects: int = 5  # 2.3.1.2
    most_seconds: float = 86_400.0  # 2.4: a copy may be used so long; ours: no wish for a delay is longer


PARAMETERS = RobotsParameters()

_OK, _MULTIPLE_CHOICES, _ERROR, _TOO_MANY, _SERVER_ERROR = 200, 300, 400, 429, 500
_NAMES = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    # Spellings that are met so often that other crawlers know them, too.
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    **dict.fromkeys(("crawl-delay", "crawl delay", "crawldelay"), "crawl-delay"),
    **dict.fromkeys(("sitemap", "site-map"), "sitemap"),
    "allow": "allow",
}
_PRODUCT = re.compile(r"[a-z_-]+", re.IGNORECASE)
_SLASH = re.compile("%2f", re.IGNORECASE)
_BEYOND_ASCII = re.compile(r"[^\x21-\x7e]")


class Rule(NamedTuple):
    """A line that allows or disallows what its pattern matches."""

    allows: bool
    pattern: str


@dataclass(frozen=True)
class Robots:
    """What a host's robots.txt says to one crawler."""

    rules: tuple[Rule, ...] = ()
    delay: float | None = None
    """Seconds between requests that the host asks for."""
    sitemaps: tuple[str, ...] = ()
    closed: str = ""
    """Why nothing of the host may be fetched, whatever the rules are, as a sentence; empty where they decide."""
    token: str = field(default=TOKEN, repr=False)

    def allows(self, url: str) -> bool:
        """Whether an address of the host may be fetched; robots.txt itself always may."""
        parsed = ada_url.URL(url)
        if parsed.pathname == "/robots.txt":
            return True
        return not self.closed and bool(self._matcher.can_fetch(_unescape_query(parsed.href), self.token))

    def require(self, url: str) -> None:
        """Raise ``RobotsError`` where an address may not be fetched."""
        if not self.allows(url):
            why = self.closed or "The robots.txt of its host asks not to fetch it."
            raise RobotsError(f"{shown_url(url)} was not fetched. {why}")

    @property
    def text(self) -> str:
        """What of the file concerns this crawler, as a robots.txt that reads the same."""
        lines = [f"User-agent: {self.token}"]
        lines += [f"{'Allow' if rule.allows else 'Disallow'}: {rule.pattern}" for rule in self.rules]
        lines += [] if self.delay is None else [f"Crawl-delay: {self.delay!r}"]
        return "\n".join([*lines, *(f"Sitemap: {address}" for address in self.sitemaps), ""])

    @cached_property
    def _matcher(self) -> Protego:
        from protego import Protego  # noqa: PLC0415 - only who crawls pays for it

        lines = [f"User-agent: {self.token}"]
        for rule in self.rules:
            # Protego takes "/index.html" for "/" as well, which the standard does not, unless something follows it.
            pattern = f"{rule.pattern}*" if rule.pattern.endswith("/index.html") else rule.pattern
            lines.append(f"{'Allow' if rule.allows else 'Disallow'}: {_unescape_query(pattern)}")
        return Protego.parse("\n".join(lines))


def robots_url(url: str) -> str:
    """Return where the robots.txt is that an address is subject to."""
    return f"{ada_url.URL(url).origin}/robots.txt"


def robots_of_answer(answer: Answer, token: str = TOKEN) -> Robots:
    """Return what follows from the answer to a request for robots.txt."""
    if len(answer.redirects) > PARAMETERS.most_redirects:
        return Robots(token=token)
    if answer.cut and len(answer.body) < PARAMETERS.most_bytes:
        return robots_of_status(None, token=token)
    return robots_of_status(answer.status, answer.body, token)


def robots_of_error(error: WindrowError, token: str = TOKEN) -> Robots:
    """Return what follows from a request for robots.txt that failed; also one that the guard refused."""
    if isinstance(error, StatusError):
        return robots_of_status(error.status, token=token)
    if len(error.redirects) > PARAMETERS.most_redirects:
        return Robots(token=token)
    return robots_of_status(None, token=token)


def robots_of_status(status: int | None, body: bytes = b"", token: str = TOKEN) -> Robots:
    """Return what follows from the status of the answer, None where none came: rules, everything, or nothing.

    429 closes the host for as long as its Retry-After says; 304 says nothing, so what was known then still holds.
    """
    if status is not None and _OK <= status < _MULTIPLE_CHOICES:
        return read_robots(body, token)
    if status is not None and _ERROR <= status < _SERVER_ERROR and status != _TOO_MANY:
        return Robots(token=token)
    why = "did not come" if status is None else f"was answered with status {status}"
    closed = f"The robots.txt of its host {why}, so nothing is fetched there until it can be read."
    return Robots(closed=closed, token=token)


def read_robots(body: bytes, token: str = TOKEN) -> Robots:
    """Return what a robots.txt says to the crawler with a product token; what is not understood is passed over."""
    groups: dict[str, _Group] = {}
    agents: list[str] = []
    sitemaps: list[str] = []
    collects = False
    for name, value in _read_lines(_cut(body)):
        if name == "sitemap":
            sitemaps.append(value.encode("latin-1").decode("utf-8", "replace"))
        elif name == "user-agent":
            agents = [*agents, _read_token(value)] if collects else [_read_token(value)]
            groups.setdefault(agents[-1], _Group([], []))
            collects = True
        else:
            collects = False
            for agent in dict.fromkeys(agents):
                groups[agent].add(name, value)
    group = groups.get(token.lower()) or groups.get(EVERYBODY) or _Group([], [])
    return Robots(tuple(group.rules), max(group.delays, default=None), tuple(filter(None, sitemaps)), token=token)


def _unescape_query(text: str) -> str:
    """Return an address or pattern whose query has slashes in one spelling, as in the standard's table in 2.2.2."""
    path, mark, query = text.partition("?")
    return f"{path}{mark}{_SLASH.sub('/', query)}"


class _Group(NamedTuple):
    """All lines for one product token, wherever they stand."""

    rules: list[Rule]
    delays: list[float]

    def add(self, name: str, value: str) -> None:
        if name == "crawl-delay":
            self.delays.extend(_read_delay(value))
        elif value:
            # Escaping byte by byte makes the same of a path in UTF-8 as of the address, and of other encodings, too.
            pattern = _BEYOND_ASCII.sub(lambda found: f"%{ord(found[0]):02X}", value)
            self.rules.append(Rule(name == "allow", pattern))


def _cut(body: bytes) -> bytes:
    """Return as much of a file as must be read, up to the end of a line, in an encoding that contains ASCII."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        body = body[: 2 * PARAMETERS.most_bytes].decode("utf-16", "replace").encode()
    body = body.removeprefix(codecs.BOM_UTF8)
    if len(body) <= PARAMETERS.most_bytes:
        return body
    part = body[: PARAMETERS.most_bytes]
    return part[: max(part.rfind(b"\n"), part.rfind(b"\r")) + 1]


def _read_lines(body: bytes) -> Iterator[tuple[str, str]]:
    for line in body.splitlines():
        text = line.partition(b"#")[0].decode("latin-1").strip(" \t\0")
        name, colon, value = text.partition(":")
        if not colon:
            name, _, value = text.partition(" ")
        if known := _NAMES.get(name.strip(" \t").lower()):
            yield known, value.strip(" \t\0")


def _read_token(value: str) -> str:
    """Return the product token of a user-agent line in lower case, without the version or whatever follows it."""
    if value.split()[:1] == [EVERYBODY]:
        return EVERYBODY
    found = _PRODUCT.match(value)
    return found[0].lower() if found else ""


def _read_delay(value: str) -> list[float]:
    try:
        seconds = float(value)
    except ValueError:
        return []
    return [min(seconds, PARAMETERS.most_seconds)] if math.isfinite(seconds) and seconds >= 0 else []
