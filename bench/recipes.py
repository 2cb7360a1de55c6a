"""Wrappers from one page of a site that shows recipes: what is read of its other page, right, wrong and doubtful.

    WINDROW_BENCH_DATA=… [HALF=a|b] python bench/recipes.py [--cases] [--sites N]

The truth is what a page says of itself in JSON-LD, of which the wrapper sees nothing: only values that both pages show
are asked for. Each of the two pages teaches in turn. What a page says of itself is not always what it shows, so compare
two runs rather than take the figures by themselves.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from data import data_folder, read_rows
from detail_pages import comparable, is_chosen

import windrow
from windrow.errors import WindrowError
from windrow.wrapper.normalization import shown

JSON_LD = re.compile(r"<script[^>]*application/ld\+json[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
FIELDS = {
    "title": "name", "ingredient": "recipeIngredient", "step": "recipeInstructions", "servings": "recipeYield",
    "category": "recipeCategory", "cuisine": "recipeCuisine", "author": "author", "rating": "aggregateRating",
    "calories": "nutrition",
}  # fmt: skip
"""What is asked for, and what it is called in JSON-LD."""
INSIDE = ("text", "name", "ratingValue", "calories")
"""Where the text of a value is that has parts."""
IN_LINE = frozenset({"category", "cuisine"})
LEAST_LENGTH = 2
"""Characters of a value: a figure alone stands everywhere, and who wants it points at it."""
OUTCOMES = ("right", "wrong", "doubtful, right", "doubtful, wrong", "missing", "not learned")


@dataclass(frozen=True)
class Recipe:
    """A page with what it says of itself and shows."""

    name: str
    page: windrow.Page
    truth: Mapping[str, list[str]]


def read_recipe(name: str, html: str, url: str) -> Recipe:
    """Take a page apart into what is read and what is true of it."""
    page = windrow.parse(html, url=url)
    whole = comparable(page.text)
    truth = {}
    said = next(find_recipes(html), {})
    for label, field in FIELDS.items():
        texts = as_shown(label, list(dict.fromkeys(texts_in(said.get(field)))), whole)
        if texts and all(len(comparable(text)) >= LEAST_LENGTH and comparable(text) in whole for text in texts):
            truth[label] = texts
    headings = {comparable(text_of(page, node)) for node in page.nodes.tag.where("h1").tolist()}
    if not headings.issuperset(map(comparable, truth.get("title", []))):
        del truth["title"]  # the recipe is called otherwise than its page
    return Recipe(name, page, truth)


def as_shown(label: str, texts: list[str], whole: str) -> list[str]:
    """Return the texts of a label as the page shows them: in one line where that is there, the yield by its unit."""
    if label == "servings":
        return sorted(texts, key=len)[-1:]
    line = ", ".join(texts)
    return [line] if label in IN_LINE and comparable(line) in whole else texts


def text_of(page: windrow.Page, node: int) -> str:
    """Return what an element shows."""
    inside = range(node, int(page.nodes.end[node]))
    return "".join(page.nodes.text[one] for one in inside)


def find_recipes(html: str) -> Iterator[dict[str, Any]]:
    """Yield what a page says of recipes in JSON-LD."""
    for found in JSON_LD.findall(html):
        try:
            waiting = [json.loads(found, strict=False)]
        except ValueError:
            continue
        while waiting:
            one = waiting.pop(0)
            if isinstance(one, list):
                waiting += one
            elif isinstance(one, dict):
                kinds = one.get("@type", ())
                if "Recipe" in ([kinds] if isinstance(kinds, str) else kinds):
                    yield one
                waiting += [value for key, value in one.items() if key == "@graph"]


def texts_in(value: object) -> list[str]:
    """Return the texts of a value, however deep they are."""
    if isinstance(value, list):
        return [text for one in value for text in texts_in(one)]
    if isinstance(value, dict):
        if "itemListElement" in value:
            return texts_in(value["itemListElement"])
        return texts_in(next((value[key] for key in INSIDE if value.get(key)), None))
    if value is None or isinstance(value, bool):
        return []
    text = shown(windrow.parse(str(value)).text) if "&" in str(value) or "<" in str(value) else shown(str(value))
    return [text] if text else []


def read_sites() -> dict[str, list[Recipe]]:
    """Return the pages of each site of the half that is asked for."""
    folder, sites = data_folder("sites"), defaultdict[str, list[Recipe]](list)
    for row in read_rows(folder / "titles.jsonl"):
        if is_chosen(row["site"]):
            html = gzip.decompress((folder / row["html_path"]).read_bytes()).decode("utf-8", "replace")
            sites[row["site"]].append(read_recipe(row["id"], html, row["url"]))
    return sites


@dataclass(frozen=True)
class Case:
    """One label of one page, read by a wrapper of the other."""

    page: str
    label: str
    outcome: str
    confidence: float
    learned: list[str]
    wanted: list[str]
    got: list[str]


def try_pair(taught: Recipe, other: Recipe) -> list[Case]:
    """Learn one page, read the other."""
    labels = [label for label in taught.truth if label in other.truth]
    wrapper = learn_what_can_be(taught, labels)
    found = None if wrapper is None else wrapper.extract(other.page)
    cases = []
    for label in labels:
        if wrapper is None or found is None or label not in wrapper.labels:
            cases.append(Case(other.name, label, "not learned", 0.0, taught.truth[label], other.truth[label], []))
            continue
        values, doubtful = found.values[label], found.doubtful.get(label, [])
        outcome = judge(values or doubtful, other.truth[label])
        if outcome != "missing" and not values:
            outcome = f"doubtful, {outcome}"
        sure = found.confidence.get(label, 0.0)
        cases.append(
            Case(other.name, label, outcome, sure, taught.truth[label], other.truth[label], values or doubtful)
        )
    return cases


def learn_what_can_be(taught: Recipe, labels: list[str]) -> windrow.Wrapper | None:
    """Learn all labels, without those that can't be learned together with the others."""
    kept: dict[str, list[str]] = {}
    wrapper = None
    for trial in [labels, *[[label] for label in labels]]:
        try:
            wrapper = windrow.learn(taught.page, kept | {label: taught.truth[label] for label in trial})
        except WindrowError:
            continue
        kept |= {label: taught.truth[label] for label in trial}
        if len(kept) == len(labels):
            break
    return wrapper


def judge(got: list[str], wanted: list[str]) -> str:
    """Say whether values are the true ones."""
    if not got:
        return "missing"
    return "right" if {*map(alike, got)} == {*map(alike, wanted)} else "wrong"


def alike(text: str) -> str | float:
    """Return the form in which two texts are compared: figures by what they are worth, words in small letters."""
    try:
        return float(text)
    except ValueError:
        return comparable(text).casefold()


def main() -> int:
    """Read all sites and print the counts, by label and in all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", action="store_true", help="print what is not right")
    parser.add_argument("--sites", type=int, default=0, help="at most so many")
    args = parser.parse_args()
    counts = defaultdict[str, Counter[str]](Counter)
    for _, pages in sorted(read_sites().items())[: args.sites or None]:
        for taught, other in [pages, pages[::-1]] if len(pages) > 1 else []:
            for case in try_pair(taught, other):
                counts[case.label][case.outcome] += 1
                if args.cases and case.outcome != "right":
                    print(case)
    for label, found in [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]:
        total = found.total()
        stored = found["right"] + found["wrong"]
        shares = ", ".join(f"{name} {found[name] / total:.1%}" for name in OUTCOMES)
        print(f"{label:11} {total:5}: {shares}; wrong of stored {found['wrong'] / max(1, stored):.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
