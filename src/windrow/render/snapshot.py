"""What ``DOMSnapshot.captureSnapshot`` answers, as ``Nodes``.

The snapshot holds one set of columns a document. They are laid end to end, then read in page order: a frame's document
follows its element, and what CSS invents (``::before``, list markers) is left out. Open shadow trees come as they are
shown, in place of their host's content, with slotted nodes inside their slots.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from windrow.geometry import Boxes, no_boxes, translate
from windrow.nodes import Kind, Layout, Lines, Nodes, Words
from windrow.render.garbage_collection import collector_paused
from windrow.render.styles import STYLES, read_styles
from windrow.render.visibility import find_visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from windrow.nodes.columns import Ids

Answer: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[int, int]
"""A document of the snapshot and a node of it."""
FOREIGN = ("svg", "math")
NEVER_DRAWN = frozenset(
    f"svg:{name}" for name in "clipPath defs filter linearGradient marker mask pattern radialGradient symbol".split()
)
"""What is only drawn where something else refers to it; the browser gives it a box of its own all the same."""


@dataclass(frozen=True)
class Snapshot:
    """The browser's answer, with the place on the page where the content of each of its frames begins."""

    answer: Answer
    offsets: Mapping[Place, tuple[float, float]]
    viewport: tuple[int, int]

    @property
    def strings(self) -> list[str]:
        """The table that all columns point into."""
        strings: list[str] = self.answer["strings"]
        return strings

    @property
    def documents(self) -> list[Answer]:
        """The page's document and those of its frames, an outer one before its inner ones."""
        documents: list[Answer] = self.answer["documents"]
        return documents

    @cached_property
    def first_row(self) -> list[int]:
        """Where each document begins when all are laid end to end; last, the number of all rows."""
        return [0, *np.cumsum([len(document["nodes"]["parentIndex"]) for document in self.documents]).tolist()]

    def column(self, part: str, name: str) -> list[Any]:
        """Lay one column of all documents end to end."""
        if len(self.documents) == 1:
            column: list[Any] = self.documents[0][part][name]
            return column
        return list(chain.from_iterable(document[part][name] for document in self.documents))

    def rare(self, name: str) -> dict[int, Any]:
        """Return a column that few nodes have a value in, by row."""
        return {
            first + node: value
            for first, document in zip(self.first_row, self.documents, strict=False)
            for node, value in zip(
                document["nodes"][name]["index"], document["nodes"][name].get("value", ()), strict=False
            )
        }


def frame_elements(answer: Answer) -> dict[Place, int]:
    """Return the frame elements of an answer, each with the id that the browser knows it by."""
    return {
        (place, node): document["nodes"]["backendNodeId"][node]
        for place, document in enumerate(answer["documents"])
        for node in document["nodes"]["contentDocumentIndex"]["index"]
    }


def count_nodes(answer: Answer) -> int:
    """Return the number of nodes of all documents."""
    return sum(len(document["nodes"]["parentIndex"]) for document in answer["documents"])


def snapshot_to_nodes(snapshot: Snapshot) -> Nodes:
    """Read the page's columns out of a snapshot."""
    with collector_paused():
        return _read_nodes(snapshot)


