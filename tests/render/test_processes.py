"""The browser's processes: sandboxed, bounded, and gone when nobody needs them any more, in whatever way we end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from stage import Site, html

import windrow
from windrow.errors import LimitError
from windrow.render import process as browser_process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.browser

GONE_SECONDS = 5.0
HANG = "<p>Hangs</p><script>for(;;);</script>"


OTHERS: set[int] = set()
"""The processes that tests before this one have left, such as servers that tests of other files share."""


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    windrow.close()
    OTHERS.clear()
    OTHERS.update(process.pid for process in psutil.Process().children(recursive=True))
    yield
    windrow.close()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for temporary files that the browser's user can enter, too."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == tmp_path.owner() and folder != Path("/") and "pytest" in str(folder):
            folder.chmod(0o755)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def wait_until(is_done: Callable[[], object], seconds: float = GONE_SECONDS) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if is_done():
            return True
        time.sleep(0.05)
    return bool(is_done())


def descendants(pid: int | None = None) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for process in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE and process.pid not in OTHERS:
                found.append(process)
    return found


def of_type(processes: list[psutil.Process], kind: str) -> list[psutil.Process]:
    found = []
    for process in processes:
        try:
            if f"--type={kind}" in process.cmdline():
                found.append(process)
        except psutil.Error:
            continue
    return found


def all_gone(processes: list[psutil.Process], seconds: float = GONE_SECONDS) -> bool:
    gone, alive = psutil.wait_procs(processes, timeout=seconds)
    return bool(gone) and not [
        process for process in alive if process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    ]


def lay_out(markup: str = "<p>Hay</p>", **limits: float) -> windrow.Page:
    options = windrow.Options(limits=windrow.Limits(seconds=limits.get("seconds", 20)))
    return windrow.parse(markup, render=True, options=options)


@pytest.mark.usefixtures("temporary")
def test_nothing_is_left_after_close(temporary: Path) -> None:
    before = {process.pid for process in descendants()}
    assert lay_out().text == "Hay"
    started = [process for process in descendants() if process.pid not in before]
    assert of_type(started, "renderer")
    assert [path for path in temporary.iterdir() if path.name.startswith("windrow-")]
    windrow.close()
    assert all_gone(started, 2)
    assert [path for path in temporary.iterdir() if path.name.startswith("windrow-")] == []
    assert lay_out().text == "Hay"


def test_renderer_is_sandboxed_and_not_root() -> None:
    assert lay_out().text == "Hay"
    renderers = of_type(descendants(), "renderer")
    assert renderers
    for renderer in renderers:
        fields = dict(
            line.split(":", 1)
            for line in Path(f"/proc/{renderer.pid}/status").read_text("utf-8").splitlines()
            if ":" in line
        )
        assert fields["Seccomp"].strip() == "2"
        assert "0" not in fields["Uid"].split()
        assert fields["CapEff"].strip().strip("0") == ""
        assert Path(f"/proc/{renderer.pid}/ns/pid").exists() or fields["NSpid"]
        assert "--no-sandbox" not in renderer.cmdline()


def test_browser_is_not_root_and_sees_little_of_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDROW_TEST_SECRET", "hay")
    assert lay_out().text == "Hay"
    supervisor = next(process for process in descendants() if "supervisor.py" in " ".join(process.cmdline()))
    (main,) = supervisor.children()
    assert main.uids().effective != 0
    if os.geteuid() == 0:
        assert b"WINDROW_TEST_SECRET" not in Path(f"/proc/{main.pid}/environ").read_bytes()


CHILD = """
import sys, windrow
print("ready", flush=True)
windrow.load(sys.argv[1], options=windrow.Options(allow_private=True, limits=windrow.Limits(seconds=60)))
"""


def start_child(site: Site, script: str = CHILD) -> subprocess.Popen[bytes]:
    """Start a Python that hangs over a page; come back when its browser has the page."""
    # Whoever runs the tests in the background has interrupts ignored, which programs inherit.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    child = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", textwrap.dedent(script), f"{site.url}hang"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    assert wait_until(lambda: site.received, 30)
    assert wait_until(lambda: of_type(descendants(child.pid), "renderer"))
    return child


def test_nothing_is_left_after_the_parent_is_killed(temporary: Path) -> None:
    with Site({"/hang": html(HANG)}) as site:
        child = start_child(site)
        started = descendants(child.pid)
        child.kill()
        assert all_gone(started)
        child.communicate()
    assert wait_until(lambda: not list(temporary.glob("windrow-*")))


def test_nothing_is_left_after_the_whole_process_group_is_killed(temporary: Path) -> None:
    with Site({"/hang": html(HANG)}) as site:
        child = start_child(site)
        started = descendants(child.pid)
        os.killpg(child.pid, signal.SIGKILL)
        assert all_gone(started)
        child.communicate()
    assert wait_until(lambda: not list(temporary.glob("windrow-*")))


def test_nothing_is_left_after_the_keeper_is_killed(temporary: Path) -> None:
    assert lay_out().text == "Hay"
    started = descendants()
    supervisor = next(process for process in started if "supervisor.py" in " ".join(process.cmdline()))
    supervisor.kill()
    assert lay_out().text == "Hay"
    windrow.close()
    assert all_gone(started)
    assert list(temporary.glob("windrow-*")) == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signals_end_everything_at_once(temporary: Path, name: str) -> None:
    with Site({"/hang": html(HANG)}) as site:
        child = start_child(site)
        started = descendants(child.pid)
        child.send_signal(getattr(signal, name))
        assert wait_until(lambda: child.poll() is not None)
        assert all_gone(started)
        _, cried = child.communicate()
    assert (b"KeyboardInterrupt" in cried) == (name == "SIGINT")
    assert wait_until(lambda: not list(temporary.glob("windrow-*")))


MANY = """
import sys, windrow
options = windrow.Options(allow_private=True, limits=windrow.Limits(seconds=40))
for page in windrow.load_many([sys.argv[1]] * 8, options=options):
    print(page)
