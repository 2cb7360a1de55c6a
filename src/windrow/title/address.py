"""What an address says in letters: its host, the segments of its path, and the name of the document.

All are brought to plain letters and digits: percent signs and punycode decoded, other scripts written in the Latin
alphabet, lower case, everything else dropped. So ``Silmäasema`` is found in ``silmaasema.fi``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import unquote

import ada_url
from anyascii import anyascii

NO_LETTER = re.compile(r"[^a-z0-9]+")
EXTENSION = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
PROGRAM = re.compile(r"\.(?:aspx?|cfm|cgi|do|jspx?|php\d?|pl)$", re.IGNORECASE)
NO_DOCUMENT = frozenset({"index", "default", "home"})
SECOND_LEVEL = frozenset(
    ["ac", "co", "com", "edu", "go", "gob", "gov", "gouv", "govt", "ltd", "ne", "net", "nom", "or", "org", "plc", "sch"]
)
COUNTRY = 2
"""Letters of a country's top-level domain."""


@dataclass(frozen=True)
class Address:
    """The parts of an address that may carry a name, still as they are written, percent signs decoded."""

    host: str = ""
    """Without port, ``www`` and public suffix: what somebody chose."""
    site: str = ""
    """The last label of ``host``: the registered name."""
    domain: str = ""
    """The whole host without ``www``."""
    path: tuple[str, ...] = ()
    """Segments before the last slash."""
    document: str = ""
    """What follows the last slash, without its extension; empty where it only says index or home."""
    is_program: bool = False
    """Whether the document is a program that the query tells what to show."""
    query: tuple[str, ...] = ()
    """The values of the query."""

    @property
    def is_home(self) -> bool:
        """Whether the address is that of a site's front page."""
        return bool(self.domain) and not self.path and not self.document and not any(self.query)

    @property
    def own_name(self) -> str:
        """What names the page: its document or last folder; empty where a number or the query says what is shown."""
        if self.is_program or (not self.document and any(self.query)):
            return ""
        name = self.document or (self.path[-1] if self.path else "")
        return name if any(map(str.isalpha, name)) else ""

    @cached_property
    def letters(self) -> tuple[str, tuple[str, ...], str]:
        """Host, path segments and document in plain letters."""
        return to_letters(self.host), tuple(map(to_letters, self.path)), to_letters(self.document)


@lru_cache(maxsize=16)  # the address of a page is asked for by everything that reads it
def read_address(url: str) -> Address:
    """Take an address apart; one without any part where it can't be read. Query and fragment are ignored."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return Address()
    domain = parsed.hostname.removeprefix("www.").rstrip(".")
    domain = ada_url.idna_to_unicode(domain) if "xn--" in domain else domain
    host = _chosen_part(domain)
    *path, document = unquote(parsed.pathname).lstrip("/").split("/")
    search = parsed.search[1:]
    query = tuple(unquote(part.partition("=")[2].replace("+", " ")) for part in search.split("&")) if search else ()
    is_program = any(query) and PROGRAM.search(document) is not None
    document = EXTENSION.sub("", document)
    if document.lower() in NO_DOCUMENT:
        document = ""
    return Address(host, host.rpartition(".")[2], domain, tuple(filter(None, path)), document, is_program, query)


def to_letters(text: str) -> str:
    """Write a text in lower-case Latin letters and digits, and drop everything else."""
    return NO_LETTER.sub("", (text if text.isascii() else anyascii(text)).lower())


def _chosen_part(domain: str) -> str:
    """Cut the public suffix off a host: the last label, and a second one such as ``co`` before a country's."""
    labels = domain.split(".")
    if len(labels) == 1 or labels[-1].isdigit():
        return domain
    has_two = len(labels[-1]) == COUNTRY and len(labels[:-1]) > 1 and labels[-2] in SECOND_LEVEL
    return ".".join(labels[: -2 if has_two else -1])
