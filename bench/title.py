"""Measure the title methods as the paper on TTA does: its tables 3 and 5, its figures 3 and 5; and how time grows.

    python bench/title.py [OUTPUT] [--limit N]

Pages come from the folder ``titles`` in WINDROW_BENCH_DATA: ``titles.jsonl``, one object a page with ``corpus``,
``url``, ``title`` and ``html_path``. Tables are printed; plots go into OUTPUT. The last row of the comparison is what
the best method reaches on sites that its weights were not fitted on.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from data import titled_pages, verdict
from PIL import Image, ImageDraw, ImageFont
from weights_title import gather_choices, measure_left_out, read_pages

import windrow
from windrow.title.likeness import score_dice
from windrow.title.tta import cut, find_tta_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from data import TitledPage

CRITERIA = ((1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3))
METHODS = ("tag", "titlefinder", "tta", "best")
SIGNIFICANT = 0.05
COLOURS = ("#9aa5b1", "#d9a441", "#4c86a8", "#2f6b3a")
PERFECT = 0.999
EXAMPLE = """
<title>Orchard Notes » Pruning old pear trees</title>
<div id="header"><h1><a href="/">Orchard Notes</a></h1></div>
<div class="post"><h2>Pruning old pear trees</h2><p>Winter is the time to do it.</p></div>
<p>© Orchard Notes</p>
"""
LEFT_OUT = "best, sites left out"
SECTION = """<section class="part"><h2>Row {0}</h2><p>Some words of row {0}, <a href="/row/{0}">more</a>.</p>
<div class="title"><span itemprop="name">Row {0}</span> © 2020 Orchard {0}</div></section>"""
SECTIONS = (1_000, 2_000, 4_000, 8_000)
ROUNDS = 3
MOST_GROWTH = 2.3


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", nargs="?", type=Path, default=Path("build/bench-title"))
    parser.add_argument("--limit", type=int, default=0, help="read only every so many pages, about this many in all")
    arguments = parser.parse_args()
    rows = titled_pages(arguments.limit)
    arguments.output.mkdir(parents=True, exist_ok=True)
    report(rows, arguments.output)
    return 0 if measure_growth() else 1


def report(rows: Sequence[TitledPage], output: Path) -> None:
    """Print both tables with their tests of significance, and draw both figures."""
    likeness: dict[str, list[float]] = {}
    segments: Counter[int] = Counter()
    for row in rows:
        page = windrow.parse(row.html, url=row.url)
        for criteria in CRITERIA:
            text = find_tta_title(page.nodes, page.url, criteria).text
            likeness.setdefault(" + ".join(map(str, criteria)), []).append(score_dice(text, row.title))
        for method in METHODS:
            likeness.setdefault(method, []).append(score_dice(page.title(method).text, row.title))
        segments[len(cut(page.title("tag").text))] += 1
    pages = read_pages(rows)
    reached = measure_left_out(gather_choices(pages), pages).tolist()
    left_out = {id(page.row): value for page, value in zip(pages, reached, strict=True)}
    likeness[LEFT_OUT] = [left_out.get(id(row), 0.0) for row in rows]
    corpora = [row.corpus for row in rows]
    print(f"{len(rows)} pages\n\nImpact of the criteria of TTA (table 3): mean Dice\n")
    print_table(likeness, [" + ".join(map(str, criteria)) for criteria in CRITERIA], corpora)
    print("\nThe methods compared (table 5): mean Dice\n")
    print_table(likeness, (*METHODS, LEFT_OUT), corpora)
    print(f"\nDifferences that Mann-Whitney's U does not call chance (p < {SIGNIFICANT})\n")
    for one, other in (
        ("3", "1"),
        ("3", "2"),
        ("3", "1 + 2"),
        ("1 + 3", "3"),
        ("tta", "tag"),
        ("tta", "titlefinder"),
        ("best", "tta"),
    ):
        p = mann_whitney(likeness[one], likeness[other])
        print(f"{one:>6} against {other:<12} p = {p:.2g}{'' if p < SIGNIFICANT else ', may be chance'}")
    draw_likeness({method: likeness[method] for method in METHODS}, output / "title-likeness.png")
    draw_segments(segments, output / "title-segments.png")
    draw_terms(
        windrow.parse(EXAMPLE, url="https://orchard.example/notes/pruning-old-pear-trees"), output / "title-terms.png"
    )
    print(f"\nPlots: {', '.join(str(output / f'title-{name}.png') for name in ('likeness', 'segments', 'terms'))}")


def print_table(likeness: dict[str, list[float]], names: Sequence[str], corpora: Sequence[str]) -> None:
    """Print the mean of each method over all pages and by corpus, and how many titles are perfect."""
    groups = sorted(set(corpora))
    print("| | all | perfect | " + " | ".join(groups) + " |")
    print("|---" * (len(groups) + 3) + "|")
    for name in names:
        values = likeness[name]
        parts = [statistics.fmean(v for v, c in zip(values, corpora, strict=True) if c == group) for group in groups]
        cells = [
            f"{statistics.fmean(values):.3f}",
            str(sum(value > PERFECT for value in values)),
            *(f"{part:.3f}" for part in parts),
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")


def measure_growth() -> bool:
    """Print how the time from HTML to title grows with the page, and say whether it grows in proportion."""
    pages = {count: EXAMPLE + "".join(map(SECTION.format, range(count))) for count in SECTIONS}
    best = dict.fromkeys(SECTIONS, math.inf)
    for _ in range(ROUNDS):
        for count, html in pages.items():
            start = time.process_time()
            windrow.parse(html, url="https://orchard.example/7").title()
            best[count] = min(best[count], time.process_time() - start)
    print("\nTime from HTML to title: ", end="")
    print(", ".join(f"{len(pages[count]) // 1000} kB {1000 * best[count]:.0f} ms" for count in SECTIONS))
    reached = [
        verdict(f"{small} → {large} sections", best[large] / best[small], MOST_GROWTH, most=True)
        for small, large in pairwise(SECTIONS)
    ]
    return all(reached)


def mann_whitney(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the two-sided p of Mann-Whitney's U by its normal approximation, corrected for ties."""
    values = np.concatenate([one, other])
    count = len(values)
    _, inverse, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[inverse]
    n, m = len(one), len(other)
    u = float(ranks[:n].sum()) - n * (n + 1) / 2
    ties = float((sizes.astype(float) ** 3 - sizes).sum()) / (count * (count - 1))
    spread = math.sqrt(n * m / 12 * (count + 1 - ties))
    return math.erfc(abs(u - n * m / 2) / spread / math.sqrt(2)) if spread else 1.0