"""


def test_interrupt_ends_many_pages_at_once() -> None:
    with Site({"/hang": html(HANG)}) as site:
        child = start_child(site, MANY)
        started = descendants(child.pid)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        assert wait_until(lambda: child.poll() is not None, 10)
        assert all_gone(started)
        _, cried = child.communicate()
    assert b"KeyboardInterrupt" in cried


def test_hung_page_ends_at_its_deadline_and_the_next_one_works() -> None:
    hang = "<p>Hay</p><div style='display:flex;flex-wrap:wrap'>" + "<i>x</i>" * 100_000 + "</div>"
    assert lay_out().text == "Hay"
    renderers = of_type(descendants(), "renderer")
    started = time.monotonic()
    with pytest.raises(LimitError):
        lay_out(hang, seconds=2)
    assert time.monotonic() - started < 8
    assert all_gone(renderers)
    assert lay_out("<p>Next</p>").text == "Next"


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_process, "MOST_MEMORY", 400 * 1024 * 1024)
    hog = "<p>Hay</p><script>const a=[];for(;;)a.push(new Uint8Array(1e7).fill(7))</script>"
    with Site({"/hog": html(hog), "/": html("<p>Hay</p>")}) as site:
        options = windrow.Options(allow_private=True, limits=windrow.Limits(seconds=20))
        with pytest.raises(windrow.WindrowError, match="memory"):
            windrow.load(f"{site.url}hog", options=options)
        assert windrow.load(site.url, options=options).text == "Hay"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_child_has_a_browser_of_its_own() -> None:
    assert lay_out().text == "Hay"
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, lay_out("<p>Child</p>").text.encode())
            windrow.close()
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        assert answer.read() == b"Child"
    os.waitpid(child, 0)
    assert lay_out("<p>Parent</p>").text == "Parent"


def test_browsers_are_used_again() -> None:
    pids = set()
    for number in range(5):
        assert lay_out(f"<p>{number}</p>").text == str(number)
        pids |= {process.pid for process in descendants() if "supervisor.py" in " ".join(process.cmdline())}
    assert len(pids) == 1


def test_crashed_tab_costs_only_its_own_page() -> None:
    with Site(
        {"/": html("<p>Hay</p>"), "/crash": html("<p>Hay</p><script>setTimeout(()=>document.title='go',300)</script>")}
    ) as site:
        options = windrow.Options(allow_private=True, limits=windrow.Limits(seconds=10))
        assert windrow.load(site.url, options=options).text == "Hay"
        with pytest.raises(windrow.errors.BrowserError):
            lay_out("<p>Hay</p><style>" + "p{" * 20_000)
        assert windrow.load(site.url, options=options).text == "Hay"
        assert lay_out().text == "Hay"
