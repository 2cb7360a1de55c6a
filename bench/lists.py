"""Lists from two pasted rows: how many rows and cells are read right, on the learned page and on the next one.

    WINDROW_BENCH_DATA=… [HALF=a|b] python bench/lists.py [--pages] [--rows 0,1] [--swap]

The true rows are cells that people copied. A column is a label where most of its cells stand on the page; what does not
stand in its record on the page is not asked of anyone. The first two rows teach; then the learned page and the other
page of the same site are read.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from data import data_folder, read_rows, verdict
from records_truth import split

import windrow
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_ON_PAGE = 0.9
"""Share of a column's cells that must stand on the page for it to be a label."""
LEAST_ALIKE = 0.8
"""F1 of the words from which on two cells are equal."""
LEAST_RIGHT, MOST_WRONG = 0.95, 0.02


@dataclass
class Score:
    """Rows and cells counted over pages."""

    rows: int = 0
    rows_right: int = 0
    spare: int = 0
    """Rows that were read and stand in no truth."""
    refused: int = 0
    """Labels that could not be learned, and were said to be."""
    cells: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: Score) -> Score:  # noqa: PYI034 - a local class
        """Add another page's."""
        self.rows += other.rows
        self.rows_right += other.rows_right
        self.spare += other.spare
        self.refused += other.refused
        self.cells.update(other.cells)
        return self

    @property
    def wrong(self) -> float:
        """The share of wrong cells among those that were read."""
        return self.cells["wrong"] / max(1, self.cells["wrong"] + self.cells["right"])

    def __str__(self) -> str:
        """Return the counts in a line."""
        cells = self.cells
        return (
            f"rows {self.rows_right}/{self.rows} ({self.rows_right / max(1, self.rows):.1%}), {self.spare} besides; "
            f"cells {cells['right']} right, {cells['wrong']} wrong ({self.wrong:.1%}), {cells['missing']} missing; "
            f"{self.refused} labels refused"
        )


def is_chosen(site: str) -> bool:
    """Whether a site belongs to the half that HALF asks for."""
    half = os.environ.get("HALF", "").lower()
    return not half or "ab"[hashlib.sha256(f"dev half {site}".encode()).digest()[0] & 1] == half


def load(entry: dict[str, Any]) -> windrow.Page:
    """Read a page without a browser."""
    path = data_folder("records") / entry["html_path"]
    return windrow.load(str(path), url=f"https://{entry['site']}/{entry['page']}", render=False)


@dataclass(frozen=True)
class Truth:
    """The true rows of a page, cells that stand nowhere left out: None where a cell can't be asked for."""

    rows: list[dict[int, str | None]]

    @classmethod
    def of(cls, page: windrow.Page, records: Sequence[Sequence[str]]) -> Truth:
        """Find the cells on the page; columns of which no row has more than one are one."""
        whole = folded(page.text)
        rows = [
            {n: (cell if not cell.strip() or folded(cell) in whole else None) for n, cell in enumerate(record)}
            for record in join_columns(records)
        ]
        return cls(rows)

    def labels(self, taught: Sequence[dict[int, str | None]]) -> list[int]:
        """Return the columns that are nearly always found, and not empty in all of the rows that teach."""
        found = []
        for column in self.rows[0]:
            cells = [row[column] for row in self.rows if row[column] != ""]
            there = sum(cell is not None for cell in cells)
            is_taught = any(row[column] for row in taught)
            if cells and there >= LEAST_ON_PAGE * len(cells) and is_taught and is_one_field(cells):
                found.append(column)
        return found


def is_one_field(cells: Sequence[str | None]) -> bool:
    """Whether the cells of a column are not called by different names: "Brand: …" in one row, "Size: …" in another."""
    names = Counter(cell.partition(":")[0] for cell in cells if cell and ": " in cell)
    return 2 * names.total() <= len(cells) or max(names.values()) >= LEAST_ON_PAGE * names.total()


