"""Wrappers to measure: the pages that teach each site, drawn with fixed seeds, and others to read, changed or not."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import wrapper_stress as stress
from detail_pages import Known
from page_mutations import MUTATIONS

import windrow

MOST_PAGES = 10
"""Pages of a site that are read by each wrapper."""
STRANGERS = 3
"""Pages of other sites that are tried with each wrapper."""
CHANGED_PAGES = 2
"""Pages of a site that are changed in each way."""
CHANGES = (
    "menu with the value", "related items", "link after the value", "linked or unlinked", "row before dropped",
    "row before inserted", "rows shuffled", "old price before", "classes hashed", "value absent",
)  # fmt: skip


@dataclass(frozen=True)
class Trial:
    """A wrapper and the pages that it was not learned from."""

    site: str
    taught: list[tuple[windrow.Page, dict[str, list[str]]]]
    others: list[Known]
    strangers: list[windrow.Page]
    """Pages of other sites, where nothing is right: a wrapper meets walls, errors and redesigns too."""

    def learn(self) -> windrow.Wrapper:
        """Return the wrapper."""
        return windrow.learn(self.taught)


def draw_trials(sites: Mapping[str, list[Known]], examples: int, times: int) -> list[Trial]:
    """Draw example pages of each site, and other pages to read."""
    trials = []
    for site, pages in sites.items():
        for number in range(times):
            chance = random.Random(f"{site} {examples} {number}")  # noqa: S311 - a seeded experiment
            drawn = chance.sample(pages, min(len(pages), examples + MOST_PAGES))
            taught = [(known.page, known.shown) for known in drawn[:examples] if known.shown]
            if taught:
                trials.append(Trial(site, taught, drawn[examples:], draw_strangers(sites, site, chance)))
    return trials


def draw_strangers(sites: Mapping[str, list[Known]], site: str, chance: random.Random) -> list[windrow.Page]:
    """Draw one page of each of some other sites."""
    others = chance.sample([name for name in sites if name != site], STRANGERS)
    return [chance.choice(sites[name]).page for name in others]


def change_pages(sites: Mapping[str, list[Known]], examples: int) -> list[Trial]:
    """Change pages as sites change them, so that readings which look alike and are wrong occur often enough."""
    trials = []
    for drawn in stress.draw_trials(dict(sites), examples, CHANGED_PAGES, turns=1):
        for name in CHANGES:
            lessons = [
                (windrow.parse(text, url=url), values) for text, url, values in drawn.lessons(name, MUTATIONS[name])
            ]
            others = [
                Known(text, page.url, truth) for page in drawn.others for text, truth in [drawn.change(page, name)]
            ]
            trials.append(Trial(drawn.site, lessons, others, []))
    return trials
