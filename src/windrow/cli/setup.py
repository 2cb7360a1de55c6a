"""``windrow setup``: install a browser where there is none."""

from __future__ import annotations

import click

from windrow.render.executable import browser_version, find_browser, install_browser


@click.command()
@click.option("--force", is_flag=True, help="Install one even where a browser is there already.")
def setup(*, force: bool) -> None:
    """Install a browser to lay pages out with, unless there is one.

    As root, or where sudo asks for no password, the system's package manager installs it; otherwise it goes into a
    folder of your own.
    """
    browser = None if force else find_browser()
    if browser is None:
        browser = install_browser(lambda step: click.echo(step, err=True))
    click.echo(f"{browser_version(browser)} at {browser}")
