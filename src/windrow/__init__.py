"""Windrow reads a web page the way a person sees it and rakes it into rows.

    page = windrow.load("https://…")        # fetched and laid out by a browser, through the guard
    page = windrow.parse(html)              # from memory, without a browser

A page is one read-only value; what can't be read raises a ``WindrowError`` with a sentence that says what to do.
"""

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
from windrow.loading import Failure, close, load, load_many, parse, parse_many
from windrow.nodes import Kind, Nodes
from windrow.options import Limits, Options
from windrow.page import Page
from windrow.title import Title
from windrow.wrapper import Wrapper, learn

__all__ = [
    "BrowserError",
    "Failure",
    "HealUncertain",
    "Kind",
    "LimitError",
    "Limits",
    "Nodes",
    "NotHtmlError",
    "Options",
    "Page",
    "RefusedError",
    "RegionGone",
    "SourceError",
    "StatusError",
    "Title",
    "UsageError",
    "WindrowError",
    "Wrapper",
    "close",
    "learn",
    "load",
    "load_many",
    "parse",
    "parse_many",
]