def join_columns(records: Sequence[Sequence[str]]) -> list[list[str]]:
    """Put neighbouring columns together that no row has both of: whoever copied them put one field into two."""
    rows = [list(record) for record in records]
    for column in range(len(rows[0]) - 2, -1, -1):
        filled = [(bool(row[column].strip()), bool(row[column + 1].strip())) for row in rows]
        if not any(one and other for one, other in filled) and all(one or other for one, other in filled):
            for row in rows:
                row[column], row[column + 1] = row[column] or row[column + 1], ""
    return rows


def align_columns(got: Sequence[dict[str, list[str]]], truth: Truth, labels: Sequence[int]) -> dict[int, int]:
    """Return which column of a page's truth each label has: people did not copy the same columns from every page.

    It is the column with the most cells that were read; where none was, the one with the same number.
    """
    columns = list(truth.rows[0]) if truth.rows else []
    counts: Counter[tuple[int, int]] = Counter()
    for label in labels:
        read = Counter(words_of(" ".join(row.get(f"c{label}", ()))) for row in got)
        for column in columns:
            cells = Counter(words_of(row[column] or "") for row in truth.rows)
            counts[label, column] = sum(min(read[text], count) for text, count in cells.items() if text)
    aligned: dict[int, int] = {}
    for (label, column), count in sorted(counts.items(), key=lambda item: (-item[1], item[0][0] != item[0][1])):
        if label not in aligned and column not in aligned.values() and (count or label == column):
            aligned[label] = column
    return aligned


def words_of(text: str) -> str:
    """Return the words of a cell, as they are compared; of one without any, its marks."""
    return " ".join(split(text)) or folded(text)


def pair_rows(got: Sequence[dict[str, list[str]]], wanted: Sequence[dict[str, str | None]]) -> dict[int, int]:
    """Return which row that was read is which true one: those with the most equal cells first, then in order.

    One that has less than half of the cells is no such row: it counts as besides, and the true one as missing.
    """
    pairs = []
    for n, row in enumerate(wanted):
        filled = sum(map(bool, row.values()))
        for k, read in enumerate(got):
            scores = [score_cell(read.get(label), cell) for label, cell in row.items()]
            if 2 * sum(map(bool, scores)) >= max(filled, 1):
                pairs.append((-sum(scores), abs(n - k), n, k))
    paired: dict[int, int] = {}
    for _, _, n, k in sorted(pairs):
        if n not in paired and k not in paired.values():
            paired[n] = k
    return paired


def score_rows(got: Sequence[dict[str, list[str]]], truth: Truth, columns: dict[int, int], *, told: bool) -> Score:
    """Count rows and cells of a page."""
    wanted = [{f"c{label}": row[column] for label, column in columns.items()} for row in truth.rows]
    paired = pair_rows(got, wanted)
    score = Score(rows=len(wanted), spare=len(got) - len(paired))
    for n, row in enumerate(wanted):
        read = got[paired[n]] if n in paired else {}
        states = {label: state_of(read.get(label), cell) for label, cell in row.items()}
        score.cells.update(states.values())
        score.rows_right += n in paired and not {"wrong", "missing"} & set(states.values())
        for label, state in states.items():
            if told and state in {"wrong", "missing"}:
                print(f"       {state} {label}: {row[label]!r} read {read.get(label)!r}")
    for k in sorted(set(range(len(got))) - set(paired.values())) if told else ():
        print(f"       besides: {got[k]}")
    return score


def state_of(got: Sequence[str] | None, wanted: str | None) -> str:
    """Return whether a cell is right, wrong or missing."""
    if wanted is None:
        return "unknown"
    if not got:
        return "missing" if wanted else "absent"
    return "right" if is_equal(got, wanted) else "wrong"


def score_cell(got: Sequence[str] | None, wanted: str | None) -> int:
    """Return 2 for the same text, 1 for one that counts as equal, else 0."""
    return is_equal(got, wanted) + (bool(wanted) and folded("".join(got or ())) == folded(wanted or ""))


