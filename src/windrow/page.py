"""``Page``, the public face: where a page came from, its nodes, and one method a reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import ada_url
import numpy as np

from windrow import pagefile
from windrow.errors import UsageError
from windrow.nodes import Kind, Nodes, css_path, xpath
from windrow.options import Limits
from windrow.provenance import Notice, Provenance
from windrow.readers.registry import READERS
from windrow.render.garbage_collection import collector_paused
from windrow.render.offline import ORIGIN as OFFLINE_ORIGIN
from windrow.render.structure import source_offsets
from windrow.title import find_best_title, find_page_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from windrow.region import Region
    from windrow.table import Table
    from windrow.title import PageNames, Title
    from windrow.toplist import TopList, TopListReading, Verdict

Key: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A reader and its settings."""


@dataclass(frozen=True)
class Bases:
    """What relative addresses start from on a page."""

    documents: list[tuple[int, int, str]]
    """The documents, an outer one before its inner ones: where each begins and ends, and its base."""

    def of(self, node: int) -> str:
        """Return what an address starts from that stands in a node."""
        if len(self.documents) == 1:
            return self.documents[0][2]
        return next(base for start, end, base in reversed(self.documents) if start <= node < end)

    def resolve(self, reference: str, node: int = 0) -> str | None:
        """Return a reference that stands in a node as an absolute address, or None where it is none."""
        return _absolute(reference, self.of(node))


