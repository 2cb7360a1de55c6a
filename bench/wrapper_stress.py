"""Learn sites from one page and from three, change their other pages as sites do, and count what is read wrong.

    WINDROW_BENCH_DATA=… [HALF=a] python bench/wrapper_stress.py [--shots 1,3] [--only "rows shuffled"]

Which pages teach is drawn anew in every turn, with fixed seeds, and is the same for all changes. A label of a page is
right when its values are those of the truth, wrong when there are others, missing when there are none. F1 and missing
are averaged over the labels of a site, then over sites; wrong values are counted as a share of all that were stored,
and of all cells that were read, which is what tells where nothing should be stored. Beside it stands a plain XPath: the
absolute path of the first text node that shows the value.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from detail_pages import Known, Truth, comparable, is_chosen, parse_tree, read_sites, settled
from page_mutations import MUTATIONS, Mutation, Spot, Subject, fields_to_html, label_forms
from page_rows import visible_texts
from turbohtml import Document, Element, Text

import windrow

PAGES, TURNS = 6, 3
ANCESTORS = 4
"""So many elements around a text tell one place of a template from another."""
COMMON = 0.5
"""A text on this share of a site's pages is the template's."""
MOST_PATHS = 8

Read = Callable[[str, str], Truth]
"""From a page's HTML and address to its values."""


@dataclass(frozen=True)
class Place:
    """Where a value stands: the number of its text node in document order."""

    label: str
    value: str
    number: int
    is_only: bool


class Original:
    """A page before it is changed."""

    def __init__(self, known: Known) -> None:
        """Index the texts of the page."""
        self.html, self.url = settled(known.html), known.url
        self.truth, self.shown = known.truth, known.shown
        self.texts = dict[str, list[tuple[int, tuple[str, ...]]]]()
        for number, text in visible_texts(parse_tree(self.html)):
            self.texts.setdefault(comparable(text.data), []).append((number, signature(text)))

    def places(self, usual: dict[str, Counter[tuple[str, ...]]]) -> list[Place]:
        """Return where the values stand, by the places in which the site usually shows them."""
        found = []
        for label, values in self.truth.items():
            for value in values:
                options = self.texts.get(comparable(value), [])
                if options:
                    number, _ = max(options, key=lambda option: usual[label][option[1]])
                    found.append(Place(label, value, number, len(options) == 1))
        return found


def signature(text: Text) -> tuple[str, ...]:
    """Return the elements around a text, with their classes."""
    around = [node for node in text.ancestors if isinstance(node, Element)][:ANCESTORS]
    return tuple(f"{node.tag} {node.attr('class') or ''}" for node in around)


@dataclass
class Trial:
    """One site in one turn: the pages that teach, and the pages that are read."""

    site: str
    seed: str
    taught: list[Original]
    others: list[Original]

    @cached_property
    def usual(self) -> dict[str, Counter[tuple[str, ...]]]:
        """How many values of a label stand at each place of the template."""
        found = defaultdict[str, Counter[tuple[str, ...]]](Counter)
        for page in (*self.taught, *self.others):
            for label, values in page.truth.items():
                found[label].update({place for v in values for _, place in page.texts.get(comparable(v), ())})
        return found

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The texts of the template, and what stands before a colon in all of them."""
        pages = [*self.taught, *self.others]
        count = Counter(form for page in pages for form in {form for text in page.texts for form in label_forms(text)})
        values = {comparable(value) for page in pages for values in page.truth.values() for value in values}
        return frozenset(text for text, times in count.items() if times >= COMMON * len(pages)) - values

    @cached_property
    def related(self) -> dict[str, str]:
        """The fields of each page in their markup, by address."""
        pages = [*self.taught, *self.others]
        found = {page.url: fields_to_html(self.subject(page, [], "related")) for page in pages}
        return {url: fields for url, fields in found.items() if fields}

    def subject(self, page: Original, related: list[str], name: str) -> Subject:
        """Return a page ready to be changed."""
        root = parse_tree(page.html)
        nodes, spots = list(root.descendants), []
        for place in page.places(self.usual):
            node = nodes[place.number]
            if isinstance(node, Text):
                spots.append(Spot(place.label, place.value, node, place.is_only))
        others = [other.truth for other in (*self.taught, *self.others) if other is not page]
        chance = random.Random(f"{self.seed} {name} {page.url}")  # noqa: S311 - a seeded experiment
        return Subject(root, page.truth, spots, self.taught[0].truth, others, related, self.fixed, chance)

    def change(self, page: Original, name: str) -> tuple[str, Truth]:
        """Return a changed page, and the truth of the labels that the change concerns."""
        related = [fields for url, fields in self.related.items() if url != page.url]
        subject = self.subject(page, related, name)
        truth = MUTATIONS[name].apply(subject)
        return subject.root.html, truth

    def lessons(self, name: str, mutation: Mutation) -> list[tuple[str, str, dict[str, list[str]]]]:
        """Return HTML, address and values of the pages that teach."""
        return [
            (self.change(page, name)[0] if mutation.everywhere else page.html, page.url, page.shown)
            for page in self.taught
        ]


Lessons = Sequence[tuple[str, str, dict[str, list[str]]]]


def read_nothing(_text: str, _url: str) -> Truth:
    """Return no values."""
    return {}


def learn_windrow(lessons: Lessons) -> Read:
    """Learn by Windrow."""
    wrapper = windrow.learn([(windrow.parse(text, url=url), values) for text, url, values in lessons])
    return lambda text, url: wrapper.extract(windrow.parse(text, url=url)).values


Path = tuple[str, int]
"""An element's path from the root, and which of its text nodes it is."""


