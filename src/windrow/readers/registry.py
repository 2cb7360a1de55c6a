"""Every reader in one line: its name, whether boxes help it, what it reads, how that is shown and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import Parameter, signature
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from windrow.errors import UsageError
from windrow.provenance import Notice
from windrow.readers import draw, show
from windrow.readers.names import EVERY
from windrow.result import Members, Result
from windrow.title import Title, find_best_title, find_tag_title, find_titlefinder_title, find_tta_title

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.outline import Outline, Text
    from windrow.page import Page
    from windrow.readers.names import Settings
    from windrow.readers.show import Block
    from windrow.region import Region, TableRows
    from windrow.result import Mark, Plain
    from windrow.table import Table
    from windrow.toplist import TopList

Found = TypeVar("Found")
Needs: TypeAlias = Literal["structure", "boxes"]
NODES_A_PLACE = 2
"""Of tables, one place is read for so many nodes that a page may have: as many as cells with a text could be there."""
NODES_A_TEXT = 10
"""Where texts are aligned, and in the outline, one is read for so many: that costs several times as much."""
MOST_TOLD = 3
"""Results of a reader of which each says itself that something was left out."""
ROWS = frozenset({"tr"})
TABLES = frozenset({"table"})

TITLE_METHODS: dict[str, Callable[[Nodes, str], Title]] = {
    "best": find_best_title,
    "tta": find_tta_title,
    "titlefinder": lambda nodes, _: find_titlefinder_title(nodes),
    "tag": lambda nodes, _: find_tag_title(nodes),
}


@dataclass(frozen=True)
class Reader:
    """One kind of thing to read on a page."""

    name: str
    needs: Needs
    """What it looks at. All work without a browser; those that look at boxes find more where there are some."""
    read: Callable[..., Any]
    """From a page, and settings of the reader's own, to what ``Page.read`` returns."""
    show: Callable[[Page, Any, int | None], list[Block]]
    """From what was read to what people are shown, in so many lines or all of it; nothing may be nothing to show."""
    draw: Callable[[Page, Any], list[Mark]]
    """From what was read to the frames on the picture of the page."""
    to_plain: Callable[[Page, Any], Plain]
    """From what was read to what JSON says of it."""

    def settle(self, settings: Settings) -> dict[str, str]:
        """Return the settings that differ from the reader's defaults; None is the default, whatever that is."""
        for name, value in settings.items():
            if name not in self._defaults:
                known = ", ".join(self._defaults) or "none"
                raise UsageError(f"The reader {self.name!r} has no setting {name!r}; its settings: {known}.")
            if value is not None and not isinstance(value, str):
                raise UsageError(f"The setting {name!r} of the reader {self.name!r} is a text, not {value!r}.")
        return {name: value for name, value in settings.items() if value is not None and value != self._defaults[name]}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The reader's settings with their defaults, from its signature."""
        parameters = signature(self.read).parameters.values()
        return {each.name: each.default for each in parameters if each.kind is Parameter.KEYWORD_ONLY}

    def results(self, found: Any) -> list[Result]:  # noqa: ANN401 - whatever the reader gives
        """Return what was read as a list of results, whatever their number."""
        return [found] if isinstance(found, Result) else list(found or ())

    def find_left_out(self, found: Any) -> tuple[str, ...]:  # noqa: ANN401 - as above
        """Return what was left out of what was read, in sentences."""
        lacks = [result.lack for result in self.results(found) if result.lack]
        more = f"Of {self.name}, {len(lacks) - MOST_TOLD:,} more were not read to the end."
        return (*lacks[:MOST_TOLD], *([more] if len(lacks) > MOST_TOLD else []))


def read_title(page: Page, *, method: str = "best") -> Title:
    """Return the title of a page."""
    if method not in TITLE_METHODS:
        raise UsageError(f"There is no title method {method!r}; there are: {', '.join(TITLE_METHODS)}.")
    if method == "best":
        return find_best_title(page.nodes, page.url, page.siblings)
    return TITLE_METHODS[method](page.nodes, page.url)


def read_text(page: Page) -> Text:
    """Return the visible text of a page."""
    from windrow.outline import find_text  # noqa: PLC0415 - imported where it is read, as below: rooms take a while

    return find_text(page.nodes)


def read_toplist(page: Page) -> TopList | None:
    """Return the ranked list that the page's title promises."""
    return page.toplist_reading.toplist


