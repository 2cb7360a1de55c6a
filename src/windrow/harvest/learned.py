"""What became of the learned page: as it was, in a new template, gone, or behind a wall.

Gone, as the paper means it: the page is no more, or none of what was learned stands on it any more. Values that changed
while others still stand are ordinary content. A list whose rows have moved on is one that still reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from windrow.crawl.addresses import identity
from windrow.crawl.retries import is_blocked
from windrow.errors import NotHtmlError, StatusError, WindrowError
from windrow.harvest.soft_errors import ABSENT, says_absent
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from windrow.page import Page
    from windrow.wrapper import Extraction, Wrapper
    from windrow.wrapper.reference import Example

GradeKind: TypeAlias = Literal["fine", "note", "template", "gone", "blocked", "failed"]
NOT_THERE = frozenset({404, 410})
LEAST_AGREEING = 0.5
"""So much of what is read on a page of known values must be those: content changes, too."""


@dataclass(frozen=True)
class Grade:
    """What became of the learned page."""

    kind: GradeKind
    sentence: str = ""


def grade_page(wrapper: Wrapper, page: Page, address: str) -> Grade:
    """Grade the learned page as it is now."""
    change = wrapper.check(page)
    found = wrapper.extract(page)
    if change.kind == "blocked" or found.kind == "wall":
        sentence = change.sentence if change.kind == "blocked" else found.sentence
        return Grade("gone", ABSENT) if says_absent(page) else Grade("blocked", sentence)
    reads = any(found.values.values())
    if wrapper.list_rule is not None and reads and not change.affected:
        return Grade("fine", change.sentence)
    is_led_away = identity(page.url) != identity(address)
    if change.kind == "gone" or not shows_learned(wrapper, page):
        where = f" It leads to {page.url} now." if is_led_away else ""
        return Grade("gone", f"None of the text that was learned is on the page any more.{where}")
    if is_led_away and wrapper.list_rule is None and _agreement(wrapper, found) < LEAST_AGREEING:
        return Grade("gone", f"The address leads to {page.url} now, which is the page of something else.")
    if change.affected or not reads:
        return Grade("template", change.sentence)
    # Here everything reads as before, but the other pages of the new template may not.
    return Grade("note" if change.changed else "fine", change.sentence)


def _agreement(wrapper: Wrapper, found: Extraction) -> float:
    """Return which share of what is read on the learned page was learned; all of it where nothing is."""
    learned = wrapper.examples[0].values
    read = [label for label, texts in found.values.items() if texts and label in learned]
    same = [label for label in read if set(map(folded, found.values[label])) & set(map(folded, learned[label]))]
    return len(same) / len(read) if read else 1.0


def grade_error(error: WindrowError) -> Grade:
    """Grade the learned page by the error that came instead."""
    if isinstance(error, StatusError) and error.status in NOT_THERE:
        return Grade("gone", str(error))
    if is_blocked(error):
        return Grade("blocked", str(error))
    if isinstance(error, NotHtmlError):
        return Grade("gone", str(error))
    return Grade("failed", str(error))


def shows_learned(wrapper: Wrapper, page: Page) -> bool:
    """Whether any text that was learned from a page's address, or from the first example, stands on it."""
    example = next((each for each in wrapper.examples if each.is_of(page)), wrapper.examples[0])
    shown = folded(page.text)
    texts = [folded(text) for some in example.values.values() for text in some if text.strip()]
    return any(text in shown for text in texts) or bool(texts and _stands_in_markup(wrapper, page, example))


def _stands_in_markup(wrapper: Wrapper, page: Page, example: Example) -> bool:
    """Whether the wrapper reads a learned text that the page does not display, such as an address or an attribute."""
    read = wrapper.read(page).values
    return any(set(map(folded, read.get(label, ()))) & set(map(folded, some)) for label, some in example.values.items())
