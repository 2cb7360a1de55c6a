"""Lays out HTML that we already have, with the network closed.

The tab is sent to an address that exists nowhere; we answer for it with the page, for the files that lie in the saved
page's own folder with those, and for everything else with a refusal. The page's policy header forbids scripts, so
they are off in effect, while ``noscript`` stays hidden as it is for a reader. Behind all that stands a proxy that
leads nowhere, for the requests that interception does not see.

A plain page from memory, one that has no files beside it and does not speak to the browser through ``http-equiv``, is
written into a blank page that the tab keeps showing: without a navigation a page costs a third less.
"""

from __future__ import annotations

import base64
import itertools
import os
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias
from urllib.parse import quote

from windrow.errors import LimitError
from windrow.render.capture import Capture
from windrow.render.snapshot import count_nodes
from windrow.render.structure import html_to_nodes

if TYPE_CHECKING:
    from windrow.options import Options
    from windrow.render.pipe import Message
    from windrow.render.tab import Tab

ORIGIN = "https://page.invalid/"
ALONE = "default-src 'none'; style-src 'unsafe-inline' data:; " + "; ".join(
    f"{kind}-src data:" for kind in ("img", "font", "media", "frame")
)
"""The policy of a page from memory: the tab itself refuses every request, which costs far less than asking us."""
WITH_FOLDER = ALONE.replace(" data:", " 'self' data:")
"""The policy of a saved page, which has files beside it."""
FROM_ARCHIVE = ALONE.replace(" data:", " http: https: data:")
"""The policy of an archived page, which loads what the archive has of other addresses."""
STILL = "; sandbox allow-same-origin"
"""For a document that would turn itself into a blank one, which no interception sees."""
REFRESH = re.compile(r"http-equiv\s*=\s*(?:[\"']?refresh|[^\s>]*&)", re.IGNORECASE)
HTTP_EQUIV = re.compile(r"http-equiv\s*=\s*[\"']?([^\s\"'>]*)")
HARMLESS = frozenset(
    "cache-control cleartype content-script-type content-style-type content-type expires imagetoolbar last-modified "
    "pragma x-dns-prefetch-control x-ua-compatible".split()
)
"""What pages often say through ``http-equiv`` and browsers pass over once the text is decoded."""
LOADED = re.compile(r"data:[a-z0-9/+.;=-]{0,100},|srcdoc")
"""What a page from memory can load at all: what its own text holds."""
Resource: TypeAlias = tuple[bytes, str]


class Resources(Protocol):
    """What a page may load: the files of a saved page's folder, or what an archive holds."""

    def resource(self, path: str) -> Resource | None:
        """Return the bytes and the media type of a file, or None.

        It is asked for by its path below the folder, or, by a page with an address of its own, by its address.
        """


@dataclass(frozen=True)
class Document:
    """What to lay out: the text, and for a saved page its name within its folder, and the folder."""

    html: str
    name: str = ""
    folder: Resources | None = None
    url: str = ""
    """The address under which an archived page is shown, so that what it loads is asked for by address."""

    @cached_property
    def _lower(self) -> str:
        return self.html.lower()

    @property
    def is_plain(self) -> bool:
        """Whether it has no files beside it and says nothing to the browser that would outlive it in a kept page."""
        return self.folder is None and set(HTTP_EQUIV.findall(self._lower)) <= HARMLESS

    @property
    def loads_nothing(self) -> bool:
        """Whether not even its own text holds anything that is loaded, so that frames need not be drawn to start it."""
        return self.folder is None and LOADED.search(self._lower) is None


def lay_out(tab: Tab, document: Document, options: Options) -> Capture:
    """Show a document in a tab that is set up by ``prepare`` and capture it."""
    check_size(document.html, options.limits.nodes)
    tab.resize(options.viewport)
    if document.is_plain:
        if not tab.is_blank:
            _navigate(tab, Document(""))
        _write(tab, document)
    else:
        _navigate(tab, document)
    tab.is_blank = document.is_plain
    answer = tab.snapshot()
    if count_nodes(answer) > options.limits.nodes:
        raise too_many_nodes(count_nodes(answer), options.limits.nodes)
    nodes = tab.with_words(tab.read(answer)) if options.words else tab.read(answer)
    picture, warnings = tab.picture() if options.screenshot else (None, ())
    return Capture(nodes=nodes, screenshot=picture, warnings=warnings)


