"""``load`` and ``parse``: from any source to one page value, and the same for many at once."""

from __future__ import annotations

import re
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from windrow import pagefile
from windrow.errors import LimitError, RefusedError, SourceError, UsageError, WindrowError
from windrow.options import Options
from windrow.page import Page
from windrow.provenance import Provenance, now
from windrow.render.charset import Decoded, decode
from windrow.render.live import Visit
from windrow.render.offline import Document
from windrow.render.pool import close_shared_pool, core_count, shared_pool
from windrow.render.process import end_browsers
from windrow.render.structure import check_openings, html_to_nodes
from windrow.source.doors import close_doors, door
from windrow.source.fetch import fetch, find_charset
from windrow.source.guard import Guard, shown_url, without_credentials
from windrow.source.kind import require_html
from windrow.source.saved import Folder, read_saved
from windrow.source.session import read_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Html: TypeAlias = str | bytes
Job = TypeVar("Job")

SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.[a-z]{2,}(/|$)", re.IGNORECASE)
HOST_AND_PORT = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+):\d+(/|$)")
FILE_SUFFIXES = frozenset({".htm", ".html", ".xhtml", ".gz", pagefile.SUFFIX})
MEMORY = "memory"
DEFAULTS = Options()
PIECE = 8192
AHEAD = 2
"""Pages under way for each worker: enough to keep it busy, few enough to keep memory bounded."""


@dataclass(frozen=True)
class Failure:
    """A page among many that could not be read; it takes the page's place in the results."""

    source: str
    error: WindrowError


def load(source: str | Path, *, url: str | None = None, render: bool = True, options: Options | None = None) -> Page:
    """Read a page from an address, a saved file, or a file that ``Page.save`` wrote.

    ``url`` is where a saved page came from. ``render=False`` reads without a browser: structure only.
    """
    options = options or DEFAULTS
    name = str(source)
    if not name.strip():
        raise UsageError("The source has no name. Give an address, or the path of a file.")
    if isinstance(source, Path) or not SCHEME.match(name) or HOST_AND_PORT.match(name):
        _check_use(options, render=render, live=False)
        return _load_file(Path(source), url, render=render, options=options)
    if not name.lower().startswith(("http:", "https:")):
        scheme = name.partition(":")[0]
        raise RefusedError(f"{scheme}: addresses are refused; Windrow reads http and https. Give a file by its path.")
    if url is not None:
        raise UsageError("A page that is loaded from its address has that address; leave out url.")
    _check_use(options, render=render, live=True)
    return _visit(name, options) if render else _fetch(name, options)


def parse(  # noqa: PLR0913 - all but the first by name: what came with the page, and how to read it
    html: Html,
    *,
    url: str | None = None,
    content_type: str | None = None,
    charset: str | None = None,
    render: bool = False,
    options: Options | None = None,
) -> Page:
    """Read a page that is already in memory; laid out by the browser, with the network closed, if ``render`` is set.

    ``content_type`` and ``charset`` are what came with it, from a WARC record for example; without a charset of its
    own, the one of the content type counts.
    """
    options = options or DEFAULTS
    _check_use(options, render=render, live=False)
    if isinstance(html, bytes):
        require_html(html, content_type, "The page", may_be_plain=True)
    provenance = Provenance(url=url or "", content_type=content_type or "")
    page = Page(_NOTHING, MEMORY, provenance)
    declared = charset or find_charset(content_type or "")
    return _build(html, page, Document("") if render else None, options, declared)


def load_many(
    sources: Iterable[str | Path], *, render: bool = True, options: Options | None = None, workers: int | None = None
) -> Iterator[Page | Failure]:
    """Read many pages with every core busy, in order; a page that fails is a ``Failure`` and stops nobody."""
    _check_several(sources)
    _have_browsers(workers, render=render)
    return _many(sources, str, lambda source: load(source, render=render, options=options), workers)


