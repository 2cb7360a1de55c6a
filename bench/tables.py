"""Tables beside what they should cost and what boxes they should have.

    WINDROW_BENCH_DATA=… python bench/tables.py              # everything
    WINDROW_BENCH_DATA=… python bench/tables.py growth       # one of: sizes, share, growth, speed

sizes    layout tests with expected sizes: the boxes that we read are the expected ones
share    reasoning on boxes, by its own processor time, as a share of the time that laying out and capturing took
growth   reasoning on 6k to 100k boxes, each doubling beside the one before, for the best and the paper's method
speed    without a browser, parsing included, beside ``pandas.read_html`` on the same pages
"""

from __future__ import annotations

import io
import itertools
import math
import re
import sys
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from data import data_folder, quantile, read_rows, verdict

import windrow
from windrow.geometry import height, width

if TYPE_CHECKING:
    from pathlib import Path

TOLERANCE = 1.0
LEAST_RIGHT = 0.995
"""Chromium itself gives other heights than one of the tests asks for; what we read is what it draws."""
CHECKING = re.compile(r"(?:window\.)?checkLayout\([^)]*\)")
SAMPLE = 40
ROUNDS = 3
BOXES = (6_250, 12_500, 25_000, 50_000, 100_000)
MOST_GROWTH = 2.4
FOLDERS = ("tables", "tables-genuine")


def check_sizes() -> list[bool]:
    """Compare widths and heights with the ones that the layout tests ask for."""
    folder = data_folder("tables")
    right = wrong = 0
    for row in read_rows(folder / "wpt.jsonl"):
        if row["uses_ahem_font"] or _runs_scripts(folder / row["html_path"]):
            continue
        page = windrow.load(folder / row["html_path"])
        if page.nodes.layout is None:
            sys.exit("The page was not laid out.")
        box = page.nodes.layout.box
        for name, sizes in (("data-expected-width", width(box)), ("data-expected-height", height(box))):
            for node, expected in page.nodes.attributes.having(name).items():
                if page.nodes.tag[node] in ("col", "colgroup") or math.isnan(sizes[node]):
                    continue
                near = abs(float(sizes[node]) - float(expected)) <= TOLERANCE
                right, wrong = right + near, wrong + (not near)
                if not near:
                    print(f"  {row['html_path']}: {page.nodes.tag[node]} {name} {expected}, read {sizes[node]:.1f}")
    print(f"{right + wrong} sizes")
    return [verdict("expected sizes", right / max(1, right + wrong), LEAST_RIGHT)]


def _runs_scripts(path: Path) -> bool:
    """Whether a test changes the page by a script of its own before it measures."""
    text = path.read_text("utf-8", "replace")
    inline = [part.partition("</script>")[0].partition(">") for part in text.split("<script")[1:]]
    return any("src=" not in tag and len(CHECKING.sub("", script).strip(" ;\n")) > 0 for tag, _, script in inline)


def pages(name: str) -> list[Path]:
    """Return the labelled pages of one folder."""
    folder = data_folder(name)
    return [folder / row["html_path"] for row in read_rows(folder / "tables.jsonl")]


def sample() -> list[Path]:
    """Take some pages of both folders."""
    found = [path for name in FOLDERS for path in pages(name)[:: 1 if name == "tables" else 2]]
    return found[:: max(1, len(found) // SAMPLE)][:SAMPLE]


def measure_share() -> list[bool]:
    """Take the time of capture and of reasoning on the same pages."""
    capture, reasoning, paper = [], [], []
    windrow.parse("<p>warm", render=True)
    for path in sample():
        start = time.perf_counter()
        page = windrow.load(path)
        capture.append(time.perf_counter() - start)
        start = time.process_time()
        page.tables()
        reasoning.append(time.process_time() - start)
        start = time.process_time()
        page.tables("a", method="ventrec")
        paper.append(time.process_time() - start)
    for name, times in (("capture", capture), ("best", reasoning), ("ventrec", paper)):
        print(f"{name}: median {1000 * quantile(times, 0.5):.1f} ms, 95 % {1000 * quantile(times, 0.95):.1f} ms")
    return [verdict("reasoning ÷ capture", sum(reasoning) / sum(capture), 0.15, most=True)]


def make_page(boxes: int) -> str:
    """Write a page of div tables with 50 rows of 8 cells each."""
    row = "<div class=r>" + "".join(f"<div>c{number}</div>" for number in range(8)) + "</div>"
    table = f"<div class=t><div class=r><div>{'</div><div>'.join('ABCDEFGH')}</div></div>{49 * row}</div>"
    style = "<style>.r{display:grid;grid-template-columns:repeat(8,100px)}.t{margin:10px}</style>"
    return f"<!doctype html>{style}<body>" + table * max(1, boxes // 450)


def measure_growth() -> list[bool]:
    """Take the time of reasoning on larger and larger pages."""
    options = windrow.Options(limits=windrow.Limits(seconds=180))
    laid_out = {size: windrow.parse(make_page(size), render=True, options=options) for size in BOXES}
    reached = []
    for name, words in (("best", {}), ("ventrec", {"keyword": "D", "method": "ventrec"})):
        best = dict.fromkeys(BOXES, math.inf)
        for _ in range(ROUNDS):
            for size, page in laid_out.items():
                start = time.process_time()
                page.tables(**words)
                best[size] = min(best[size], time.process_time() - start)
        print(f"{name}: " + ", ".join(f"{size:,} boxes {1000 * best[size]:.0f} ms" for size in BOXES))
        for small, large in itertools.pairwise(BOXES):
            reached.append(
                verdict(f"{name}, {small:,} → {large:,} boxes", best[large] / best[small], MOST_GROWTH, most=True)
            )
    return reached


def measure_speed() -> list[bool]:
    """Take the time without a browser beside that of pandas."""
    try:
        import pandas as pd  # noqa: PLC0415 - only this part needs it
    except ImportError:
        sys.exit("This is measured against pandas; install it with: pip install windrow[pandas]")
    ours, theirs = [], []
    for path in sample():
        html = path.read_bytes().decode("utf-8", "replace")
        ours.append(min(_time_ours(html) for _ in range(ROUNDS)))
        theirs.append(min(_time_pandas(html, pd.read_html) for _ in range(ROUNDS)))
    print(f"ours {1000 * sum(ours) / len(ours):.1f} ms a page, pandas {1000 * sum(theirs) / len(theirs):.1f} ms")
    return [verdict("time ÷ pandas' time", sum(ours) / sum(theirs), 1.0, most=True)]


def _time_ours(html: str) -> float:
    start = time.process_time()
    windrow.parse(html).tables()
    return time.process_time() - start


def _time_pandas(html: str, read_html: Any) -> float:  # noqa: ANN401 - a function of a library that may not be there
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with suppress(ValueError, AttributeError):  # no tables, or tables that it can't read
            read_html(io.StringIO(html), flavor="lxml")
    return time.process_time() - start


PARTS = {"sizes": check_sizes, "share": measure_share, "growth": measure_growth, "speed": measure_speed}


def main() -> int:
    """Run what is asked for, or everything."""
    wanted = sys.argv[1:] or list(PARTS)
    if unknown := [name for name in wanted if name not in PARTS]:
        sys.exit(f"There is no part {unknown[0]}; there are: {', '.join(PARTS)}.")
    reached = [ok for name in wanted for ok in PARTS[name]()]
    windrow.close()
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
