"""Pages whose ranked list is among the candidates, with the places of its items, ready to be changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from detail_pages import parse_tree, settled
from toplist import Case, matches
from toplist_mutations import Subject, bare
from turbohtml import Element

import windrow

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Original:
    """A page, and where the items of its list stand."""

    html: str
    url: str
    paths: list[str]
    names: list[str]
    truth: list[set[str]]

    def subject(self, *, numbered: bool) -> Subject | None:
        """Return the page ready to be changed; nothing where its names cannot be found again."""
        root = parse_tree(self.html)
        heads = [root.xpath_one(path) for path in self.paths]
        found = [head for head in heads if isinstance(head, Element)]
        if len(set(found)) < len(self.paths):
            return None
        subject = Subject(root, found, self.names, self.truth, numbered)
        return subject if numbered or bare(subject) else None


def read_original(case: Case) -> Original | None:
    """Return a page with the places of its items, in the order of the page; nothing where no candidate is right.

    Of several right candidates the one that says most of its items is taken, whatever the ranker thinks of them.
    """
    html = settled(case.html)
    page = windrow.parse(html, url=case.row["url"])
    measured = page.toplist_reading.measured
    if measured is None or not measured.candidates:
        return None
    described = measured.columns["described"]
    for at in sorted(range(len(described)), key=lambda at: -described[at]):
        places = measured.candidates[at].lines
        names = [measured.names[place] for place in places]
        for truth in (case.names, case.names[::-1]):
            if matches(names, truth):
                return Original(html, case.row["url"], find_paths(page, places), names, truth)
    return None


def find_paths(page: windrow.Page, places: Iterable[int]) -> list[str]:
    """Return the paths of the elements that name items: a heading or a block."""
    lines = page.toplist_reading.lines
    assert lines  # noqa: S101 - there are candidates
    nodes = [lines.heading[place] if lines.heading[place] >= 0 else lines.block[place] for place in places]
    return [page.xpath(int(node)) for node in nodes]
