"""Rewrite pages whose list is among the candidates as other templates would, and count lists right, wrong and missing.

    WINDROW_BENCH_DATA=… [HALF=a] python bench/toplist_stress.py [--totals]

Each change is made to pages with numbers before the items and without. Of the lists that are not right, the last
columns say where they were lost: no candidate was right, a right one was outranked, or the right one was held back.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import TYPE_CHECKING

from detail_pages import is_chosen
from toplist import Case, count_items, matches, read_cases, site_of
from toplist_originals import Original, read_original
from toplist_surroundings import MUTATIONS, ONLY_NUMBERED

import windrow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windrow.toplist import TopListReading

COLUMNS = ("right", "wrong", "none", "no candidate", "outranked", "held back")


def is_right(names: Sequence[str], truth: Sequence[set[str]]) -> bool:
    """Whether names are those of the truth, counted up or down."""
    return matches(names, truth) or matches(names[::-1], truth)


def find_loss(reading: TopListReading, truth: Sequence[set[str]]) -> str:
    """Return where a list was lost."""
    if reading.measured is None or reading.choice is None:
        return "no candidate"
    named = [[reading.measured.names[place] for place in each.lines] for each in reading.measured.candidates]
    right = [is_right(names, truth) for names in named]
    if not any(right):
        return "no candidate"
    return "held back" if right[reading.choice.place] else "outranked"


def try_page(case: Case) -> dict[str, Counter[str]]:
    """Put one page through all changes."""
    original = read_original(case)
    return dict(try_changes(original)) if original else {}


def try_changes(original: Original) -> Iterator[tuple[str, Counter[str]]]:
    """Count what becomes of a page, change by change."""
    tried = [*product(MUTATIONS.items(), (True, False)), *product(ONLY_NUMBERED.items(), (True,))]
    for (name, mutate), numbered in tried:
        subject = original.subject(numbered=numbered)
        truth = mutate(subject) if subject else None
        if subject is None or truth is None:
            continue
        reading = windrow.parse(subject.root.html, url=original.url).toplist_reading
        names = [item.name for item in reading.toplist.items] if reading.toplist else []
        outcome = "none" if not names else "right" if is_right(names, truth) else "wrong"
        loss = [] if outcome == "right" else [find_loss(reading, truth)]
        items = {"items right": count_items(names, truth), "items given": len(names), "items": len(truth)}
        yield f"{name}{'' if numbered else ' (no numbers)'}", Counter(["pages", outcome, *loss]) + Counter(items)


def show(total: Counter[str]) -> str:
    """Return precision, recall and F of lists and items."""
    given = total["right"] + total["wrong"]
    lists = (total["right"], given, total["pages"])
    items = (total["items right"], total["items given"], total["items"])
    return f"lists {score(*lists)}; items {score(*items)}"


def score(right: int, given: int, wanted: int) -> str:
    """Return precision, recall and F."""
    precision, recall, both = right / max(given, 1), right / max(wanted, 1), 2 * right / max(given + wanted, 1)
    return f"P {precision:.3f} R {recall:.3f} F {both:.3f}"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--totals", action="store_true", help="no line for each change")
    args = parser.parse_args()
    cases = [case for case in read_cases() if case.names and is_chosen(site_of(case))]
    counts: dict[str, Counter[str]] = {}
    with ProcessPoolExecutor(2) as pool:
        for found in pool.map(try_page, cases, chunksize=4):
            for name, count in found.items():
                counts[name] = counts.get(name, Counter()) + count
    if not args.totals:
        print(f"| change | pages | {' | '.join(COLUMNS)} |\n|---|" + "---:|" * (1 + len(COLUMNS)))
        for name, count in sorted(counts.items(), key=lambda pair: pair[0].endswith(")")):
            print(f"| {name} | {count['pages']} | {' | '.join(str(count[each]) for each in COLUMNS)} |")
    for title, numbered in (("with numbers", True), ("without numbers", False)):
        total = sum((count for name, count in counts.items() if name.endswith("(no numbers)") != numbered), Counter())
        print(f"\n{title}: {total['pages']} pages; {show(total)}")
        print(", ".join(f"{each} {total[each]}" for each in COLUMNS))


if __name__ == "__main__":
    main()
