"""BARTREE's experiment on real pages (its Fig. 6 and 7), the case of Δ, and what reading by a wrapper costs.

    WINDROW_BENCH_DATA=… python bench/wrapper.py [--pages 10000] [--pictures docs/pictures]

Pages of 20 sources are changed at random around a text at depth 5, 10, 15, 20 or 25. Each is checked by the paper's
three variable sets and by ours; the time is of the processor, from the HTML to the answer. Other texts alone must raise
no alarm.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import turbohtml
from data import verdict
from detail_pages import parse_tree, read_sites, settled
from PIL import Image, ImageDraw, ImageFont

import windrow
from windrow.nodes import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEPTHS = (5, 10, 15, 20, 25)
METHODS = ("total", "bars", "delta", "best")
COLORS = {"total": "#8d99ae", "bars": "#457b9d", "delta": "#e09f3e", "best": "#9b2226"}
SHORTEST, LONGEST = 8, 300
MOST_COST, MOST_LEARN, LEAST_FOUND, LEAST_CASES = 2.0, 100.0, 0.99, 0.98
BANNER = '<div class="promo"><a href="/p"><img src="b.gif"></a><p>Sale</p></div>'


@dataclass(frozen=True)
class Source:
    """One page to change."""

    site: str
    url: str
    html: str
    values: dict[str, list[str]]


def sources() -> Iterator[Source]:
    """Return the pages, the sources taking turns."""
    by_site = read_sites()
    for number in range(max(map(len, by_site.values()))):
        for site, pages in by_site.items():
            if number < len(pages):
                yield Source(site, pages[number].url, settled(pages[number].html), pages[number].shown)


def find_region(page: windrow.Page, depth: int, chance: random.Random) -> int | None:
    """Choose an element near a depth whose text stands once on the page."""
    nodes = page.nodes
    found = [
        node
        for node in range(len(nodes))
        if nodes.kind[node] == Kind.ELEMENT
        and abs(int(nodes.depth[node]) - 1 - depth) <= 2  # noqa: PLR2004 - near enough
        and SHORTEST <= len("".join(nodes.visible_text(node).split())) <= LONGEST
        and nodes.tag[node] not in {"a", "b", "i", "span", "font", "strong", "option", "style", "script"}
    ]
    chance.shuffle(found)
    return next((node for node in found if page.text.count(nodes.visible_text(node)) == 1), None)


def way_to(region: Any) -> list[Any]:  # noqa: ANN401 - the parser's nodes
    """Return an element and its ancestors below the body."""
    return [region, *(node for node in region.ancestors if getattr(node, "tag", "") not in {"", "html", "body"})]


def beside(region: Any) -> list[Any]:  # noqa: ANN401
    """Return the elements that stand beside the way."""
    found = []
    for node in way_to(region):
        found += [other for other in node.parent.children if isinstance(other, turbohtml.Element) and other is not node]
    return [other for other in found if other.tag not in {"script", "style", "noscript", "template", "head", "br"}]


def add_before(region: Any, chance: random.Random) -> bool:  # noqa: ANN401
    """Put a banner above the region."""
    chance.choice(in_flow(region)).insert_before(turbohtml.parse_fragment(BANNER).children[0])
    return True


def add_after(region: Any, chance: random.Random) -> bool:  # noqa: ANN401
    """Put a banner below the region."""
    chance.choice(in_flow(region)).insert_after(turbohtml.parse_fragment(BANNER).children[0])
    return True


def wrap(region: Any, chance: random.Random) -> bool:  # noqa: ANN401
    """Put another box around the region."""
    chance.choice(in_flow(region)).wrap(turbohtml.Element("div"))
    return True


def remove(region: Any, chance: random.Random) -> bool:  # noqa: ANN401
    """Take away something beside the way."""
    options = beside(region)
    if options:
        chance.choice(options).decompose()
    return bool(options)


def rename(region: Any, _: random.Random) -> bool:  # noqa: ANN401
    """Return the boxes on the way another tag."""
    options = [node for node in way_to(region) if node.tag == "div"]
    for node in options:
        other = turbohtml.Element("section")
        node.insert_before(other)
        for child in list(node.children):
            other.append(child)
        node.decompose()
    return bool(options)


def swap(region: Any, chance: random.Random) -> bool:  # noqa: ANN401
    """Let two neighbours beside the way change places."""
    options = [node for node in beside(region) if isinstance(node.next_sibling, turbohtml.Element)]
    options = [
        node for node in options if node.next_sibling.tag != node.tag and node.next_sibling not in way_to(region)
    ]
    if options:
        node = chance.choice(options)
        node.next_sibling.insert_after(node.extract())
    return bool(options)


def other_texts(region: Any, chance: random.Random) -> bool:  # noqa: ANN401
    """Write other words everywhere but in the region."""
    inside = set(region.descendants)
    for node in list(way_to(region)[-1].parent.descendants):
        solid = isinstance(node, turbohtml.Text) and node.data.strip() and node not in inside
        if solid and node.parent.tag not in {"script", "style", "noscript", "title"} and chance.random() < 0.4:  # noqa: PLR2004
            node.data = " ".join(word[::-1] for word in node.data.split())
    return True


def in_flow(region: Any) -> list[Any]:  # noqa: ANN401
    """Return the elements of the way that stand where any block may stand."""
    flow = {"body", "div", "td", "th", "li", "section", "article", "main", "center", "form"}
    able = flow | {"table", "ul", "ol", "p", "h1", "h2", "h3", "dl"}
    found = [node for node in way_to(region) if node.parent.tag in flow and node.tag in able - {"td", "th", "li"}]
    return found or way_to(region)[-1:]


CHANGES: dict[str, tuple[Callable[[Any, random.Random], bool], str | None]] = {
    "added above": (add_before, "upper"),
    "added below": (add_after, "lower"),
    "wrapped": (wrap, "both-same"),
    "removed": (remove, None),
    "renamed": (rename, None),
    "swapped": (swap, None),
    "other texts": (other_texts, "none"),
}


@dataclass
class Tally:
    """What came out."""

    found: dict[tuple[str, int], list[bool]]
    by_change: dict[tuple[str, str], list[bool]]
    times: dict[tuple[str, int], list[float]]
    cases: list[bool]
    alarms: dict[str, list[bool]]


def run(most: int) -> Tally:
    """Change pages until there are enough, and check each in all ways."""
    tally = Tally(defaultdict(list), defaultdict(list), defaultdict(list), [], defaultdict(list))
    done = turn = 0
    while done < most:
        before = done
        for number, source in enumerate(sources()):
            page = windrow.parse(source.html, url=source.url)
            for depth in DEPTHS:
                chance = random.Random(f"{turn} {number} {depth}")  # noqa: S311 - a seeded experiment
                region = find_region(page, depth, chance)
                if region is not None:
                    done += change_page(source, page, (depth, region), chance, tally)
            if done >= most:
                return tally
        turn += 1
        if done == before:
            break
    return tally


def change_page(source: Source, page: windrow.Page, place: tuple[int, int], chance: random.Random, tally: Tally) -> int:
    """Make every change around one region; give how many changed pages there were."""
    depth, node = place
    wrapper = windrow.learn(page, {"region": page.nodes.visible_text(node)})
    done = 0
    for name, (apply, case) in CHANGES.items():
        root = parse_tree(source.html)
        if not apply([root, *root.descendants][node], chance):
            continue
        html = root.html
        for method in METHODS:
            start = time.process_time()
            change = wrapper.check(windrow.parse(html, url=source.url), method)
            tally.times[method, depth].append(1000 * (time.process_time() - start))
            if name == "other texts":
                tally.alarms[method].append(change.changed)
            else:
                tally.found[method, depth].append(change.changed)
                tally.by_change[method, name].append(change.changed)
            if method == "best" and case is not None:
                tally.cases.append(change.case == case)
        done += name != "other texts"
    return done


def measure_cost() -> tuple[float, float]:
    """Return how many times a parse costs, check and extract included, and what learning 5,000 nodes takes."""
    ratios, learning = [], []
    for _, source in zip(range(60), sources(), strict=False):
        if not source.values:
            continue
        page = windrow.parse(source.html, url=source.url)
        wrapper = windrow.learn(page, source.values)
        parsing, reading, taught = fastest(
            lambda html=source.html: windrow.parse(html),  # type: ignore[misc]
            lambda html=source.html, wrapper=wrapper: read(wrapper, html),  # type: ignore[misc]
            lambda source=source: windrow.learn(windrow.parse(source.html), source.values),  # type: ignore[misc]
        )
        ratios.append(reading / parsing)
        learning.append(1000 * taught * 5000 / max(5000, len(page.nodes)))
    return statistics.median(ratios), max(learning)


def read(wrapper: windrow.Wrapper, html: str) -> None:
    """Parse a page of another address, check it, and extract from it."""
    page = windrow.parse(html, url="https://example.org/other")
    wrapper.check(page)
    wrapper.extract(page)


def fastest(*calls: Callable[[], object]) -> list[float]:
    """Return the seconds of the processor that each call takes at best, of seven runs, in which they take turns."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(7):
        for call, times in zip(calls, taken, strict=True):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    return list(map(min, taken))