def parse_many(
    pages: Iterable[Html | tuple[Html, str | None]],
    *,
    render: bool = False,
    options: Options | None = None,
    workers: int | None = None,
) -> Iterator[Page | Failure]:
    """Read many pages from memory, each given as HTML or as HTML and address; otherwise like ``load_many``."""

    def read(page: Html | tuple[Html, str | None]) -> Page:
        html, url = page if isinstance(page, tuple) else (page, None)
        return parse(html, url=url, render=render, options=options)

    _check_several(pages)
    _have_browsers(workers, render=render)
    return _many(pages, lambda page: (page[1] or MEMORY) if isinstance(page, tuple) else MEMORY, read, workers)


def _check_several(sources: object) -> None:
    """Refuse one text, whose letters would be taken for sources."""
    if isinstance(sources, str | bytes):
        raise UsageError("Several sources are read from a list. Put this one into a list, or read it alone.")


def _have_browsers(workers: int | None, *, render: bool) -> None:
    if render and workers is not None:
        shared_pool().grow(workers)


def close() -> None:
    """End the browsers and close the way out; both start anew when they are needed again."""
    close_shared_pool()
    close_doors()


def _check_use(options: Options, *, render: bool, live: bool) -> None:
    """Refuse options that would be passed over."""
    waiting = options.wait_for or options.wait_for_text or options.scroll or options.load_more
    if waiting and not (render and live):
        raise UsageError(
            "Waiting, scrolling and pressing are for live pages in a browser; leave out those options here."
        )
    if options.screenshot and not render:
        raise UsageError("Without a browser there is no picture; leave out screenshot, or render the page.")


def _load_file(path: Path, url: str | None, *, render: bool, options: Options) -> Page:
    is_address = HOST.match(str(path)) or HOST_AND_PORT.match(str(path))
    if is_address and path.suffix.lower() not in FILE_SUFFIXES and not path.exists():
        raise SourceError(f"There is no file {path}. If it is an address, write https://{path} instead.")
    if path.suffix == pagefile.SUFFIX:
        page = Page(**pagefile.read(path, options.limits))
        if url is not None and page.url:
            raise UsageError(f"{path} knows that its page came from {page.url}; leave out url.")
        return page if url is None else replace(page, provenance=replace(page.provenance, url=url))
    fetched = now()
    data = read_saved(path, options.limits)
    require_html(data, None, str(path))
    document = Document("", path.name, Folder(path.parent, max_bytes=options.limits.bytes)) if render else None
    page = Page(_NOTHING, str(path), Provenance(url=url or "", fetched=fetched))
    return _build(data, page, document, options)


def _fetch(url: str, options: Options) -> Page:
    fetched = now()
    answer = fetch(url, options)
    require_html(answer.body, answer.headers.get("content-type"), shown_url(answer.url))
    provenance = Provenance(url=answer.url, redirects=answer.redirects, status=answer.status, fetched=fetched)
    page = Page(_NOTHING, without_credentials(url), provenance.with_headers(answer.headers), cut=answer.cut)
    return _build(answer.body, page, None, options, charset=answer.charset)


def _visit(url: str, options: Options) -> Page:
    way_out = door(allow_private=options.allow_private, proxy=options.proxy)
    href = Guard(allow_private=options.allow_private).check_url(url)
    session = read_session(options.session) if options.session else None
    fetched = now()
    with shared_pool().browser() as browser:
        capture = browser.visit(Visit(href, options, way_out, session))
    provenance = replace(capture.provenance, url=capture.provenance.url or without_credentials(href), fetched=fetched)
    page = Page(
        nodes=capture.nodes,
        source=without_credentials(url),
        provenance=provenance if capture.html is None else provenance.with_digest(capture.html),
        html=(capture.html or "").replace("\r\n", "\n").replace("\r", "\n"),
        screenshot=capture.screenshot,
        warnings=capture.warnings,
        cut=capture.cut or "",
    )
    return _whole(page)


