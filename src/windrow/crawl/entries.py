"""Addresses that somebody lists, each looked at before it is taken: what is passed over is counted, with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import ada_url

from windrow.crawl.addresses import Address
from windrow.source.guard import MAX_URL, shown_url

REASONS = {
    "broken": "not an address",
    "scheme": "not of the web",
    "elsewhere": "on another site",
    "itself": "the page itself",
    "nofollow": "marked nofollow",
    "download": "a file to download",
    "unlike": "not like the pattern",
}
"""Why an address is passed over, by the word for programs."""


class Entry(NamedTuple):
    """An address that is listed, and when its page was last changed, where that is said."""

    url: str
    modified: datetime | None = None


@dataclass(frozen=True)
class Passed:
    """What was passed over."""

    counts: Mapping[str, int] = field(default_factory=dict)
    """How often, by a word of ``REASONS``."""
    examples: Mapping[str, str] = field(default_factory=dict)
    """The first address for each, as it may be shown."""

    def __len__(self) -> int:
        """Return how many addresses were passed over."""
        return sum(self.counts.values())

    def __str__(self) -> str:
        """Return the reasons as a sentence; empty without any."""
        said = [f"{count} {REASONS[why]} (such as {self.examples[why]})" for why, count in self.counts.items()]
        return f"Passed over: {', '.join(said)}." if said else ""


class Sieve:
    """Takes addresses of some sites, each page once."""

    def __init__(self, *sites: str) -> None:
        """Take what is of the site of one of these addresses; of any site, where there are none."""
        self._sites = {address.site for site in sites if (address := Address.parse(site)) is not None} - {""}
        self._any = not sites
        self._taken: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    def take(self, reference: str, base: str) -> str | None:
        """Return a reference as an absolute address; None where it is passed over, or was taken before."""
        address = Address.parse(reference.strip(), base) if len(reference) <= MAX_URL else None
        if address is None:
            self.pass_over(reference, "broken")
        elif not address.is_page:
            self.pass_over(reference, "scheme")
        elif not self._any and address.site not in self._sites:
            self.pass_over(ada_url.join_url(base, reference), "elsewhere")
        elif (own := address.identity()) not in self._taken:
            self._taken.add(own)
            return ada_url.join_url(base, reference.strip())
        return None

    def pass_over(self, url: str, reason: str) -> None:
        """Count an address that is not taken."""
        self._counts[reason] += 1
        if reason not in self._examples:
            self._examples[reason] = shown_url(url[:MAX_URL])

    @property
    def passed(self) -> Passed:
        """What was passed over so far."""
        return Passed(dict(self._counts), dict(self._examples))


def read_moment(text: str) -> datetime | None:
    """Return the moment that a date for machines names (ISO 8601, RFC 822), in UTC where it does not say; or None."""
    text = text.strip()
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None
