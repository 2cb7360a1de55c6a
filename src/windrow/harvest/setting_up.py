"""Setting a source up by hand, whatever the skin: what is proposed, what is tried, and the settings that come of it."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import ada_url

from windrow.crawl.feeds import read_feed
from windrow.crawl.links import find_details
from windrow.crawl.patterns import expand
from windrow.crawl.sitemaps import read_sitemap
from windrow.errors import UsageError, WindrowError
from windrow.harvest.settings import Follow, Keep, Manners, Network, Read, SourceSettings, Warn
from windrow.loader import Outcome
from windrow.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windrow.loader import Loader
    from windrow.page import Page
    from windrow.wrapper import Extraction, Wrapper

SAMPLES = 5
"""Pages that are tried unless others are named."""
MOST_TRIED = 10
NUMBERS = frozenset({"id", "sku", "isbn", "doi", "number"})
"""Labels that usually tell records apart."""
URL = "url"
CRON_FIELDS = 5
LINKING = frozenset({"region", "links", "toplist"})
"""Ways to reach records from the links of a page."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a person chose for a source, by hand."""

    name: str
    start: tuple[str, ...]
    follow: Follow
    key: tuple[str, ...] = (URL,)
    schedule: Schedule | None = None
    render: bool = True
    allow_private: bool = False
    send: tuple[str, ...] = ()
    manners: Manners = field(default_factory=Manners)
    keep: Keep = field(default_factory=Keep)

    def to_settings(self) -> SourceSettings:
        """Return the settings of a new source."""
        return SourceSettings(
            name=self.name,
            start=self.start,
            follow=self.follow,
            read=Read(wrapper=wrapper_file(self.name), key=self.key),
            schedule=self.schedule,
            manners=self.manners,
            network=Network(render=self.render, allow_private=self.allow_private),
            keep=self.keep,
            warn=Warn(send=self.send),
        )

    def change(self, before: SourceSettings) -> SourceSettings:
        """Return the settings of a source with what was chosen; what nobody was asked about stays."""
        return replace(
            before,
            start=self.start,
            follow=self._follow(before.follow),
            read=replace(before.read, key=self.key),
            schedule=self.schedule,
            keep=self.keep,
            warn=replace(before.warn, send=self.send),
        )

    def _follow(self, before: Follow) -> Follow:
        """Return how records are reached: people choose among few ways, and do not lose a finer one."""
        same_list = {before.list, self.follow.list} <= LINKING
        same_next = (before.next == "none") == (self.follow.next == "none")
        return replace(
            before,
            list=before.list if same_list else self.follow.list,
            next=before.next if same_next else self.follow.next,
            detail=self.follow.detail,
        )


def wrapper_file(name: str) -> str:
    """Return the name of the file that the wrapper of a source is written to beside its settings."""
    return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name) or 'source'}.json"


def parse_schedule(text: str, before: Schedule | None = None) -> Schedule | None:
    """Return the schedule that a person wrote: a duration, a cron line, or nothing; its zone and hours stay."""
    words = text.split()
    if not words:
        return None
    is_cron = text.strip().startswith("@") or len(words) >= CRON_FIELDS
    said: dict[str, Any] = {"cron" if is_cron else "every": " ".join(words)}
    return Schedule(**said) if before is None else replace(before, **({"every": None, "cron": None} | said))


def schedule_to_text(schedule: Schedule | None) -> str:
    """Return what a person would write for a schedule."""
    return "" if schedule is None else schedule.every or schedule.cron or ""


def propose_name(url: str) -> str:
    """Return a name for a source that begins at an address."""
    return str(ada_url.URL(url).hostname).removeprefix("www.")


def propose_key(labels: Iterable[str]) -> str:
    """Return the label that tells records apart most likely; the address where none does."""
    return next((label for label in labels if label.casefold() in NUMBERS), URL)


def guess_glob(links: Sequence[str]) -> str:
    """Return a glob for what the paths of links have in common."""
    paths = [ada_url.URL(link).pathname for link in links]
    common = paths[0]
    for path in paths[1:]:
        while not path.startswith(common):
            common = common[: common.rfind("/")] if "/" in common.rstrip("/") else "/"
            common = common if common.endswith("/") else f"{common}/"
            if common == "/":
                break
    return f"{common[: common.rfind('/') + 1]}*"


def find_samples(loader: Loader, follow: Follow, start: Sequence[str], *, render: bool, most: int) -> list[str]:
    """Return addresses of some pages that a source would read."""
    first = next((url for each in start for url in expand(each)), None)
    if first is None:
        raise UsageError("There is no address to begin with. Give one.")
    if follow.list == "feed":
        answer = loader.fetch(first)
        return [each.url for each in read_feed(answer.body, answer.url).entries][:most]
    if follow.list == "sitemap":
        return _find_in_sitemap(loader, first, follow, most)
    if follow.list == "none":
        return [url for each in start for url in expand(each)][:most]
    found = find_details(loader.load(first, render=render), follow.detail)
    if not found.addresses:
        raise UsageError(f"{first} leads to no record. {found.note}".strip())
    return list(found.addresses[:most])


def _find_in_sitemap(loader: Loader, url: str, follow: Follow, most: int) -> list[str]:
    from windrow.crawl.patterns import matches  # noqa: PLC0415 - sitemaps alone need it

    answer = loader.fetch(url)
    sitemap = read_sitemap(answer.body, answer.url)
    if not sitemap.pages and sitemap.children:
        answer = loader.fetch(sitemap.children[0].url)
        sitemap = read_sitemap(answer.body, answer.url)
    pages = [each.url for each in sitemap.pages]
    return [each for each in pages if not follow.detail or matches(each, follow.detail)][:most]


@dataclass(frozen=True, eq=False)
class Tried:
    """A page that a wrapper was tried on, and what it took from it, or why it took nothing."""

    url: str
    page: Page | None = None
    found: Extraction | None = None
    error: str = ""

    def rows(self) -> list[dict[str, list[str]]]:
        """Return the records that were read: one, or those of a list."""
        if self.found is None:
            return []
        return self.found.rows or [self.found.values]


def try_pages(loader: Loader, wrapper: Wrapper, urls: Sequence[str], *, render: bool) -> list[Tried]:
    """Read some pages by a wrapper; one that can't be read says why."""
    with closing(loader.load_many(urls, render=render)) as loaded:
        return [_try(url, each, wrapper) for url, each in zip(urls, loaded, strict=False)]


def _try(url: str, loaded: Page | Outcome, wrapper: Wrapper) -> Tried:
    try:
        page: Page = loaded.require_page() if isinstance(loaded, Outcome) else loaded
        return Tried(url, page, wrapper.extract(page))
    except WindrowError as error:
        return Tried(url, error=str(error))
