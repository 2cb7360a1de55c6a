"""Cells that what was pasted speaks against: texts of another kind, or several of a kind of which each row has one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from windrow.wrapper.kinds import find_rivalled, is_contradicted, is_telling, ranks_in, read_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windrow.wrapper.lists.fields import Cell
    from windrow.wrapper.lists.rule import ListRule, ReadRow
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.reference import Example


@dataclass(frozen=True)
class PastedTexts:
    """The texts that were pasted for a label, and whether some row has several."""

    texts: list[str] = field(default_factory=list)
    is_single: bool = True

    @classmethod
    def of(cls, label: str, examples: Iterable[Example]) -> PastedTexts:
        """Take the rows of the examples."""
        cells = [row[label] for example in examples for row in example.rows if row.get(label)]
        return cls([text for cell in cells for text in cell], all(len(cell) == 1 for cell in cells))

    @property
    def kind(self) -> str:
        """The kind that all texts are surely of; nothing where they say none."""
        read = [read_once(text) for text in self.texts]
        kinds = {typed.kind for typed in read}
        return read[0].kind if read and len(kinds) == 1 and all(map(is_telling, read)) else ""


def doubt_cells(
    features: PageFeatures, rows: Sequence[ReadRow], rule: ListRule, examples: Sequence[Example]
) -> list[ReadRow]:
    """Return the rows of a page, with the cells in dispute that do not look like the pasted ones."""
    pasted = {label: PastedTexts.of(label, examples) for label in rule.labels}
    headed = {field.label for field in rule.fields if field.column is not None and field.column.is_named}
    single = {field.label for field in rule.fields if not field.is_rivalled} - headed
    return [replace(row, cells=_doubt(features, row.cells, pasted, single)) for row in rows]


def find_rivalled_cells(features: PageFeatures, cells: Mapping[str, Cell]) -> set[str]:
    """Return the labels of a row beside whose value another one of its kind stands."""
    return find_rivalled(features, {label: cell.nodes for label, cell in cells.items() if cell.nodes})


def _doubt(
    features: PageFeatures, cells: Mapping[str, Cell], pasted: Mapping[str, PastedTexts], single: set[str]
) -> dict[str, Cell]:
    telling = {label for label in single for text in cells[label].texts if is_telling(read_once(text))}
    doubted = find_rivalled_cells(features, cells) & telling if telling else set[str]()
    doubted |= {
        label
        for label, cell in cells.items()
        if is_contradicted(cell.texts, pasted[label].texts) or _has_several(features, cell, pasted[label])
    }
    return {
        label: replace(cell, is_sure=False, is_disputed=True) if label in doubted else cell
        for label, cell in cells.items()
    }


def _has_several(features: PageFeatures, cell: Cell, pasted: PastedTexts) -> bool:
    """Whether a cell has several texts of the kind of which the pasted rows have one each: any may be meant."""
    kind = pasted.kind
    if not kind or not pasted.is_single or [read_once(text).kind for text in cell.texts] == [kind]:
        return False
    ranks = [rank for node in cell.nodes for rank in ranks_in(features, node) if not _is_struck(features, rank)]
    read = [read_once(features.words[rank]) for rank in ranks]
    return len({typed.value for typed in read if typed.kind == kind}) > 1


def _is_struck(features: PageFeatures, rank: int) -> bool:
    return features.is_struck(int(features.texts[rank]))
