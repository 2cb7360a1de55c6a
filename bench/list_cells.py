"""The cells that wrappers of lists read from pages with known rows, with what their confidence is worked out from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from data import data_folder, read_rows
from lists import Truth, align_columns, load, pair_rows, state_of, teach

from windrow.wrapper.lists.confidence import signals_of
from windrow.wrapper.lists.rule import read_rows as read_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import windrow

TAUGHT = ((0, 1), (1, 2), (0,), (2,))
"""Which rows of a page teach, in turn."""


@dataclass(frozen=True)
class KnownCell:
    """A cell that was read, and whether it is right; what stands in no true row is not asked of anyone."""

    site: str
    signals: Mapping[str, float]
    is_right: bool
    pasted: int
    """How many rows taught."""


def read_cells() -> list[KnownCell]:
    """Return the cells of all sites, learned from either page in turn."""
    sites: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in read_rows(data_folder("records") / "records.jsonl"):
        if "records" in entry["truth"]:
            sites[entry["site"]].append(entry)
    found = []
    for site, entries in sorted(sites.items()):
        pages = [load(entry) for entry in entries]
        truths = [Truth.of(page, entry["truth"]["records"]) for page, entry in zip(pages, entries, strict=True)]
        known = list(zip(pages, truths, strict=True))
        for order in (known, known[::-1]):
            for numbers in TAUGHT:
                found += [
                    KnownCell(site, signals, is_right, len(numbers)) for signals, is_right in _cells_by(order, numbers)
                ]
    return found


def _cells_by(
    known: Sequence[tuple[windrow.Page, Truth]], numbers: Sequence[int]
) -> Iterator[tuple[Mapping[str, float], bool]]:
    """Yield the cells that are read where some rows of the first page teach."""
    page, truth = known[0]
    taught = [truth.rows[number] for number in numbers if number < len(truth.rows)]
    labels = truth.labels(taught) if len(taught) == len(numbers) else []
    rows = [{f"c{n}": cell for n in labels if (cell := row[n]) is not None} for row in taught]
    wrapper, refused = teach(page, rows, told=False)
    if wrapper is None or wrapper.list_rule is None:
        return
    kept = [label for label in labels if label not in refused]
    for other, told in known:
        read = read_list(other, wrapper.list_rule)
        got = [{label: list(cell.texts) for label, cell in row.cells.items() if cell.texts} for row in read]
        columns = {label: label for label in kept} if other is page else align_columns(got, told, kept)
        wanted = [{f"c{label}": row[column] for label, column in columns.items()} for row in told.rows]
        yield from _judged_cells(list(signals_of(read)), got, wanted)


def _judged_cells(
    signals: Sequence[Mapping[str, Mapping[str, float]]],
    got: Sequence[dict[str, list[str]]],
    wanted: Sequence[dict[str, str | None]],
) -> Iterator[tuple[Mapping[str, float], bool]]:
    """Yield the signals of each cell of a true row, and whether its text is the true one."""
    for true, read in pair_rows(got, wanted).items():
        for label, found in signals[read].items():
            state = state_of(got[read][label], wanted[true].get(label))
            if state in {"right", "wrong"}:
                yield found, state == "right"
