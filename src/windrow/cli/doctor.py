"""``windrow doctor``: whether this machine has what reading pages needs, and what to do about the rest."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table
from rich.text import Text

from windrow.cli.completion import VARIABLE
from windrow.cli.confinement import find_renderers
from windrow.cli.terminal import safe, standard_output, to_json
from windrow.errors import BrowserError, LimitError, RefusedError, WindrowError
from windrow.options import Limits, Options
from windrow.process.program import core_count
from windrow.render.browser import Browser
from windrow.render.executable import find_browser, sandbox_kind, sandbox_state
from windrow.render.offline import Document
from windrow.source.fetch import fetch
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from windrow.cli.confinement import Renderer

GIBIBYTE = 1024**3
LEAST_MEMORY = 1 * GIBIBYTE
LEAST_TEMPORARY = GIBIBYTE // 2
FONT_SECONDS = 10.0
GUARD_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class Check:
    """One line of the report: what was looked at, what was found, and what to do when that is not enough."""

    name: str
    found: str
    ok: bool = True
    needed: bool = False
    advice: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def doctor(*, as_json: bool) -> None:
    """Check that this machine has what reading pages needs.

    The exit status is 0 when everything needed is there, and 3 when the browser is missing or does not start.
    """
    checks = list(find_checks())
    if as_json:
        click.echo(to_json([asdict(check) for check in checks], indent=2))
    else:
        standard_output().print(checks_to_table(checks))
    if not all(check.ok for check in checks if check.needed):
        sys.exit(BrowserError.exit_code)


def find_checks() -> Iterator[Check]:
    """Yield every check's outcome, in the order of the report."""
    yield Check(name="Python", found=f"{platform.python_version()} at {sys.executable}", needed=True)
    yield from check_packages()
    yield from check_browser()
    single: tuple[Callable[[], Check], ...] = (
        check_processors,
        check_memory,
        check_temporary_folder,
        check_fonts,
        check_completion,
        check_guard,
    )
    for check in single:
        yield check()


def checks_to_table(checks: list[Check]) -> Table:
    """Return the report as a table for the terminal."""
    table = Table()
    for heading in ("", "What", "Found", "What to do"):
        table.add_column(heading, overflow="fold")
    for check in checks:
        failed = Text("missing", "red") if check.needed else Text("advice", "yellow")
        state = Text("ok", "green") if check.ok else failed
        table.add_row(state, check.name, safe(check.found), safe(check.advice))
    return table


def check_packages() -> Iterator[Check]:
    """Yield Windrow's own version and that of each package it stands on."""
    try:
        distribution = metadata.distribution("windrow")
    except metadata.PackageNotFoundError:
        yield Check(
            name="Windrow", found="not installed", ok=False, needed=True, advice="Install it: pip install windrow"
        )
        return
    yield Check(name="Windrow", found=distribution.version, needed=True)
    for requirement in distribution.requires or ():
        # A part after ";" is for one platform or an extra only.
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        if ";" in requirement:
            continue
        try:
            yield Check(name=name, found=metadata.version(name), needed=True)
        except metadata.PackageNotFoundError:
            yield Check(
                name=name,
                found="not installed",
                ok=False,
                needed=True,
                advice=f"Install it: pip install '{requirement}'",
            )


def check_browser() -> Iterator[Check]:
    """Yield whether there is a browser, whether it starts, and what confines it."""
    advice = "Run `windrow setup`, or set WINDROW_BROWSER to a browser of the Chromium family."
    try:
        browser = find_browser()
    except BrowserError as error:
        yield Check(name="Browser", found="not found", ok=False, needed=True, advice=str(error))
        return
    if browser is None:
        yield Check(name="Browser", found="not found", ok=False, needed=True, advice=advice)
        return
    yield Check(name="Browser", found=str(browser), needed=True)
    yield from check_browser_starts()
    sentence = sandbox_state(browser)
    if sandbox_kind(browser) == "none":
        yield Check(name="Sandbox", found="none", ok=False, advice=sentence)
    else:
        yield Check(name="Sandbox", found=sentence)


def check_browser_starts() -> Iterator[Check]:
    """Lay a small page out; yield that it worked, and what confined the very process that did it."""
    try:
        with Browser() as browser:
            browser.lay_out(Document("<!doctype html><title>Hay</title><p>Rows of hay"), Options())
            version, renderers = browser.version(), find_renderers(os.getpid())
    except (BrowserError, LimitError) as error:
        yield Check(name="Browser starts", found="no", ok=False, needed=True, advice=str(error))
        return
    yield Check(name="Browser starts", found=f"{version}, and lays pages out", needed=True)
    if sys.platform == "linux":
        yield check_renderers(renderers)


