"""``--store``: the store that a command works on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from windrow.store import Store

STORE = click.option(
    "--store",
    "where",
    envvar="WINDROW_STORE",
    default="windrow.db",
    show_default=True,
    metavar="PATH|URL",
    help="The store: a file, sqlite:///FILE or postgresql://USER@HOST/DATABASE; also WINDROW_STORE.",
)


def open_store(where: str, *, make: bool = True) -> Store:
    """Open the store that a command works on; what that needs is imported now, so that other commands do without."""
    from windrow import store  # noqa: PLC0415 - as said above

    return store.open_store(where, make=make)
