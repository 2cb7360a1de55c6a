"""Harvests a site that lives for ten days, and holds the store against the truth after each of them.

    make bench-evolving                       # three seeds of four locales each, one with a browser
    make bench-evolving SEEDS=1 WINDROW_STORE=postgresql://…

A value is wrong that was never true of its record. One that is not true any more though the run was whole is kept: the
page did not surely show it, and good values are not overwritten by missing ones. It is silent where the store does not
say so of it. A record vanished that is gone though the site shows it. Where a source is still deferred on the last day,
somebody learns the page anew, as the warning says.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import uuid
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "harvest"))

import nursery
from living_site import LivingSite

import windrow
from windrow.harvest.harvest import harvest_source
from windrow.harvest.settings import SourceSettings
from windrow.harvest.sources import save
from windrow.store import Store, open_store
from windrow.store.rows import Rows, Wanted
from windrow.store.sources import get_source, list_wrappers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windrow.harvest.report import Report

SEEDS = int(os.environ.get("SEEDS", "3"))
LANGUAGES = ("en", "de", "fr", "id")
LEARNED = (1, 3, 5)
"""The places of the trees whose pages are learned; the first is looked at before every run, the last is on sale."""
BANNER = "<div class='banner'><p>Open days this weekend: cider, cake and 20 new sorts.</p></div>"
Life = Counter[str]


@dataclass
class Day:
    """A day: what is done to the site in the morning, and undone in the evening."""

    name: str
    change: Callable[[LivingSite, random.Random], None]
    after: Callable[[LivingSite], None] = lambda _: None


def quiet(_: LivingSite, __: random.Random) -> None:
    """Change nothing."""


def trade(site: LivingSite, dice: random.Random) -> None:
    """Change some prices; some trees go, others come."""
    for place in dice.sample(range(len(site.trees)), len(site.trees) // 4):
        site.trees[place] = nursery.changed(site.trees[place], cents=dice.randrange(900, 24_900))
    places = dice.sample(range(max(LEARNED) + 1, len(site.trees)), len(site.trees) // 12)
    site.lost += [site.trees[place] for place in places]
    site.trees = [tree for place, tree in enumerate(site.trees) if place not in places]
    number = 1000 + dice.randrange(8000)
    site.trees.insert(
        dice.randrange(max(LEARNED) + 1, len(site.trees)),
        nursery.changed(site.trees[-1], sku=f"T-{number}", name=f"Medlar Newcomer {number}", cents=number),
    )


def come_back(site: LivingSite, dice: random.Random) -> None:
    """Trade, and let a tree return that went on a day before."""
    before = list(site.lost)
    trade(site, dice)
    known = {tree.sku for tree in site.trees}
    site.trees += [tree for tree in before if tree.sku not in known][:1]


def deploy(site: LivingSite, template: str) -> None:
    """Put a new version of the site up."""
    site.template, site.following, site.deploy = template, None, site.deploy + 1


def half(site: LivingSite, dice: random.Random) -> None:
    """Show half of the pages in the template that comes."""
    trade(site, dice)
    site.following, site.deploy, site.banner = "list", site.deploy + 1, BANNER


def switch(site: LivingSite, dice: random.Random) -> None:
    """Show all pages in it."""
    come_back(site, dice)
    deploy(site, "list")


def reprice(site: LivingSite, dice: random.Random) -> None:
    """Change the template and every price at once."""
    deploy(site, "cards")
    site.trees = [nursery.changed(tree, cents=tree.cents + dice.randrange(1, 900)) for tree in site.trees]


def softly(site: LivingSite, dice: random.Random) -> None:
    """Lose some pages without saying so by a status."""
    site.soft = {tree.sku for tree in dice.sample(site.trees[max(LEARNED) + 1 :], 3)}


DAYS = (
    Day("first day", quiet),
    Day("trade, returns", come_back),
    Day("log-in wall", lambda site, _: setattr(site, "wall", True), lambda site: setattr(site, "wall", False)),
    Day("503s", lambda site, _: setattr(site, "down", True), lambda site: setattr(site, "down", False)),
    Day("half in new template", half),
    Day("new template, trade", switch),
    Day("empty list", lambda site, _: setattr(site, "empty", True), lambda site: setattr(site, "empty", False)),
    Day("soft 404s", softly, lambda site: site.soft.clear()),
    Day("learned page gone", lambda site, _: site.gone.add(site.trees[LEARNED[0]].sku), lambda site: site.gone.clear()),
    Day("new template, all prices", reprice),
    Day("quiet day", quiet),
)


@dataclass
class Diary:
    """One site, its source, and what was true on each day."""

    store: Store
    server: nursery.Server
    site: LivingSite
    render: bool
    name: str = field(default_factory=lambda: f"orchard-{uuid.uuid4().hex[:8]}")
    truths: list[dict[str, dict[str, str]]] = field(default_factory=list)
    tally: Life = field(default_factory=Counter)

    def teach(self) -> None:
        """Learn the pages as they are, and set the source up, or anew."""
        url, options = self.server.url, windrow.Options(allow_private=True)
        trees = [self.site.trees[place] for place in LEARNED]
        pages = [windrow.load(f"{url}/p/{tree.sku}", render=self.render, options=options) for tree in trees]
        values = [nursery.values_of(tree, self.site.language) for tree in trees]
        plain: dict[str, Any] = {
            "name": self.name,
            "start": [f"{url}/list"],
            "follow": {"list": "region", "detail": "/p/*"},
            "read": {"wrapper": "orchard.json", "key": ["sku"]},
            "manners": {"rate": 1000, "retries": 1, "concurrency": 2},
            "network": {"render": self.render, "allow_private": True},
        }
        wrapper = windrow.learn(list(zip(pages, values, strict=True)))
        save(self.store, SourceSettings.from_dict(plain), wrapper, say=print)

    def harvest(self, day: str) -> Report:
        """Harvest once, and look at what is stored."""
        self.truths.append(self.site.truth())
        before = self.present()
        report = harvest_source(self.store, self.name, say=print)
        wrong = list(self.find_wrong())
        kept, silent = self.count_kept() if report.state == "whole" else (0, 0)
        vanished = self.site.shown() & (before - self.present())
        with self.store.reading() as connection:
            version = list_wrappers(connection, get_source(connection, self.name).id)[-1].version
        counts = report.counts
        changes = f"{counts.added}/{counts.changed}/{counts.removed}/{counts.returned}"
        template = f"{self.site.template}+{self.site.following}" if self.site.following else self.site.template
        print(
            f"  {day:<25} {template:<11} {report.state:<9} {counts.records:>4} {changes:>11}  v{version}  "
            f"{len(wrong):>5} {len(vanished):>5} {kept:>5} {silent:>6}  {', '.join(report.warnings)}"
        )
        for line in wrong[:3]:
            print(f"    {line}")
        seen = {"wrong": len(wrong), "vanished": len(vanished), "kept": kept, "silent": silent}
        self.tally += Counter(**seen, days=1, **{report.state: 1})
        return report

    def present(self) -> set[str]:
        """Return the keys of the records that are there."""
        return {key for key, row in self.rows().items() if row.state == "present"}

    def rows(self) -> dict[str, Any]:
        """Return what is stored, by key."""
        with self.store.reading() as connection:
            return {str(row.key): row for row in Rows(connection, get_source(connection, self.name), Wanted(gone=True))}

    def find_wrong(self) -> Iterator[str]:
        """Yield the values that are stored and never were true of their record."""
        for key, row in self.rows().items():
            for label, text in row.values.items():
                if text is not None and all(truth.get(key, {}).get(label) != text for truth in self.truths):
                    yield f"{key} {label}: {text!r}, not {self.truths[-1].get(key, {}).get(label)!r}"

    def count_kept(self) -> tuple[int, int]:
        """Return how many values are not true any more, and of how many of them the store does not say so."""
        today = self.truths[-1]
        outdated = [
            label in row.kept
            for key, row in self.rows().items()
            for label, text in row.values.items()
            if key in today and text is not None and text != today[key].get(label)
        ]
        return len(outdated), outdated.count(False)

    def is_equal(self) -> bool:
        """Whether the store has the records that the site has, and each value that it surely shows."""
        return self.present() == self.truths[-1].keys() and not any(self.find_wrong()) and not self.count_kept()[0]


def live(store: Store, language: str, seed: int, *, render: bool, trees: int = 40) -> Life:
    """Harvest a site for all its days."""
    dice = random.Random(f"{language}{seed}")  # noqa: S311 - a site's life, no secret
    site = LivingSite(trees=nursery.grow(trees, seed, language), language=language)
    site.trees[LEARNED[-1]] = nursery.changed(site.trees[LEARNED[-1]], cents=4_400)
    print(f"{language}, seed {seed}{', with a browser' if render else ''}")
    print("  day                       template    state     recs  +/~/-/back       wrong gone?  kept silent  warnings")
    with nursery.Server(site) as server:
        diary = Diary(store, server, site, render)
        diary.teach()
        for day in DAYS:
            day.change(site, dice)
            report = diary.harvest(day.name)
            day.after(site)
        if report.state == "deferred":
            diary.teach()
            diary.tally["taught"] += 1
            report = diary.harvest("learned anew")
        diary.tally["equal"] += report.state == "whole" and diary.is_equal()
    print(f"  the store is {'' if diary.tally['equal'] else 'NOT '}equal to the site")
    return diary.tally


def main() -> int:
    """Print a table a site, and the sums."""
    total: Life = Counter()
    lives = [(language, seed, False) for seed in range(SEEDS) for language in LANGUAGES] + [("en", 0, True)]
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        store = stack.enter_context(open_store(os.environ.get("WINDROW_STORE") or Path(folder) / "windrow.db"))
        for language, seed, render in lives:
            total += live(store, language, seed, render=render, trees=14 if render else 40)
    states = ", ".join(f"{total[state]} {state}" for state in ("whole", "partial", "deferred", "failed"))
    print(f"{len(lives)} sites, {total['days']} days: {states}; {total['taught']} learned anew")
    print(
        f"wrong values {total['wrong']}, vanished records {total['vanished']}, older values kept {total['kept']} "
        f"({total['silent']} of them silently); "
        f"equal at the end: {total['equal']}"
    )
    return int(bool(total["wrong"] or total["vanished"] or total["silent"] or total["equal"] < len(lives)))


if __name__ == "__main__":
    sys.exit(main())
