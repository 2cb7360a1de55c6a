"""From a task to its page: the source read or fetched, decoded, parsed or laid out."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from windrow import pagefile
from windrow.errors import LimitError, RefusedError, SourceError, UsageError
from windrow.loader.fullness import find_unfilled
from windrow.loader.task import MEMORY
from windrow.page import Page
from windrow.provenance import Provenance, now
from windrow.render.charset import Decoded, decode, unify_line_ends
from windrow.render.offline import Document
from windrow.render.structure import check_openings, html_to_first_nodes, html_to_nodes
from windrow.render.visit import Visit
from windrow.source.files import Folder, read_saved
from windrow.source.guard import Guard, shown_url, without_credentials
from windrow.source.session import read_session
from windrow.source.sniffing import find_charset, require_html

if TYPE_CHECKING:
    from windrow.loader.backend import Backend
    from windrow.loader.task import Html, Task
    from windrow.options import Options

logger = logging.getLogger(__name__)

SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.[a-z]{2,}(/|$)", re.IGNORECASE)
HOST_AND_PORT = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+):\d+(/|$)")
FILE_SUFFIXES = frozenset({".htm", ".html", ".xhtml", ".gz", pagefile.SUFFIX})


def read_page(task: Task, backend: Backend) -> Page:
    """Return the page of a task; ``LimitError`` has the part that was read where it is not whole."""
    most = task.options.limits.nodes
    try:
        return replace(_read_page(task, backend), most_nodes=most)
    except LimitError as error:
        if isinstance(error.page, Page):
            error.page = replace(error.page, most_nodes=most)
        raise


def _read_page(task: Task, backend: Backend) -> Page:
    name = str(task.source)
    logger.debug("reading %s, %s", task.name, "rendered" if task.render else "structure only")
    if task.html is not None:
        return _read_memory(task, task.html, backend)
    if not name.strip():
        raise UsageError("The source has no name. Give an address, or the path of a file.")
    if isinstance(task.source, Path) or not SCHEME.match(name) or HOST_AND_PORT.match(name):
        return _read_file(task, Path(task.source), backend)
    if not name.lower().startswith(("http:", "https:")):
        scheme = name.partition(":")[0]
        raise RefusedError(f"{scheme}: addresses are refused; Windrow reads http and https. Give a file by its path.")
    if task.url is not None:
        raise UsageError("A page that is loaded from its address has that address; leave out url.")
    _check_use(task, live=True)
    return _visit(name, task.options, backend) if task.render else _fetch(name, task.options, backend)


def _check_use(task: Task, *, live: bool) -> None:
    """Refuse options that would be passed over."""
    options = task.options
    waiting = options.wait or options.wait_for or options.wait_for_text or options.scroll or options.load_more
    if waiting and not (task.render and live):
        raise UsageError(
            "Waiting, scrolling and pressing are for live pages in a browser; leave out those options here."
        )
    if (options.screenshot or options.words) and not task.render:
        raise UsageError(
            "Without a browser there is no picture and no place of words; leave out screenshot and words, or render "
            "the page."
        )


def _read_memory(task: Task, html: Html, backend: Backend) -> Page:
    _check_use(task, live=False)
    if isinstance(html, bytes):
        require_html(html, task.content_type, "The page", may_be_plain=True)
    page = Page(_NOTHING, MEMORY, Provenance(url=task.url or "", content_type=task.content_type or ""))
    page = _decode(html, page, task.options, task.charset or find_charset(task.content_type or ""))
    if not task.render:
        return _parse(page, task.options)
    document = Document(page.html, folder=task.resources, url=page.url if task.resources is not None else "")
    return _lay_out(page, document, task.options, backend)


def _read_file(task: Task, path: Path, backend: Backend) -> Page:
    _check_use(task, live=False)
    limits = task.options.limits
    is_address = HOST.match(str(path)) or HOST_AND_PORT.match(str(path))
    if is_address and path.suffix.lower() not in FILE_SUFFIXES and not path.exists():
        raise SourceError(f"There is no file {path}. If it is an address, write https://{path} instead.")
    if path.suffix == pagefile.SUFFIX:
        page = Page(**pagefile.read(path, limits))
        if task.url is not None and page.url:
            raise UsageError(f"{path} knows that its page came from {page.url}; leave out url.")
        return page if task.url is None else replace(page, provenance=replace(page.provenance, url=task.url))
    fetched = now()
    data = read_saved(path, limits)
    require_html(data, None, str(path))
    page = Page(_NOTHING, str(path), Provenance(url=task.url or "", fetched=fetched))
    page = _decode(data, page, task.options)
    if not task.render:
        return _parse(page, task.options, is_told=True)
    document = Document(page.html, path.name, Folder(path.parent, max_bytes=limits.bytes))
    return _lay_out(page, document, task.options, backend)


def _fetch(url: str, options: Options, backend: Backend) -> Page:
    from windrow.source.fetch import fetch  # noqa: PLC0415 - takes a while, which pages in memory do without

    fetched = now()
    answer = fetch(url, options, backend.proxy(options))
    shown = shown_url(answer.url)
    name = shown if answer.body else f"{shown} (status {answer.status})"
    require_html(answer.body, answer.headers.get("content-type"), name)
    provenance = Provenance(url=answer.url, redirects=answer.redirects, status=answer.status, fetched=fetched)
    page = Page(_NOTHING, without_credentials(url), provenance.with_headers(answer.headers), cut=answer.cut)
    return _parse(_decode(answer.body, page, options, answer.charset), options, is_told=True)


def _visit(url: str, options: Options, backend: Backend) -> Page:
    proxy = backend.proxy(options)
    href = Guard(allow_private=options.allow_private).check_url(url)
    session = read_session(options.session) if options.session else None
    fetched = now()
    with backend.browser() as browser:
        capture = browser.visit(Visit(href, options, proxy, session))
    provenance = replace(capture.provenance, url=capture.provenance.url or without_credentials(href), fetched=fetched)
    page = Page(
        nodes=capture.nodes,
        source=without_credentials(url),
        provenance=provenance if capture.html is None else provenance.with_digest(capture.html),
        html=unify_line_ends(capture.html or ""),
        screenshot=capture.screenshot,
        warnings=capture.warnings,
        cut=capture.cut or "",
    )
    return _require_whole(_told_fullness(page))


def _decode(html: Html, page: Page, options: Options, charset: str | None = None) -> Page:
    """Fill in a page's source text, as much of it as may be."""
    if len(html) > options.limits.bytes:
        html = html[: options.limits.bytes]
        cut = f"The page has more than {options.limits.bytes:,} bytes; the rest was left out. "
        page = replace(page, cut=cut + "Raise the limit (--max-bytes, Limits.bytes).")
    decoded = decode(html, charset) if isinstance(html, bytes) else _clean(html)
    provenance = page.provenance if page.cut else page.provenance.with_digest(html)
    check_openings(decoded.text)
    return replace(
        page,
        html=decoded.text,
        provenance=provenance.but(encoding=decoded.encoding),
        warnings=page.warnings + ((decoded.notice,) if decoded.notice else ()),
    )