def _build(html: Html, page: Page, document: Document | None, options: Options, charset: str | None = None) -> Page:
    """Fill in a page's nodes from its source; lay ``document`` out where there is one."""
    if len(html) > options.limits.bytes:
        html = html[: options.limits.bytes]
        cut = f"The page has more than {options.limits.bytes:,} bytes; the rest was left out. "
        page = replace(page, cut=cut + "Raise the limit (--max-bytes, Limits.bytes).")
    provenance = page.provenance if page.cut else page.provenance.with_digest(html)
    decoded = decode(html, charset) if isinstance(html, bytes) else Decoded(_clean(html), "")
    check_openings(decoded.text)
    page = replace(
        page,
        html=decoded.text,
        provenance=replace(provenance, encoding=decoded.encoding),
        warnings=page.warnings + ((decoded.notice,) if decoded.notice else ()),
    )
    if document is None:
        return _whole(_structure(page, options))
    try:
        with shared_pool().browser() as browser:
            capture = browser.lay_out(replace(document, html=decoded.text), options)
    except LimitError as error:
        # What can't be laid out within its limits can still be read.
        raise LimitError(str(error), replace(_structure(page, options), cut=str(error))) from None
    warnings = page.warnings + capture.warnings
    made = replace(page.provenance, browser=capture.provenance.browser, viewport=capture.provenance.viewport)
    page = replace(page, nodes=capture.nodes, provenance=made, screenshot=capture.screenshot, warnings=warnings)
    return _whole(page)


def _structure(page: Page, options: Options) -> Page:
    """Read a page's nodes without a browser, as many as may be."""
    most = options.limits.nodes
    nodes = html_to_nodes(page.html, most=most + 1)
    if len(nodes) <= most:
        return replace(page, nodes=nodes)
    cut = f"The page has more than {most:,} nodes; the rest was left out. Raise the limit (--max-nodes, Limits.nodes)."
    return replace(page, nodes=html_to_nodes(page.html, most=most), cut=page.cut or cut)


def _clean(html: str) -> str:
    """Normalise line ends, and replace halves of surrogate pairs, which are no text and can't be written anywhere."""
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    return html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") if _has_halves(html) else html


def _has_halves(html: str) -> bool:
    """Look for halves of surrogate pairs by encoding the text, in pieces that stay near the processor."""
    if html.isascii():
        return False
    try:
        for start in range(0, len(html), PIECE):
            html[start : start + PIECE].encode()
    except UnicodeEncodeError:
        return True
    return False


def _whole(page: Page) -> Page:
    """Give a page back if it is complete; otherwise raise, with the part that was read."""
    if page.cut:
        raise LimitError(page.cut, page)
    return page


def _many(
    jobs: Iterable[Job], name: Callable[[Job], str], read: Callable[[Job], Page], workers: int | None
) -> Iterator[Page | Failure]:
    def attempt(job: Job) -> Page | Failure:
        try:
            return read(job)
        except WindrowError as error:
            return Failure(name(job), error)
        except Exception as error:  # noqa: BLE001 - one page's fault must not stop the others
            fault = WindrowError(f"Windrow failed on this page: {type(error).__name__}: {error}")
            fault.__cause__ = error
            return Failure(name(job), fault)

    count = workers or core_count()
    rest = iter(jobs)
    with ThreadPoolExecutor(count, thread_name_prefix="windrow") as pool:
        under_way: list[Future[Page | Failure]] = [pool.submit(attempt, job) for job in islice(rest, AHEAD * count)]
        try:
            while under_way:
                yield under_way.pop(0).result()
                under_way += [pool.submit(attempt, job) for job in islice(rest, 1)]
        except KeyboardInterrupt:
            for future in under_way:
                future.cancel()
            end_browsers()  # or the pages under way would be waited for
            close_doors()
            raise
        finally:
            for future in under_way:
                future.cancel()


_NOTHING = html_to_nodes("")
