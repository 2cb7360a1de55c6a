"""What a page calls a value by where it stands: the header of its column, the name in its row, its section's heading.

A place whose name is another one than the learned is another field's, and where the learned name stands is where to
look. A heading is a name only where two pages show it: one that carries the record's own name ("About ash trees") is on
one page only, and says nothing.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.nodes.cells import Spans
from windrow.nodes.table_rows import (
    CELLS,
    HEADER,
    ROW,
    are_headers,
    find_cells,
    find_rows,
    is_header_row,
    place_sections,
)
from windrow.wrapper.naming import is_label, is_name, name_of
from windrow.wrapper.normalization import folded
from windrow.wrapper.value_lists import showing_only

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.page_features import PageFeatures

LEVELS = {f"h{level}": level for level in range(1, 7)}
INNERMOST = 7
"""The level of what heads a part of a table or of a form, below all headings of the page."""
PAIR = 2  # not a decision: a name and its value
LEAST_PAIRS = 2
"""So many rows of a name and a value make a table of such; one row may be anything."""
KEPT = "_wrapper_captions"


@dataclass(frozen=True)
class Section:
    """What stands under one heading."""

    start: int
    end: int
    """The first node after the element that the heading opens; a later heading of its level may end it before."""
    level: int
    code: int
    """Its text and the tags around it as one number, the same in every process."""


@dataclass(frozen=True)
class Caption:
    """What a page calls one value."""

    column: str = ""
    """The header of the column of its cell, in a table with headers."""
    section: int = 0
    """The innermost heading that it stands under, as a number."""
    other_sections: tuple[int, ...] = ()
    """The headings under which something like it stands."""

    @cached_property
    def others(self) -> frozenset[int]:
        """The same, to be asked for many nodes."""
        return frozenset(self.other_sections)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain = {"column": self.column, "section": self.section, "others": list(self.other_sections)}
        return {name: value for name, value in plain.items() if value}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Caption:
        """Return what ``to_dict`` wrote."""
        others = tuple(map(int, plain.get("others", ())))
        return cls(str(plain.get("column", "")), int(plain.get("section", 0)), others)


NO_CAPTION = Caption()


@dataclass(frozen=True, eq=False)
class Captions:
    """The names that one page shows; each part is made when first asked for."""

    features: PageFeatures

    @property
    def nodes(self) -> Nodes:
        """The page's nodes."""
        return self.features.nodes

    def column_of(self, node: int) -> str:
        """Return the header of the column of the cell around a node; empty where there is none."""
        cell = self._nearest(node, CELLS)
        table = self._nearest(cell, {"table"}) if cell else 0
        return self._headers(table).get(cell, "") if table else ""

    def _nearest(self, node: int, tags: Collection[str]) -> int:
        """Return the nearest element of certain tags around a node, or 0."""
        while node > 0 and self.nodes.tag[node] not in tags:
            node = int(self.features.up[node])
        return node

    @cached_property
    def _known_headers(self) -> dict[int, dict[int, str]]:
        return {}

    def _headers(self, table: int) -> dict[int, str]:
        """Return the header above each cell of a table that has one."""
        if table not in self._known_headers:
            self._known_headers[table] = self._read_headers(table)
        return self._known_headers[table]

    def _read_headers(self, table: int) -> dict[int, str]:
        found: dict[int, str] = {}
        names: dict[int, str] = {}
        rows = find_rows(self.nodes, table)
        for group, slots in place_sections(self.nodes, rows, self._spans):
            headers = self._header_rows(group, rows)
            for row in group:
                placed = [(cell, slots[cell]) for cell in rows[row]]
                if row in headers:
                    for cell, slot in placed:
                        name = self.features.text_of(cell)
                        names |= dict.fromkeys(range(slot.column, slot.column + slot.column_span), name)
                    continue
                found |= {cell: name for cell, slot in placed if (name := names.get(slot.column, ""))}
        return found

    @cached_property
    def _spans(self) -> Spans:
        return Spans(self.nodes)

    def _header_rows(self, group: Sequence[int], rows: Mapping[int, list[int]]) -> set[int]:
        """Return the rows of a group that show nothing but headers, several of them.

        In the head of a table, other cells are headers too where none are marked as such; a row of units or figures
        below its first column is none.
        """
        shown = {row: self._showing(rows[row]) for row in group}
        headers = {row for row, cells in shown.items() if is_header_row(self.nodes, row, cells)}
        marked = {row for row in headers if are_headers(self.nodes, shown[row])}
        return marked or {row for row in headers if any(map(self._is_name, shown[row][1:]))}

    def _showing(self, row: list[int]) -> list[int]:
        return [cell for cell in row if self.features.first_text[cell] < self.features.last_text[cell]]

    def is_named_in_row(self, node: int) -> bool:
        """Whether a value stands in a row of its name and itself, in a table of nothing but such rows.

        The name is the text right before it.
        """
        cell = self._nearest(node, CELLS)
        table = self._nearest(cell, {"table"}) if cell else 0
        begins = self.features.first_text[node] == self.features.first_text[cell]
        if not table or not begins or self.column_of(node):
            return False
        rows = [self._showing(cells) for cells in find_rows(self.nodes, table).values()]
        pairs = [row for row in rows if len(row) == PAIR]
        is_pair = any(row[1] == cell for row in pairs)
        return is_pair and len(pairs) >= LEAST_PAIRS and all(self._is_name(row[0]) for row in pairs)

    def _is_name(self, cell: int) -> bool:
        text = self.features.text_of(cell)
        return is_name(text) or is_label(text)

    @cached_property
    def sections(self) -> list[Section]:
        """All sections of the page, in the order of their headings."""
        tag = self.nodes.tag
        headings = [node for node in np.flatnonzero(tag.is_in(frozenset(LEVELS))).tolist() if self._shows(node)]
        found = [self._section(node, LEVELS[tag[node]]) for node in headings]
        above_headers = sorted({int(self.nodes.parent[node]) for node in tag.where(HEADER).tolist()})
        rows = [node for node in above_headers if tag[node] == ROW and self._is_section_row(node)]
        parts = [node for name in ("caption", "legend") for node in tag.where(name).tolist() if self._shows(node)]
        found += [self._section(node, INNERMOST) for node in (*rows, *parts)]
        return sorted(found, key=lambda section: section.start)

    def _shows(self, node: int) -> bool:
        return bool(self.features.first_text[node] < self.features.last_text[node])

    def _is_section_row(self, row: int) -> bool:
        """Whether a row shows one header and nothing else."""
        cells = find_cells(self.nodes, row)
        return len(cells) == 1 and self.nodes.tag[cells[0]] == "th" and self._shows(cells[0])

    def _section(self, heading: int, level: int) -> Section:
        outer = showing_only(self.features, heading)[-1] if level < INNERMOST else heading
        above = int(self.features.up[outer])
        return Section(heading, int(self.nodes.end[above]), level, self._code(heading))

    def _code(self, heading: int) -> int:
        text = folded(self.features.text_of(heading))
        return zlib.crc32(text.encode("utf-8", "surrogatepass")) ^ self.features.tag_path.item(heading) >> 32

    @cached_property
    def codes(self) -> frozenset[int]:
        """The headings of all sections."""
        return frozenset(section.code for section in self.sections)

    @cached_property
    def _bounds(self) -> list[int]:
        return sorted({at for section in self.sections for at in (section.start, section.end)})

    @cached_property
    def _chains(self) -> list[tuple[int, ...]]:
        """The headings over what stands before the first bound, and over what stands from each bound to the next."""
        chains: list[tuple[int, ...]] = [()]
        coming = deque(self.sections)
        begun: dict[int, list[Section]] = {}
        for at in self._bounds:
            while coming and coming[0].start <= at:
                begun.setdefault(coming[0].level, []).append(coming.popleft())
            for sections in begun.values():
                while sections and sections[-1].end <= at:
                    sections.pop()
            chains.append(_chain([sections[-1] for sections in begun.values() if sections]))
        return chains

    def chain_of(self, node: int) -> tuple[int, ...]:
        """Return the headings that a node stands under, the innermost first."""
        return self._chains[bisect_right(self._bounds, node)]

    def describe(self, node: int, pasted: Collection[str]) -> Caption:
        """Return what is learned of a place: its column, its section, and other sections that show something like it.

        A header that was itself pasted, in the form in which texts are compared, is a value and no name.
        """
        column, own = self.column_of(node), self.chain_of(node)
        is_named = (is_name(column) or is_label(column)) and folded(column) not in pasted
        others = {code for one in self._alike(node) for code in self.chain_of(one)} - set(own)
        return Caption(name_of(column) if is_named else "", own[0] if own else 0, tuple(sorted(others)))

    def _alike(self, node: int) -> list[int]:
        """Return the nodes in the same tags as one, or in elements of the same class."""
        features = self.features
        element = int(features.up[node]) if features.is_text[node] else node
        is_alike = np.asarray(features.tag_path == features.tag_path[node])
        if element in features.classes:
            is_alike |= features.key == features.key[element]
        found: list[int] = features.showing(np.flatnonzero(is_alike).astype(np.intp)).tolist()
        return found

    def tells(self, caption: Caption) -> bool:
        """Whether anything on the page may speak against a node by a learned caption."""
        is_known = caption.section in self.codes or not self.codes.isdisjoint(caption.other_sections)
        return bool(caption.column) or is_known

    def fits(self, caption: Caption, node: int) -> bool:
        """Whether nothing that names a node says that it is another field than the learned one."""
        if caption.column and name_of(self.column_of(node)) != caption.column:
            return False
        own = self.chain_of(node)
        is_under = caption.section in own or caption.section not in self.codes
        return is_under and caption.others.isdisjoint(own)


def _chain(sections: Sequence[Section]) -> tuple[int, ...]:
    """Return the headings of the last open section of each level, the innermost first, each of a higher level."""
    level, found = INNERMOST + 1, list[int]()
    for section in sorted(sections, key=lambda section: section.start, reverse=True):
        if section.level < level:
            level = section.level
            found.append(section.code)
    return tuple(found)


def captions_of(features: PageFeatures) -> Captions:
    """Return the names of a page; they are kept beside its columns, so that all verbs share them."""
    kept: dict[str, Captions] = vars(features.nodes)
    if KEPT not in kept:
        kept[KEPT] = Captions(features)
    return kept[KEPT]