# ---- plots ----------------------------------------------------------------------------------------------------------


def draw_likeness(likeness: dict[str, list[float]], path: Path) -> None:
    """Draw how many titles of each method are how like the true ones (figure 5)."""
    steps = 10
    bars = {}
    for method, values in likeness.items():
        counts = Counter(min(int(value * steps), steps - 1) if value < PERFECT else steps for value in values)
        bars[method] = [counts[step] / len(values) for step in range(steps + 1)]
    labels = [f"{step / steps:.1f}" for step in range(steps)] + ["exact"]
    draw_bars(bars, labels, "Share of pages by likeness (Dice) of found and true title", path)


def draw_segments(segments: Counter[int], path: Path) -> None:
    """Draw how many segments title tags have (figure 3)."""
    most = 15
    counts = [segments[number] for number in range(most)] + [sum(c for n, c in segments.items() if n >= most)]
    total = sum(counts)
    labels = [*map(str, range(most)), f"{most}+"]
    draw_bars(
        {"pages": [count / total for count in counts]}, labels, "Share of pages by segments in the title tag", path
    )


def draw_terms(page: windrow.Page, path: Path) -> None:
    """Draw what speaks for and against the first candidates of a page."""
    candidates = page.title().candidates[:3]
    most = 7
    width, line, middle = 860, 20, 520
    image = Image.new("RGB", (width, 20 + len(candidates) * line * (most + 2)), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(13)
    terms = [sorted(candidate.terms.items(), key=lambda term: -abs(term[1]))[:most] for candidate in candidates]
    scale = (width - middle - 60) / max(abs(value) for found in terms for _, value in found)
    y = 10
    for candidate, found in zip(candidates, terms, strict=True):
        draw.text((20, y), f"{candidate.text}   ({candidate.score:+.1f})", "black", font)
        for name, value in found:
            y += line
            draw.text((60, y), name, "#444444", font)
            ends = sorted((middle, middle + value * scale))
            draw.rectangle((ends[0], y + 3, ends[1], y + line - 4), COLOURS[3] if value > 0 else COLOURS[1])
            draw.text((ends[1] + 6, y), f"{value:+.2f}", "#444444", font)
        y += 2 * line
    image.quantize(32).save(path, optimize=True)


def draw_bars(bars: dict[str, list[float]], labels: Sequence[str], caption: str, path: Path) -> None:
    """Draw groups of bars with a scale and a legend."""
    width, height, left, bottom = 860, 380, 60, 60
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(13)
    highest = max(max(values) for values in bars.values())
    draw.text((left, 10), caption, "black", font)
    for tenth in range(int(highest * 10) + 1):
        y = height - bottom - tenth / 10 / highest * (height - bottom - 60)
        draw.line((left, y, width - 20, y), "#dddddd")
        draw.text((left - 42, y - 8), f"{10 * tenth} %", "black", font)
    slot = (width - left - 20) / len(labels)
    for place, (name, values) in enumerate(bars.items()):
        colour = COLOURS[place % len(COLOURS)] if len(bars) > 1 else COLOURS[2]
        thick = slot * 0.8 / len(bars)
        for number, value in enumerate(values):
            x = left + number * slot + slot * 0.1 + place * thick
            top = height - bottom - value / highest * (height - bottom - 60)
            draw.rectangle((x, top, x + thick - 1, height - bottom), colour)
        if len(bars) > 1:
            draw.rectangle((left + 130 * place, height - 24, left + 130 * place + 12, height - 12), colour)
            draw.text((left + 130 * place + 18, height - 26), name, "black", font)
    for number, label in enumerate(labels):
        draw.text((left + (number + 0.5) * slot, height - bottom + 6), label, "black", font, anchor="ma")
    image.quantize(32).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
