"""What a wrapper read from a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.nodes import xpath

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.nodes import Nodes
    from windrow.wrapper.extraction import Reader, Reading


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """Values by label; every one is text that stands on the page."""

    values: dict[str, list[str]]
    confidence: dict[str, float]
    """The least sure value's, from 0 to 1, for each label that was found."""
    missing: list[str]
    """The labels that were not surely found."""
    readings: Mapping[str, list[Reading]]
    """Node, confidence and runner-up of each value."""
    nodes: Nodes

    def __repr__(self) -> str:
        """Say what was read and what is missing."""
        return f"<Extraction {self.values} (missing: {', '.join(self.missing) or 'nothing'})>"

    @property
    def paths(self) -> dict[str, list[str]]:
        """The XPath of each value."""
        return {
            label: [xpath(self.nodes, found.node) for found in readings] for label, readings in self.readings.items()
        }

    @property
    def boxes(self) -> dict[str, list[list[float] | None]]:
        """The box of each value, left, top, right, bottom; None where the page was not laid out."""
        layout = self.nodes.layout
        return {
            label: [layout.box[found.node].tolist() if layout is not None else None for found in readings]
            for label, readings in self.readings.items()
        }

    @property
    def runners_up(self) -> dict[str, list[str]]:
        """What would have been read instead."""
        return {label: [found.runner_up for found in readings] for label, readings in self.readings.items()}

    @property
    def rows(self) -> list[dict[str, str | list[str]]]:
        """The records, where labels with several values stand in elements that repeat; one without a value lacks it."""
        several = {label: found for label, found in self.readings.items() if len(found) > 1}
        if not several:
            return []
        places = sorted(reading.node for found in several.values() for reading in found)
        around = self.nodes.common_ancestor(self.nodes.parent[[places[0], places[-1]]])
        bounds = self.nodes.children(around)
        rows: dict[int, dict[str, str | list[str]]] = {}
        for label, found in several.items():
            for reading in found:
                record = int(np.searchsorted(bounds, reading.node, side="right"))
                held = rows.setdefault(record, {}).get(label)
                more = [*([held] if isinstance(held, str) else held or []), reading.text]
                rows[record][label] = more if len(more) > 1 else reading.text
        return [rows[record] for record in sorted(rows)]

    def to_dict(self) -> dict[str, Any]:
        """Give what JSON can hold."""
        return {
            "values": self.values,
            "confidence": self.confidence,
            "missing": self.missing,
            "paths": self.paths,
            "boxes": self.boxes,
            "runners_up": self.runners_up,
            "rows": self.rows,
        }


def extraction_of(reader: Reader, readings: Mapping[str, list[Reading]]) -> Extraction:
    """Gather what was read."""
    return Extraction(
        {label: [reading.text for reading in found] for label, found in readings.items()},
        {label: min(reading.confidence for reading in found) for label, found in readings.items() if found},
        [label for label, found in readings.items() if not found],
        readings,
        reader.nodes,
    )
