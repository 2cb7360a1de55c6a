"""Measure the title methods as the paper on TTA does: its tables 3 and 5, its figures 3 and 5.

    python bench/title.py [OUTPUT] [--limit N] [--tune]

Pages come from the folder ``titles`` in WINDROW_BENCH_DATA: ``titles.jsonl``, one object a page with ``corpus``,
``url``, ``title`` and ``html_path``. Tables are printed; plots go into OUTPUT. ``--tune`` fits the weights of the best
method anew, reports what they reach on sites that were left out, and prints them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import statistics
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

import windrow
from windrow.title.best import read_candidates
from windrow.title.dice import score_dice
from windrow.title.tta import cut, find_tta_title
from windrow.title.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CRITERIA = ((1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3))
METHODS = ("tag", "titlefinder", "tta", "best")
SIGNIFICANT = 0.05
COLOURS = ("#9aa5b1", "#d9a441", "#4c86a8", "#2f6b3a")
FOLDS = 5
PERFECT = 0.999
FRONT = " on a front page"
EXAMPLE = """
<title>Orchard Notes » Pruning old pear trees</title>
<div id="header"><h1><a href="/">Orchard Notes</a></h1></div>
<div class="post"><h2>Pruning old pear trees</h2><p>Winter is the time to do it.</p></div>
<p>© Orchard Notes</p>
"""
UNTAUGHT = frozenset({"large", "elsewhere"})
"""Features that no page of the data has."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A page with its true title."""

    corpus: str
    url: str
    title: str
    html: bytes

    @property
    def site(self) -> str:
        """Whose pages are left out together: the last two labels of the host, or three before a country's."""
        labels = (urlsplit(self.url).hostname or "").split(".")
        return ".".join(labels[-3 if len(labels[-1]) == 2 and len(labels) > 2 and len(labels[-2]) <= 3 else -2 :])  # noqa: PLR2004 - as it says


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", nargs="?", type=Path, default=Path("build/bench-title"))
    parser.add_argument("--limit", type=int, default=0, help="read only every so many pages, about this many in all")
    parser.add_argument("--tune", action="store_true", help="fit the weights of the best method")
    arguments = parser.parse_args()
    rows = read_rows(Path(os.environ["WINDROW_BENCH_DATA"]) / "titles", arguments.limit)
    if arguments.tune:
        tune(rows)
        return
    arguments.output.mkdir(parents=True, exist_ok=True)
    report(rows, arguments.output)


