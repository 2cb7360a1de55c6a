"""The fields of records: each line of each element with its path from the record, and the text as a reader sees it.

A line that mixes text of its own with links and spans is a field as a whole, and each of its parts is one too, since
people want the line as often as the part. Highlighting is no element here. Words of neighbouring elements are kept
apart: counters and links beside each other often have no white space between them in the source, only a margin.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from windrow.geometry import LEFT, RIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from windrow.geometry import Mask
    from windrow.nodes.columns import Counts
    from windrow.region.measures import PageMeasures

LINE_OR_CELL_END = re.compile(r"[\n\t]")
WORD = re.compile(r"[^\W_]")
OWN = re.compile(r"[^\W_]|[$€£¥₹₽₩₺]")
"""What makes a line more than the elements in it: a word, or the sign of a currency before an amount."""
ENDING = frozenset(")]}:;!?%\u2026\u201d\u00bb")
"""Signs after which a word has ended."""
POINTS = frozenset(".,")
"""Signs after which one has ended unless a figure goes on."""

Path: TypeAlias = tuple[str, ...]
"""The steps from a record to an element: tags with the classes that many records have."""
RecordNodes: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Parameters:
    """What counts as apart, and as common; set by hand."""

    gap: float = 1.0
    """Pixels between two texts on a line from which on they are two words: letters of one word touch."""
    common_class: float = 0.1
    """Share of the records in which a class must occur to be part of a path; rarer ones tell records apart."""


class Field(NamedTuple):
    """One text of a record: the element that it stands in, the path there from the record, and the text itself."""

    node: int
    path: Path
    text: str


class _Line(NamedTuple):
    """A line or cell with a text node in it: the element it stands in, its place in the page's text, its record."""

    node: int
    holder: int
    start: int
    end: int
    root: int
    """The node of the record that it stands in."""
    record: int


@dataclass(frozen=True, eq=False)
class PageText:
    """The text of a page as a reader sees it, with a space wherever two elements touch that are two words."""

    measures: PageMeasures
    parameters: Parameters = Parameters()

    def of_record(self, record: RecordNodes) -> str:
        """Return the text of a record, its nodes on lines of their own."""
        spans = self.measures.nodes.spans
        texts = (self.between(int(spans.start[node]), int(spans.end[node])) for node in record)
        return "\n".join(filter(None, texts))

    def between(self, start: int, end: int) -> str:
        """Return a part of the page's text, with a space at each seam."""
        seams, text = self.seams, self.measures.nodes.spans.text
        inside = seams[bisect_right(seams, start) : bisect_left(seams, end)]
        return " ".join(text[a:b] for a, b in pairwise([start, *inside, end])).strip()

    @cached_property
    def line_ends(self) -> Counts:
        """Where lines and cells end in the page's text, the places before its start and at its end included."""
        text = self.measures.nodes.spans.text
        return np.array([-1, *(found.start() for found in LINE_OR_CELL_END.finditer(text)), len(text)])

    @cached_property
    def seams(self) -> list[int]:
        """Where in the page's text words of two elements touch that are two words to a reader."""
        measures, nodes, spans = self.measures, self.measures.nodes, self.measures.nodes.spans
        before, after = measures.texts_in_order[:-1], measures.texts_in_order[1:]
        is_inside = measures.holder[before] == measures.holder[after]
        touching = (spans.end[before] == spans.start[after]) & (~is_inside | _are_neighbours(measures, before, after))
        before, after, is_inside = before[touching], after[touching], is_inside[touching]
        pairs = [spans.text[place - 1 : place + 1] for place in spans.start[after].tolist()]
        apart: Mask = np.array([_begins_anew(*pair) for pair in pairs], dtype=np.bool_)
        if nodes.layout is None:
            # Beside each other, highlights may be pieces of a word: only what surely parts two counts.
            apart |= ~is_inside & np.array([_are_two_words(*pair) for pair in pairs], dtype=bool)
        else:
            gap = nodes.layout.box[after, LEFT] - nodes.layout.box[before, RIGHT]
            apart |= np.where(is_inside, gap >= self.parameters.gap, ~(np.abs(gap) < self.parameters.gap))
            apart |= ~is_inside & np.array([_have_figures(*pair) for pair in pairs], dtype=bool)
        apart |= _find_link(measures, before) != _find_link(measures, after)
        seams: list[int] = spans.start[after[apart]].tolist()
        return seams


def _are_neighbours(measures: PageMeasures, before: NDArray[np.intp], after: NDArray[np.intp]) -> Mask:
    """Whether each of two texts stands in a highlight of its own, and neither in the other's."""
    nodes, marks = measures.nodes, measures.is_formatting
    first, second = nodes.parent[before], nodes.parent[after]
    return np.asarray(marks[first] & marks[second] & (nodes.end[first] <= after) & (second > before))


