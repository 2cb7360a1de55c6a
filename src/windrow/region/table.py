"""From a group of nodes to a region: texts, boxes, aligned and named columns, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.geometry import hull
from windrow.region.alignment import align
from windrow.region.pieces import Cutter
from windrow.region.wording import text_of
from windrow.region.result import Record, Region

if TYPE_CHECKING:
    from windrow.region.columns import Columns
    from windrow.region.groups import Group
    from windrow.region.links import Addresses


def build_region(columns: Columns, group: Group, addresses: Addresses, confidence: float) -> Region:
    cutter = Cutter(columns, group.records)
    pieces = [cutter.cut(r) for r in group.records]
    cols = align(columns, pieces)
    names = [f"c{i}" for i in range(len(cols))]
    records = []
    sp = columns.nodes.spans
    for n, r in enumerate(group.records):
        fields = {}
        for name, c in zip(names, cols):
            if n in c.cells:
                t = [p.text for p in c.cells[n]]
                fields[name] = t[0] if len(t) == 1 else t
        text = text_of(columns, r)
        records.append(Record(r, text, None, None, fields))
    return Region(records, names, None, None, confidence, columns.nodes.layout is not None)