def learn_xpath(lessons: Lessons) -> Read:
    """Learn absolute paths; more lessons choose, among the places that show a value, the one that serves most."""
    trees = [parse_tree(text) for text, _, _ in lessons]
    paths: dict[str, list[Path]] = {}
    for tree, (_, _, values) in zip(trees, lessons, strict=True):
        index = defaultdict[str, list[Text]](list)
        for _, text in visible_texts(tree):
            index[comparable(text.data)].append(text)
        for label, wanted in values.items():
            if label not in paths:
                options = [[path_of(text) for text in index[comparable(value)][:MOST_PATHS]] for value in wanted]
                rest = [
                    (other, set(map(comparable, lesson[2].get(label, ()))))
                    for other, lesson in zip(trees, lessons, strict=True)
                    if other is not tree
                ]
                paths[label] = [max(some, key=lambda path: count_served(path, rest)) for some in options if some]

    def read(text: str, _url: str) -> Truth:
        tree = parse_tree(text)
        return {label: [follow(tree, path) for path in some] for label, some in paths.items()}

    return read


def path_of(text: Text) -> Path:
    """Return the path of a text node."""
    parent = text.parent
    if not isinstance(parent, Element):
        return "/html/body", 0
    return parent.xpath_path(), [node for node in parent.children if isinstance(node, Text)].index(text)


def follow(tree: Document, path: Path) -> str:
    """Return the text at a path; empty without one."""
    element = tree.xpath_one(path[0])
    texts = [node.data for node in element.children if isinstance(node, Text)] if isinstance(element, Element) else []
    return texts[path[1]] if path[1] < len(texts) else ""


def count_served(path: Path, rest: Sequence[tuple[Document, set[str]]]) -> int:
    """Return on how many other pages a path leads to a value."""
    return sum(comparable(follow(tree, path)) in wanted for tree, wanted in rest)