def _parse(page: Page, options: Options, *, is_told: bool = False) -> Page:
    """Fill in a page's nodes without a browser; it is told where a list lacks its content, if that is wanted."""
    page = _with_structure(page, options)
    return _require_whole(_told_fullness(page) if is_told else page)


def _told_fullness(page: Page) -> Page:
    """Return a page with a notice where a list of it lacks its content."""
    notice = find_unfilled(page.nodes)
    return page if notice is None else replace(page, warnings=(*page.warnings, notice))


def _lay_out(page: Page, document: Document, options: Options, backend: Backend) -> Page:
    """Fill in a page's nodes as a browser lays them out."""
    try:
        with backend.browser() as browser:
            capture = browser.lay_out(document, options)
    except LimitError as error:
        # What can't be laid out within its limits can still be read.
        cut = f"{page.cut} {error}".strip()
        raise LimitError(cut, replace(_with_structure(page, options), cut=cut)) from None
    made = capture.provenance
    page = replace(
        page,
        nodes=capture.nodes,
        provenance=replace(page.provenance, browser=made.browser, viewport=made.viewport),
        screenshot=capture.screenshot,
        warnings=page.warnings + capture.warnings,
    )
    return _require_whole(page)


def _with_structure(page: Page, options: Options) -> Page:
    """Return a page with its nodes read without a browser, as many as may be."""
    most = options.limits.nodes
    nodes, has_more = html_to_first_nodes(page.html, most)
    if not has_more:
        # Whoever raises one limit shall not be told of the other only then.
        near = page.cut and f" What was read has {len(nodes):,} nodes, of {most:,} at most (--max-nodes, Limits.nodes)."
        return replace(page, nodes=nodes, cut=page.cut + near)
    cut = f"The page has more than {most:,} nodes; the rest was left out. Raise the limit (--max-nodes, Limits.nodes)."
    return replace(page, nodes=nodes, cut=f"{page.cut} {cut}".strip())


def _require_whole(page: Page) -> Page:
    """Return a page if it is complete; otherwise raise, with the part that was read."""
    if page.cut:
        logger.warning("%s is cut: %s", page.source, page.cut)
        raise LimitError(page.cut, page)
    return page


def _clean(html: str) -> Decoded:
    """Normalise line ends, and replace lone surrogates, which are not text and can't be written anywhere."""
    text = unify_line_ends(html)
    try:
        if not text.isascii():
            text.encode("utf-16-le")  # the cheapest
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return Decoded(text, "")


_NOTHING = html_to_nodes("")
