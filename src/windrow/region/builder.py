"""From a group of nodes to a region: texts, boxes, aligned and named columns, links."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import LEFT, RIGHT
from windrow.nodes import find_language
from windrow.region.alignment import align
from windrow.region.column_names import name_columns
from windrow.region.fields import FieldReader, PageText
from windrow.region.grid import Grid, read_grid
from windrow.region.group_headings import NAME as GROUP
from windrow.region.group_headings import find_group_headings
from windrow.region.links import Links, Pager
from windrow.region.own_links import find_own_links
from windrow.region.result import Record, Region
from windrow.region.rows_beside import Rows
from windrow.region.text_kinds import Kinds, split_prices
from windrow.result import free_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.fields import RecordNodes
    from windrow.region.links import Addresses
    from windrow.region.measures import PageMeasures
    from windrow.region.repetition import FieldColumn
    from windrow.region.result import Cell
    from windrow.result import Box
    from windrow.value import Kind

OFTEN = 0.5
"""Share of a column's cells that must be links for their addresses to be a column as well."""
FEWEST = 20
"""Records that are read of each list, be nothing left for it."""


@dataclass(frozen=True, eq=False)
class _Read:
    """What was read so far, record by record."""

    records: Sequence[RecordNodes]
    names: list[str]
    urls: list[str | None]
    fields: list[dict[str, Cell]]
    places: list[dict[str, tuple[int, ...]]]

    def put(self, name: str, column: FieldColumn) -> None:
        """Write a column into the records."""
        for number, fields in column.cells.items():
            split = split_prices if column.kind == "price" else _whole
            parts = [(text, field.node) for field in fields for text in split(field.text)]
            texts = [text for text, _ in parts]
            self.fields[number][name] = texts[0] if len(texts) == 1 else texts
            self.places[number][name] = tuple(node for _, node in parts)

    def take_out(self, name: str) -> None:
        """Take a column out of the records."""
        self.names.remove(name)
        for fields, places in zip(self.fields, self.places, strict=True):
            del fields[name], places[name]


def _whole(text: str) -> list[str]:
    return [text]


class Builder:
    """Builds the regions of one page."""

    def __init__(self, measures: PageMeasures, addresses: Addresses, most: int, method: str = "best") -> None:
        """Take what is known of the page, how many texts may be read, and the name of the method that found records."""
        self._measures = measures
        self._text = PageText(measures)
        self._links = Links(measures, addresses)
        self._pager = Pager(self._links)
        self._method = method
        self._left = most

    def build(self, group: Sequence[RecordNodes], confidence: float) -> Region:
        """Read the fields of the records and put them into columns; those of a very long list as far as may be."""
        if all(self._measures.nodes.tag[node] == "tr" for node in group[0]):
            group = Rows(self._pager, group).without_beside()
        records = self._take(group)
        measures, grid = self._measures, self._read_grid(records)
        found = align(FieldReader(self._text, records, grid.columns), Kinds(), grid.heading_over)
        names, constants = name_columns(measures, found, records, grid)
        urls = find_own_links(self._links, records)
        read = _Read(records, names, urls, [{} for _ in records], [{} for _ in records])
        for name, column in zip(names, found, strict=True):
            read.put(name, column)
        if headings := find_group_headings(self._text, records):
            names.append(free_name(GROUP, set(names)))
            read.put(names[-1], headings)
        addresses = self._add_addresses(read)
        for name in constants:
            read.take_out(name)
        boxes = find_boxes(measures, [*records, tuple(chain.from_iterable(records))])
        made = tuple(
            Record(record, self._text.of_record(record), box, url, own, where)
            for record, box, url, own, where in zip(records, boxes[:-1], urls, read.fields, read.places, strict=True)
        )
        around = measures.nodes.common_ancestor([node for record in records for node in record])
        return Region(
            records=made,
            names=(*names, *addresses),
            box=boxes[-1],
            next_url=self._pager.find_next(records[0][0]),
            confidence=confidence,
            rendered=measures.nodes.layout is not None,
            method=self._method,
            addresses=addresses,
            constants=constants,
            node=around,
            language=find_language(measures.nodes, around),
            left_out=len(group) - len(records),
        )

    def _read_grid(self, records: Sequence[RecordNodes]) -> Grid:
        nodes = self._measures.nodes
        is_rows = nodes.tag[records[0][0]] == "tr"
        return read_grid(nodes, records, self._links.addresses.table_rows().headings) if is_rows else Grid(nodes)

    def _take(self, records: Sequence[RecordNodes]) -> Sequence[RecordNodes]:
        """Return the first records, as many as may still be read; a few of each list, however large they are."""
        texts = self._measures.texts
        read = list(accumulate(int(texts[list(record)].sum()) for record in records))
        taken = max(bisect_right(read, self._left), min(FEWEST, len(records)))
        self._left = max(self._left - read[taken - 1], 0)
        return records[:taken]

    def _add_addresses(self, read: _Read) -> dict[str, Kind]:
        """Add where records and their parts lead to and what they show as columns of their own."""
        images = [self._links.find_image(record) for record in read.records]
        added: dict[str, tuple[Kind, dict[int, str]]] = {
            "url": ("link", {n: url for n, url in enumerate(read.urls) if url}),
            "image": ("image", {n: image for n, image in enumerate(images) if image}),
        }
        other: dict[str, dict[int, str]] = {name: {} for name in read.names}
        filled: Counter[str] = Counter()
        for n, (where, record) in enumerate(zip(read.places, read.records, strict=True)):
            filled.update(where.keys())
            for name, nodes in where.items():
                link = self._links.find_around(nodes[0], record)
                if link and link != read.urls[n]:
                    other[name][n] = link
        added |= {f"{name}_url": ("link", found) for name, found in other.items() if len(found) > OFTEN * filled[name]}
        kinds: dict[str, Kind] = {}
        taken = set(read.names)
        for wanted, (kind, values) in added.items():
            if values:
                name = wanted if wanted not in taken else free_name(f"{wanted}_address", taken)
                taken.add(name)
                kinds[name] = kind
                for n, value in values.items():
                    read.fields[n][name] = value
        return kinds


def find_boxes(measures: PageMeasures, several: Sequence[Sequence[int]]) -> list[Box | None]:
    """Draw the box around the nodes of each; None where none has one, or the page was not laid out."""
    layout = measures.nodes.layout
    if layout is None:
        return [None] * len(several)
    sizes = np.array([len(nodes) for nodes in several])
    boxes = layout.box[list(chain.from_iterable(several))]
    start = np.cumsum(sizes) - sizes
    corners = [np.fmin.reduceat(boxes[:, :RIGHT], start), np.fmax.reduceat(boxes[:, RIGHT:], start)]
    around = np.concatenate(corners, axis=1)
    known = (~np.isnan(around[:, LEFT])).tolist()
    return [(box[0], box[1], box[2], box[3]) if has else None for box, has in zip(around.tolist(), known, strict=True)]
