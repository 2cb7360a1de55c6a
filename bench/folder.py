"""What a folder of pages costs: two worker processes beside one, with and without a browser; memory over 5,000 pages.

    python bench/folder.py [--pages 500] [--rendered 60] [--rounds 3] [--many 5000]

Rounds with one worker and with two are interleaved and the best of each counts, so that a busy machine changes little.
Memory is what the command and its workers hold together, without browsers. `windrow extract` of three pages is compared
with one process that loads the same pages with one browser.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from data import titled_pages, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDROW = (sys.executable, "-m", "windrow")
LEAST_SPEED, LEAST_RENDERED_SPEED = 1.7, 1.4
MOST_EXTRACT, MOST_GROWTH = 1.2, 1.1
WARM, DIFFERENT, EXTRACT_ROUNDS = 100, 500, 5
SHOP = """<!doctype html><title>{name}, {price} | The orchard shop</title>
<header><a href=/>The orchard shop</a></header>
<main><h1>{name}</h1><p class=price>{price}</p><p>Picked in {place}, packed the same day.</p></main>"""
GOODS = (
    ("Pears", "4.20 €", "Altdorf"),
    ("Quinces", "5.10 €", "Lana"),
    ("Plums", "3.80 €", "Eppan"),
    ("Figs", "7 €", "Riva"),
)
LOADING = """
import sys, windrow
wrapper = windrow.Wrapper.from_json(open(sys.argv[1], encoding="utf-8").read())
for source in sys.argv[2:]:
    print(wrapper.extract(windrow.load(source)).values)
windrow.close()
"""


def write_pages(folder: Path, count: int) -> None:
    """Fill a folder with so many pages, the same ones again where there are not enough."""
    folder.mkdir()
    pages = titled_pages(min(count, DIFFERENT))[:DIFFERENT]
    for number, page in enumerate(islice(cycle(pages), count)):
        (folder / f"{number:05}.html").write_bytes(page.html)


def seconds_of(command: Sequence[str]) -> float:
    """Run a command to its end; return how long it took."""
    start = time.perf_counter()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - ours
    return time.perf_counter() - start


def compare_workers(folder: Path, rounds: int, *words: str) -> float:
    """Return how many times faster two workers are than one."""
    one, two = float("inf"), float("inf")
    command = [*WINDROW, "read", str(folder), "--json", *words, "--workers"]
    for _ in range(rounds):
        one = min(one, seconds_of([*command, "1"]))
        two = min(two, seconds_of([*command, "2"]))
    print(f"{' '.join(words) or 'with a browser'}: one worker {one:.1f} s, two {two:.1f} s")
    return one / two


def memory_of(process: psutil.Process) -> int:
    """Return the memory of a process and of its workers, in bytes."""
    held = 0
    for each in (process, *process.children()):
        try:
            held += each.memory_info().rss
        except psutil.Error:
            continue
    return held


def measure_growth(folder: Path, count: int) -> float:
    """Return how many times more memory the command holds over the last pages than over the first.

    The pages repeat, so both are the most that the same pages took; the very first ones warm up.
    """
    command = [*WINDROW, "read", str(folder), "--json", "--no-render", "--workers", "2"]
    early = late = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:  # noqa: S603 - ours
        process = psutil.Process(running.pid)
        for number, _ in enumerate(running.stdout or (), 1):
            if WARM <= number < WARM + DIFFERENT:
                early = max(early, memory_of(process))
            elif number >= count - DIFFERENT:
                late = max(late, memory_of(process))
    print(f"memory: {early / 2**20:.0f} MiB from page {WARM} on, {late / 2**20:.0f} MiB up to page {count}")
    return late / early


def compare_extract(folder: Path) -> tuple[float, int]:
    """Return how much longer the command takes than one process with one browser, and how many browsers it starts."""
    folder.mkdir()
    files = [folder / f"{name.lower()}.html" for name, _, _ in GOODS]
    for file, (name, price, place) in zip(files, GOODS, strict=True):
        file.write_text(SHOP.format(name=name, price=price, place=place), encoding="utf-8")
    wrapper = str(folder / "wrapper.json")
    wants = ("--want", f"name={GOODS[0][0]}", "--want", f"price={GOODS[0][1]}")
    subprocess.run([*WINDROW, "learn", str(files[0]), *wants, "-o", wrapper], check=True, capture_output=True)  # noqa: S603 - ours
    others = [str(file) for file in files[1:]]
    ours, theirs = float("inf"), float("inf")
    for _ in range(EXTRACT_ROUNDS):
        ours = min(ours, seconds_of([*WINDROW, "extract", wrapper, *others]))
        theirs = min(theirs, seconds_of([sys.executable, "-c", LOADING, wrapper, *others]))
    told = subprocess.run([*WINDROW, "-v", "extract", wrapper, *others], check=True, capture_output=True)  # noqa: S603 - ours
    print(f"extract: {ours:.2f} s, one process that loads three pages {theirs:.2f} s")
    return ours / theirs, told.stderr.count(b"started the browser")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, count in (("pages", 500), ("rendered", 60), ("rounds", 3), ("many", 5000)):
        parser.add_argument(f"--{name}", type=int, default=count)
    asked = parser.parse_args()
    print(f"{os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="windrow-bench-") as place:
        folder = Path(place)
        for name in ("pages", "rendered", "many"):
            write_pages(folder / name, getattr(asked, name))
        plain = compare_workers(folder / "pages", asked.rounds, "--no-render")
        rendered = compare_workers(folder / "rendered", asked.rounds)
        slower, browsers = compare_extract(folder / "shop")
        growth = measure_growth(folder / "many", asked.many)
    reached = [
        verdict("two workers beside one, without a browser", plain, LEAST_SPEED, most=False),
        verdict("two workers beside one, with a browser", rendered, LEAST_RENDERED_SPEED, most=False),
        verdict("extract beside one process that loads the pages", slower, MOST_EXTRACT, most=True),
        verdict("browsers that extract starts", browsers, 1, most=True),
        verdict("memory over all pages beside the first", growth, MOST_GROWTH, most=True),
    ]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