@dataclass
class Tally:
    """Outcomes by site and label."""

    cells: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refusals: Counter[str] = field(default_factory=Counter)
    """Errors by kind; what was not learned or not read is missing."""

    @contextmanager
    def counting_refusals(self) -> Iterator[None]:
        """Go on after an error, which is counted."""
        try:
            yield
        except windrow.WindrowError as error:
            self.refusals[type(error).__name__] += 1

    def add(self, cell: tuple[str, str], got: Sequence[str], truth: Sequence[str]) -> None:
        """Count one label of one page."""
        values, wanted = ({*map(comparable, texts)} - {""} for texts in (got, truth))
        outcome = ("right" if values == wanted else "wrong") if values else ("missing" if wanted else "empty")
        self.cells[cell].update({outcome: 1, "read": 1, "truth": int(bool(wanted))})

    @cached_property
    def total(self) -> Counter[str]:
        """All outcomes."""
        return sum(self.cells.values(), Counter())

    def mean(self, score: Callable[[Counter[str]], float]) -> float | None:
        """Return a score's mean over labels that have values, then sites."""
        sites = defaultdict[str, list[float]](list)
        for (site, _), count in self.cells.items():
            if count["truth"]:
                sites[site].append(score(count))
        return statistics.fmean(map(statistics.fmean, sites.values())) if sites else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return self.mean(lambda count: 2 * count["right"] / (count["right"] + count["wrong"] + count["truth"]))

    @property
    def missing(self) -> float | None:
        """The share of values that were not read."""
        return self.mean(lambda count: count["missing"] / count["truth"])

    @property
    def wrong_of_stored(self) -> float | None:
        """The share of wrong values among all that were stored."""
        stored = self.total["right"] + self.total["wrong"]
        return self.total["wrong"] / stored if stored else None

    @property
    def wrong_of_read(self) -> float:
        """The share of cells that hold a wrong value."""
        return self.total["wrong"] / max(1, self.total["read"])


SYSTEMS = {"windrow": learn_windrow, "xpath": learn_xpath}


def draw_trials(sites: dict[str, list[Known]], shots: int, pages: int, turns: int = TURNS) -> list[Trial]:
    """Draw the pages that teach each site, and others."""
    trials = []
    for site, known in sites.items():
        for turn in range(turns):
            seed = f"{site} {shots} {turn}"
            chance = random.Random(seed)  # noqa: S311 - a seeded experiment
            drawn = [Original(page) for page in chance.sample(known, min(len(known), shots + pages))]
            taught = [page for page in drawn[:shots] if page.shown]
            if taught:
                trials.append(Trial(site, seed, taught, drawn[shots:]))
    return trials


def run(trials: Sequence[Trial], name: str) -> dict[str, Tally]:
    """Make one change to the pages of all sites, and read them."""
    tallies = {system: Tally() for system in SYSTEMS}
    for trial in trials:
        lessons = trial.lessons(name, MUTATIONS[name])
        labels = {label for _, _, values in lessons for label in values}
        readers = dict[str, Read]()
        for system, learn in SYSTEMS.items():
            readers[system] = read_nothing
            with tallies[system].counting_refusals():
                readers[system] = learn(lessons)
        for page in trial.others:
            text, truth = trial.change(page, name)
            if labels.isdisjoint(truth):
                continue
            for system, read in readers.items():
                got: Truth = {}
                with tallies[system].counting_refusals():
                    got = read(text, page.url)
                for label in labels & truth.keys():
                    tallies[system].add((trial.site, label), got.get(label, []), truth[label])
    return tallies


def percent(share: float | None) -> str:
    """Return a share as it stands in the table."""
    return "–" if share is None else f"{share:.1%}"


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sites", type=int, help="the first so many sites only")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages that are read of each site, in each turn")
    parser.add_argument("--shots", default="1,3", help="how many pages teach a site")
    parser.add_argument("--only", choices=MUTATIONS, help="one change")
    args = parser.parse_args()
    sites = {site: pages for site, pages in read_sites().items() if is_chosen(site)}
    sites = dict(list(sites.items())[: args.sites])
    for shots in map(int, args.shots.split(",")):
        trials = draw_trials(sites, shots, args.pages)
        print(f"\n{shots} page{'s' * (shots > 1)} of each of {len(sites)} sites, {len(trials)} wrappers\n")
        print("| change | cells | F1 | wrong of stored | wrong of cells | missing | XPath: F1 | of stored | of cells |")
        print("|---|" + "---:|" * 8)
        refusals = Counter[str]()
        for name in [args.only] if args.only else MUTATIONS:
            own, plain = run(trials, name).values()
            refusals += own.refusals
            shares = [own.f1, own.wrong_of_stored, own.wrong_of_read, own.missing]
            shares += [plain.f1, plain.wrong_of_stored, plain.wrong_of_read]
            print(f"| {name} | {own.total['read']} | {' | '.join(map(percent, shares))} |", flush=True)
        print("\nrefused: " + (", ".join(f"{count} × {kind}" for kind, count in refusals.items()) or "nothing"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
