"""``--verbose``, ``--debug`` and exit statuses: what Windrow does, where a fault happened, and how it all ended."""

from __future__ import annotations

import logging
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
    """Writes log records to standard error, above a progress bar where one stands."""

    def emit(self, record: logging.LogRecord) -> None:
        say(f"{record.name}: {record.getMessage()}")


def _remember_debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click calls it
    if value:
        ctx.meta[_DEBUG] = True


def _start_logging(ctx: click.Context, _: click.Parameter, value: int) -> None:
    if not value:
        return
    logger, handler = logging.getLogger("windrow"), _Speaking()
    before = logger.level
    logger.setLevel(_LEVELS[min(value, len(_LEVELS) - 1)])
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
