"""One address of the frontier: fetched, laid out where that is wanted, checked, read, and what it leads to."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from windrow.crawl import feeds, links, sitemaps
from windrow.crawl.addresses import identity
from windrow.crawl.canonical import own_address
from windrow.crawl.patterns import matches
from windrow.crawl.promises import find_promised
from windrow.errors import LimitError, TooLargeError, WindrowError
from windrow.harvest.inquiry import LISTINGS, Former, Link, find_former
from windrow.harvest.reading import PageReading, read_by_reader, read_by_wrapper
from windrow.harvest.soft_errors import is_alike, made_up_address, says_wall
from windrow.source.validators import Validators
from windrow.store.bodies import Body
from windrow.store.frontier import LEARNED, Lead, is_known_beside
from windrow.store.samples import find_values
from windrow.store.sources import get_source
from windrow.store.text import digest, dump
from windrow.store.warnings import Warned
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.harvest.gate import Gate
    from windrow.harvest.reading import Stored
    from windrow.harvest.settings import SourceSettings
    from windrow.loader import Loader
    from windrow.options import Options
    from windrow.page import Page
    from windrow.source.fetch import Answer
    from windrow.store import Store
    from windrow.store.frontier import Entry
    from windrow.wrapper import Wrapper

NOT_MODIFIED = 304
MOST_PRESSES = 200
"""How often "load more" is pressed, or a screen is scrolled, on one list page."""
LISTS = frozenset({"region", "links", "toplist"})
"""The ways to reach records that begin at list pages."""
UNFOLDING = frozenset({"load-more", "scroll"})
"""The ways in which a list goes on without another page."""


@dataclass(frozen=True)
class Reader:
    """What reads the pages of a source: a wrapper, with the version before it where it was healed, or a reader."""

    settings: SourceSettings
    wrappers: tuple[tuple[int, Wrapper], ...] = ()
    """Newest first: a page that the newest does not fit may still have the old template."""

    @property
    def wrapper(self) -> Wrapper | None:
        """The newest version of the wrapper."""
        return self.wrappers[0][1] if self.wrappers else None

    @property
    def reads_lists(self) -> bool:
        """Whether the list pages themselves are read, because each of their rows is a record."""
        follow, read = self.settings.follow, self.settings.read
        gives_rows = (self.wrapper is not None and self.wrapper.list_rule is not None) or read.reader == "records"
        return gives_rows and follow.detail is None

    @property
    def stamp(self) -> bytes:
        """What tells whether an unchanged page would be read as it was: the settings that matter, and the wrapper."""
        plain = self.settings.to_dict()
        versions = [version for version, _ in self.wrappers]
        return digest(dump([plain.get("follow"), plain.get("read"), plain.get("network", {}).get("render"), versions]))

    def read(self, page: Page, address: str, stored: Stored) -> PageReading:
        """Read a page: by the newest version of the wrapper that it fits."""
        read = self.settings.read
        if not self.wrappers:
            return read_by_reader(self._find(page), page, read.key)
        first: PageReading | None = None
        for version, wrapper in self.wrappers:
            reading = replace(read_by_wrapper(wrapper, page, read.key, address, stored), version=version)
            if reading.verdict == "read":
                return reading
            first = first or reading
        return first or PageReading("misfit")

    def _find(self, page: Page) -> Any:  # noqa: ANN401 - a result of one of the readers
        read = self.settings.read
        if read.reader == "toplist":
            return page.toplist()
        found: Sequence[Any] = page.tables(read.keyword) if read.reader == "tables" else page.regions()
        if found and (lack := getattr(found[0], "lack", "")):
            raise links.too_long(lack)
        return found[0] if found else None


@dataclass(frozen=True, eq=False)
class Fetched:
    """What came of asking for an address."""

    page: Page | None = None
    """None where the answer is no page, or says that nothing changed."""
    content: bytes = b""
    """The answer's body, for sitemaps and feeds."""
    final_url: str = ""
    status: int | None = None
    not_modified: bool = False
    validators: dict[str, str] | None = None
    body_digest: bytes | None = None
    size: int | None = None
    millis: int = 0
    requests: int = 0
    body: Body | None = None
    cut: str = ""
    """Why the body of a sitemap or a feed ends before its end; a page that does is an error."""
    document: Page | None = None
    """The structure of what was sent, where a browser made the page of it."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A page that was fetched and read."""

    fetched: Fetched
    reading: PageReading | None = None
    """None for a page that leads to others only."""
    leads: tuple[Lead, ...] = ()
    notes: tuple[Warned, ...] = ()
    """What people should know of how it was read."""
    is_cut: bool = False
    """Whether it leads to more than was read."""
    is_emptied: bool = False
    """Whether it is a list that led to records before and leads to none now, which may be a fault of the site's."""
    is_gone: bool = False
    """Whether it shows what the site shows for any address, which is that there is no such page."""
    is_open: bool = False
    """Whether it is a list that ends here, where it did not before, and as if it went on."""
    is_live: bool = False
    """Whether a browser showed more than was sent, so that what was sent does not tell whether anything changed."""
    links: list[list[str]] = field(default_factory=list)


