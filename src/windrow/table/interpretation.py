"""From a grid to a table: what its rows are, what it is called, what belongs to it, and where its cells lead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from windrow.geometry import has_box, hull
from windrow.nodes import find_language, xpath
from windrow.result import Box
from windrow.table.headers import Headings, find_headings
from windrow.table.result import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.table.evidence import Judgement
    from windrow.table.grid import Grid, Place
    from windrow.table.headers import Looks
    from windrow.table.hidden import Shown

Resolve: TypeAlias = "Callable[[str, int], str | None]"
"""From a reference and the node where it stands to an absolute address."""
NOTE = re.compile(
    r"\s*(?:[*†‡§]|\[?\w{1,2}\]|notes?\b|sources?\b|quellen?\b|anm(?:erkung)?\b|remarques?\b|nota\b)", re.IGNORECASE
)
NOTE_WORDS = 12
PAGER = re.compile(
    r"(?:[^\W\d]{1,12}:?\s)?[<«\u2039]?\s?1[\s|·]{1,3}2(?:[\s|·…]{1,3}\d{1,4}){0,40}[\s|…]{0,3}(?:[^\W\d]{1,12})?\s?[>»\u203a]{0,2}"
)
"""The numbers of the pages that a table goes on over: "Page: 1 2 3 »"."""
HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
FROM_STRUCTURE = "read from structure alone, without boxes"
CLOSED = "not shown until something is opened"
JOINED = "several parts that stand flush with each other"


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The page around the tables: its headings, links and pictures, looked up once."""

    shown: Shown
    resolver: Callable[[], Resolve]
    """Gives what makes references absolute addresses, and holds nothing else of the page."""

    @property
    def nodes(self) -> Nodes:
        """The page."""
        return self.shown.nodes

    @cached_property
    def headings(self) -> NDArray[np.int32]:
        """Headings that can be seen."""
        found = self.nodes.tag.where(*HEADING_TAGS)
        return found[self.nodes.visible[found]]

    @cached_property
    def headings_outside(self) -> NDArray[np.int32]:
        """Those that stand in no item of a list."""
        return self.headings[~self.nodes.inside(self.nodes.tag.is_in({"li"}))[self.headings]]

    def item_end(self, heading: int) -> int:
        """Return the end of the list item around a heading, which heads nothing after it; else the page's end."""
        while heading and self.nodes.tag[heading] != "li":
            heading = int(self.nodes.parent[heading])
        return int(self.nodes.end[heading])

    @cached_property
    def links(self) -> tuple[NDArray[np.int64], list[str]]:
        """Linked elements and where they lead, as the page writes it."""
        anchors = self.nodes.tag.is_in({"a", "area"})
        hrefs = self.nodes.attributes.having("href", "a", "area")
        return _listed({node: href for node, href in hrefs.items() if anchors[node]})

    @cached_property
    def images(self) -> tuple[NDArray[np.int64], list[str]]:
        """Pictures and their addresses, as the page writes them."""
        return _listed(self.nodes.images)

    def references(self, listed: tuple[NDArray[np.int64], list[str]], cells: NDArray[np.int64]) -> References:
        """Return what leads somewhere inside each of these elements."""
        first, last = np.searchsorted(listed[0], cells), np.searchsorted(listed[0], self.nodes.end[cells])
        start, end = int(first.min(initial=len(listed[1]))), int(last.max(initial=0))
        spans = list(zip((first - start).tolist(), (last - start).tolist(), strict=True))
        return References(listed[1][start:end], listed[0][start:end].tolist(), spans, self.resolver())


@dataclass(frozen=True, eq=False)
class References:
    """What leads somewhere inside of cells, as the page writes it: it is resolved when the cells are asked for."""

    texts: list[str]
    nodes: list[int]
    spans: list[tuple[int, int]]
    """For each cell, which of these stand in it."""
    resolve: Resolve

    def addresses(self) -> list[tuple[str, ...]]:
        """Return the addresses inside each cell, each once."""
        return [self._resolved(start, end) if start < end else () for start, end in self.spans]

    def _resolved(self, start: int, end: int) -> tuple[str, ...]:
        found = map(self.resolve, self.texts[start:end], self.nodes[start:end])
        return tuple(dict.fromkeys(address for address in found if address))


def _listed(found: Mapping[int, str]) -> tuple[NDArray[np.int64], list[str]]:
    kept = {
        node: text
        for node, text in found.items()
        if text.strip() and not text.strip().lower().startswith(("#", "javascript:"))
    }
    return np.array(list(kept), dtype=np.int64), list(kept.values())


def grid_to_table(whole: Grid, grid: Grid, looks: Looks, judgement: Judgement, around: Surroundings) -> Table:
    """Interpret as much of a whole grid as may be read."""
    headings = find_headings(grid, looks) if grid.places else Headings(0, 0)
    wide = [place for place in grid.places if place.column_span == grid.column_count > 1]
    footers = _count_footers(grid, headings.rows, wide)
    repeated = _find_repeated(grid, headings.rows, footers)
    return Table.later(
        _cells(grid, headings, around),
        row_count=grid.row_count,
        column_count=grid.column_count,
        header_rows=headings.rows,
        header_columns=headings.columns,
        footer_rows=footers,
        repeated_headers=repeated,
        name=_name(grid, wide, headings, around),
        caption=grid.caption,
        notes=tuple(place.text for place in wide if place.row >= grid.row_count - footers and _is_note(place)),
        box=_box(grid, around.nodes),
        xpath=xpath(around.nodes, grid.root),
        node=grid.root,
        origin=grid.kind,
        language=find_language(around.nodes, grid.root),
        confidence=judgement.confidence,
        reasons=_reasons(grid, judgement, around),
        rendered=around.nodes.layout is not None,
        visible=not bool(around.shown.closed[grid.root]),
        left_out=whole.row_count - grid.row_count,
    )