def draw_plot(title: str, lines: dict[str, list[tuple[int, float]]], top: float) -> Image.Image:
    """Draw lines over the depth."""
    wide, high, edge = 560, 340, 48
    picture = Image.new("RGB", (wide, high), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(12)
    pen.text((edge, 12), title, fill="black", font=font)
    pen.line((edge, edge, edge, high - edge, wide - edge, high - edge), fill="black")
    for step in range(5):
        y = high - edge - step * (high - 2 * edge) / 4
        pen.text((6, y - 7), f"{top * step / 4:.3g}", fill="black", font=font)
        pen.line((edge, y, wide - edge, y), fill="#dddddd")
    for depth in DEPTHS:
        pen.text(
            (edge + (depth - 5) * (wide - 2 * edge) / 20 - 6, high - edge + 6), str(depth), fill="black", font=font
        )
    for row, (name, points) in enumerate(lines.items()):
        locations = [
            (edge + (depth - 5) * (wide - 2 * edge) / 20, high - edge - value / top * (high - 2 * edge))
            for depth, value in points
        ]
        pen.line(locations, fill=COLORS[name], width=3)
        pen.text((edge + 110 * row, high - 20), name, fill=COLORS[name], font=font)
    return picture


def main() -> int:
    """Run, print, and draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--pictures", type=Path)
    args = parser.parse_args()
    tally = run(args.pages)
    changed = sum(map(len, tally.found.values())) // len(METHODS)
    print(f"{changed:,} changed pages, {len(tally.alarms['best']):,} with other texts\n")
    print("| set | " + " | ".join(f"depth {depth}" for depth in DEPTHS) + " | all | false alarms | ms, depth 5 → 25 |")
    print("|---|" + "---|" * (len(DEPTHS) + 3))
    rates, times = {}, {}
    for method in METHODS:
        rates[method] = [(d, 100 * statistics.fmean(tally.found[method, d])) for d in DEPTHS if tally.found[method, d]]
        times[method] = [(d, statistics.median(tally.times[method, d])) for d in DEPTHS if tally.times[method, d]]
        whole = statistics.fmean(hit for depth in DEPTHS for hit in tally.found[method, depth])
        cells = " | ".join(f"{rate:.1f} %" for _, rate in rates[method])
        alarms = statistics.fmean(tally.alarms[method])
        print(
            f"| {method} | {cells} | {whole:.1%} | {alarms:.1%} | {' '.join(f'{ms:.1f}' for _, ms in times[method])} |"
        )
    print("\n| change | " + " | ".join(METHODS) + " |\n|---|" + "---|" * len(METHODS))
    for name in CHANGES:
        if tally.by_change["best", name]:
            print(
                f"| {name} | " + " | ".join(f"{statistics.fmean(tally.by_change[m, name]):.1%}" for m in METHODS) + " |"
            )
    if args.pictures:
        draw_plot("detected, % by depth of the region", rates, 100).save(args.pictures / "wrapper-detection.png")
        slowest = max(ms for points in times.values() for _, ms in points)
        draw_plot("ms from HTML to answer, by depth", times, slowest * 1.1).save(args.pictures / "wrapper-time.png")
    best = statistics.fmean(hit for depth in DEPTHS for hit in tally.found["best", depth])
    cost, learning = measure_cost()
    print()
    reached = [
        verdict("changes detected", best, LEAST_FOUND),
        verdict("case of delta right", statistics.fmean(tally.cases), LEAST_CASES),
        verdict("false alarms", statistics.fmean(tally.alarms["best"]), 0, most=True),
        verdict("parse, check and extract ÷ parse", cost, MOST_COST, most=True),
        verdict("learning from 5,000 nodes, ms", learning, MOST_LEARN, most=True),
    ]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
