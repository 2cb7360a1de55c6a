"""How well and how fast top-k lists are read, and what each measurement and each way of picking is worth.

WINDROW_BENCH_DATA=… python bench/toplist.py

The reader's weights were fitted on these pages; what they reach on sites left out stands in the head of their file.
"""

from __future__ import annotations

import gc
import gzip
import re
import statistics
import sys
import time
import unicodedata
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest import mock
from urllib.parse import urlsplit

from data import data_folder, read_rows, verdict

import windrow
from windrow.toplist import TopListReading, candidates, ranker
from windrow.toplist.classifier import FILE
from windrow.toplist.language import choose_language
from windrow.toplist.phrase import is_superlative
from windrow.toplist.promise import PARAMETERS, read_promise
from windrow.toplist.tokens import find_mentions, split_tokens
from windrow.weights import load_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LABEL = re.compile(
    r"^\s*(?:(?:#|no\.?|nr\.?|number)\s*\d{1,3}\b[.:)]?(?!\d)|\(\d{1,3}\)|\d{1,3}(?:[.:)](?!\d)|(?=\s*[-–—]\s)))"
    r"\s*(?:[-–—]\s+)?",
    re.IGNORECASE,
)
WANTED = {"title P": 0.97, "title R": 0.95, "parts": 0.93, "verdict F": 0.96, "list F": 0.91, "item F": 0.94}
ALIKE, HELD = 0.8, 0.6
MOST_PLAIN, MOST_TOPK, MOST_LOAD = 3.0, 6.0, 150.0
LEFT_OUT = {
    "numbers": ("counts", "counts to k", "goes on"),
    "highlighting": ("headings", "bold"),
    "exactly k": ("exactly k", "fewer than k"),
    "cuts": ("k in a row", "share of group"),
    "identical path": ("one path",),
    "descriptions": ("described", "uneven bodies"),
    "names": ("awards", "questions", "repeated", "uneven names"),
}


GROUPS = {
    "headings": frozenset({"headings", "heading path", *(f"h{level}" for level in range(1, 7))}),
    "lines below headings": frozenset({"below"}),
    "list items": frozenset({"list", "lists"}),
    "bold text": frozenset({"bold", "bold path"}),
    "identical paths": frozenset({"path"}),
    "very similar paths": frozenset({"similar path"}),
    "numbers on several paths": frozenset({"numbered"}),
}
"""The ways in which the picker groups lines."""
CUTS = {
    "runs of numbers": frozenset({"numbered"}),
    "labelled lines": frozenset({"labelled"}),
    "clearing": frozenset({"cleared"}),
    "sections and containers": frozenset({"section", "container"}),
    "k in a row": frozenset({"before an end", "first", "last", "second on"}),
}
"""The ways in which it cuts groups."""


@dataclass(frozen=True)
class Case:
    """A labelled page."""

    row: dict[str, Any]
    html: str

    @property
    def names(self) -> list[set[str]]:
        """The names accepted at each place, by rank where ranks are distinct."""
        if not self.row["is_topk"]:
            return []
        pairs = [(item.get("rank"), {item["name"], item.get("short") or item["name"]}) for item in self.row["items"]]
        return in_order(pairs)


def main() -> int:
    """Print all tables."""
    cases = read_cases()
    reached = [*report_titles(), *report_parts(cases), *report_pages(cases), *report_speed(cases)]
    report_left_out(cases)
    return 0 if all(reached) else 1


def read_cases() -> list[Case]:
    """Read the labelled pages, the unclear ones left out."""
    folder = data_folder("toplists")
    rows = [row for row in read_rows(folder / "gold.jsonl") if not row["unclear"]]
    return [
        Case(row, gzip.decompress((folder / row["html_path"]).read_bytes()).decode("utf-8", "replace")) for row in rows
    ]


def site_of(case: Case) -> str:
    """Return the host of a page."""
    return urlsplit(str(case.row["url"])).netloc.removeprefix("www.")


# ---- the title classifier ------------------------------------------------------------------------------------------


def follows_rules(title: str) -> bool:
    """Whether one of the paper's four rules takes a title for a promise."""
    language = choose_language(title.split())
    tokens = split_tokens(title, language)
    for mention in find_mentions(title, tokens, language):
        if mention.place and tokens[mention.place - 1].word in language.top:
            return True
        following = [token.word for token in tokens[mention.after : mention.after + 1]]
        if any(is_superlative(word, language) or word in language.most for word in following):
            return True
    return False


