"""The options of the command line that say how a page is fetched and laid out, and the ``Options`` they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from windrow.options import LARGEST_VIEWPORT, MOST, MOST_SECONDS, Options

Function = TypeVar("Function", bound=Callable[..., Any])

VIEWPORT = re.compile(r"(\d{1,5})[xX](\d{1,5})")
DEFAULTS = Options()
LIMITS = {"seconds": "seconds", "max_bytes": "bytes", "max_loaded": "loaded", "max_nodes": "nodes"}
"""The limit that each option sets."""


def _to_viewport(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Return a width and a height, from words such as 1280x1024."""
    if value is None:
        return None
    found = VIEWPORT.fullmatch(value)
    if found is None or not all(0 < int(number) <= LARGEST_VIEWPORT for number in found.groups()):
        sentence = f"{value!r} is not the size of a window; write it as in 1280x1024, each at most {LARGEST_VIEWPORT}."
        raise click.BadParameter(sentence)
    return int(found[1]), int(found[2])


def _to_headers(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return headers by name, from words such as "Name: value"; ``Options`` checks that they can be sent."""
    headers = {}
    for value in values:
        name, colon, content = value.partition(":")
        if not colon:
            raise click.BadParameter(f'{value!r} is not a header; write it as in "Name: value", on one line.')
        headers[name] = content.strip(" \t")
    return headers


PATH_IN = click.Path(exists=True, dir_okay=False, path_type=Path)

NETWORK = (
    click.option("--user-agent", metavar="TEXT", help="Sent instead of the browser's own."),
    click.option("--proxy", metavar="URL", help="Leave through this proxy: http://[user:password@]host:port."),
    click.option("--language", metavar="TAGS", help=f"Languages to ask for. [default: {DEFAULTS.language}]"),
    click.option("--allow-private", is_flag=True, help="Let requests reach loopback and private addresses."),
)
PAGE = (
    click.option(
        "--viewport", callback=_to_viewport, metavar="WxH", help="Size of the window in pixels. [default: 1280x1024]"
    ),
    *NETWORK[:1],
    click.option(
        "--header",
        "headers",
        callback=_to_headers,
        multiple=True,
        metavar='"K: V"',
        help="One more request header; repeatable.",
    ),
    *NETWORK[1:3],
    click.option("--session", type=PATH_IN, metavar="FILE", help="Cookies and storage that `windrow login` saved."),
    click.option(
        "--wait",
        type=click.FloatRange(0, MOST_SECONDS),
        metavar="SECONDS",
        help="Wait so long once the page is quiet.",
    ),
    click.option("--wait-for", metavar="SELECTOR", help="Wait until this CSS selector matches."),
    click.option("--wait-for-text", metavar="TEXT", help="Wait until this text stands on the page."),
    click.option("--scroll", type=click.IntRange(0, MOST), metavar="N", help="Scroll down at most N screens."),
    click.option("--load-more", type=click.IntRange(0, MOST), metavar="N", help='Press "load more" at most N times.'),
    *NETWORK[3:],
    click.option(
        "--seconds",
        type=click.FloatRange(0, MOST_SECONDS, min_open=True),
        metavar="N",
        help="Time for one page. [default: 30]",
    ),
    click.option(
        "--max-bytes",
        type=click.IntRange(1, MOST),
        metavar="N",
        help="Bytes that one document may have. [default: 16 MiB]",
    ),
    click.option(
        "--max-loaded",
        type=click.IntRange(1, MOST),
        metavar="N",
        help="Bytes that one page may load. [default: 64 MiB]",
    ),
    click.option(
        "--max-nodes",
        type=click.IntRange(1, MOST),
        metavar="N",
        help="Nodes that one page may have. [default: 500,000]",
    ),
)


def page_options(function: Function) -> Function:
    """Add every option that ``Options`` is made of."""
    return _add(function, PAGE)


def network_options(function: Function) -> Function:
    """Add the options of the way out only."""
    return _add(function, NETWORK)


def _add(function: Function, options: tuple[Callable[[Function], Function], ...]) -> Function:
    for option in reversed(options):
        function = option(function)
    return function


def choices_to_options(choices: Mapping[str, Any], usual: Options = DEFAULTS) -> Options:
    """Return the ``Options`` that were chosen on the command line; what was not is as usual."""
    given = {name: value for name, value in choices.items() if value is not None}
    limits = {name: given.pop(choice) for choice, name in LIMITS.items() if choice in given}
    return replace(usual, **given, limits=replace(usual.limits, **limits))
