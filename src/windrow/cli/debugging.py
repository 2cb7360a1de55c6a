"""``--debug``: shows where a fault happened instead of only saying that it did."""

from __future__ import annotations

import click

_KEY = "windrow.debug"


def _remember(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click calls it
    if value:
        ctx.meta[_KEY] = True


debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, is_eager=True, callback=_remember, help="Show where a fault happened."
)


def is_debugging(ctx: click.Context) -> bool:
    """Whether the person asked for traces, at whatever command."""
    return bool(ctx.meta.get(_KEY))