def read_rows(folder: Path, limit: int) -> list[Row]:
    """Read the pages; with a limit, every so many of them."""
    lines = [json.loads(line) for line in (folder / "titles.jsonl").read_text("utf-8").splitlines()]
    step = max(1, len(lines) // limit) if limit else 1
    return [
        Row(line["corpus"], line["url"], line["title"], gzip.decompress((folder / line["html_path"]).read_bytes()))
        for line in lines[::step]
    ]


def report(rows: Sequence[Row], output: Path) -> None:
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
    corpora = [row.corpus for row in rows]
    print(f"{len(rows)} pages\n\nImpact of the criteria of TTA (table 3): mean Dice\n")
    print_table(likeness, [" + ".join(map(str, criteria)) for criteria in CRITERIA], corpora)
    print("\nThe methods compared (table 5): mean Dice\n")
    print_table(likeness, METHODS, corpora)
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


def mann_whitney(one: Sequence[float], other: Sequence[float]) -> float:
    """Give the two-sided p of Mann-Whitney's U by its normal approximation, corrected for ties."""
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


# ---- tuning ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choices:
    """The candidates of all pages in one matrix: features, likeness to the true title, and where each page begins."""

    features: NDArray[np.float32]
    likeness: NDArray[np.float32]
    starts: NDArray[np.intp]
    page: NDArray[np.intp]
    votes: NDArray[np.float32]

    def only(self, pages: NDArray[np.bool_]) -> Choices:
        """Keep some of the pages."""
        rows = pages[self.page]
        sizes = np.diff([*self.starts, len(self.page)])[pages]
        page = np.repeat(np.arange(len(sizes)), sizes)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return Choices(self.features[rows], self.likeness[rows], starts, page, self.votes[pages])


def tune(rows: Sequence[Row]) -> None:
    """Fit the weights, on sites by turns and on all, and print what they reach and what they are."""
    names, choices, kept = read_choices(rows)
    fold = np.array([sum(map(ord, row.site)) % FOLDS for row in kept])
    found = np.zeros(len(kept))
    for number in range(FOLDS):
        weights = fit(choices.only(fold != number))
        found[fold == number] = reach(choices.only(fold == number), weights)
    weights = fit(choices)
    for label, values in (("sites left out", found), ("all pages", reach(choices, weights))):
        by = sorted(zip((row.corpus for row in kept), values.tolist(), strict=True))
        parts = [
            f"{c} {statistics.fmean(v for _, v in group):.3f}" for c, group in groupby(by, key=lambda pair: pair[0])
        ]
        print(f"{label}: {values.mean():.4f} ({', '.join(parts)})")
    for name, weight in zip(names, weights, strict=True):
        print(f"{name:<30} {weight:+.2f}")


def read_choices(rows: Sequence[Row]) -> tuple[list[str], Choices, list[Row]]:
    """Read the features of every candidate of every page; those of front pages once more under a name of their own."""
    pages: list[list[dict[str, float]]] = []
    kept: list[Row] = []
    likeness: list[float] = []
    for row in rows:
        page = windrow.parse(row.html, url=row.url)
        is_front, candidates = read_candidates(page.nodes, page.url)
        if candidates:
            pages.append([_with_front(features, is_front=is_front) for _, features in candidates])
            kept.append(row)
            likeness += [score_dice(text, row.title) for text, _ in candidates]
    names = [name for name, (always, _) in WEIGHTS.items() if always and name not in UNTAUGHT]
    names += [f"{name}{FRONT}" for name, (_, front) in WEIGHTS.items() if front and name not in UNTAUGHT]
    column = {name: number for number, name in enumerate(names)}
    features = np.zeros((len(likeness), len(names)), dtype=np.float32)
    for number, values in enumerate(f for page in pages for f in page):
        for name, value in values.items():
            if name in column:
                features[number, column[name]] = value
    sizes = np.array([len(page) for page in pages])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return (
        names,
        Choices(features, np.array(likeness, np.float32), starts, np.repeat(np.arange(len(pages)), sizes), vote(kept)),
        kept,
    )


def _with_front(features: dict[str, float], *, is_front: bool) -> dict[str, float]:
    return {**features, **{f"{name}{FRONT}": value for name, value in features.items()}} if is_front else features


def vote(rows: Iterable[Row]) -> NDArray[np.float32]:
    """Let pages of one site share their vote, and those of the largest corpus, which has all kinds, count for more."""
    rows = list(rows)
    sites = Counter(row.site for row in rows)
    largest = Counter(row.corpus for row in rows).most_common(1)[0][0]
    votes = np.array([sites[row.site] ** -0.5 * (1.5 if row.corpus == largest else 1.0) for row in rows], np.float32)
    return np.asarray(votes / votes.mean(), np.float32)


def fit(choices: Choices, steps: int = 300, penalty: float = 0.6, rate: float = 0.05) -> NDArray[np.float32]:
    """Climb the expected likeness and the log-likelihood of the best candidates, by Adam with a falling rate."""
    page, starts = choices.page, choices.starts
    best = np.maximum.reduceat(choices.likeness, starts)[page]
    wanted = np.exp((choices.likeness - best) * 12)
    wanted /= np.add.reduceat(wanted, starts)[page]
    transposed = np.ascontiguousarray(choices.features.T)
    weights = np.zeros(len(transposed), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        scores = choices.features @ weights
        belief = np.exp(scores - np.maximum.reduceat(scores, starts)[page])
        belief /= np.add.reduceat(belief, starts)[page]
        expected = np.add.reduceat(belief * choices.likeness, starts)[page]
        pull = 0.2 * (wanted - belief) + 4.8 * belief * (choices.likeness - expected)
        slope = (transposed @ (choices.votes[page] * pull) - penalty * weights) / choices.votes.sum()
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        speed = rate * (0.52 + 0.5 * math.cos(math.pi * step / steps))
        weights += (speed * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)).astype(np.float32)
    return weights


def reach(choices: Choices, weights: NDArray[np.float32]) -> Numbers:
    """Give the likeness of the candidate that is chosen on each page."""
    scores = choices.features @ weights
    ends = [*choices.starts[1:], len(scores)]
    chosen = [start + int(np.argmax(scores[start:end])) for start, end in zip(choices.starts, ends, strict=True)]
    return choices.likeness[chosen].astype(np.float64)


if __name__ == "__main__":
    main()
