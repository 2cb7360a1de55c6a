"""``windrow login``: log in once by hand, and keep the session for ``windrow read --session``."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.options import choices_to_options, network_options
from windrow.cli.sources import is_address
from windrow.cli.terminal import counted, say
from windrow.errors import SourceError, UsageError
from windrow.render.login import Login


@click.command()
@click.argument("url")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    default="session.json",
    show_default=True,
    help="Where to save the session; only you may read the file.",
)
@network_options
@click.option("--headless", is_flag=True, hidden=True, help="Open no window.")
@diagnostic_options
def login(*, url: str, output: Path, headless: bool, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Open a browser window, let you log in at URL, and save the session.

    Press Enter in the terminal when you are logged in. Cookies of all sites and the local storage of the pages that
    are then open go into the file, for `windrow read --session`.
    """
    if not is_address(url):
        raise UsageError(f"{url} is not a web address; it should look like https://example.org/login.")
    if not output.parent.is_dir():
        raise SourceError(
            f"There is no folder {output.parent} to save the session in. Make it first, or choose another place."
        )
    say("Log in in the browser window, then press Enter here.")
    session = Login(url, choices_to_options(choices), headless=headless).make(_person_presses_enter().is_set)
    session.write(output)
    kept = f"{counted(len(session.cookies), 'cookie')} and the storage of {counted(len(session.storage), 'site')}"
    say(f"Saved the session in {output}: {kept}. Whoever has that file is logged in as you.")


def _person_presses_enter() -> threading.Event:
    """Wait for a line on standard input, beside whatever else is done."""
    pressed = threading.Event()

    def wait() -> None:
        sys.stdin.buffer.readline()
        pressed.set()

    threading.Thread(target=wait, name="windrow-enter", daemon=True).start()
    return pressed