def prepare(tab: Tab) -> None:
    """Set a fresh tab up once for any number of documents."""
    tab.call("Page.enable")
    tab.call("Fetch.enable", patterns=[{"urlPattern": "*"}])


def _navigate(tab: Tab, document: Document) -> None:
    tab.call("Page.enable")
    loading = _Loading(tab, document)
    tab.handlers["Fetch.requestPaused"] = loading.answer
    tab.handlers["Page.loadEventFired"] = loading.finish
    tab.send("Page.navigate", url=loading.address)
    tab.wait(lambda: loading.done)


def _write(tab: Tab, document: Document) -> None:
    """Write a document into the blank page that a tab shows; one that loads nothing is there when it is written."""
    if document.loads_nothing:
        tab.call("Page.disable")
        tab.call("Page.setDocumentContent", frameId=tab.target, html=document.html)
        return
    loads: list[Message] = []
    tab.handlers["Page.loadEventFired"] = loads.append
    tab.call("Page.enable")  # a document that loaded nothing may have been shown here before
    tab.call("Page.setDocumentContent", frameId=tab.target, html=document.html)
    tab.wait(lambda: bool(loads))


def check_size(html: str, most: int) -> None:
    """Refuse a document with too many nodes before the browser chokes on it."""
    if html.count("<") > most // 2 and (count := len(html_to_nodes(html))) > most:
        raise too_many_nodes(count, most)


def goes_blank(html: str) -> bool:
    """Whether a document asks to be replaced by a blank page after a while."""
    if not REFRESH.search(html):
        return False
    nodes = html_to_nodes(html)
    asked = [nodes.attributes[node] for node in nodes.tag.where("meta").tolist()]
    return any(
        meta.get("http-equiv", "").lower() == "refresh"
        and "about:" in re.sub(r"\s", "", meta.get("content", "")).lower()
        for meta in asked
    )


def too_many_nodes(count: int, most: int) -> LimitError:
    """Return the error for a page with too many nodes."""
    return LimitError(
        f"The page has {count:,} nodes, more than the {most:,} that are read. "
        "Raise the limit (--max-nodes, Limits.nodes) to read it."
    )


_numbers = itertools.count()


class _Loading:
    """One document on its way into a tab."""

    def __init__(self, tab: Tab, document: Document) -> None:
        self._tab = tab
        self._document = document
        self._sent = False
        self._place = document.url.partition("#")[0] or ORIGIN + quote(os.fsencode(document.name))
        # Told apart from the document before it, which may want to load itself again.
        self.address = document.url or f"{self._place}?{next(_numbers)}"
        self.done = False

    def finish(self, _: Message) -> None:
        self.done = self._sent

    def answer(self, event: Message) -> None:
        """Serve the document once, files of its folder as often as asked for, and nothing else."""
        is_document = event["resourceType"] == "Document"
        found = self._find(event["request"]["url"], is_top=is_document and event["frameId"] == self._tab.target)
        if found is not None and is_document and not found[1].startswith(("text/html", "application/xhtml")):
            found = None  # a frame shows pages of the folder, not whatever else lies there
        if found is None:
            # A frame or a later navigation of the page itself ends here too and leaves the page as it is.
            self._tab.send("Fetch.failRequest", requestId=event["requestId"], errorReason="Aborted")
            return
        body, media_type = found
        policy = ALONE if self._document.folder is None else FROM_ARCHIVE if self._document.url else WITH_FOLDER
        if media_type.startswith("text/html") and goes_blank(body.decode("utf-8", "replace")):
            policy += STILL
        headers = {"Content-Type": media_type, "Content-Security-Policy": policy, "Cache-Control": "no-store"}
        self._tab.send(
            "Fetch.fulfillRequest",
            requestId=event["requestId"],
            responseCode=200,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=base64.b64encode(body).decode("ascii"),
        )

    def _find(self, url: str, *, is_top: bool) -> Resource | None:
        if is_top:
            if self._sent or (url != self.address and not self._document.url):
                return None
            self._sent = True
            return self._document.html.encode("utf-8", "replace"), "text/html; charset=utf-8"
        if self._document.url and self._document.folder is not None:
            return None if url == self._place else self._document.folder.resource(url)
        if self._document.folder is None or not url.startswith(ORIGIN) or url.partition("?")[0] == self._place:
            return None
        return self._document.folder.resource(url.removeprefix(ORIGIN))
