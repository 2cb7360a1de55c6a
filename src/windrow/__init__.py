"""Windrow reads a web page the way a person sees it and rakes it into rows.

    page = windrow.load("https://…")        # fetched and laid out by a browser, through the guard
    page = windrow.parse(html)              # from memory, without a browser

A page is one read-only value; what can't be read raises a ``WindrowError`` with a sentence that says what to do.
``windrow.errors`` has the whole tree of errors.
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING

from windrow.errors import HealUncertain, RegionGone, UsageError, WindrowError

if TYPE_CHECKING:
    from windrow.harvest.timetable import Scheduler
    from windrow.loader import Loader, Outcome, close, load, load_many, parse, parse_many
    from windrow.options import Limits, Options
    from windrow.page import Page
    from windrow.readers.registry import READERS
    from windrow.region import Record, Region
    from windrow.result import from_dict
    from windrow.schedule import Schedule
    from windrow.table import Table
    from windrow.title import Title
    from windrow.toplist import TopList
    from windrow.wrapper import Extraction, Field, Wrapper, learn

LATER = {
    **dict.fromkeys(("Loader", "Outcome", "close", "load", "load_many", "parse", "parse_many"), "windrow.loader"),
    **dict.fromkeys(("Limits", "Options"), "windrow.options"),
    **dict.fromkeys(("Record", "Region"), "windrow.region"),
    **dict.fromkeys(("Extraction", "Field", "Wrapper", "learn"), "windrow.wrapper"),
    "Page": "windrow.page",
    "READERS": "windrow.readers.registry",
    "Schedule": "windrow.schedule",
    "Scheduler": "windrow.harvest.timetable",
    "Table": "windrow.table",
    "Title": "windrow.title",
    "TopList": "windrow.toplist",
    "from_dict": "windrow.result",
}
"""Public names by the modules that have them, imported when they are asked for: a command's help needs none."""
RESULTS = ("title", "table", "region", "toplist", "outline", "wrapper")
"""Rooms whose results ``from_dict`` reads: a kind of result is known when its room is imported."""

# What Windrow logs goes nowhere until the program says where.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = [
    "READERS",
    "Extraction",
    "Field",
    "HealUncertain",
    "Limits",
    "Loader",
    "Options",
    "Outcome",
    "Page",
    "Record",
    "Region",
    "RegionGone",
    "Schedule",
    "Scheduler",
    "Table",
    "Title",
    "TopList",
    "UsageError",
    "WindrowError",
    "Wrapper",
    "close",
    "from_dict",
    "learn",
    "load",
    "load_many",
    "parse",
    "parse_many",
]


def __getattr__(name: str) -> object:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for room in RESULTS if name == "from_dict" else ():
        importlib.import_module(f"{__name__}.{room}")
    value: object = getattr(importlib.import_module(LATER[name]), name)
    globals()[name] = value
    return value
