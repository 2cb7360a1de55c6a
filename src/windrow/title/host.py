"""How much a text is the name of a page's host: the same letters, a part of them, or its initials."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.likeness import Grams, alike, grams

if TYPE_CHECKING:
    from windrow.title.address import Address

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class HostParameters:
    """What is like a host; set by hand, none tuned."""

    initials: float = 0.8
    """How much a name is its initials: nearly, since others may have the same."""
    shortest: int = 3
    """Letters of a name that may be a part of another; two letters are in everything."""
    longest_initials: int = 6
    """Letters of a host that may be initials."""


PARAMETERS = HostParameters()


@dataclass(frozen=True, eq=False)
class HostName:
    """The name of a host in letters: what is registered, what is chosen, and all of it."""

    site: str
    hosts: tuple[str, ...]
    site_grams: Grams

    def score(self, letters: str, text: str) -> float:
        """Return how much a text, in letters and as it is, is the host's name."""
        if not letters or not self.site:
            return 0.0
        if letters in self.hosts:
            return 1.0
        best = alike(grams(letters), self.site_grams)
        for host in self.hosts:
            if min(len(letters), len(host)) >= PARAMETERS.shortest and (letters in host or host in letters):
                best = max(best, min(len(letters), len(host)) / max(len(letters), len(host)))
        if len(self.site) > PARAMETERS.longest_initials:
            return best
        initials = "".join(word[0] for word in WORD.findall(text.lower()))
        is_same = len(initials) >= PARAMETERS.shortest and initials == self.site
        return max(best, PARAMETERS.initials) if is_same else best


def read_host(address: Address) -> HostName:
    """Return the name of a page's host."""
    site = to_letters(address.site)
    hosts = tuple(filter(None, dict.fromkeys((site, address.letters[0], to_letters(address.domain)))))
    return HostName(site, hosts, grams(site))
