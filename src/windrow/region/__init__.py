"""Lists of records: what is repeated, which list is meant, fields in columns, the next page; EMINE and MDR besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.region.best import find_best_regions
from windrow.region.emine import find_emine_regions
from windrow.region.links import Addresses, TableRows, find_declared
from windrow.region.mdr import find_mdr_regions
from windrow.region.result import Record, Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.nodes import Nodes

REGION_METHODS: dict[str, Callable[[Nodes, Addresses, int], list[Region]]] = {
    "best": find_best_regions,
    "emine": find_emine_regions,
    "mdr": find_mdr_regions,
}
"""The ways to find regions, by the name that ``Page.regions`` knows them by."""

__all__ = ["REGION_METHODS", "Addresses", "Record", "Region", "TableRows", "find_declared"]
