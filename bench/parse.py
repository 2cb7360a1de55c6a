"""How much more than the parser's own parse ``windrow.parse`` costs, page by page, interleaved.

    WINDROW_BENCH_DATA=… python bench/parse.py

Every page is parsed by turbohtml alone, by ``windrow.parse``, and by ``windrow.parse`` with each lazy column asked for,
in turning order; ratios are of CPU time, the best of three runs each.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from typing import TYPE_CHECKING

import turbohtml
from data import quantile, title_pages, verdict

import windrow
from windrow.render.charset import decode

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
MOST_MEDIAN, MOST_P95 = 3.0, 5.0


def read_all(html: str) -> None:
    """Ask for every lazy column of an unrendered page."""
    page = windrow.parse(html)
    nodes = page.nodes
    _ = nodes.text, nodes.depth, nodes.end, nodes.display, nodes.visible, nodes.spans, page.links, page.images
    for node in range(len(nodes)):
        _ = nodes.attributes[node]


SYSTEMS: dict[str, Callable[[str], object]] = {
    "turbohtml.parse": turbohtml.parse,
    "windrow.parse": windrow.parse,
    "windrow.parse + text": lambda html: windrow.parse(html).nodes.text,
    "windrow.parse + visible text": lambda html: windrow.parse(html).text,
    "windrow.parse + all columns": read_all,
}


def main() -> int:
    """Measure and print."""
    times: dict[str, list[float]] = {name: [] for name in SYSTEMS}
    names = list(SYSTEMS)
    for number, (_, data, _) in enumerate(title_pages()):
        html = decode(data).text
        best = dict.fromkeys(names, float("inf"))
        for turn in range(ROUNDS):
            start = (number + turn) % len(names)
            for name in (*names[start:], *names[:start]):
                gc.collect(0)
                before = time.process_time()
                SYSTEMS[name](html)
                best[name] = min(best[name], time.process_time() - before)
        for name in names:
            times[name].append(best[name])
    base = times[names[0]]
    print(f"{len(base)} pages\n")
    for name in names:
        ratios = [value / own for value, own in zip(times[name], base, strict=True)]
        print(
            f"{name:30} {1000 * statistics.fmean(times[name]):6.2f} ms a page, × the parser's own: "
            f"median {statistics.median(ratios):.2f}, p95 {quantile(ratios, 0.95):.2f}"
        )
    ratios = [value / own for value, own in zip(times["windrow.parse"], base, strict=True)]
    print("\nLazy, filled when asked for: text, attributes, depth, end, display, visible, visible text, links, images;")
    print("the names of tags are read at once and numbered when asked for.")
    reached = [
        verdict("parse ÷ parser, median", statistics.median(ratios), MOST_MEDIAN, most=True),
        verdict("parse ÷ parser, p95", quantile(ratios, 0.95), MOST_P95, most=True),
    ]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
