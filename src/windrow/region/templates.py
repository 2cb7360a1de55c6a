"""The same record in several sections of a page: shelves of a shop, days of a programme, results of two kinds.

What is filled in again and again is one template, whatever is wrapped around it in each section: in a carousel the
same card stands in a slide, in a grid in a column. So it is not records that are compared but their cores, the first
elements from the record down in which more than one thing stands.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from windrow.region.siblings import PARAMETERS as SIBLINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes.columns import Ids
    from windrow.region.groups import Group
    from windrow.region.measures import PageMeasures


@dataclass(frozen=True)
class Parameters:
    """When lists are one list; set by hand."""

    compared: int = 8  # not a decision: a limit against attacks
    """A list is compared with the latest ones of its kind only, so that no page takes quadratic time."""
    together: float = 0.5
    """Share of the text from the first record to the last that must be in records."""
    least_texts: int = 2
    """Texts from which on there is a template to speak of: a name beside a picture looks alike everywhere."""
    unnamed: float = 0.75
    """Likeness of records that have no class: less where no name says that they are the same."""


PARAMETERS = Parameters()


@dataclass(frozen=True)
class _Section:
    """A list as a part of a longer one: where its text stands on the page, and the core of its first record."""

    group: Group
    core: int
    chars: int
    start: int
    end: int

    def followed_by(self, other: _Section) -> _Section:
        """Return both as one."""
        joined = replace(self.group, records=self.group.records + other.group.records, how="sections")
        return _Section(joined, other.core, self.chars + other.chars, self.start, other.end)


def join_sections(measures: PageMeasures, groups: Sequence[Group]) -> list[Group]:
    """Return the lists that go on in another section, each as a whole."""
    cores = measures.cores
    sections = [_measure(measures, group, cores) for group in groups if _has_template(measures, group, cores)]
    chains: dict[tuple[int, bool, bool], list[_Section]] = defaultdict(list)
    for section in sorted(sections, key=lambda each: each.group.records[0][0]):
        kind = _find_kind(measures, section.core)
        latest = chains[kind][-PARAMETERS.compared :]
        before = next((chain for chain in reversed(latest) if _goes_on(measures, chain, section)), None)
        if before is None:
            chains[kind].append(section)
        else:
            at = len(chains[kind]) - 1 - chains[kind][::-1].index(before)
            chains[kind][at] = before.followed_by(section)
    return [chain.group for some in chains.values() for chain in some if chain.group.how == "sections"]


def _has_template(measures: PageMeasures, group: Group, cores: Ids) -> bool:
    """Whether the records are single elements that hold several texts, and are no menus: nothing but links."""
    core = cores[group.records[0][0]]
    single = all(len(record) == 1 for record in group.records)
    is_menu = measures.links[core] > 1 and measures.linked_texts[core] == measures.texts[core]
    return bool(single and measures.texts[core] >= PARAMETERS.least_texts and not is_menu)


def _find_kind(measures: PageMeasures, core: int) -> tuple[int, bool, bool]:
    """Return what the sections of one list share: the tag of their records' cores, and the part of the page."""
    return int(measures.nodes.tag.codes[core]), bool(measures.aside[core]), bool(measures.main[core])


def _measure(measures: PageMeasures, group: Group, cores: Ids) -> _Section:
    """Return a list as a section whose records are their cores, where all of them lead down to the same element."""
    spans, tags = measures.nodes.spans, measures.nodes.tag.codes
    records = np.array([record[0] for record in group.records])
    below = cores[records]
    if (tags[below] == tags[below[0]]).all():
        records = below
    bare = replace(group, records=tuple((node,) for node in records.tolist()))
    chars, start, end = measures.chars[records].sum(), spans.start[records[0]], spans.end[records[-1]]
    return _Section(bare, int(below[0]), int(chars), int(start), int(end))


def _goes_on(measures: PageMeasures, section: _Section, other: _Section) -> bool:
    """Whether a list goes on in another one: behind it, with little else between them, by the same template."""
    apart = measures.nodes.end[section.group.records[-1][0]] <= other.group.records[0][0]
    together = section.chars + other.chars >= PARAMETERS.together * (other.end - section.start)
    return bool(apart) and together and _are_one_template(measures, section.core, other.core)


def _are_one_template(measures: PageMeasures, one: int, other: int) -> bool:
    """Whether two elements are alike and share a class: what its author calls differently is something else."""
    names, others = (set(measures.class_names[measures.class_code[node]]) for node in (one, other))
    least = SIBLINGS.alike if names or others else PARAMETERS.unnamed
    return names.isdisjoint(others) == (not names and not others) and measures.shapes.likeness(one, other) >= least
