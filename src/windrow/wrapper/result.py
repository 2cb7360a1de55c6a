"""What a wrapper read from a page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes import find_language, xpath
from windrow.result import Box, Data, Result, Source, read_data
from windrow.weights import load_weights
from windrow.wrapper.field import AS_IT_COMES, Field
from windrow.wrapper.template.walls import SENTENCES, PageKind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.extraction import PageReader
    from windrow.wrapper.reading import Reading, ReadValue

LEAST_CONFIDENCE = load_weights("wrapper").thresholds["value"]
"""Below this a value is doubtful: on sites left out, at most one in a hundred of the others is wrong."""


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
    doubtful: dict[str, list[str]] = field(default_factory=dict)
    """What was found for labels that are not surely found; never among the values."""
    language: str = ""
    """The language that the page says it is in."""
    kind: PageKind = "page"
    """Whether it is a page of the template at all; a wall, another page or an empty one gives no values."""
    sentence: str = ""
    """What was seen instead, and what to do."""
    fields: dict[str, Field] = field(default_factory=dict)
    """What was said of the labels when they were learned."""
    links: tuple[str, ...] = ()
    """Where the page of each row is, for lists by example; empty texts for rows that lead nowhere."""

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
        columns = [self.fields.get(label, AS_IT_COMES).column(label, self.language) for label in labels]
        return read_data(columns, [[_sources(row.get(label, ())) for label in labels] for row in rows])

    @property
    def lacking(self) -> list[str]:
        """The required labels that are missing."""
        return [label for label in self.missing if self.fields.get(label, AS_IT_COMES).required]

    @property
    def misfits(self) -> dict[str, list[str]]:
        """The values that are not what their label was declared to be, and stay text."""
        return find_misfits(self.data)

    def with_fields(self, fields: Mapping[str, Field], *, by_row: bool = False) -> Extraction:
        """Return the same with what is said of the labels: several values of a label that has one are doubtful.

        ``by_row`` is for lists, where a label that has one value has one in each row.
        """
        located = dict(self.located)
        for label, said in fields.items():
            places = located.get(label, ())
            times = Counter(place.row if by_row else 0 for place in places)
            if said.several is False:
                located[label] = tuple(place for place in places if times[place.row if by_row else 0] == 1)
        return replace(self._keeping(located), fields=dict(fields))

    def doubting(self, labels: Collection[str]) -> Extraction:
        """Return the same with the values of some labels doubtful."""
        return self._keeping({label: () if label in labels else places for label, places in self.located.items()})

    def _keeping(self, located: dict[str, tuple[Located, ...]]) -> Extraction:
        """Return the same with these values only; those that are left out are doubtful."""
        left_out = {
            label: [place.text for place in places if place not in located[label]]
            for label, places in self.located.items()
        }
        links = self.links
        if links:  # a row of which nothing is left is none, and the others' links stay theirs
            rows = sorted({place.row for places in located.values() for place in places})
            numbers = {row: number for number, row in enumerate(rows, 1)}
            links = tuple(links[row - 1] for row in rows)
            located = {
                label: tuple(replace(place, row=numbers[place.row]) for place in places)
                for label, places in located.items()
            }
        return replace(
            self,
            values={label: [place.text for place in places] for label, places in located.items()},
            confidence={label: sure for label, sure in self.confidence.items() if located[label]},
            missing=[label for label, places in located.items() if not places],
            located=located,
            links=links,
            doubtful=self.doubtful | {label: texts for label, texts in left_out.items() if texts},
        )


def find_misfits(data: Data) -> dict[str, list[str]]:
    """Return the texts of declared columns that do not fit them."""
    columns = [(column.name, data.column(number)) for number, column in enumerate(data.columns) if column.declared]
    found = {name: [value.text for cell in cells for value in cell if not value.fits] for name, cells in columns}
    return {name: texts for name, texts in found.items() if texts}


def refused_extraction(labels: Sequence[str], kind: PageKind, fields: Mapping[str, Field]) -> Extraction:
    """Return what is read from a page that is none of the template: nothing."""
    none: dict[str, tuple[Located, ...]] = dict.fromkeys(labels, ())
    found = Extraction({label: [] for label in labels}, {}, list(labels), none, kind=kind, sentence=SENTENCES[kind])
    return found.with_fields(fields)


def _sources(values: Sequence[Located]) -> list[Source]:
    return [Source(found.text, node=found.node) for found in values]


def extraction_of(reader: PageReader, labels: Sequence[str], readings: Mapping[str, Reading]) -> Extraction:
    """Return what was read, with the places of all values; what is not sure stands apart."""
    nodes = reader.nodes
    sure = {label: found for label, found in readings.items() if found.confidence >= LEAST_CONFIDENCE}
    records = _find_records(nodes, sure)
    located = {
        label: tuple(_locate(nodes, value, sure[label].confidence, records) for value in sure[label].values)
        if label in sure
        else ()
        for label in labels
    }
    first = next((found.node for values in located.values() for found in values), 0)
    return Extraction(
        {label: [found.text for found in values] for label, values in located.items()},
        {label: reading.confidence for label, reading in sure.items()},
        [label for label in labels if label not in sure],
        located,
        {label: [value.text for value in found.values] for label, found in readings.items() if label not in sure},
        find_language(nodes, first),
    )


def _find_records(nodes: Nodes, readings: Mapping[str, Reading]) -> Sequence[int]:
    """Return the elements that repeat around labels with several values, in document order; none where none do.

    One label with several values, such as the authors of a book, is a list within a record, and makes no records.
    """
    several = [[value.node for value in found.values] for found in readings.values() if len(found.values) > 1]
    if len(several) < 2:  # noqa: PLR2004 - two labels
        return ()
    places = [node for found in several for node in found]
    children = nodes.children(nodes.common_ancestor(nodes.parent[[min(places), max(places)]]))
    rows = [np.searchsorted(children, found, side="right") for found in several]
    if any(len(set(each.tolist())) == 1 for each in rows):
        return ()  # all values of a label in one element: they repeat in it, not with it
    records: list[int] = children[np.unique(np.concatenate(rows)) - 1].tolist()
    return records


def box_of(nodes: Nodes, node: int) -> Box | None:
    """Return the box of a node; None where the page was not laid out, or the node is not."""
    if nodes.layout is None:
        return None
    left, top, right, bottom = nodes.layout.box[node].tolist()
    return None if np.isnan(left) else (left, top, right, bottom)


def _locate(nodes: Nodes, reading: ReadValue, confidence: float, records: Sequence[int]) -> Located:
    row = int(np.searchsorted(records, reading.node, side="right"))
    row = row if row and reading.node < nodes.end[records[row - 1]] else 0
    path = xpath(nodes, reading.node)
    box = box_of(nodes, reading.node)
    return Located(reading.text, reading.node, path, box, confidence, reading.runner_up, row)
