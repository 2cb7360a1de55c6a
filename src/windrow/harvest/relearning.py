"""Healing by the store: the pages of stored records teach a new template, and tell how well it was learned.

Pages that still have the old template teach nothing. One page more can spoil what the others
tell. So a wrapper is healed by a few of them and by all, and the one is taken that reads most of the stored values.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from windrow.crawl.addresses import identity
from windrow.errors import HealUncertain, RegionGone
from windrow.harvest.learned import LEAST_AGREEING
from windrow.wrapper.known_records import KnownRecord
from windrow.wrapper.normalization import folded
from windrow.wrapper.reference import Example

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.page import Page
    from windrow.wrapper import Wrapper

PARTS = (1, 2, 3, 5)
"""How many of the pages a wrapper is healed by, beside all of them."""
LEAST_RENEWED = 2
"""Pages on which a label must have a new value behind its name: one alone may be chance."""


def heal(wrapper: Wrapper, pages: Sequence[Page], known: Mapping[str, Mapping[str, Sequence[str]]]) -> Wrapper:
    """Heal a wrapper by its learned page and by pages of stored records, whose values are ``known`` by address.

    ``HealUncertain`` or ``RegionGone`` where a person must decide.
    """
    first, *others = pages
    stale = [page for page in others if not _fits(wrapper, page, known.get(identity(page.url), {}))]
    changed = [first, *(stale or others)]
    stored = [(page, values) for page in changed if (values := known.get(identity(page.url)))]
    # What a record does not have, its page lacks.
    records = [
        KnownRecord(wrapper, page, {label: values.get(label, ()) for label in wrapper.labels})
        for page, values in stored
    ]
    examples = _as_shown(records)
    healed: list[Wrapper] = []
    errors: list[RegionGone | HealUncertain] = []
    for count in sorted({min(part, len(changed)) for part in (*PARTS, len(changed))}, reverse=True):
        try:
            healed.append(wrapper.heal(changed[:count], known=examples))
        except (RegionGone, HealUncertain) as error:
            errors.append(error)
    if not healed:
        raise errors[0]
    best = max(healed, key=lambda each: _count_right(each, records, examples))
    _compare(best, records)
    return best


def _fits(wrapper: Wrapper, page: Page, values: Mapping[str, Sequence[str]]) -> bool:
    """Whether a page still has the old template: nothing is in doubt, and each label is read that its record has."""
    found = wrapper.extract(page).values
    return not wrapper.check(page).affected and all(found.get(label) for label in values)


def _are_same(texts: Sequence[str], others: Sequence[str]) -> bool:
    return list(map(folded, texts)) == list(map(folded, others))


def _as_shown(records: Sequence[KnownRecord]) -> list[Example]:
    """Return stored records with their values where they stand now, and those that changed with the template.

    The latter only where the names of values tell on several pages.
    """
    renewed = [record.renewed() for record in records]
    times = Counter(label for texts in renewed for label in texts)
    examples = []
    for record, texts in zip(records, renewed, strict=True):
        values: dict[str, tuple[str, ...]] = {label: tuple(some) for label, some in record.values.items()}
        values |= {label: (spot,) for label, spot in record.placed().items()}
        values |= {label: (spot,) for label, spot in texts.items() if times[label] >= LEAST_RENEWED}
        examples.append(Example(record.page.url.partition("#")[0], values))
    return examples


def _count_right(healed: Wrapper, records: Sequence[KnownRecord], examples: Sequence[Example]) -> int:
    """Return how many values are read as they should be; one that is another record's outweighs all of its page."""
    right = 0
    for record, example in zip(records, examples, strict=True):
        read = healed.extract(record.page).values
        right += sum(bool(some) and _are_same(read.get(label, ()), some) for label, some in example.values.items())
        right -= len(example.values) * sum(record.is_stray(label, some[0]) for label, some in read.items() if some)
    return right


def _compare(healed: Wrapper, records: Sequence[KnownRecord]) -> None:
    """Hold what a healed wrapper reads against what is stored of the same pages; ``HealUncertain`` where it differs.

    Values change. But one that is read elsewhere while the record still shows the stored one is another record's.
    """
    agreeing = differing = 0
    for record in records:
        read = {label: texts for label, texts in healed.extract(record.page).values.items() if texts}
        for label in [label for label in read if record.values.get(label)]:
            is_same = _are_same(read[label], record.values[label])
            agreeing, differing = agreeing + is_same, differing + (not is_same)
            if record.is_stray(label, read[label][0]):
                raise HealUncertain(
                    f"After healing, {label} would read {read[label][0]!r} on {record.page.url}, which still shows "
                    f"{record.values[label][0]!r}. The wrapper stays as it was. Look at the page, and learn it anew.",
                    healed.report,
                )
    if differing and agreeing < LEAST_AGREEING * (agreeing + differing):
        raise HealUncertain(
            f"After healing, {differing} of {agreeing + differing} stored values would read differently. "
            "The wrapper stays as it was. Look at the page, and paste another text.",
            healed.report,
        )
