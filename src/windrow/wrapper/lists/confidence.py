"""How sure each cell of a list is: by what reads it, by its row, and by the other rows of the page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from windrow.weights import load_weights
from windrow.wrapper.normalization import shape, signs_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windrow.wrapper.lists.fields import Cell
    from windrow.wrapper.lists.rule import ReadRow

SIGNALS = tuple("named support undisputed uniform alone filled usual".split())
"""What the confidence in a cell is worked out from, each from 0 to 1."""
WEIGHTS = load_weights("wrapper")
LEAST_CONFIDENCE = WEIGHTS.thresholds["cell"]
"""Below this a cell is doubtful."""


def judge_rows(rows: Sequence[ReadRow]) -> list[dict[str, float]]:
    """Return the probability that each cell is right, by label; of what a row lacks nothing is said."""
    calibration = WEIGHTS.calibrations["cell"]
    return [
        {label: round(calibration.confidence(signals), 3) for label, signals in row.items()} for row in signals_of(rows)
    ]


def signals_of(rows: Sequence[ReadRow]) -> Iterator[dict[str, Mapping[str, float]]]:
    """Yield the signals of each row's cells that have a text, by label.

    ``filled`` is the share of the rows that have the label; ``usual`` the share of what most rows have that this one
    has too; ``alone`` whether no other label of the row reads the same element; ``uniform`` whether figures and words
    are the same in all texts of the cell, as in the values of one label.
    """
    counts = Counter(label for row in rows for label, cell in row.cells.items() if cell.texts)
    common = {label for label, count in counts.items() if 2 * count >= len(rows)}
    for row in rows:
        filled = {label: cell for label, cell in row.cells.items() if cell.texts}
        usual = len(common & filled.keys()) / max(1, len(common))
        readers = Counter(node for cell in filled.values() for node in set(cell.nodes))
        yield {
            label: _own_signals(cell)
            | {
                "alone": float(all(readers[node] == 1 for node in cell.nodes)),
                "filled": counts[label] / len(rows),
                "usual": usual,
            }
            for label, cell in filled.items()
        }


def _own_signals(cell: Cell) -> dict[str, float]:
    return {
        "named": float(cell.is_named),
        "support": cell.support,
        "undisputed": float(cell.is_sure),
        "uniform": float(len({signs_in(shape(text)) for text in cell.texts}) == 1),
    }
