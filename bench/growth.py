"""How the time grows with the page: 10k → 160k nodes, each doubling beside the one before, for parse and for capture.

    python bench/growth.py

The pages are plain block layout, made here. Every size is measured several times in turn and the best run counts.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise

from data import verdict

import windrow

SIZES = (10_000, 20_000, 40_000, 80_000, 160_000)
ROUNDS = 5
MOST_GROWTH = 2.3


def make_page(nodes: int) -> str:
    """Write a page of sections with paragraphs; three nodes a paragraph, some depth, some attributes."""
    paragraphs = nodes // 3
    parts = ["<!doctype html><title>Growth</title><body>"]
    for number in range(paragraphs):
        if number % 50 == 0:
            parts.append("</section><section class=part>" if number else "<section class=part>")
        parts.append(f"<p class='line'>Row {number} of the page<br>")
    return "".join(parts)


def time_of(html: str, *, render: bool) -> float:
    """Take the time of one read."""
    start = time.perf_counter()
    page = windrow.parse(html, render=render, options=windrow.Options(limits=windrow.Limits(seconds=120)))
    seconds = time.perf_counter() - start
    _ = len(page.nodes)
    return seconds


def main() -> int:
    """Measure and print."""
    pages = {size: make_page(size) for size in SIZES}
    reached = []
    for render in (False, True):
        time_of(pages[SIZES[0]], render=render)
        best = dict.fromkeys(SIZES, float("inf"))
        for _ in range(ROUNDS):
            for size in SIZES:
                best[size] = min(best[size], time_of(pages[size], render=render))
        name = "capture" if render else "parse"
        print(f"{name}: " + ", ".join(f"{size // 1000}k {1000 * best[size]:.0f} ms" for size in SIZES))
        for small, large in pairwise(SIZES):
            what = f"{name}, {small // 1000}k → {large // 1000}k nodes"
            reached.append(verdict(what, best[large] / best[small], MOST_GROWTH, most=True))
    windrow.close()
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
