"""Every family of hostile input, without a browser and with one, each in a process of its own that is measured.

Asks for: no crash; 10 s and 512 MB without a browser, 30 s and 1.5 GB with one (both processes together); no text that
gets lost in silence; nothing that reaches a canary; no process and no file left behind.

    python bench/hostile.py [--only NAME …] [--jobs N] [--seconds S]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hostile"))

from attempt import Attempt, attempt
from families import FAMILIES, Family

import windrow

MEGABYTE = 1_000_000
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
TICK = 0.05
GRACE = 30.0
"""Seconds beyond its budget after which a run is killed."""
SETTLE_SECONDS = 5.0
"""Seconds within which all processes of a run must be gone after it has ended."""


@dataclass(frozen=True)
class Budget:
    """What a run may cost."""

    seconds: float
    bytes: float


BUDGETS = {False: Budget(10, 512 * MEGABYTE), True: Budget(30, 1500 * MEGABYTE)}
DEADLINE = 27.0
"""Seconds that a page gets in a browser, so that starting and ending it fit into the budget too."""


@dataclass
class Run:
    """One family, read one way, and what it cost."""

    done: Attempt
    memory: float
    faults: list[str]

    def __str__(self) -> str:
        """Return how it went, as a cell of the table."""
        return f"{self.done.outcome:<10} {self.done.seconds:5.1f} s {self.memory / MEGABYTE:5.0f} MB"


def measure(family: Family, *, render: bool, seconds: float) -> Run:
    """Read a family's page in a process of its own, and watch what it costs."""
    command = [
        sys.executable,
        __file__,
        "--child",
        family.name,
        "--seconds",
        str(seconds),
        *(["--render"] if render else []),
    ]
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        Path(folder).chmod(0o755)
        environment = {**os.environ, "TMPDIR": folder}
        with subprocess.Popen(  # noqa: S603 - this very script
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
        ) as child:
            peak, seen = _watch(child, BUDGETS[render].seconds + GRACE)
            said, cried = child.communicate()
        memory = float(peak)
        try:
            told = json.loads(said.splitlines()[-1])
            memory += told.pop("memory")
            done = Attempt(**told)
        except (IndexError, ValueError, TypeError, KeyError):
            last = cried.strip().splitlines() or [f"ended with status {child.returncode}"]
            done = Attempt(message=last[-1])
        return Run(done, memory, _judge(done, memory, family, BUDGETS[render]) + _left_behind(seen, Path(folder)))


def _watch(child: subprocess.Popen[str], most: float) -> tuple[int, list[psutil.Process]]:
    """Follow the processes that a child starts; give the most memory that they had together, and all of them."""
    peak, until = 0, time.monotonic() + most
    seen: dict[int, psutil.Process] = {}
    root = psutil.Process(child.pid)
    while child.poll() is None:
        if time.monotonic() > until:
            child.send_signal(signal.SIGKILL)
            break
        try:
            family = root.children(recursive=True)
        except psutil.Error:
            break
        seen |= {process.pid: process for process in family}
        peak = max(peak, sum(_private(process.pid) for process in family))
        time.sleep(TICK)
    return peak, list(seen.values())


def _private(pid: int) -> int:
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * PAGE_SIZE


def _judge(done: Attempt, memory: float, family: Family, budget: Budget) -> list[str]:
    faults = [f"crashed: {done.message}"] if done.outcome == "crash" else done.faults(family)
    if done.seconds > budget.seconds:
        faults.append(f"took more than {budget.seconds:g} s")
    if memory > budget.bytes:
        faults.append(f"took more than {budget.bytes / MEGABYTE:g} MB")
    return faults


def _left_behind(seen: list[psutil.Process], folder: Path) -> list[str]:
    _, alive = psutil.wait_procs(seen, timeout=SETTLE_SECONDS)
    faults = [f"left the process {process.pid}" for process in alive if process.is_running()]
    return faults + [f"left the file {path.name}" for path in folder.iterdir() if not path.name.startswith("canary-")]


def main() -> int:
    """Run all families, print the table, and say whether all is well."""
    parser = argparse.ArgumentParser(description="Run all families of hostile input.")
    parser.add_argument("--only", nargs="*", default=list(FAMILIES))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=DEADLINE)
    parser.add_argument("--without-browser", action="store_true")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--render", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        done = attempt(FAMILIES[given.child], render=given.render, seconds=given.seconds)
        windrow.close()
        print(json.dumps({**asdict(done), "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
        return 0
    return _run_all(given)


def _run_all(given: argparse.Namespace) -> int:
    ways = (False,) if given.without_browser else (False, True)
    print(f"{'family':<24} {'without a browser':<28} {'with a browser':<28} verdict", flush=True)

    def both(name: str) -> list[Run]:
        return [
            measure(FAMILIES[name], render=render, seconds=min(given.seconds, BUDGETS[render].seconds - 1))
            for render in ways
        ]

    bad, runs_of_all, started = 0, [], time.monotonic()
    with ThreadPoolExecutor(given.jobs) as pool:
        for name, runs in zip(given.only, pool.map(both, given.only), strict=True):
            faults = list(dict.fromkeys(fault for run in runs for fault in run.faults))
            bad += bool(faults)
            runs_of_all.append(runs)
            cells = " ".join(f"{run!s:<28}" for run in runs)
            print(f"{name:<24} {cells} {'ok' if not faults else 'WRONG: ' + '; '.join(faults)}", flush=True)
    for place, render in enumerate(ways):
        of_way = [runs[place] for runs in runs_of_all]
        slowest, largest = max(run.done.seconds for run in of_way), max(run.memory for run in of_way)
        budget = BUDGETS[render]
        print(
            f"{'with' if render else 'without'} a browser: slowest {slowest:.1f} s of {budget.seconds:g}, "
            f"largest {largest / MEGABYTE:.0f} MB of {budget.bytes / MEGABYTE:g}, "
            f"{sum(len(run.done.caught) for run in of_way)} canaries reached"
        )
    print(f"{len(given.only)} families, {len(given.only) - bad} right, {bad} wrong, {time.monotonic() - started:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