class Visitor:
    """Fetches and reads the addresses of one source; may be used by several threads."""

    def __init__(self, store: Store, loader: Loader, gate: Gate, settings: SourceSettings, options: Options) -> None:
        """Take what pages are fetched with."""
        self._store, self._loader, self._gate = store, loader, gate
        self._settings, self._options = settings, options
        self.ignored: frozenset[str] = frozenset()
        """Parameters of addresses that do not decide which record a page shows."""
        self.render: bool = settings.network.render is not False
        self._made_up: dict[str, Page | None] = {}
        """What the site has for addresses that nobody ever made."""

    def visit(self, entry: Entry, reader: Reader, *, fresh: bool, fetched: Fetched | None = None) -> Seen:
        """Return what an address gives: where nothing changed since it was last read the same way, only that.

        What was ``fetched`` of it already is not fetched again.
        """
        as_before = not fresh and entry.read_by == reader.stamp and entry.seen_run is not None
        if fetched is None:
            fetched = self.fetch(entry, conditional=as_before)
        same = fetched.body_digest is not None and fetched.body_digest == entry.body_digest
        if fetched.not_modified or (as_before and same):
            leads = tuple(
                Lead(identity(url, self.ignored), url, role, depth) for role, url, depth in _kept_links(entry)
            )
            return Seen(replace(fetched, not_modified=True), leads=leads, links=entry.links or [])
        return self.understand(entry, fetched, reader)

    def understand(self, entry: Entry, fetched: Fetched, reader: Reader) -> Seen:
        """Return what a page that was fetched gives and leads to."""
        if entry.role in {"sitemap", "feed"}:
            return self._listing(entry, fetched)
        page = fetched.page
        if page is None:
            return Seen(fetched)
        is_list, is_emptied = entry.role == "list", False
        reading = None
        if not is_list or reader.reads_lists:
            reading = reader.read(page, self._address_of(entry, page), self._stored)
        if reading is not None and reading.is_absent and self._is_shown_for_any(entry, page):
            return Seen(fetched, reading, is_gone=True)
        found: list[Link] = []
        notes: tuple[Warned, ...] = ()
        if is_list:
            found, notes = self._follow_list(page, entry, reader)
            shows_records = not notes if reading is None else bool(reading.sightings)
            if entry.is_former and not shows_records:
                return Seen(fetched, reading, is_emptied=True, is_gone=self._is_nowhere(entry, page, reading))
            is_emptied = bool(notes) and _led_to_records(entry)
        elif reading is not None and reading.verdict == "misfit" and reader.settings.read.reader == "tables":
            words = self._settings.follow.promise
            if entry.depth < max(1, self._settings.follow.depth):
                found = [("detail", url, entry.depth + 1) for url in find_promised(page, words).addresses]
                reading = PageReading("read") if found else reading
        is_live = fetched.document is not None and not _stands_in(fetched.document, reading, found)
        seen = Seen(fetched, reading, notes=notes, is_emptied=is_emptied, is_live=is_live)
        return self._led_on(entry, seen, found)

    def _stored(self, key: str) -> Mapping[str, Sequence[str]]:
        """Return the values of the record with a key."""
        with self._store.reading() as connection:
            return find_values(connection, get_source(connection, self._settings.name).id, key)

    def _led_on(self, entry: Entry, seen: Seen, found: list[Link]) -> Seen:
        """Return a page with what it leads to, and with the lists that it led to before and no longer does."""
        former = Former()
        if entry.role in LISTINGS and not seen.is_emptied:
            former = find_former(entry, found, is_unfolded=self._settings.follow.next in UNFOLDING)
        linked = [*found, *former.links]
        leads = tuple(Lead(identity(url, self.ignored), url, role, depth) for role, url, depth in linked)
        kept = [[role, url, str(depth)] for role, url, depth in linked]
        return replace(seen, leads=leads, links=kept, is_open=former.is_open)

    def _is_nowhere(self, entry: Entry, page: Page, reading: PageReading | None) -> bool:
        """Whether a page of a list that shows nothing is what the site shows where a list has no page."""
        is_wall = reading.verdict == "wall" if reading is not None else says_wall(page)
        return not is_wall and self._is_shown_for_any(entry, page)

    def _is_shown_for_any(self, entry: Entry, page: Page) -> bool:
        """Whether the site has the same page for an address beside this one that nobody ever made."""
        made_up = made_up_address(entry.as_found)
        if made_up not in self._made_up:
            nowhere = replace(entry, as_found=made_up, url=made_up, role="detail", validators=None, body_digest=None)
            try:
                self._made_up[made_up] = self.fetch(nowhere, conditional=False).page
            except WindrowError:  # as it should be: there is no such page
                self._made_up[made_up] = None
        other = self._made_up[made_up]
        return other is not None and is_alike(page, entry.as_found, other, made_up)

    def _address_of(self, entry: Entry, page: Page) -> str:
        """Return the address that a page's record goes by: as it was found, unless it is, or leads to, another's."""
        own = own_address(page, entry.url, self.ignored)
        led_to = identity(page.url, self.ignored) if page.url else own
        if own != entry.url or led_to == entry.url:
            return own
        with self._store.reading() as connection:
            return led_to if is_known_beside(connection, entry, led_to) else own

    def _follow_list(self, page: Page, entry: Entry, reader: Reader) -> tuple[list[Link], tuple[Warned, ...]]:
        follow = self._settings.follow
        notes: tuple[Warned, ...] = ()
        found: list[Link] = []
        if not reader.reads_lists:
            details = self._find_details(page)
            found = [("detail", url, entry.depth + 1) for url in details.addresses]
            if follow.list == "links" and follow.detail and entry.depth + 1 < follow.depth:
                others = [url for url in links.find_details(page, "*").addresses if not matches(url, follow.detail)]
                found += [("list", url, entry.depth + 1) for url in others]
            if not details.addresses:
                notes = (self._emptied(f"{entry.url} leads to no record. {details.note}".strip(), entry),)
        if follow.next == "auto" and (onward := links.find_next(page, {entry.url})):
            found.append(("list", onward, entry.depth))
        return found, notes

    def _find_details(self, page: Page) -> links.Found:
        """Return where a list page leads to: by the glob that a person gave, or by the list itself."""
        follow = self._settings.follow
        if follow.list == "toplist":
            return links.find_items(page)
        if follow.list == "links" or follow.detail:
            return links.find_details(page, follow.detail)
        return links.find_records(page)

    def _listing(self, entry: Entry, fetched: Fetched) -> Seen:
        """Return what a sitemap or a feed leads to."""
        follow = self._settings.follow
        found: list[Link] = []
        if entry.role == "feed":
            feed = feeds.read_feed(fetched.content, fetched.final_url)
            urls, children, cut = [each.url for each in feed.entries], [], feed.cut
        else:
            sitemap = sitemaps.read_sitemap(fetched.content, fetched.final_url)
            urls, cut = [each.url for each in sitemap.pages], sitemap.cut
            children = [each.url for each in sitemap.children]
        found = [("sitemap", url, entry.depth) for url in children]
        found += [("detail", url, entry.depth + 1) for url in urls if not follow.detail or matches(url, follow.detail)]
        cut = cut or fetched.cut
        notes = [Warned("limit", "warning", cut, entry.url)] if cut else []
        # A feed shows the latest, of which there may be nothing.
        is_emptied = not found and entry.role == "sitemap" and _led_to_records(entry)
        if is_emptied:
            notes.append(self._emptied(f"{entry.url} leads to no record.", entry))
        return self._led_on(entry, Seen(fetched, None, (), tuple(notes), bool(cut), is_emptied), found)

    def _emptied(self, why: str, entry: Entry) -> Warned:
        """Say of a list that it leads to no record."""
        if _led_to_records(entry):
            why += f" It did before. If that is right: `windrow harvest {self._settings.name} --accept`."
        return Warned("empty", "warning", why, entry.url)

    def fetch(self, entry: Entry, *, conditional: bool) -> Fetched:
        """Ask for an address, with what is known of it where that may spare the answer."""
        began = time.monotonic()
        validators = Validators(**entry.validators) if conditional and entry.validators else None
        is_page = entry.role in {"list", "detail", "learned"}
        with self._gate.counting() as sent:
            # Where a browser is to visit the page, this finds out whether it must, and where redirects lead: those of
            # a browser pass no gate.
            options = self._options_for(entry, entry.as_found, live=False)
            answer = self._loader.fetch(entry.as_found, options, validators=validators, permit=self._gate.permit)
            if answer.cut and is_page:
                is_too_large = len(answer.body) >= options.limits.bytes
                raise (TooLargeError if is_too_large else LimitError)(answer.cut)
            if answer.status == NOT_MODIFIED:
                fetched = Fetched(not_modified=True, status=NOT_MODIFIED, final_url=answer.url)
            elif not is_page:
                fetched = _of_answer(answer)
            elif conditional and digest(answer.body) == entry.body_digest:
                fetched = replace(_of_answer(answer), not_modified=True)
            else:
                fetched = self._parse(answer, entry)
                fetched = self._lay_out(answer, fetched, entry) if self.render else fetched
        millis = round((time.monotonic() - began) * 1000)
        return replace(fetched, requests=len(sent), millis=millis)

    def _parse(self, answer: Answer, entry: Entry) -> Fetched:
        """Read the structure of an answer."""
        content_type = answer.headers.get("content-type")
        try:
            page = self._loader.parse(
                answer.body, url=answer.url, content_type=content_type, charset=answer.charset, options=self._options
            )
        except LimitError as error:
            raise TooLargeError(str(error)) from None
        provenance = replace(page.provenance, status=answer.status, redirects=answer.redirects)
        fetched = replace(_of_answer(answer), page=replace(page, provenance=provenance, source=entry.as_found))
        return replace(fetched, body=self._body(answer))

    def _lay_out(self, answer: Answer, fetched: Fetched, entry: Entry) -> Fetched:
        """Visit a page with the browser where its address leads to."""
        self._gate.permit(answer.url)
        page = self._loader.load(answer.url, render=True, options=self._options_for(entry, answer.url, live=True))
        provenance = replace(page.provenance, redirects=(*answer.redirects, *page.provenance.redirects))
        page = replace(page, provenance=provenance, source=entry.as_found)
        body = _captured(page) if self._settings.keep.pages else None
        return replace(fetched, page=page, document=fetched.page, final_url=page.url, status=page.status, body=body)

    def _body(self, answer: Answer) -> Body | None:
        if not self._settings.keep.pages:
            return None
        about = {":url": answer.url, ":status": str(answer.status)}
        return Body("html", answer.body, {**about, **answer.headers})

    def _options_for(self, entry: Entry, url: str, *, live: bool) -> Options:
        options = self._gate.options_for(url)
        if not live:
            waiting: dict[str, Any] = {"wait_for": None, "wait_for_text": None, "scroll": 0, "load_more": 0}
            return replace(options, **waiting)
        follow = self._settings.follow
        if entry.role == "list" and follow.next in UNFOLDING:
            pressing: dict[str, Any] = {follow.next.replace("-", "_"): MOST_PRESSES}
            return replace(options, **pressing)
        # People are shown the learned page when its template changes.
        return replace(options, screenshot=True) if entry.role == LEARNED else options


