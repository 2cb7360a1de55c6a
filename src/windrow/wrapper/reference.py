"""The pages that a wrapper was learned from: what was pasted, and of the first its region, bar-tree and skeleton."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.errors import UsageError
from windrow.wrapper.normalization import folded
from windrow.wrapper.template.bartree import BarTree, grow_bartree
from windrow.wrapper.template.skeleton import Skeleton, find_counted, read_digest, read_skeleton

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.nodes.columns import Ids
    from windrow.page import Page
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.text_search import Occurrence, TextIndex


def texts_of(label: str, pasted: str | Sequence[str]) -> tuple[str, ...]:
    """Return what was pasted for a label, one text or several; ``UsageError`` where it is no text."""
    given: object = [pasted] if isinstance(pasted, str) else pasted
    if not isinstance(given, Iterable) or not all(isinstance(text, str) for text in given):
        raise UsageError(f"What was pasted for {label!r} is no text. Give it as the page displays it, in quotes.")
    return tuple(given)


@dataclass(frozen=True)
class Example:
    """What is kept of an example to heal by."""

    url: str
    values: Mapping[str, tuple[str, ...]]
    """What was pasted, by label; nothing where the page was said to lack it."""
    source: str = ""
    """The file that it was read from; empty where it came from its address or from memory."""
    region: str = ""
    """The text of the whole region of interest, where it was pasted."""
    rows: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    """The rows of a list, where rows were pasted."""

    @classmethod
    def of(cls, page: Page, wanted: Mapping[str, Sequence[str]], region: str = "") -> Example:
        """Take an example."""
        source = "" if page.source == "memory" or page.source.startswith(("http:", "https:")) else page.source
        values = {label: tuple(map(str, texts)) for label, texts in wanted.items()}
        return cls(address_of(page), values, source, str(region))

    @classmethod
    def of_record(cls, url: str, values: Mapping[str, str | Sequence[str]]) -> Example:
        """Take a record as it was stored: the address of its page, and its texts by label."""
        return cls(url.partition("#")[0], {label: texts_of(label, some) for label, some in values.items()})

    @classmethod
    def of_rows(cls, page: Page, rows: Sequence[Mapping[str, str | Sequence[str]]]) -> Example:
        """Take an example of a list."""
        texts = [{label: tuple(map(str, texts_of(label, some))) for label, some in row.items()} for row in rows]
        columns: dict[str, list[str]] = {}
        for row in texts:
            for label, some in row.items():
                columns.setdefault(label, []).extend(text for text in some if text.strip())
        return replace(cls.of(page, columns), rows=tuple(texts))

    def renamed(self, names: Mapping[str, str]) -> Example:
        """Return the same with other names of labels."""
        values, *rows = (
            {names.get(label, label): texts for label, texts in one.items()} for one in (self.values, *self.rows)
        )
        return replace(self, values=values, rows=tuple(rows))

    def lacking_too(self, earlier: Sequence[Example]) -> Example:
        """Return the same, lacking as well what earlier examples of the address lack, where it has no text for it."""
        lacking = (other.values for other in earlier if other.url == self.url)
        absent = {label: () for values in lacking for label, texts in values.items() if not texts}
        return replace(self, values={**absent, **self.values})

    def is_of(self, page: Page) -> bool:
        """Whether a page has the address of the example."""
        return bool(self.url) and address_of(page) == self.url

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        said = {name: text for name, text in (("source", self.source), ("region", self.region)) if text}
        plain = {"url": self.url, **said, "values": {label: list(texts) for label, texts in self.values.items()}}
        rows = [{label: list(texts) for label, texts in row.items()} for row in self.rows]
        return plain | ({"rows": rows} if rows else {})

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Example:
        """Return what ``to_dict`` wrote."""
        values, *rows = (
            {label: tuple(map(str, texts)) for label, texts in one.items()}
            for one in (plain["values"], *plain.get("rows", ()))
        )
        said = str(plain.get("source", "")), str(plain.get("region", ""))
        return cls(str(plain["url"]), values, *said, tuple(rows))


def expect_page(page: object) -> None:
    """Raise a ``UsageError`` where something else than a page was given."""
    if not hasattr(page, "nodes"):
        given = f"{page[:80]!r}" if isinstance(page, str) else f"A value of type {type(page).__name__}"
        raise UsageError(f"{given} is no page. Load it first: windrow.load(…), or windrow.parse(…) for HTML at hand.")


def address_of(page: Page) -> str:
    """Return a page's address without the part that never reaches a server."""
    return page.url.partition("#")[0]