def _find_link(measures: PageMeasures, texts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the link that each text stands in, or -1: two links next to each other are no word."""
    links = np.flatnonzero(measures.is_link)
    if not len(links):
        return np.full(len(texts), -1)
    nearest = links[np.searchsorted(links, texts, side="right") - 1]
    return np.where((nearest < texts) & (texts < measures.nodes.end[nearest]), nearest, -1)


def _are_two_words(last: str, first: str) -> bool:
    """Whether a word ends and another begins where nobody knows what touches: not in ``$`` ``12``, ``3.`` ``50``."""
    if not first.isalnum() or (last.isupper() and first.islower()):  # an initial is drawn large
        return False
    return last.isalnum() or last in ENDING or (last in POINTS and not first.isdigit())


def _begins_anew(last: str, first: str) -> bool:
    """Whether a capital follows a small letter."""
    return last.islower() and first.isupper()


def _have_figures(last: str, first: str) -> bool:
    """Whether letters and figures touch that are two words on screen: without a style sheet, counters stand so."""
    return last.isalnum() and first.isalnum() and not (last.isalpha() and first.isalpha())


@dataclass(frozen=True, eq=False)
class FieldReader:
    """Reads the fields of the records of one region."""

    text: PageText
    records: Sequence[RecordNodes]
    cell_columns: Mapping[int, int]
    """The column in which each cell of a table stands that the records are rows of."""
    _steps: dict[tuple[int, int, int], str] = field(default_factory=dict)
    _tags: dict[Path, Path] = field(default_factory=dict)

    @property
    def measures(self) -> PageMeasures:
        """What is known of the page."""
        return self.text.measures

    def read_all(self) -> list[list[Field]]:
        """Return the fields of each record in document order.

        Where a line is a field of its own in one record ("Ann Lee, Daily"), it is one in all, be it a link only.
        """
        read = self._read_records()
        tags = {self.tags_of(each.path) for fields in read for each in fields}
        mixed = {path[:-1] for path in tags} & tags
        return [self._with_lines(fields, mixed) for fields in read] if mixed else read

    def tags_of(self, path: Path) -> Path:
        """Return a path without its classes."""
        found = self._tags.get(path)
        if found is None:
            found = self._tags[path] = tuple(step.partition(".")[0] for step in path)
        return found

    @cached_property
    def classes(self) -> frozenset[str]:
        """The classes that say what a part of a record is, not which record it is in."""
        found: Counter[str] = Counter()
        names = self.measures.class_names
        for record in self.records:
            codes = set(self.measures.class_code[record[0] : self.measures.nodes.end[record[-1]]].tolist())
            found.update({name for code in codes for name in names[code]})
        least = max(min(2, len(self.records)), self.text.parameters.common_class * len(self.records))
        return frozenset(name for name, count in found.items() if count >= least)

    def _with_lines(self, fields: list[Field], mixed: set[Path]) -> list[Field]:
        """Add the lines that other records have text of their own in."""
        spans, known = self.measures.nodes.spans, {each.node for each in fields}
        whole: list[Field] = []
        for each in fields:
            above = int(self.measures.holder[each.node])
            if above not in known and self.tags_of(each.path)[:-1] in mixed:
                known.add(above)
                text = self.text.between(int(spans.start[above]), int(spans.end[above]))
                if not LINE_OR_CELL_END.search(text):
                    whole.append(Field(above, each.path[:-1], text))
            whole.append(each)
        return whole

    def _read_records(self) -> list[list[Field]]:
        nodes = self.measures.nodes
        read: list[list[Field]] = [[] for _ in self.records]
        paths: dict[int, Path] = {}
        for record in self.records:
            paths |= {root: (self._step(root) if number else "",) for number, root in enumerate(record)}
        seen: set[tuple[int, int]] = set()
        for line in self._find_lines():
            if (line.holder, line.start) in seen:
                continue
            words = self.text.between(line.start, line.end)
            if WORD.search(words) and OWN.search(nodes.text[line.node]):
                seen.add((line.holder, line.start))
                read[line.record].append(Field(line.holder, self._path(line.holder, line.root, paths), words))
        return read

    def _find_lines(self) -> list[_Line]:
        """Return for each text of the records the line or cell around it, as far as its element reaches."""
        measures, spans = self.measures, self.measures.nodes.spans
        roots = np.array([(root, n) for n, record in enumerate(self.records) for root in record])
        roots = roots[np.argsort(roots[:, 0])]
        texts = measures.texts_in_order
        place = np.searchsorted(roots[:, 0], texts, side="right") - 1
        inside = (place >= 0) & (texts < measures.nodes.end[roots[place, 0]])
        texts, place = texts[inside], place[inside]
        holder = np.maximum(measures.holder[texts], roots[place, 0])
        edges = self.text.line_ends
        start = np.maximum(edges[np.searchsorted(edges, spans.start[texts]) - 1] + 1, spans.start[holder])
        end = np.minimum(edges[np.searchsorted(edges, spans.end[texts])], spans.end[holder])
        order = np.argsort(roots[place, 1], kind="stable")
        told = (texts, holder, start, end, *roots[place].T)
        return [_Line(*each) for each in zip(*(column[order].tolist() for column in told), strict=True)]

    def _path(self, node: int, root: int, paths: dict[int, Path]) -> Path:
        chain = []
        while node not in paths:
            chain.append(node)
            node = max(int(self.measures.holder[node]), root)  # what highlights the whole record is looked through, too
        path = paths[node]
        for below in reversed(chain):
            path = (*path, self._step(below))
            paths[below] = path
        return path

    def _step(self, node: int) -> str:
        """Return the tag, for a cell of a table its column, and the classes of an element."""
        tag, code = int(self.measures.nodes.tag.codes[node]), int(self.measures.class_code[node])
        column = self.cell_columns.get(node, -1)
        found = self._steps.get((tag, code, column))
        if found is None:
            names = [name for name in self.measures.class_names[code] if name in self.classes]
            place = f"{self.measures.nodes.tag[node]}{column}" if column >= 0 else self.measures.nodes.tag[node]
            found = self._steps[tag, code, column] = ".".join([place, *names])
        return found
