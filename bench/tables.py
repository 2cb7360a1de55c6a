"""Tables beside what they should cost and what boxes they should have.

    WINDROW_BENCH_DATA=… python bench/tables.py              # everything but the weights
    WINDROW_BENCH_DATA=… python bench/tables.py growth       # one of: sizes, share, growth, speed
    WINDROW_BENCH_DATA=… python bench/tables.py weights      # fit the weights of the evidence and print them

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

import numpy as np
from data import data_folder, quantile, read_rows, verdict

import windrow
from windrow.geometry import height, width
from windrow.table.evidence import Counts, measure
from windrow.table.grid import clean, merge_twins
from windrow.table.hidden import Shown
from windrow.table.markup import find_markup_grids

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOLERANCE = 1.0
LEAST_RIGHT = 0.995
"""Chromium itself gives other heights than one of the tests asks for; what we read is what it draws."""
CHECKING = re.compile(r"(?:window\.)?checkLayout\([^)]*\)")
SAMPLE = 40
ROUNDS = 3
BOXES = (6_250, 12_500, 25_000, 50_000, 100_000)
MOST_GROWTH = 2.4
PENALTY = 10.0
LIGHTER = {"tables": 0.35, "tables-genuine": 1.0}
"""How much a labelled table counts, by its source: one encyclopedia has many tables that are alike."""


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
    """Say whether a test changes the page by a script of its own before it measures."""
    text = path.read_text("utf-8", "replace")
    inline = [part.partition("</script>")[0].partition(">") for part in text.split("<script")[1:]]
    return any("src=" not in tag and len(CHECKING.sub("", script).strip(" ;\n")) > 0 for tag, _, script in inline)


def pages(name: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Give the labelled pages of one folder."""
    folder = data_folder(name)
    for row in read_rows(folder / "tables.jsonl"):
        yield folder / row["html_path"], row


def sample() -> list[Path]:
    """Take some pages of both folders."""
    found = [path for name in LIGHTER for path, _ in list(pages(name))[:: 1 if name == "tables" else 2]]
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


def fit_weights() -> list[bool]:
    """Fit a logistic regression to the labelled tables of two rows and columns or more, and print its weights."""
    rows, labels, counted = [], [], []
    for name, weight in LIGHTER.items():
        for measures, genuine in _labelled(name):
            rows.append(measures)
            labels.append(genuine)
            counted.append(weight)
    names = sorted(name for name in rows[0] if name not in ("one_row", "one_column", "presentation"))
    data = np.array([[row[name] for name in names] for row in rows])
    mean, scale = data.mean(axis=0), data.std(axis=0)
    scale[scale == 0] = 1
    found = _regress((data - mean) / scale, np.array(labels, dtype=float), np.array(counted))
    weights = found[1:] / scale
    print(f"BIAS = {found[0] - (weights * mean).sum():.2f}")
    for name, weight in zip(names, weights.tolist(), strict=True):
        print(f'        "{name}": {weight:.2f},')
    return [True]


def _labelled(name: str) -> Iterator[tuple[dict[str, float], bool]]:
    for path, row in pages(name):
        nodes = windrow.load(path).nodes
        grids = {grid.root: grid for grid in find_markup_grids(Shown(nodes))}
        tables, counts = nodes.tag.where("table").tolist(), Counts(nodes)
        for label in row["tables"]:
            grid = grids.get(tables[label["index"]]) if label["index"] < len(tables) else None
            if grid is None or label["label"] not in ("genuine", "non-genuine"):
                continue
            grid = merge_twins(clean(grid))
            if min(grid.row_count, grid.column_count) > 1:
                yield measure(grid, counts), label["label"] == "genuine"


def _regress(data: Any, labels: Any, counted: Any) -> Any:  # noqa: ANN401 - arrays
    """Find the weights by Newton's method; all but the first, the bias, are drawn towards 0."""
    data = np.column_stack([np.ones(len(data)), data])
    ridge = np.diag([0.0] + [PENALTY] * (data.shape[1] - 1))
    weights = np.zeros(data.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-data @ weights))
        slope = data.T @ (counted * (chance - labels)) + ridge @ weights
        curve = data.T @ (data * (counted * chance * (1 - chance))[:, None]) + ridge
        weights -= np.linalg.solve(curve, slope)
    return weights


PARTS = {"sizes": check_sizes, "share": measure_share, "growth": measure_growth, "speed": measure_speed}


def main() -> int:
    """Run what is asked for, or everything but the weights."""
    known = {**PARTS, "weights": fit_weights}
    wanted = sys.argv[1:] or list(PARTS)
    if unknown := [name for name in wanted if name not in known]:
        sys.exit(f"There is no part {unknown[0]}; there are: {', '.join(known)}.")
    reached = [ok for name in wanted for ok in known[name]()]
    windrow.close()
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
