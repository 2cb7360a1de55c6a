"""From a group of nodes to a region: texts, boxes, aligned and named columns, links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.geometry import hull
from windrow.region.alignment import align
from windrow.region.kinds import common_kind
from windrow.region.links import find_detail_url, find_image_url, link_around
from windrow.region.names import name_columns
from windrow.region.pager import find_next_url
from windrow.region.pieces import Cutter
from windrow.region.result import Record, Region
from windrow.region.wording import text_of
from windrow.value import find_decimal_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.alignment import Column
    from windrow.region.columns import Columns
    from windrow.region.links import Addresses
    from windrow.region.pieces import RecordNodes
    from windrow.region.result import Box, Cell
    from windrow.value import Mark

OFTEN = 0.5
"""Share of a column's cells that must be links for their addresses to be a column as well."""


@dataclass(frozen=True, eq=False)
class _Read:
    """What was read so far, record by record."""

    columns: Columns
    records: Sequence[RecordNodes]
    names: list[str]
    urls: list[str | None]
    fields: list[dict[str, Cell]]
    places: list[dict[str, tuple[int, ...]]]

    def put(self, name: str, column: Column) -> None:
        """Write a column into the records."""
        for number, pieces in column.cells.items():
            texts = [piece.text for piece in pieces]
            self.fields[number][name] = texts[0] if len(texts) == 1 else texts
            self.places[number][name] = tuple(piece.node for piece in pieces)


def build_region(
    columns: Columns, records: Sequence[RecordNodes], addresses: Addresses, confidence: float, method: str = "best"
) -> Region:
    """Read the fields of the records and put them into columns."""
    found = align(columns, Cutter(columns, records).cut_all())
    kinds = [common_kind(pieces[0].text for pieces in column.cells.values()) for column in found]
    names = name_columns(columns, found, records, kinds)
    urls = [find_detail_url(columns, record, addresses) for record in records]
    read = _Read(columns, records, names, urls, [{} for _ in records], [{} for _ in records])
    for name, column in zip(names, found, strict=True):
        read.put(name, column)
    of_column = dict(zip(names, kinds, strict=True)) | _add_addresses(read, addresses)
    marks = _find_marks(names, found)
    made = [
        Record(record, text_of(columns, record), box_of(columns, record), url, own, where, marks)
        for record, url, own, where in zip(records, urls, read.fields, read.places, strict=True)
    ]
    return Region(
        records=made,
        columns=list(of_column),
        box=box_of(columns, [node for record in records for node in record]),
        next_url=find_next_url(columns, addresses, records[0][0]),
        confidence=confidence,
        rendered=columns.nodes.layout is not None,
        method=method,
        kinds=of_column,
    )


def _find_marks(names: Sequence[str], found: Sequence[Column]) -> dict[str, Mark]:
    """Give the mark that parts decimals in each column that tells."""
    marks = {
        name: find_decimal_mark(piece.text for pieces in column.cells.values() for piece in pieces)
        for name, column in zip(names, found, strict=True)
    }
    return {name: mark for name, mark in marks.items() if mark is not None}


def _add_addresses(read: _Read, addresses: Addresses) -> dict[str, str]:
    """Add where records and their parts lead to and what they show as columns of their own."""
    images = [find_image_url(read.columns, record, addresses) for record in read.records]
    added: dict[str, tuple[str, list[str | None]]] = {"url": ("link", read.urls), "image": ("image", images)}
    for name in read.names:
        links = [
            link_around(read.columns, where[name][0], record, addresses) if name in where else None
            for where, record in zip(read.places, read.records, strict=True)
        ]
        other = [link if link != url else None for link, url in zip(links, read.urls, strict=True)]
        filled = sum(name in where for where in read.places)
        if sum(link is not None for link in other) > OFTEN * filled:
            added[f"{name}_url"] = ("link", other)
    kinds: dict[str, str] = {}
    for wanted, (kind, values) in added.items():
        if any(values):
            name = wanted if wanted not in read.names else f"{wanted}_address"
            kinds[name] = kind
            for fields, value in zip(read.fields, values, strict=True):
                fields.update({name: value} if value else {})
    return kinds


def box_of(columns: Columns, record: Sequence[int]) -> Box | None:
    """Draw the box around some nodes; None where the page was not laid out."""
    layout = columns.nodes.layout
    if layout is None:
        return None
    left, top, right, bottom = hull(layout.box[list(record)]).tolist()
    return (left, top, right, bottom) if left == left else None  # noqa: PLR0124 -- not a number