def is_equal(got: Sequence[str] | None, wanted: str | None) -> bool:
    """Whether a cell has the wanted text, or most of its words: people cut long cells short, even within words."""
    if not got or not wanted:
        return False
    read, told = Counter(split(" ".join(got))), Counter(split(wanted))
    alike = 2 * (read & told).total() >= LEAST_ALIKE * (read.total() + told.total())
    return folded("".join(got)) == folded(wanted) or (bool(read) and alike) or is_cut_short(" ".join(got), wanted)


def is_cut_short(text: str, cut: str) -> bool:
    """Whether a true cell is the beginning of a text and ends within a word."""
    rest = text[len(cut) :]
    return text.startswith(cut) and cut[-1:].isalnum() and rest[:1].isalnum()


def measure(entries: Sequence[dict[str, Any]], taught: Sequence[int], *, told: bool) -> tuple[Score, Score] | None:
    """Learn from some rows of a site's first page, and read both."""
    pages = [load(entry) for entry in entries]
    truth = Truth.of(pages[0], entries[0]["truth"]["records"])
    chosen = [truth.rows[number] for number in taught if number < len(truth.rows)]
    labels = truth.labels(chosen)
    if not labels or len(chosen) < len(taught):
        return None
    rows = [{f"c{n}": cell for n in labels if (cell := row[n]) is not None} for row in chosen]
    wrapper, refused = teach(pages[0], rows, told=told)
    labels = [label for label in labels if label not in refused]
    read = [wrapper.extract(page).rows if wrapper else [] for page in pages]
    scores = [score_rows(read[0], truth, {label: label for label in labels}, told=told)]
    for entry, page, got in zip(entries[1:], pages[1:], read[1:], strict=True):
        other = Truth.of(page, entry["truth"]["records"])
        scores.append(score_rows(got, other, align_columns(got, other, labels), told=told))
    scores[0].refused = len(refused)
    return scores[0], scores[1] if len(scores) > 1 else Score()


def teach(
    page: windrow.Page, rows: Sequence[dict[str, str]], *, told: bool
) -> tuple[windrow.Wrapper | None, list[int]]:
    """Learn, without the labels that are refused: people are told, and paste them otherwise."""
    refused: list[int] = []
    while any(text for row in rows for text in row.values()):
        try:
            return windrow.learn(page, rows), refused
        except windrow.WindrowError as error:
            if told:
                print(f"     {error}")
            label = str(error).partition(":")[0]
            if label not in rows[0] and label not in rows[-1]:
                break
            refused.append(int(label[1:]))
            rows = [{name: text for name, text in row.items() if name != label} for row in rows]
    return None, []


def main() -> int:
    """Measure all sites."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", action="store_true", help="print the figures of each site, and what was not right")
    parser.add_argument("--rows", default="0,1", help="which rows teach, counted from 0")
    parser.add_argument("--swap", action="store_true", help="learn from the second page, and read the first one next")
    parser.add_argument("--site", help="this site alone")
    options = parser.parse_args()
    sites: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in read_rows(data_folder("records") / "records.jsonl"):
        if "records" in entry["truth"] and is_chosen(entry["site"]) and options.site in (None, entry["site"]):
            sites[entry["site"]].append(entry)
    learned, following = Score(), Score()
    for site, entries in sorted(sites.items()):
        scores = measure(
            entries[::-1] if options.swap else entries,
            [int(number) for number in options.rows.split(",")],
            told=options.pages,
        )
        if scores is None:
            continue
        if options.pages:
            print(f"{site}\n  {scores[0]}\n  {scores[1]}")
        learned += scores[0]
        following += scores[1]
    print(f"{len(sites)} sites\nlearned page: {learned}\nnext page:    {following}")
    both = Score()
    both += learned
    both += following
    right = verdict("rows right", both.rows_right / max(1, both.rows), LEAST_RIGHT)
    return 0 if verdict("cells wrong", both.wrong, MOST_WRONG, most=True) and right else 1


if __name__ == "__main__":
    sys.exit(main())