def report_titles() -> list[bool]:
    """Hold the classifier and the paper's rules against the labelled headlines."""
    rows = read_rows(data_folder("headlines") / "labelled.jsonl")
    print(f"{len(rows)} labelled headlines")
    given = {row["title"]: read_promise(row["title"]) for row in rows}
    systems: dict[str, Callable[[str], bool]] = {
        "the paper's rules": follows_rules,
        "classifier": lambda title: (promise := given[title]) is not None and promise.score >= PARAMETERS.likely,
    }
    scores = {}
    for name, says in systems.items():
        scores[name] = precision_recall([(says(row["title"]), row["is_topk"]) for row in rows])
        clear = precision_recall([(says(row["title"]), row["is_topk"]) for row in rows if not row["ambiguous"]])
        print("{:20} P {:.3f} R {:.3f}; without the ambiguous P {:.3f} R {:.3f}".format(name, *scores[name], *clear))
    found = [
        (row, promise)
        for row in rows
        if row["is_topk"] and (promise := given[row["title"]]) and promise.score >= PARAMETERS.likely
    ]
    right = statistics.fmean(
        promise.k == row["k"] and promise.head.lower() == row["head"].lower() for row, promise in found
    )
    precision, recall = scores["classifier"]
    return [
        verdict("title classifier, precision", precision, WANTED["title P"]),
        verdict("title classifier, recall", recall, WANTED["title R"]),
        verdict("k and concept head right", right, WANTED["parts"]),
    ]


def report_parts(cases: Sequence[Case]) -> list[bool]:
    """Return how often each part of a page's promise is right, against the labels of the pages."""
    counts: dict[str, list[bool]] = {name: [] for name in ("k", "concept", "criterion", "time", "location")}
    for case in cases:
        found = windrow.parse(case.html, url=case.row["url"]).toplist()
        if not found or not case.row["is_topk"]:
            continue
        counts["k"].append(found.k == case.row["k"])
        head = words_of(case.row["concept"]) & words_of(found.concept)
        counts["concept"].append(bool(head))
        for name in ("criterion", "time", "location"):
            wanted, given = words_of(case.row[name] or ""), words_of(getattr(found, name))
            counts[name].append(wanted == given or bool(wanted & given))
    print("\nparts of the promise, on pages whose list was read (agreement with labels that may paraphrase)")
    print("  ".join(f"{name} {statistics.fmean(right):.3f}" for name, right in counts.items()))
    return []


def words_of(text: str) -> set[str]:
    """Return the words of a text, plurals cut."""
    text = re.sub(r"\bU\.?S\.?A?\b", "USA", text)
    return {word.lower().removesuffix("s") for word in re.findall(r"\w+", text)}


# ---- pages ---------------------------------------------------------------------------------------------------------


def report_pages(cases: Sequence[Case]) -> list[bool]:
    """Hold verdicts, lists and items against the labels."""
    verdicts, lists, items = [], [0, 0, 0], [0, 0, 0]
    for case in cases:
        page = windrow.parse(case.html, url=case.row["url"])
        found, gold = page.toplist(), case.names
        names = [item.name for item in found.items] if found else []
        verdicts.append((page.toplist_verdict().is_topk, case.row["is_topk"]))
        lists = [a + b for a, b in zip(lists, (matches(names, gold), bool(names), bool(gold)), strict=True)]
        items = [a + b for a, b in zip(items, (count_items(names, gold), len(names), len(gold)), strict=True)]
    precision, recall = precision_recall(verdicts)
    print(f"\n{len(cases)} pages, {sum(case.row['is_topk'] for case in cases)} of them top-k")
    results = {"verdict": (precision, recall), "list": ratio(lists), "item": ratio(items)}
    reached = []
    for name, (p, r) in results.items():
        print(f"{name:8} P {p:.3f} R {r:.3f}")
        reached.append(verdict(f"{name} F", 2 * p * r / (p + r), WANTED[f"{name} F"]))
    return reached


def report_left_out(cases: Sequence[Case]) -> None:
    """Leave one rule of the ranker, then one way of the picker, out at a time."""
    topk = [case for case in cases if case.row["is_topk"]]
    readings = [(read_page(case), case) for case in topk]
    print(f"\n{'right lists with one thing left out':40} {count_right(readings)} with nothing left out")
    weights = load_weights("toplist").values
    for name, columns in LEFT_OUT.items():
        changed = {key: value for key, value in weights.items() if key not in columns}
        print(f"ranker without {name:25} {count_right(readings, changed)}")
    for name, ways in GROUPS.items():
        with mock.patch.object(candidates, "find_groups", leaving_out(candidates.find_groups, 0, ways)):
            print(f"picker without {name:25} {count_right([(read_page(case), case) for case in topk])}")
    for name, ways in CUTS.items():
        with mock.patch.object(candidates, "find_cuts", leaving_out(candidates.find_cuts, 1, ways)):
            print(f"picker without {name:25} {count_right([(read_page(case), case) for case in topk])}")


def read_page(case: Case) -> TopListReading:
    """Read the list of a page, with all that was found out about it."""
    return windrow.parse(case.html, url=case.row["url"]).toplist_reading