@dataclass(frozen=True)
class Target:
    """A pasted text, the number of the element that shows it, and how often the page shows it."""

    text: str
    element: int
    count: int


@dataclass(frozen=True)
class Reference:
    """What is kept of the page that was learned first."""

    url: str
    targets: tuple[Target, ...]
    line: str
    """The skeleton."""
    digest: str
    tree: BarTree
    """The paper's tree, around the pasted texts."""

    @cached_property
    def skeleton(self) -> Skeleton:
        """The skeleton, read back."""
        return Skeleton.from_line(self.line)

    @property
    def is_held(self) -> bool:
        """Whether the page displayed none of the pasted texts: its attributes held them."""
        return not any(target.count for target in self.targets)

    @property
    def texts(self) -> list[str]:
        """The pasted texts."""
        return [target.text for target in self.targets]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {
            "url": self.url,
            "targets": [[target.text, target.element, target.count] for target in self.targets],
            "skeleton": self.line,
            "digest": self.digest,
            "tree": self.tree.to_dict(),
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Reference:
        """Return what ``to_dict`` wrote."""
        targets = tuple(Target(str(text), int(element), int(count)) for text, element, count in plain["targets"])
        tree = BarTree.from_dict(plain["tree"])
        return cls(str(plain["url"]), targets, str(plain["skeleton"]), str(plain["digest"]), tree)


def describe_reference(url: str, index: TextIndex, texts: Sequence[str]) -> Reference:
    """Return the description of the page that is learned, with the pasted texts in it."""
    features = index.features
    nodes = features.nodes
    found = choose_places(index, texts, held=True)
    counted = find_counted(nodes)
    elements = {text: element_number(features, counted, place.node) for text, place in found.items()}
    targets = tuple(Target(str(text), element, index.whole.count(folded(text))) for text, element in elements.items())
    first, last = region_of(features, list(found.values()))
    tree = grow_bartree(nodes, first, last)
    return Reference(url, targets, read_skeleton(nodes).to_line(), read_digest(nodes), tree)


def choose_places(index: TextIndex, texts: Sequence[str], *, held: bool = False) -> dict[str, Occurrence]:
    """Return each text that the page shows; of several places the one nearest to the texts that stand only once.

    With ``held``, where it shows none of them, those that its attributes hold.
    """
    features = index.features
    known = {text: places for text in dict.fromkeys(texts) if (places := index.find(text))}
    displayed = {text: places for text, places in known.items() if not places[0].attribute}
    found = displayed or (known if held else {})
    single = [int(features.first_text[places[0].node]) for places in found.values() if len(places) == 1]
    centre = float(np.median(single)) if single else 0.0
    return {
        text: min(places, key=lambda place: abs(int(features.first_text[place.node]) - centre))
        for text, places in found.items()
    }


def region_of(features: PageFeatures, places: Sequence[Occurrence]) -> tuple[int, int]:
    """Return the first and the last text node of the region of interest, or element where one shows no text."""
    ends = []
    for node in (place.node for place in places):
        first, last = int(features.first_text[node]), int(features.last_text[node])
        ends += [int(features.texts[first]), int(features.texts[last - 1])] if first < last else [node]
    return min(ends), max(ends)


def element_number(features: PageFeatures, counted: Ids, node: int) -> int:
    """Return the number that the element of a place has among the counted ones."""
    element = int(features.up[node]) if features.is_text[node] else node
    return max(0, int(np.searchsorted(counted, element, side="right")) - 1)


def tree_of_texts(index: TextIndex, learned: Reference) -> BarTree | None:
    """Grow the paper's tree of a page around learned texts; None where it shows none of them."""
    found = choose_places(index, learned.texts, held=learned.is_held)
    if not found:
        return None
    return grow_bartree(index.features.nodes, *region_of(index.features, list(found.values())), learned.tree.ratio)
