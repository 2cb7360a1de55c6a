"""What a wrapper read from a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import find_language, xpath
from windrow.result import Box, Column, Data, Result, Source, read_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.extraction import PageReader, ReadValue


@dataclass(frozen=True)
class Located:
    """One value, where it stands, how sure it is, and what would have been read instead."""

    text: str
    node: int
    path: str
    """Its XPath."""
    box: Box | None
    """Left, top, right, bottom; None where the page was not laid out."""
    confidence: float
    runner_up: str = ""
    row: int = 0
    """Which of the elements that repeat it stands in, counted from 1; 0 where it stands in none."""


@dataclass(frozen=True, repr=False)
class Extraction(Result, name="extraction"):
    """Values by label; every one is text that stands on the page."""

    values: dict[str, list[str]]
    confidence: dict[str, float]
    """The least sure value's, from 0 to 1, for each label that was found."""
    missing: list[str]
    """The labels that were not surely found."""
    located: dict[str, tuple[Located, ...]]
    """Place, confidence and runner-up of each value."""
    language: str = ""
    """The language that the page says it is in."""

    def __repr__(self) -> str:
        """Return what was read and what is missing, in a line."""
        return f"<Extraction {self.values} (missing: {', '.join(self.missing) or 'nothing'})>"

    @property
    def nodes(self) -> tuple[int, ...]:  # type: ignore[override] # follows from the values
        """The nodes of all values."""
        return tuple(found.node for values in self.located.values() for found in values)

    @property
    def box(self) -> Box | None:  # type: ignore[override] # follows from the values
        """The box around all values; None where the page was not laid out."""
        boxes = [found.box for values in self.located.values() for found in values if found.box is not None]
        if not boxes:
            return None
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)

    @property
    def paths(self) -> dict[str, list[str]]:
        """The XPath of each value."""
        return {label: [found.path for found in values] for label, values in self.located.items()}

    @property
    def boxes(self) -> dict[str, list[Box | None]]:
        """The box of each value."""
        return {label: [found.box for found in values] for label, values in self.located.items()}

    @property
    def runners_up(self) -> dict[str, list[str]]:
        """What would have been read instead."""
        return {label: [found.runner_up for found in values] for label, values in self.located.items()}

    @property
    def rows(self) -> list[dict[str, list[str]]]:
        """The records, where labels with several values stand in elements that repeat; one without a value lacks it."""
        return [
            {label: [found.text for found in cell] for label, cell in row.items()} for row in self._records.values()
        ]

    @property
    def _records(self) -> dict[int, dict[str, list[Located]]]:
        records: dict[int, dict[str, list[Located]]] = {}
        for label, values in self.located.items():
            for found in values:
                if found.row:
                    records.setdefault(found.row, {}).setdefault(label, []).append(found)
        return dict(sorted(records.items()))

    @cached_property
    def data(self) -> Data:
        """One row a record where labels repeat, with what stands outside the records in each; else one row."""
        labels = list(self.values)
        outside: dict[str, Sequence[Located]] = {
            label: [found for found in values if not found.row] for label, values in self.located.items()
        }
        rows = [outside | {**record} for record in self._records.values()] or [outside]
        columns = [Column(label, language=self.language) for label in labels]
        return read_data(columns, [[_sources(row.get(label, ())) for label in labels] for row in rows])


def _sources(values: Sequence[Located]) -> list[Source]:
    return [Source(found.text, node=found.node) for found in values]


def extraction_of(reader: PageReader, readings: Mapping[str, list[ReadValue]]) -> Extraction:
    """Return what was read, with the places of all values."""
    nodes = reader.nodes
    records = _find_records(nodes, readings)
    located = {label: tuple(_locate(nodes, each, records) for each in found) for label, found in readings.items()}
    first = next((found.node for values in located.values() for found in values), 0)
    return Extraction(
        {label: [found.text for found in values] for label, values in located.items()},
        {label: min(found.confidence for found in values) for label, values in located.items() if values},
        [label for label, values in located.items() if not values],
        located,
        find_language(nodes, first),
    )


def _find_records(nodes: Nodes, readings: Mapping[str, list[ReadValue]]) -> Sequence[int]:
    """Return the elements that repeat around labels with several values, in document order; none where none do."""
    several = [[reading.node for reading in found] for found in readings.values() if len(found) > 1]
    if not several:
        return ()
    places = [node for found in several for node in found]
    children = nodes.children(nodes.common_ancestor(nodes.parent[[min(places), max(places)]]))
    rows = [np.searchsorted(children, found, side="right") for found in several]
    if any(len(set(each.tolist())) == 1 for each in rows):
        return ()  # all values of a label in one element: they repeat in it, not with it
    records: list[int] = children[np.unique(np.concatenate(rows)) - 1].tolist()
    return records


def _locate(nodes: Nodes, reading: ReadValue, records: Sequence[int]) -> Located:
    box = None
    if nodes.layout is not None:
        left, top, right, bottom = nodes.layout.box[reading.node].tolist()
        box = None if np.isnan(left) else (left, top, right, bottom)
    row = int(np.searchsorted(records, reading.node, side="right"))
    row = row if row and reading.node < nodes.end[records[row - 1]] else 0
    path = xpath(nodes, reading.node)
    return Located(reading.text, reading.node, path, box, reading.confidence, reading.runner_up, row)