def leaving_out(find: Callable[..., Iterable[Any]], at: int, names: frozenset[str]) -> Callable[..., list[Any]]:
    """Wrap one of the picker's steps so that what it finds in some ways is dropped."""
    return lambda *given, **named: [found for found in find(*given, **named) if found[at].strip(", ") not in names]


def count_right(readings: Sequence[tuple[TopListReading, Case]], weights: dict[str, float] | None = None) -> int:
    """Count the pages whose best candidate is right, whether sure or not."""
    right = 0
    for reading, case in readings:
        if reading.measured is None:
            continue
        choice = reading.choice if weights is None else ranker.choose_candidate(reading.measured, weights)
        lines = reading.measured.candidates[choice.place].lines if choice else ()
        names = [reading.measured.names[place] for place in lines]
        right += matches(names, case.names) or matches(names[::-1], case.names)
    return right


def report_speed(cases: Sequence[Case]) -> list[bool]:
    """Measure the cost in CPU time, parsing included, against parsing alone; and the loading of the model."""
    start = time.perf_counter()
    load_weights.__wrapped__("toplist", FILE)
    loaded = 1000 * (time.perf_counter() - start)
    ratios: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    read_promise("The 10 best warm-ups")
    for case in cases:
        html, url = case.html, case.row["url"]
        parse = partial(windrow.parse, html, url=url)
        alone, whole = cheapest(parse), cheapest(partial(read_after, parse))
        ratios[case.row["is_topk"]].append((alone, whole))
    print()
    means = {kind: sum(w for _, w in pairs) / sum(a for a, _ in pairs) for kind, pairs in ratios.items()}
    for kind, pairs in ratios.items():
        name = "top-k" if kind else "other"
        print(
            f"{name} pages: parse {statistics.fmean(a for a, _ in pairs):.2f} ms, "
            f"with the list {statistics.fmean(w for _, w in pairs):.2f} ms"
        )
    return [
        verdict("cost on other pages ÷ parse", means[False], MOST_PLAIN, most=True),
        verdict("cost on top-k pages ÷ parse", means[True], MOST_TOPK, most=True),
        verdict("title model loads in ms", loaded, MOST_LOAD, most=True),
    ]


def read_after(parse: Callable[[], windrow.Page]) -> object:
    """Parse a page and read its list."""
    return parse().toplist_reading


def cheapest(call: Callable[[], object], rounds: int = 3) -> float:
    """Return the least CPU time of a few calls, in milliseconds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect(0)
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return 1000 * best


# ---- matching ------------------------------------------------------------------------------------------------------


def in_order(pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
    """Sort by rank where all ranks are known and distinct."""
    ranks = [rank for rank, _ in pairs]
    if all(isinstance(rank, int) for rank in ranks) and len(set(ranks)) == len(ranks):
        pairs = sorted(pairs, key=lambda pair: pair[0])
    return [thing for _, thing in pairs]


def fold(text: str) -> str:
    """Fold case, accents, punctuation and labels away."""
    plain = unicodedata.normalize("NFKD", (LABEL.sub("", text) or text).casefold())
    return " ".join(
        "".join(char if char.isalnum() else " " for char in plain if not unicodedata.combining(char)).split()
    )


def is_same(found: str, gold: str) -> bool:
    """Whether two names mean the same: equal, alike in bigrams, or one held by the other."""
    a, b = fold(found), fold(gold)
    if not a or not b or a == b:
        return a == b
    pairs = [[text[at : at + 2] for at in range(len(text) - 1)] for text in (a, b)]
    shared = sum(min(pairs[0].count(pair), pairs[1].count(pair)) for pair in set(pairs[0]))
    short, long = sorted((a, b), key=len)
    return 2 * shared / max(len(pairs[0]) + len(pairs[1]), 1) >= ALIKE or (
        short in long and len(short) / len(long) >= HELD
    )


def matches(names: Sequence[str], gold: Sequence[set[str]]) -> bool:
    """Whether a list has all names at their places."""
    if not gold or len(names) != len(gold):
        return False
    return all(any(is_same(name, each) for each in accepted) for name, accepted in zip(names, gold, strict=True))


def count_items(names: Sequence[str], gold: Sequence[set[str]]) -> int:
    """Count the names found, each of the labels once."""
    left, right = list(gold), 0
    for name in names:
        place = next((at for at, accepted in enumerate(left) if any(is_same(name, each) for each in accepted)), None)
        if place is not None:
            del left[place]
            right += 1
    return right


def precision_recall(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float]:
    """Return precision and recall of said against true."""
    return ratio(
        [sum(said and true for said, true in pairs), sum(said for said, _ in pairs), sum(true for _, true in pairs)]
    )


def ratio(counts: Sequence[int]) -> tuple[float, float]:
    """Return precision and recall of right, given and wanted."""
    right, given, wanted = counts
    return right / max(given, 1), right / max(wanted, 1)


if __name__ == "__main__":
    sys.exit(main())