def _kept_links(entry: Entry) -> list[Link]:
    return [(role, url, int(depth)) for role, url, depth in entry.links or ()]


def _led_to_records(entry: Entry) -> bool:
    return any(role == "detail" for role, _, _ in _kept_links(entry))


def _stands_in(document: Page, reading: PageReading | None, found: Sequence[Link]) -> bool:
    """Whether a document itself has what was read of the page that a browser made of it, and the links found there."""
    sightings = () if reading is None else reading.sightings
    texts = [text for each in sightings for text in each.values.values()]
    shown = folded(document.text)
    if not all(folded(text) in shown for some in texts for text in ([some] if isinstance(some, str) else some)):
        return False
    linked = {identity(url) for url in document.links if url is not None}
    return all(identity(url) in linked for _, url, _ in found)


def _of_answer(answer: Answer) -> Fetched:
    return Fetched(
        content=answer.body,
        final_url=answer.url,
        status=answer.status,
        validators=None if answer.validators is None else vars(answer.validators),
        body_digest=digest(answer.body),
        size=len(answer.body),
        cut=answer.cut,
    )


def _captured(page: Page) -> Body:
    from windrow.pagefile import page_to_bytes  # noqa: PLC0415 - only who keeps pages pays for it

    about = {":url": page.url, ":status": str(page.status or 0), "content-type": page.provenance.content_type}
    return Body("page", page_to_bytes(replace(page, screenshot=None)), about)
