"""Labels that stand beside their values ("Item no.:" | "K-17"): they name the values and are no fields themselves.

A term of a list of terms is a label without a colon, too, where several records have it.

A value is put on a path of its own for each label, so that it finds its column by what it is, wherever it stands.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from windrow.region.text_kinds import label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.region.fields import Field, Path
    from windrow.region.measures import PageMeasures

LABELLED = ":"
"""Parts the tag from the label in the last step of a path."""
COLONS = (":", "\uff1a")
LEAST = 2
"""Records that must have a label: what one says is no name of a column."""


def name_values(measures: PageMeasures, records: Sequence[Sequence[Field]]) -> list[list[Field]]:
    """Return the fields of each record without the labels that several records have, values on a path by label."""
    found = [_read_labels(measures, fields) for fields in records]
    times = Counter(label for labels in found for label in set(labels.values()))
    known = {label for label, count in times.items() if count >= LEAST}
    return [_apply(fields, labels, known) for fields, labels in zip(records, found, strict=True)]


def label_in(path: Path) -> str:
    """Return the label of the values on a path, or nothing."""
    return path[-1].partition(".")[0].partition(LABELLED)[2] if path else ""


def _read_labels(measures: PageMeasures, fields: Sequence[Field]) -> dict[int, str]:
    """Return the labels among the fields of a record by their places."""
    ends = measures.nodes.end
    terms = {place for place, field in enumerate(fields) if measures.in_term[field.node]}
    read = {
        place: _read_label(fields, place, int(ends[field.node]), is_term=place in terms and place + 1 not in terms)
        for place, field in enumerate(fields)
    }
    return {place: label for place, label in read.items() if label}


def _read_label(fields: Sequence[Field], place: int, end: int, *, is_term: bool) -> str:
    """Return what a field says if it is nothing but a label, and a value of its own follows it."""
    text = fields[place].text.strip()
    if is_term and not text.endswith(COLONS):
        text += COLONS[0]
    if not text.endswith(COLONS) or label_of(f"{text} value") != (label := text[:-1].strip()):
        return ""
    after = fields[place + 1] if place + 1 < len(fields) else None
    before = fields[place - 1] if place else None
    if after is None or after.node < end or after.text.strip().endswith(COLONS) or label_of(after.text):
        return ""
    if before is not None and before.node < fields[place].node and before.text.startswith(text):
        return ""  # the line around it says both
    return label.replace(".", " ")


def _apply(fields: Sequence[Field], labels: dict[int, str], known: set[str]) -> list[Field]:
    kept: list[Field] = []
    label = ""
    path: Path = ()
    for place, field in enumerate(fields):
        if labels.get(place) in known:
            label, path = labels[place], fields[place + 1].path
        elif label and field.path == path:
            tag, dot, classes = field.path[-1].partition(".")
            kept.append(field._replace(path=(*field.path[:-1], f"{tag}{LABELLED}{label}{dot}{classes}")))
        else:
            label = ""
            kept.append(field)
    return kept