def check_renderers(renderers: Sequence[Renderer]) -> Check:
    """Return whether the processes that had pages in them were confined and without privileges."""
    ok = bool(renderers) and all(renderer.confined for renderer in renderers)
    states = {f"Seccomp: {renderer.seccomp}, uid {renderer.user}" for renderer in renderers}
    return Check(
        name="Renderer",
        found="; ".join(sorted(states)) or "the browser's process was not seen in /proc",
        ok=ok,
        advice="" if ok else "The browser may run without its sandbox: do not let it read pages that you do not trust.",
    )


def check_processors() -> Check:
    """Return how many processors Windrow may use; one browser runs on each."""
    return Check(name="Processors", found=str(core_count()))


def check_memory() -> Check:
    """Return whether there is memory for a browser."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Check(
        name="Memory",
        found=f"{total / GIBIBYTE:.1f} GiB",
        ok=total >= LEAST_MEMORY,
        advice="" if total >= LEAST_MEMORY else "Large pages may not fit; read without layout, or on a larger machine.",
    )


def check_temporary_folder() -> Check:
    """Return whether the temporary folder has room for the browser's profile."""
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    return Check(
        name="Temporary folder",
        found=f"{folder}, {free / GIBIBYTE:.1f} GiB free",
        ok=free >= LEAST_TEMPORARY,
        advice="" if free >= LEAST_TEMPORARY else "Free some space there, or set TMPDIR to a folder with more.",
    )


def check_fonts() -> Check:
    """Return whether there are fonts, also for Chinese, Japanese and Korean: without them boxes have wrong sizes."""
    lister = shutil.which("fc-list")
    if lister is None:
        known = sys.platform == "darwin"
        return Check(
            name="Fonts",
            found="the system's" if known else "unknown, there is no fc-list",
            ok=known,
            advice=""
            if known
            else "Install fontconfig and some fonts (Debian: apt install fontconfig fonts-noto-cjk).",
        )
    every, cjk = _count_fonts(lister, ":"), _count_fonts(lister, ":lang=zh")
    return Check(
        name="Fonts",
        found=f"{every}, {cjk} of them with Chinese characters",
        ok=every > 0 and cjk > 0,
        advice="" if every and cjk else "Install fonts, so that text gets its true size (Debian: fonts-noto-cjk).",
    )


def _count_fonts(lister: str, pattern: str) -> int:
    try:
        done = subprocess.run(  # noqa: S603  # a program from PATH with a fixed argument
            [lister, pattern, "family"], check=False, capture_output=True, text=True, timeout=FONT_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    return len(set(done.stdout.splitlines()))


def check_completion() -> Check:
    """Return whether the user's shell completes Windrow's commands."""
    shell = Path(os.environ.get("SHELL") or "bash").name
    home = Path.home()
    places = {
        "bash": (home / ".local/share/bash-completion/completions/windrow", home / ".bashrc"),
        "zsh": (home / ".zfunc/_windrow", home / ".zshrc"),
        "fish": (home / ".config/fish/completions/windrow.fish",),
    }.get(shell, ())
    ok = any(place.is_file() and VARIABLE in place.read_text("utf-8", "replace") for place in places)
    advice = f"Run `windrow completion {shell} > {places[0]}`." if places else ""
    return Check(
        name="Completion",
        found=f"{shell}, {'installed' if ok else 'not installed'}",
        ok=ok or not places,
        advice="" if ok else advice,
    )


def check_guard() -> Check:
    """Return whether the guard works: asked for a server on this very machine, it must refuse."""
    name = "Network guard"
    try:
        with socket.create_server(("127.0.0.1", 0)) as server, GuardProxy(Guard()) as proxy:
            url = f"http://localhost:{server.getsockname()[1]}/"
            fetch(url, Options(limits=Limits(seconds=GUARD_SECONDS)), proxy)
    except RefusedError:
        return Check(name=name, found="refuses this machine's own addresses", needed=True)
    except (OSError, WindrowError) as error:
        advice = "Let Windrow open ports on the loopback address; the browser reaches the network only through it."
        return Check(name=name, found=f"does not work: {error}", ok=False, needed=True, advice=advice)
    return Check(
        name=name, found="let a private address through", ok=False, needed=True, advice="Do not read pages here."
    )
