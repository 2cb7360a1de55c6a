"""Windrow reads a web page the way a person sees it and rakes it into rows.

    page = windrow.load("https://…")        # fetched and laid out by a browser, through the guard
    page = windrow.parse(html)              # from memory, without a browser

A page is one read-only value; what can't be read raises a ``WindrowError`` with a sentence that says what to do.
"""

import logging

from windrow.errors import (
    BrowserError,
    HealUncertain,
    LimitError,
    NotHtmlError,
    RefusedError,
    RegionGone,
    SourceError,
    StatusError,
    UsageError,
    WindrowError,
)
from windrow.loader import Loader, Outcome, close, load, load_many, parse, parse_many
from windrow.nodes import Kind, Nodes
from windrow.options import Limits, Options
from windrow.page import Page
from windrow.readers import READERS
from windrow.region import Record, Region
from windrow.result import from_dict
from windrow.table import Table
from windrow.title import Title
from windrow.toplist import TopList
from windrow.wrapper import Extraction, Wrapper, learn

# What Windrow logs goes nowhere until the program says where.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = [
    "READERS",
    "BrowserError",
    "Extraction",
    "HealUncertain",
    "Kind",
    "LimitError",
    "Limits",
    "Loader",
    "Nodes",
    "NotHtmlError",
    "Options",
    "Outcome",
    "Page",
    "Record",
    "RefusedError",
    "Region",
    "RegionGone",
    "SourceError",
    "StatusError",
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