def read_regions(page: Page, *, method: str = "best", number: str | None = None) -> list[Region]:
    """Return the lists of records, best first, or the one of a number; one that is a table of the page says so."""
    if number is not None:
        return _pick(page.read("regions", method=method), number)
    from windrow.region import REGION_METHODS, Addresses, find_declared  # noqa: PLC0415 - as above

    if method not in REGION_METHODS:
        raise UsageError(f"There is no region method {method!r}; there are: {', '.join(REGION_METHODS)}.")
    following = find_declared(page.nodes, page.resolve)
    own = page.url.partition("#")[0]
    addresses = Addresses(page.links, page.images, own, following, lambda: _find_table_rows(page))
    regions = REGION_METHODS[method](page.nodes, addresses, page.most_nodes // NODES_A_TEXT)
    return [_with_table(page, region) for region in regions]


def _pick(found: list[Found], number: str) -> list[Found]:
    """Return the result of a number, counted from 1; none where there are not so many."""
    if not number.isdecimal() or int(number) < 1:
        raise UsageError(f"{number!r} is no number of a result; they are counted from 1.")
    return found[int(number) - 1 : int(number)]


def _find_table_rows(page: Page) -> TableRows:
    """Return the rows of a page's tables that hold no data."""
    from windrow.region import TableRows  # noqa: PLC0415 - as above

    found: list[Table] = page.read("tables")
    parent = page.nodes.parent
    headings, beside = set[int](), set[int]()
    for table in found:
        data = set(table.data_rows)
        headings.update(int(parent[cell.node]) for cell in table.cells if cell.row < table.header_rows)
        beside.update(int(parent[cell.node]) for cell in table.cells if cell.row not in data)
        beside.difference_update(int(parent[cell.node]) for cell in table.cells if cell.row in data)
    return TableRows(frozenset(headings & beside), frozenset(beside))


def _with_table(page: Page, region: Region) -> Region:
    """Name the table that a region of table rows is; other regions cost nothing."""
    nodes = page.nodes
    if not nodes.tag.is_in(ROWS)[list(region.nodes)].all():
        return region
    around = nodes.nearest(nodes.tag.is_in(TABLES))[region.node]
    found: list[Table] = page.read("tables")
    return next((replace(region, table=table.xpath) for table in found if table.node == around), region)


def read_tables(
    page: Page, *, keyword: str | None = None, method: str = "best", number: str | None = None
) -> list[Table]:
    """Return the tables of a page, best first, or the one of a number; with a keyword, those in which it stands."""
    if number is not None:
        return _pick(page.read("tables", keyword=keyword, method=method), number)
    from windrow.table import find_tables  # noqa: PLC0415 - as above

    most = page.most_nodes // NODES_A_PLACE
    return find_tables(page.nodes, lambda: page.bases.resolve, most, keyword, method)


def read_structure(page: Page) -> Outline:
    """Return the landmarks and headings of a page, and how much of everything it has."""
    from windrow.outline import find_outline  # noqa: PLC0415 - as above

    return find_outline(page.nodes, page.most_nodes // NODES_A_TEXT)


def _several_to_plain(_: Page, found: list[Result]) -> Plain:
    return (result.members() for result in found)


def _toplist_to_plain(page: Page, found: TopList | None) -> Plain:
    verdict = page.toplist_verdict()
    about = {"is_topk": verdict.is_topk, "reason": verdict.reason}
    return Members(chain(about.items(), found.members() if found else [("items", [])]))


def _text_to_plain(_: Page, found: Title | Text) -> Plain:
    return found.text


READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        Reader("title", "structure", read_title, show.show_title, draw.draw_title, _text_to_plain),
        Reader("text", "boxes", read_text, show.show_text, draw.draw_nothing, _text_to_plain),
        Reader("toplist", "boxes", read_toplist, show.show_toplist, draw.draw_toplist, _toplist_to_plain),
        Reader("regions", "boxes", read_regions, show.show_regions, draw.draw_regions, _several_to_plain),
        Reader("tables", "boxes", read_tables, show.show_tables, draw.draw_tables, _several_to_plain),
        Reader(
            "structure",
            "structure",
            read_structure,
            show.show_structure,
            draw.draw_structure,
            lambda _, found: found.members(),
        ),
    )
}


def page_to_plain(page: Page, chosen: Mapping[str, Settings], *, keep: bool) -> Iterator[tuple[str, Plain]]:
    """Yield what the chosen readers find on a page, by their names, each as its turn comes.

    What need not be kept is forgotten when the next one's turn comes.
    """
    for name, settings in chosen.items():
        yield name, READERS[name].to_plain(page, page.read(name, **settings))
        if not keep:
            page.forget(name)


def find_left_out(page: Page, chosen: Mapping[str, Settings]) -> list[Notice]:
    """Return what the chosen readers left out of what a page has: of lists, tables and outlines that are very long."""
    return [Notice("left-out", lack) for name, settings in chosen.items() for lack in page.left_out(name, **settings)]


def page_to_marks(page: Page, chosen: Mapping[str, Settings] = EVERY) -> list[Mark]:
    """Return the frames of what the chosen readers find on a page."""
    return [mark for name, settings in chosen.items() for mark in READERS[name].draw(page, page.read(name, **settings))]
