"""Windrow reads a web page the way a person sees it and rakes it into rows.

    page = windrow.load("https://…")        # fetched and laid out by a browser, through the guard
    page = windrow.parse(html)              # from memory, without a browser

A page is one read-only value; what can't be read raises a ``WindrowError`` with a sentence that says what to do.
"""

from windrow.errors import (
    BrowserError,
    LimitError,
    NotHtmlError,
    RefusedError,
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

__all__ = [
    "BrowserError",
    "Failure",
    "Kind",
    "LimitError",
    "Limits",
    "Nodes",
    "NotHtmlError",
    "Options",
    "Page",
    "RefusedError",
    "SourceError",
    "StatusError",
    "Title",
    "UsageError",
    "WindrowError",
    "close",
    "load",
    "load_many",
    "parse",
    "parse_many",
]
