"""From a group of nodes to a region: texts, boxes, aligned and named columns, links."""

from __future__ import annotations

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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.alignment import Column
    from windrow.region.columns import Columns
    from windrow.region.links import Addresses
    from windrow.region.pieces import RecordNodes
    from windrow.region.result import Box, Cell

OFTEN = 0.5
"""Share of a column's cells that must be links for their addresses to be a column as well."""


def build_region(
    columns: Columns, records: Sequence[RecordNodes], addresses: Addresses, confidence: float, method: str = "best"
) -> Region:
    """Read the fields of the records and put them into columns."""
    found = align(columns, Cutter(columns, records).cut_all())
    kinds = [common_kind(pieces[0].text for pieces in column.cells.values()) for column in found]
    names = name_columns(columns, found, records, kinds)
    fields: list[dict[str, Cell]] = [{} for _ in records]
    places: list[dict[str, tuple[int, ...]]] = [{} for _ in records]
    for name, column in zip(names, found, strict=True):
        for number, pieces in column.cells.items():
            texts = [piece.text for piece in pieces]
            fields[number][name] = texts[0] if len(texts) == 1 else texts
            places[number][name] = tuple(piece.node for piece in pieces)
    urls = [find_detail_url(columns, record, addresses) for record in records]
    of_column = dict(zip(names, kinds, strict=True))
    of_column |= _add_addresses(columns, records, addresses, fields, urls, dict(zip(names, found, strict=True)))
    made = [
        Record(record, text_of(columns, record), box_of(columns, record), url, own, where)
        for record, url, own, where in zip(records, urls, fields, places, strict=True)
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


def _add_addresses(columns, records, addresses, fields, urls, found):
    """Add where records lead to and what they show as columns of their own."""
    added: dict[str, str] = {}
    images = [find_image_url(columns, record, addresses) for record in records]
    for name, kind, values in (("url", "link", urls), ("image", "image", images)):
        free = name if name not in found else f"{name}_address"
        if any(values):
            added[free] = kind
            for own, value in zip(fields, values, strict=True):
                if value:
                    own[free] = value
    return added


def box_of(columns: Columns, record: Sequence[int]) -> Box | None:
    """Draw the box around some nodes; None where the page was not laid out."""
    layout = columns.nodes.layout
    if layout is None:
        return None
    left, top, right, bottom = hull(layout.box[list(record)]).tolist()
    return (left, top, right, bottom) if left == left else None  # noqa: PLR0124 -- not a number