@dataclass(frozen=True, eq=False)
class Page:
    """A page that was read once and never changes: the same page gives the same results, byte for byte."""

    nodes: Nodes
    source: str
    """What was asked for: an address, a file, or ``memory``."""
    provenance: Provenance = field(default_factory=Provenance)
    """Where the page came from and how it was got."""
    html: str = ""
    """The source text, line ends normalised; empty where it was not kept."""
    screenshot: bytes | None = None
    """A picture of the whole page as PNG, where one was asked for."""
    warnings: tuple[Notice, ...] = ()
    """What is not as it should be: each has a kind for programs and a sentence for people."""
    cut: str = ""
    """Why the page is not complete; empty where it is."""
    most_nodes: int = Limits.nodes
    """How many nodes the page may have; how much readers give of a very long one follows from it."""
    siblings: tuple[PageNames, ...] = ()
    """What pages of the same site that were read with it have as title tag and first headings."""

    def __repr__(self) -> str:
        """Return the page in a line."""
        how = "rendered" if self.rendered else "structure only"
        return f"<Page {self.source} ({len(self.nodes):,} nodes, {how})>"

    @property
    def url(self) -> str:
        """Where the page lives, after redirects; what relative links start from. Empty where nobody said."""
        return self.provenance.url

    @property
    def status(self) -> int | None:
        """The status of the server's answer, where there was a server."""
        return self.provenance.status

    @property
    def encoding(self) -> str:
        """The encoding that the source was decoded from."""
        return self.provenance.encoding

    @property
    def rendered(self) -> bool:
        """Whether a browser laid the page out, so that there are boxes and styles."""
        return self.nodes.layout is not None

    @property
    def text(self) -> str:
        """The text that a reader sees, blocks on lines of their own."""
        return self.nodes.visible_text()

    def read(self, name: str, /, **settings: object) -> Any:  # noqa: ANN401 - whatever the reader returns
        """Return what a reader of the registry finds, read once however often it is asked for.

        ``name`` is one of ``windrow.READERS``; ``settings`` are the reader's own, as the methods below name them.
        """
        key = self._key(name, settings)
        reader, told = READERS[name], dict(key[1])
        if key in self._read:
            found = self._read[key]
        else:
            with collector_paused():
                found = reader.read(self, **told)
            self._left_out[key] = reader.find_left_out(found)  # first, for other threads look whether it was read
            self._read[key] = found
        return list(found) if isinstance(found, list) else found

    def left_out(self, name: str, /, **settings: object) -> tuple[str, ...]:
        """Return what a reader leaves out of what the page has, in sentences; known also of what was forgotten."""
        key = self._key(name, settings)
        if key not in self._left_out:
            self.read(name, **settings)
        return self._left_out[key]

    def forget(self, name: str) -> None:
        """Let go of all that a reader found, for the memory; it is read anew when it is asked for again."""
        for key in [key for key in self._read if key[0] == name]:
            self._read.pop(key, None)
        if name == "toplist":
            self.__dict__.pop("toplist_reading", None)

    def _key(self, name: str, settings: Mapping[str, object]) -> Key:
        """Return under what a reading is kept: the reader, and how its settings differ from the defaults."""
        if name not in READERS:
            raise UsageError(f"There is no reader {name!r}; there are: {', '.join(READERS)}.")
        return name, tuple(sorted(READERS[name].settle(settings).items()))

    @cached_property
    def _read(self) -> dict[Key, Any]:
        """What was read so far, by reader and settings."""
        return {}

    @cached_property
    def _left_out(self) -> dict[Key, tuple[str, ...]]:
        """What was left out of what was read so far."""
        return {}

    def title(self, method: str | None = None, *, others: Iterable[Page] = ()) -> Title:
        """Return the page's title; one without text where the page has none.

        ``others`` are other pages of the same site: what they have in their titles too is the site's, not the page's.
        The page itself may be among them. Only the best method looks at them. Without any, ``siblings`` tell.
        """
        around = [page for page in others if not self._is_same(page)] if method in (None, "best") else []
        if around:
            return find_best_title(self.nodes, self.url, [find_page_names(page.nodes) for page in around])
        title: Title = self.read("title", method=method)
        return title

    def _is_same(self, page: Page) -> bool:
        """Whether another value is this page once more, by its address or its source text."""
        return page is self or bool((self.url and page.url == self.url) or (self.html and page.html == self.html))

    def regions(self, method: str | None = None) -> list[Region]:
        """Return the lists of records, best first; ``method`` is "emine" or "mdr" for the papers' own."""
        regions: list[Region] = self.read("regions", method=method)
        return regions

    def tables(self, keyword: str | None = None, method: str | None = None) -> list[Table]:
        """Return the page's tables, best first; with a keyword, those in which it stands."""
        tables: list[Table] = self.read("tables", keyword=keyword, method=method)
        return tables

    def toplist(self) -> TopList | None:
        """Return the ranked list that the page's title promises; None where it promises none, or none is certain."""
        toplist: TopList | None = self.read("toplist")
        return toplist

    def toplist_verdict(self) -> Verdict:
        """Return whether the page is a top-k page, and why or why not."""
        return self.toplist_reading.verdict

    @cached_property
    def toplist_reading(self) -> TopListReading:
        """How the ranked list was found: the title's promise, the candidates, and which one won."""
        from windrow.toplist import read_toplist  # noqa: PLC0415 - takes a while, which other readers do without

        return read_toplist(self.nodes, self.resolve, lambda: self.title().text)

    def xpath(self, node: int) -> str:
        """Return the XPath that finds a node again."""
        return xpath(self.nodes, node)

    def css_path(self, node: int) -> str:
        """Return the CSS selector that finds an element again."""
        return css_path(self.nodes, node)

    def offset(self, node: int) -> int | None:
        """Return the character of ``html`` where an element's tag begins, where that is known."""
        known = self._offsets
        return int(known[node]) if known is not None and known[node] >= 0 else None

    def resolve(self, reference: str, node: int = 0) -> str | None:
        """Return a reference that stands on the page as an absolute address, or None where it is none.

        ``node`` is where it stands, for pages with frames, each of which has an address of its own.
        """
        return self.bases.resolve(reference, node)

    def link(self, node: int) -> str | None:
        """Return the address that an element links to, or None."""
        return self.links[node]

    def image(self, node: int) -> str | None:
        """Return the address of the picture that an element shows, or None."""
        return self.images[node]

    @property
    def base_url(self) -> str:
        """What relative addresses start from: the page's ``<base>``, or its own address."""
        return self.bases.of(0)

    @cached_property
    def bases(self) -> Bases:
        """What relative addresses start from, by document; it holds nothing else of the page."""
        nodes, found = self.nodes, list[tuple[int, int, str]]()
        documents = np.flatnonzero(nodes.kind == Kind.DOCUMENT).tolist()
        inner_documents = (nodes.kind == Kind.FRAGMENT) | ((nodes.kind == Kind.DOCUMENT) & (nodes.parent >= 0))
        hrefs = nodes.attributes.having("href", "base")
        bases = nodes.tag.where("base").tolist() if hrefs else []
        inner = nodes.inside(inner_documents) if bases else inner_documents
        for document in documents:
            own, last = self.url if document == 0 else nodes.text[document], int(nodes.end[document])
            around = next((base for start, end, base in reversed(found) if start <= document < end), "")
            if own.startswith(OFFLINE_ORIGIN):
                own = _absolute(own.removeprefix(OFFLINE_ORIGIN), around) or around
            base = around if document and not own.startswith(("http:", "https:")) else own
            for node in bases:
                if node in hrefs and document < node < last and (document > 0 or not inner[node]):
                    base = _absolute(hrefs[node], base) or base
                    break
            found.append((document, last, base))
        return Bases(found)

    @cached_property
    def links(self) -> list[str | None]:
        """The address that each node links to; None for most."""
        column: list[str | None] = [None] * len(self.nodes)
        linking = self.nodes.tag.is_in({"a", "area", "svg:a"})
        for name in ("xlink:href", "href"):
            for node, href in self.nodes.attributes.having(name, "a", "area").items():
                if linking[node] and not href.strip().startswith("#"):
                    target = self.resolve(href, node)
                    column[node] = None if target is None or target.startswith("javascript:") else target
        return column

    @cached_property
    def images(self) -> list[str | None]:
        """The address of the picture that each node shows; None for most."""
        column: list[str | None] = [None] * len(self.nodes)
        for node, source in self.nodes.images.items():
            column[node] = self.resolve(source, node)
        return column

    @cached_property
    def _offsets(self) -> NDArray[np.int32] | None:
        return source_offsets(self.html, self.nodes) if self.html else None

    def save(self, path: str | Path) -> None:
        """Write the page into one file, from which ``windrow.load`` reads it again with the same results."""
        pagefile.write(self, Path(path))

    def __reduce__(self) -> tuple[Callable[[bytes], Page], tuple[bytes]]:
        """Go from one process to another as the content of a file: what is worked out when asked for stays behind."""
        return _from_bytes, (pagefile.page_to_bytes(self),)


def _from_bytes(data: bytes) -> Page:
    return Page(**pagefile.bytes_to_parts(data))


def _absolute(reference: str, base: str) -> str | None:
    """Return an address resolved by the URL standard; None where it is none."""
    if not base and ":" not in reference:
        return None  # most references of a page without an address; to have it said takes longer
    try:
        return str(ada_url.join_url(base, reference) if base else ada_url.URL(reference).href)
    except ValueError:
        return None