def _cells(grid: Grid, headings: Headings, around: Surroundings) -> Callable[[], tuple[Cell, ...]]:
    """Return what makes the cells; it holds nothing of the page."""
    at = np.array([place.node for place in grid.places], dtype=np.int64)
    own = grid.kind != "text"  # the cells of preformatted text have no elements
    boxes = _cell_boxes(at, around.nodes) if own else [None] * len(at)
    links, images = (around.references(each if own else _listed({}), at) for each in (around.links, around.images))
    return partial(_make_cells, grid.places, headings, links, images, boxes)


def _make_cells(
    places: Sequence[Place],
    headings: Headings,
    links: References,
    images: References,
    boxes: Sequence[Box | None],
) -> tuple[Cell, ...]:
    first_row, first_column = headings.rows, headings.columns
    return tuple(
        [
            Cell(
                text,
                row,
                column,
                high,
                wide,
                heading or row < first_row or column < first_column,
                leads,
                shows,
                box,
                node,
            )
            for (node, row, column, high, wide, text, heading), leads, shows, box in zip(
                places, links.addresses(), images.addresses(), boxes, strict=True
            )
        ]
    )


def _cell_boxes(cells: NDArray[np.int64], nodes: Nodes) -> list[Box | None]:
    if nodes.layout is None:
        return [None] * len(cells)
    boxes = nodes.layout.box[cells]
    return [
        (left, top, right, bottom) if known else None
        for (left, top, right, bottom), known in zip(boxes.tolist(), has_box(boxes).tolist(), strict=True)
    ]


def _is_wide(place: Place, grid: Grid) -> bool:
    return place.column_span == grid.column_count > 1


def _count_footers(grid: Grid, head: int, wide: Sequence[Place]) -> int:
    """Count the rows at the end that the markup calls a foot, or that are one note or pager over the whole width."""
    notes = {place.row for place in wide if _is_note(place) or _is_pager(place)}
    count = 0
    while grid.row_count - count - 1 >= head:
        row = grid.row_count - count - 1
        if grid.sections[row] != "foot" and row not in notes:
            break
        count += 1
    return min(count, max(grid.row_count - head - 1, 0))


def _is_note(place: Place) -> bool:
    """Whether a cell over the whole width is a remark."""
    return bool(place.text) and (NOTE.match(place.text) is not None or place.text.count(" ") >= NOTE_WORDS)


def _is_pager(place: Place) -> bool:
    return PAGER.fullmatch(place.text) is not None


def _find_repeated(grid: Grid, head: int, footers: int) -> tuple[int, ...]:
    """List the rows of data that only say a heading row again, or the last one where it has the only headings."""
    texts = grid.texts
    if not head:
        return _find_bottom_headings(grid)
    names = {_said(texts[row]) for row in range(head) if any(texts[row])}
    first = {name[0] for name in names}
    rows = range(head, grid.row_count - footers)
    return tuple(row for row in rows if texts[row][0].casefold() in first and _said(texts[row]) in names)


def _said(row: Sequence[str]) -> tuple[str, ...]:
    """Return what a row says, in whatever case it is written."""
    return tuple(text.casefold() for text in row)


def _find_bottom_headings(grid: Grid) -> tuple[int, ...]:
    """Return the last row where the markup calls all of its cells headings, and those of no other row."""
    last = grid.row_count - 1
    if not grid.places:
        return ()
    if grid.places[-1].row == last and not grid.places[-1].heading:
        return ()  # as most tables end, in data
    plain = {place.row for place in grid.places if not place.heading or _is_wide(place, grid)}
    return (last,) if last and plain == set(range(last)) else ()


def _name(grid: Grid, wide: Sequence[Place], headings: Headings, around: Surroundings) -> str:
    if grid.caption:
        return grid.caption
    above = (place for place in wide if place.row < headings.rows)
    title = next((place.text for place in above if place.text and not _is_pager(place)), "")
    if title:
        return title
    at = int(np.searchsorted(around.headings, grid.root))
    heading = int(around.headings[at - 1]) if at else 0
    if heading and around.item_end(heading) <= grid.root:
        at = int(np.searchsorted(around.headings_outside, grid.root))
        heading = int(around.headings_outside[at - 1]) if at else 0
    return " ".join(around.nodes.visible_text(heading).split()) if heading else ""


def _box(grid: Grid, nodes: Nodes) -> Box | None:
    if nodes.layout is None:
        return None
    # Table markup has a box of its own; the element around other cells may reach further than they do.
    own = grid.kind in ("table", "text") or not grid.places
    around = list(grid.parts or (grid.root,)) if own else [place.node for place in grid.places]
    left, top, right, bottom = hull(nodes.layout.box[around]).tolist()
    return None if np.isnan(left) else (left, top, right, bottom)


def _reasons(grid: Grid, judgement: Judgement, around: Surroundings) -> tuple[str, ...]:
    reasons = list(judgement.reasons)
    if len(grid.parts) > 1:
        reasons.append(JOINED)
    if around.shown.closed[grid.root]:
        reasons.append(CLOSED)
    if around.nodes.layout is None:
        reasons.append(FROM_STRUCTURE)
    return tuple(reasons)
