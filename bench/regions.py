"""What finding regions costs: its share of the capture time, its growth with the page, its speed beside MDR.

    python bench/regions.py [--pages N]

What the page itself works out once for all readers, its text, links and pictures, is there before; regions come with
their records and fields. Share and speed are measured on the saved search-result pages of the data folder, the growth
on pages made here. Times are of the processor, so that a busy machine changes little; the capture's is the wall clock,
as the browser is another process, and the shorter of two.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import TYPE_CHECKING

from data import quantile, record_pages, verdict

import windrow

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.page import Page

SIZES = (12_500, 25_000, 50_000, 100_000, 200_000)
ROUNDS = 2
MOST_SHARE = 0.15
MOST_GROWTH = 1.5
"""How much more than n log n the time may grow from the smallest page to the largest."""
LEAST_SPEED = 10.0


def processor_time(work: Callable[[], object]) -> float:
    """Take the time of the processor that some work needs in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def make_page(nodes: int) -> str:
    """Write a page of records with four fields each, in sections."""
    parts = ["<!doctype html><title>Growth</title><main>"]
    for number in range(nodes // 12):
        if number % 500 == 0:
            parts.append("</ul></section><section><ul class=list>" if number else "<section><ul class=list>")
        note = f"<span class=note>{number % 7} left</span>" if number % 3 else ""
        parts.append(
            f"<li class=row><h3><a href=/{number}>Record {number}</a></h3>"
            f"<p>What is said of number {number}</p><b class=price>${number}</b>{note}</li>"
        )
    return "".join(parts)


def measure_pages(count: int) -> list[bool]:
    """Compare the time of regions with that of the capture, and with MDR."""
    pages = record_pages()
    shares, ours, mdrs, captures = [], [], [], []
    for _, file, _ in pages[:: max(1, len(pages) // count)]:
        capture, page = min((timed_load(str(file)) for _ in range(ROUNDS)), key=lambda found: found[0])
        _ = page.text, page.links, page.images
        best = min(processor_time(page.regions) for _ in range(ROUNDS))
        captures.append(capture)
        ours.append(best)
        shares.append(best / capture)
        mdrs.append(processor_time(lambda page=page: page.regions("mdr")))  # type: ignore[misc]
    print(
        f"{len(ours)} pages: capture median {1000 * quantile(captures, 0.5):.0f} ms, regions median "
        f"{1000 * quantile(ours, 0.5):.1f} ms, 95 % {1000 * quantile(ours, 0.95):.1f} ms; "
        f"MDR median {1000 * quantile(mdrs, 0.5):.0f} ms"
    )
    return [
        verdict("share of the capture time, all pages together", sum(ours) / sum(captures), MOST_SHARE, most=True),
        verdict("share of the capture time, median page", quantile(shares, 0.5), MOST_SHARE, most=True),
        verdict("times faster than MDR, all pages together", sum(mdrs) / sum(ours), LEAST_SPEED),
    ]


def timed_load(file: str) -> tuple[float, Page]:
    """Lay a page out and take the time."""
    start = time.perf_counter()
    page = windrow.load(file, url="https://example.org/")
    return time.perf_counter() - start, page


def measure_growth() -> list[bool]:
    """Double the page again and again."""
    best = dict.fromkeys(SIZES, float("inf"))
    for size in SIZES:
        page = windrow.parse(make_page(size), url="https://example.org/")
        _ = page.text, page.links, page.images
        best[size] = min(processor_time(page.regions) for _ in range(ROUNDS))
    print("growth: " + ", ".join(f"{size / 1000:g}k nodes {1000 * best[size]:.0f} ms" for size in SIZES))
    small, large = SIZES[0], SIZES[-1]
    grown = best[large] / best[small]
    ideal = large * math.log(large) / (small * math.log(small))
    return [verdict("growth of the time over that of n log n", grown / ideal, MOST_GROWTH, most=True)]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=43, help="how many pages to measure on")
    args = parser.parse_args()
    reached = measure_growth() + measure_pages(args.pages)
    windrow.close()
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
