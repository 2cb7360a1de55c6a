"""Lists: what was learned of the records and of the labels in them, and how a page is read by that.

The row first, then the fields in the row, so that no field is read from another row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windrow.wrapper.lists.fields import Cell, FieldRule, read_cell, settle_cell
from windrow.wrapper.lists.headings import HeadingRule, read_headings
from windrow.wrapper.lists.pattern import RecordPattern, find_records
from windrow.wrapper.lists.texts import PageTexts, RecordView
from windrow.wrapper.page_features import features_of
from windrow.wrapper.template.skeleton import read_digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.nodes import Nodes
    from windrow.page import Page


@dataclass(frozen=True)
class ReadRow:
    """One record that was read."""

    cells: Mapping[str, Cell]
    link: str
    node: int


@dataclass(frozen=True)
class ListRule:
    """What was learned of a list: what its records look like, and where each label stands in them."""

    pattern: RecordPattern
    fields: tuple[FieldRule, ...]
    headings: tuple[HeadingRule, ...] = ()
    frame: str = ""
    """The digest of the learned page's skeleton without its records, which come and go."""

    @property
    def labels(self) -> list[str]:
        """The labels that it reads."""
        return [*(rule.label for rule in self.fields), *(rule.label for rule in self.headings)]

    @property
    def is_grouped(self) -> bool:
        """Whether some label is one of several alike in a record, as where the records are groups of records."""
        return any(rule.selectors[0].pick != "all" for rule in self.fields)

    def place_of(self, label: str) -> str:
        """Return where a label stands as one line for people: the way to a record, then to the label in it."""
        records = self.pattern.place
        for heading in self.headings:
            if heading.label == label:
                return f"{heading.kind} above {records}"
        return next(f"{records}{rule.place}" for rule in self.fields if rule.label == label)

    def renamed(self, names: Mapping[str, str]) -> ListRule:
        """Return the same with other names of labels."""
        return replace(
            self,
            fields=tuple(replace(rule, label=names[rule.label]) for rule in self.fields),
            headings=tuple(replace(rule, label=names[rule.label]) for rule in self.headings),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        plain: dict[str, Any] = {
            "records": self.pattern.to_dict(),
            "fields": {rule.label: rule.to_dict() for rule in self.fields},
            "frame": self.frame,
        }
        if self.headings:
            plain["headings"] = {rule.label: rule.to_dict() for rule in self.headings}
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> ListRule:
        """Return what ``to_dict`` wrote."""
        return cls(
            RecordPattern.from_dict(plain["records"]),
            tuple(FieldRule.from_dict(label, rule) for label, rule in plain["fields"].items()),
            tuple(HeadingRule.from_dict(label, rule) for label, rule in plain.get("headings", {}).items()),
            str(plain["frame"]),
        )


def read_rows(page: Page, rule: ListRule) -> list[ReadRow]:
    """Return the rows of a page; what looks like a record and has none of the labels is no row."""
    return read_records(find_views(PageTexts(page, features_of(page.nodes)), rule.pattern), rule)


def read_frame(nodes: Nodes, pattern: RecordPattern) -> str:
    """Return the digest of a page's skeleton without the records of a list."""
    return read_digest(nodes, [(span.start, span.end) for span in find_records(features_of(nodes), pattern)])


def find_views(texts: PageTexts, pattern: RecordPattern) -> list[RecordView]:
    """Return the records of a page, ready to be read."""
    return [RecordView(texts, span) for span in find_records(texts.features, pattern)]


def read_records(views: Sequence[RecordView], rule: ListRule) -> list[ReadRow]:
    """Return the rows of some records of one page."""
    above = read_headings(views[0].texts, views, rule.headings) if views else []
    rows = []
    for view, headed in zip(views, above, strict=True):
        cells = {field.label: read_cell(view, field) for field in rule.fields}
        cells = _settle(cells)
        if any(cell.texts for cell in cells.values()):
            heads = {label: Cell(answer.texts, answer.nodes, is_sure=True) for label, answer in headed.items()}
            rows.append(ReadRow(cells | heads, find_link(view, cells), view.span.start))
    return rows


def _settle(cells: dict[str, Cell]) -> dict[str, Cell]:
    """Take doubtful texts from a label where they are surely another's, and choose what is left where that is one."""
    owned = {node for cell in cells.values() if cell.is_sure for node in cell.nodes}
    settled = {}
    for label, cell in cells.items():
        others = [other for name, other in cells.items() if name != label]
        chosen = settle_cell(cell, others) if cell.options else cell
        is_taken = not chosen.is_sure and owned.intersection(chosen.nodes)
        settled[label] = Cell((), (), is_sure=True) if is_taken else chosen
    return settled


def find_link(view: RecordView, cells: Mapping[str, Cell]) -> str:
    """Return the address of the record's own page: the link at its first field that has one, else its first link."""
    links, features = view.texts.page.links, view.features
    for cell in cells.values():
        for node in cell.nodes:
            inside = [link for link in links[node : int(features.nodes.end[node])] if link]
            above = node
            while above >= view.span.start and not links[above]:
                above = int(features.up[above])
            own = links[above] if above >= view.span.start else None
            if own or inside:
                return own or inside[0]
    return next((link for link in links[view.span.start : view.span.end] if link), "")
