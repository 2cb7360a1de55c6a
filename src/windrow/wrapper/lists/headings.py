"""Lists in groups: the heading above a group is a field of every record below it, up to the next heading."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.errors import UsageError
from windrow.wrapper.lists.pattern import Kind, kind_of
from windrow.wrapper.lists.selectors import Answer
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.wrapper.lists.fields import Pasted
    from windrow.wrapper.lists.texts import PageTexts, RecordView


@dataclass(frozen=True)
class HeadingRule:
    """What was learned of a label that stands above its records."""

    label: str
    kind: Kind
    around: Kind
    """What the element around the heading is called."""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {"heading": self.kind.to_list(), "in": self.around.to_list()}

    @classmethod
    def from_dict(cls, label: str, plain: dict[str, Any]) -> HeadingRule:
        """Return what ``to_dict`` wrote."""
        return cls(label, Kind.from_list(plain["heading"]), Kind.from_list(plain["in"]))


def learn_heading(label: str, rows: Sequence[Pasted], views: Sequence[RecordView]) -> HeadingRule:
    """Return the heading that stands above the pasted rows; an error where there is none outside of the records."""
    for row in rows:
        node = find_above(row.view, row.values[label][0]) if row.values.get(label) else 0
        if node and not any(view.span.holds(node) for view in views if view.texts is row.view.texts):
            features = row.view.features
            return HeadingRule(label, kind_of(features, node), kind_of(features, int(features.up[node])))
    pasted = next((text for row in rows for text in row.values.get(label, ())), "")
    raise UsageError(f"{label}: {pasted!r} stands in no row, nor above one. Paste texts of one row, or of its heading.")


def find_above(view: RecordView, text: str) -> int:
    """Return the nearest element before a record that shows a text and nothing else; 0 where there is none."""
    wanted, features = folded(text), view.features
    for rank in range(view.first - 1, -1, -1):
        if not wanted.endswith(view.texts.pieces[rank]):
            continue
        node = int(features.up[features.texts[rank]])
        while node > 0 and len(folded(features.text_of(node))) < len(wanted):
            node = int(features.up[node])
        if folded(features.text_of(node)) == wanted and features.nodes.end[node] <= view.span.start:
            return node
    return 0


def read_headings(
    texts: PageTexts, views: Sequence[RecordView], rules: Sequence[HeadingRule]
) -> list[dict[str, Answer]]:
    """Return for each record the texts that stand above it, by label."""
    features = texts.features
    found: list[dict[str, Answer]] = [{} for _ in views]
    for rule in rules:
        alike = features.showing(features.nodes.tag.where(rule.kind.tag).astype(np.intp)).tolist()
        nodes = [
            node
            for node in alike
            if rule.kind.names <= kind_of(features, node).names
            and rule.around.fits(kind_of(features, int(features.up[node])))
        ]
        for view, answers in zip(views, found, strict=True):
            place = bisect_left(nodes, view.span.start)
            if place and features.nodes.end[nodes[place - 1]] <= view.span.start:
                node = nodes[place - 1]
                answers[rule.label] = Answer((features.text_of(node),), (node,))
            else:
                answers[rule.label] = Answer((), ())
    return found
