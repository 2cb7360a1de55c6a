"""``windrow mcp``: the server for language models, over standard input and output."""

from __future__ import annotations

from contextlib import nullcontext

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.store_option import STORE, open_store
from windrow.extras import library
from windrow.loader import Loader
from windrow.options import Options


@click.command()
@STORE
@click.option("--allow-private", is_flag=True, help="Let the tools read pages on loopback and private addresses.")
@diagnostic_options
def mcp(*, where: str, allow_private: bool) -> None:
    """Serve tools to a language model over MCP, on standard input and output, until these end.

    They read pages and query the store, and change nothing in it. `windrow web` serves the same at /mcp.
    """
    library("mcp")
    from windrow.harvest.harvest import user_agent  # noqa: PLC0415 - takes a while, which other commands do without
    from windrow.mcp.server import make_server  # noqa: PLC0415 - an extra
    from windrow.mcp.workplace import Workplace  # noqa: PLC0415 - as above

    options = Options(allow_private=allow_private, user_agent=user_agent())
    with open_store(where) as store, Loader(options, workers=1) as loader:
        make_server(Workplace(store, lambda: nullcontext(loader), allow_private)).run("stdio")
