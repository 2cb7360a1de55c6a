"""Pages laid out per second, and CPU per page, beside Playwright doing the same, in one run, block by block.

    WINDROW_BENCH_DATA=… python bench/render.py [--pages N]

Each system runs in a process of its own; blocks of pages go round among the systems, so that a noisy machine is noisy
to all. CPU is that of the system's whole process tree, browsers included. Playwright does ``set_content`` and
``DOMSnapshot.captureSnapshot`` with the same styles, offline; Windrow also builds its page value from it.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import psutil
from data import record_pages, verdict

import windrow
from windrow.render.charset import decode
from windrow.render.executable import find_browser
from windrow.render.styles import STYLES

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

BLOCK = 12
LEAST_SPEED, LEAST_SCALING = 2.0, 1.6
Work: TypeAlias = Callable[[Sequence[str]], None]


def windrow_work(workers: int) -> Work:
    """Lay pages out with our own browsers."""
    loader = windrow.Loader(workers=workers)

    def work(pages: Sequence[str]) -> None:
        for page in loader.parse_many(pages, render=True):
            if isinstance(page, windrow.Outcome):
                page.require_page()

    return work


def playwright_work(workers: int) -> Work:
    """Lay pages out with Playwright: a browser and a reused tab for each thread, as it wants it."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only this system needs it

    shares: list[list[str]] = [[] for _ in range(workers)]
    begin, end = threading.Barrier(workers + 1), threading.Barrier(workers + 1)

    def serve(number: int) -> None:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(find_browser()))
            context = browser.new_context(
                viewport={"width": 1280, "height": 1024}, offline=True, java_script_enabled=False
            )
            tab = context.new_page()
            session = context.new_cdp_session(tab)
            while True:
                begin.wait()
                for html in shares[number]:
                    tab.set_content(html, wait_until="load")
                    session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(STYLES)})
                end.wait()

    for number in range(workers):
        threading.Thread(target=serve, args=(number,), daemon=True).start()

    def work(pages: Sequence[str]) -> None:
        for number in range(workers):
            shares[number] = list(pages[number::workers])
        begin.wait()
        end.wait()

    return work


SYSTEMS: dict[str, tuple[Callable[[int], Work], int]] = {
    "windrow, two browsers": (windrow_work, 2),
    "playwright, two browsers": (playwright_work, 2),
    "windrow, one browser": (windrow_work, 1),
    "playwright, one browser": (playwright_work, 1),
}


@dataclass
class Runner:
    """A system in a process of its own."""

    name: str
    wall: float = 0.0
    cpu: float = 0.0
    pages: int = 0
    connection: Connection = field(init=False)
    process: psutil.Process = field(init=False)

    def start(self) -> None:
        """Start the process and let it lay out one page, so that its browsers are up."""
        context = multiprocessing.get_context("spawn")
        self.connection, there = context.Pipe()
        child = context.Process(target=serve, args=(there, self.name), daemon=False)
        child.start()
        self.process = psutil.Process(child.pid)
        self.ask(["<p>first</p>"] * 4)

    def ask(self, pages: Sequence[str]) -> None:
        """Let it lay out pages, and wait."""
        self.connection.send(pages)
        problem = self.connection.recv()
        if problem:
            sys.exit(f"{self.name}: {problem}")

    def measure(self, pages: Sequence[str]) -> None:
        """Lay out a block and add up what it cost."""
        cpu, wall = tree_cpu(self.process), time.perf_counter()
        self.ask(pages)
        self.wall += time.perf_counter() - wall
        self.cpu += tree_cpu(self.process) - cpu
        self.pages += len(pages)


def serve(connection: Connection, name: str) -> None:
    """Be the process of one system: pages in, a word when they are done."""
    try:
        make, workers = SYSTEMS[name]
        work = make(workers)
        while (pages := connection.recv()) is not None:
            work(pages)
            connection.send("")
    except (windrow.WindrowError, ImportError) as problem:
        connection.send(str(problem))
    windrow.close()
    sys.exit(0)


def tree_cpu(process: psutil.Process) -> float:
    """Add up the CPU seconds of a process and of all that it started."""
    total = 0.0
    for each in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = each.cpu_times()
            total += times.user + times.system
    return total


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=0, help="only the first so many pages")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    args = parser.parse_args()
    names = [name for name in SYSTEMS if name in args.systems or args.systems in name]
    pages = [decode(path.read_bytes(), charset).text for _, path, charset in record_pages()][: args.pages or None]
    runners = [Runner(name) for name in SYSTEMS if name in names]
    for runner in runners:
        runner.start()
    for turn, start in enumerate(range(0, len(pages), BLOCK)):
        first = turn % len(runners)
        for runner in (*runners[first:], *runners[:first]):
            runner.measure(pages[start : start + BLOCK])
    for runner in runners:
        runner.connection.send(None)
    speed = {runner.name: runner.pages / runner.wall for runner in runners}
    cpu = {runner.name: 1000 * runner.cpu / runner.pages for runner in runners}
    for name, pages_a_second in speed.items():
        print(f"{name:26} {pages_a_second:6.1f} pages a second, {cpu[name]:6.0f} ms of CPU a page")
    ours, theirs, one, _ = SYSTEMS
    reached = [
        verdict("pages a second, two browsers, windrow ÷ playwright", speed[ours] / speed[theirs], LEAST_SPEED),
        verdict("CPU a page, two browsers, windrow ÷ playwright", cpu[ours] / cpu[theirs], 1.0, most=True),
        verdict("two browsers ÷ one", speed[ours] / speed[one], LEAST_SCALING),
    ]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
