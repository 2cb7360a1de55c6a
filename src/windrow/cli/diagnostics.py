"""``--verbose``, ``--debug`` and exit statuses: what Windrow does, where a fault happened, and how it all ended."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Collection
from typing import Any, TypeVar

import click

from windrow.cli.terminal import say

Function = TypeVar("Function", bound=Callable[..., Any])

SEVERITY = (1, 2, 4, 3, 6, 5, 7)
"""Of several exit statuses the first in this order is given."""
_DEBUG = "windrow.debug"
_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


class _Speaking(logging.Handler):
    """Writes log records to standard error, above a progress bar where one stands.

    Of a fault it says the kind and the places; what the fault says itself may hold values, and secrets among them.
    """

    def emit(self, record: logging.LogRecord) -> None:
        say(f"{record.name}: {record.getMessage()}")
        if record.exc_info is not None and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            for place in traceback.extract_tb(trace):
                say(f"  {place.filename}:{place.lineno} in {place.name}")
            say(f"  {kind.__name__}")


def _remember_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click calls it
    if value:
        ctx.meta[_DEBUG] = True


def _start_logging(ctx: click.Context, _: click.Parameter, value: int) -> None:
    if value:
        start_logging(ctx, _LEVELS[min(value, len(_LEVELS) - 1)])


def start_logging(ctx: click.Context, level: int = logging.WARNING) -> None:
    """Write what is logged to standard error until the command ends, unless that is done already."""
    logger, handler = logging.getLogger("windrow"), _Speaking()
    if any(isinstance(each, _Speaking) for each in logger.handlers):
        return
    before = logger.level
    logger.setLevel(level)
    logger.addHandler(handler)

    def stop() -> None:
        logger.removeHandler(handler)
        logger.setLevel(before)

    ctx.call_on_close(stop)


_OPTIONS = (
    click.option(
        "-v",
        "--verbose",
        count=True,
        expose_value=False,
        is_eager=True,
        callback=_start_logging,
        help="Tell what is done: fetches, browsers, processes; twice for more.",
    ),
    click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_remember_debug,
        help="Show where a fault happened.",
    ),
)


def diagnostic_options(function: Function) -> Function:
    """Add ``--verbose`` and ``--debug`` to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def is_debugging(ctx: click.Context) -> bool:
    """Whether the person asked for traces, at whatever command."""
    return bool(ctx.meta.get(_DEBUG))


def gravest(statuses: Collection[int]) -> int:
    """Return the exit status of a command whose parts ended with several; 0 where there are none."""
    return next((status for status in SEVERITY if status in statuses), 0)