def _read_nodes(snapshot: Snapshot) -> Nodes:
    parent = _read_parents(snapshot)
    order = _page_order(snapshot, parent)
    number = np.full(len(parent) + 1, -1, dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    kind = np.array(snapshot.column("nodes", "nodeType"), dtype=np.uint8)[order]
    parent = number[parent[order]]
    strings = snapshot.strings
    rows = order.tolist()
    name, value = snapshot.column("nodes", "nodeName"), snapshot.column("nodes", "nodeValue")
    attributes = snapshot.column("nodes", "attributes")
    text = ["" if value[row] < 0 else strings[value[row]] for row in rows]
    nodes = Nodes(
        kind=kind,
        parent=parent,
        tag=_read_tags([strings[name[row]] for row in rows], kind, parent),
        attributes=SnapshotAttributes([attributes[row] for row in rows], strings),
        text_source=lambda: text,
    )
    for node in np.flatnonzero(kind == Kind.DOCUMENT).tolist()[1:]:
        text[node] = strings[snapshot.documents[snapshot.first_row.index(rows[node])]["documentURL"]]
    for node in np.flatnonzero(kind == Kind.DOCTYPE).tolist():
        text[node] = _doctype(snapshot, rows[node], strings[name[rows[node]]])
    return replace(nodes, layout=_read_layout(snapshot, nodes, order, number))


def _read_parents(snapshot: Snapshot) -> Ids:
    parents = []
    frame_of = {document: element for element, document in snapshot.rare("contentDocumentIndex").items()}
    for place, document in enumerate(snapshot.documents):
        parent = np.array(document["nodes"]["parentIndex"], dtype=np.int32) + snapshot.first_row[place]
        parent[0] = frame_of.get(place, -1)
        parents.append(parent)
    return np.concatenate(parents)


def _page_order(snapshot: Snapshot, parent: Ids) -> NDArray[np.intp]:
    """Order the rows as the page has them: each frame's document right after the frame element's own content."""
    kept = np.ones(len(parent), dtype=bool)
    kept[list(snapshot.rare("pseudoType"))] = False
    orders: dict[int, NDArray[np.intp]] = {}
    for place in reversed(range(len(snapshot.documents))):
        first, last = snapshot.first_row[place], snapshot.first_row[place + 1]
        rows = np.arange(first, last)
        pieces, done = [], first
        frames = snapshot.documents[place]["nodes"]["contentDocumentIndex"]
        for element, inner in sorted(zip(frames["index"], frames["value"], strict=True)):
            end = first + element + 1
            while end < last and parent[end] >= first + element:  # fallback content, which no browser shows
                end += 1
            pieces += [rows[done - first : end - first], orders.pop(inner, rows[:0])]
            done = end
        own = np.concatenate([*pieces, rows[done - first :]])
        orders[place] = own[kept[own]]
    return orders[0]


class SnapshotAttributes:
    """Attributes as the snapshot has them, names and values in turn, put together when they are asked for."""

    def __init__(self, listed: list[list[int]], strings: list[str]) -> None:
        """Wrap one list of indices a node, and the table that they point into."""
        self._listed = listed
        self._strings = strings

    def __getitem__(self, node: int) -> Mapping[str, str]:
        """Return one node's attributes."""
        flat = self._listed[node]
        return MappingProxyType({self._strings[flat[at]]: self._value(flat[at + 1]) for at in range(0, len(flat), 2)})

    def having(self, name: str, *_: str) -> dict[int, str]:
        """Return the value of one attribute by node, in document order, for the nodes that have it."""
        return {node: self._value(value) for node, value in self._by_name.get(name, {}).items()}

    @cached_property
    def _by_name(self) -> dict[str, dict[int, int]]:
        """All attributes by name and node: readers ask for several, and one pass finds them all."""
        found: dict[int, dict[int, int]] = {}
        for node, flat in enumerate(self._listed):
            for at in range(0, len(flat), 2):
                found.setdefault(flat[at], {}).setdefault(node, flat[at + 1])
        return {self._strings[name]: values for name, values in found.items()}

    def _value(self, index: int) -> str:
        return self._strings[index] if index >= 0 else ""


def _read_tags(names: list[str], kind: NDArray[np.uint8], parent: Ids) -> Words:
    """Lower the names of HTML elements, and give those of SVG and MathML, which come in lower case, their prefix."""
    raw = Words.of(names)
    foreign = np.array([word != word.upper() for word in raw.words])[raw.codes] & (kind == Kind.ELEMENT)
    lowered = [word.lower() for word in raw.words]
    tags = [lowered[code] for code in raw.codes.tolist()]
    above = parent.tolist()
    space: dict[int, str] = {}
    for node in np.flatnonzero(foreign).tolist():
        space[node] = names[node] if names[node] in FOREIGN else space.get(above[node], FOREIGN[0])
        tags[node] = f"{space[node]}:{names[node]}"
    words = Words.of(tags)
    return Words(np.where(kind == Kind.ELEMENT, words.codes, -1).astype(np.int32), words.words)


def _doctype(snapshot: Snapshot, row: int, name: str) -> str:
    place = int(np.searchsorted(snapshot.first_row, row, side="right")) - 1
    document = snapshot.documents[place]
    public, system = (snapshot.strings[document[key]] if document[key] >= 0 else "" for key in ("publicId", "systemId"))
    return name if not (public or system) else f'{name} "{public}" "{system}"'


def _read_layout(snapshot: Snapshot, nodes: Nodes, order: NDArray[np.intp], number: Ids) -> Layout:
    box, styles, lines = _place_boxes(snapshot)
    box, styles = box[order], styles[order]
    typed = np.flatnonzero((nodes.kind == Kind.TEXT) & nodes.tag.is_in({"textarea"})[nodes.parent])
    box[typed], styles[typed] = box[nodes.parent[typed]], styles[nodes.parent[typed]]  # its text is laid out elsewhere
    found = read_styles(styles, snapshot.strings)
    box[(nodes.kind == Kind.TEXT) & (box[:, 0] == box[:, 2])] = np.nan  # white space that was collapsed away
    box[nodes.inside(nodes.tag.is_in(NEVER_DRAWN))] = np.nan
    line_node = number[lines.node]
    known = line_node >= 0
    return Layout(
        box=box,
        font_size=found.font_size,
        font_weight=found.font_weight,
        color=found.color,
        background=found.background,
        display=found.display,
        position=found.position,
        preserved=found.white_space.is_in({"preserve", "preserve-breaks", "break-spaces", "preserve-spaces"}),
        visible=find_visible(nodes, box, found),
        lines=Lines(line_node[known], lines.start[known], lines.length[known], lines.box[known]),
        sources={
            int(number[row]): snapshot.strings[source]
            for row, source in snapshot.rare("currentSourceURL").items()
            if source >= 0 and number[row] >= 0
        },
        viewport=snapshot.viewport,
    )


def _place_boxes(snapshot: Snapshot) -> tuple[Boxes, NDArray[np.int32], Lines]:
    """Return the boxes, style indices and lines of all rows, moved to where their document stands on the page."""
    count = snapshot.first_row[-1]
    box, styles = no_boxes(count), np.full((count, len(STYLES)), -1, dtype=np.int32)
    unstyled = [-1] * len(STYLES)
    frames = {inner: place for place, inner in _frames(snapshot).items()}
    lines = []
    for place, (first, document) in enumerate(zip(snapshot.first_row, snapshot.documents, strict=False)):
        layout, texts = document["layout"], document["textBoxes"]
        x, y = snapshot.offsets.get(frames[place], (0.0, 0.0)) if place in frames else (0.0, 0.0)
        row = np.array(layout["nodeIndex"], dtype=np.int32) + first
        corners = translate(_corners(layout["bounds"]), x, y)
        np.fmin.at(box[:, :2], row, corners[:, :2])
        np.fmax.at(box[:, 2:], row, corners[:, 2:])
        listed = _flat([found or unstyled for found in layout["styles"]], np.int32)
        styles[row[::-1]] = listed.reshape(-1, len(STYLES))[::-1]  # of several entries of a node the first is its own
        at = np.array(texts["layoutIndex"], dtype=np.int32)
        lines.append((row[at], texts["start"], texts["length"], translate(_corners(texts["bounds"]), x, y)))
    node, start, length, where = (np.concatenate(column) for column in zip(*lines, strict=True))
    return box, styles, Lines(node, start.astype(np.int32), length.astype(np.int32), where.astype(np.float32))


def _frames(snapshot: Snapshot) -> dict[Place, int]:
    """Return which document stands in which frame element."""
    return {
        (place, element): inner
        for place, document in enumerate(snapshot.documents)
        for element, inner in zip(
            *(document["nodes"]["contentDocumentIndex"][key] for key in ("index", "value")), strict=True
        )
    }


def _corners(bounds: list[list[float]]) -> Boxes:
    """Turn x, y, width, height into left, top, right, bottom."""
    box = _flat(bounds, np.float32).reshape(-1, 4)
    box[:, 2:] += box[:, :2]
    return box


def _flat(rows: list[list[Any]], kind: type[np.generic]) -> NDArray[Any]:
    """Lay rows end to end; much faster than letting numpy find out about them."""
    return np.fromiter(chain.from_iterable(rows), kind)
