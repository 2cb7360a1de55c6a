"""``windrow web``: the web interface and the API."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING

import click

from windrow.cli.diagnostics import diagnostic_options, start_logging
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import is_terminal, say
from windrow.errors import UsageError
from windrow.extras import require_library

if TYPE_CHECKING:
    from windrow.store import Store
    from windrow.web.desk import Desk

PASSWORD = "WINDROW_WEB_PASSWORD"  # noqa: S105 - the name of a variable
NEEDED = ("argon2", "fastapi", "jinja2", "python_multipart", "uvicorn")


@click.command()
@STORE
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(1, 65535), help="The port to listen on.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST[:PORT]",
    help="Another name that it is reached by, as behind a proxy.",
)
@click.option("--allow-private", is_flag=True, help="Let people read pages on loopback and private addresses.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--no-schedule", is_flag=True, help="Do not keep the schedule of the sources; another process does.")
@diagnostic_options
def web(  # noqa: PLR0913 - options of a command
    *,
    where: str,
    host: str,
    port: int,
    names: tuple[str, ...],
    allow_private: bool,
    no_browser: bool,
    no_schedule: bool,
) -> None:
    """Serve the web interface and the API, and keep the schedule, until SIGTERM or Ctrl-C.

    The password comes from WINDROW_WEB_PASSWORD, or is asked for and set at the first start.
    """
    start_logging(click.get_current_context())
    for name in NEEDED:
        require_library(name)
    from windrow.web.desk import Desk, Reach  # noqa: PLC0415 - an extra, which other commands do without
    from windrow.web.server import check_reach, serve  # noqa: PLC0415 - as above

    with open_store(where) as store:
        known = frozenset(name.lower() for name in names)
        reach = Reach(host=host, port=port, names=known, allow_private=allow_private)
        desk = Desk(store, where, reach, _password(store))
        check_reach(desk, has_password=desk.password is not None or _is_set(store))
        _greet(desk, opens=not no_browser)
        if not no_schedule:
            desk.harvests.keep_schedule()
        try:
            serve(desk)
        finally:
            desk.close()


def _password(store: Store) -> str | None:
    """Return the hash of the password that the environment has; ask for one where none was ever set."""
    from windrow.web.passwords import hash_password, set_password  # noqa: PLC0415 - an extra

    if given := os.environ.get(PASSWORD):
        return hash_password(given)
    if not _is_set(store):
        if not is_terminal(sys.stdin):
            raise UsageError(f"No password has been set. Set {PASSWORD}, or start `windrow web` once on a terminal.")
        chosen = click.prompt("A password for the web interface", hide_input=True, confirmation_prompt=True, err=True)
        set_password(store, str(chosen))
    return None


def _is_set(store: Store) -> bool:
    from windrow.web.passwords import find_password  # noqa: PLC0415 - an extra

    return find_password(store) is not None


def _greet(desk: Desk, *, opens: bool) -> None:
    """Say where it is, and open it, logged in, once it is ready."""
    host = f"[{desk.reach.host}]" if ":" in desk.reach.host else desk.reach.host
    url = f"http://{host}:{desk.reach.port}/"
    say(f"Windrow is at {url} (Ctrl-C ends it).")
    if not opens or not is_terminal(sys.stderr):
        desk.once = ""
        return
    say(f"This link logs in once, without the password: {url}login?once={desk.once}")
    timer = threading.Timer(1.0, webbrowser.open, [f"{url}login?once={desk.once}"])
    timer.daemon = True
    timer.start()
