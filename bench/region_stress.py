"""Rewrite list pages as other sites would have written them, and see whether the records are still found.

    WINDROW_BENCH_DATA=… [HALF=a] python bench/region_stress.py [--only "records flat"] [--render]

Pages are those of the folder ``records`` whose records are among what is repeated on them. Each change leaves the texts
of the records as they stand, so these texts are the truth. A page is right when its first region agrees with them with
an F1 of at least 0.8.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from data import data_folder, read_rows
from detail_pages import is_chosen, parse_tree, settled
from list_mutations import CHANGES, SHORT, Subject, agreement
from records_truth import Truth
from turbohtml import Node

import windrow
from windrow.region.best import find_candidates
from windrow.region.measures import PageMeasures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

RIGHT = 0.8
SOURCE = "fadwa"
"""Where one list a page is marked: of the other pages any marked list may be the one that is changed."""


def main() -> int:
    """Change every page in every way, and print what is left."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=CHANGES, default=list(CHANGES), metavar="CHANGE")
    parser.add_argument("--render", action="store_true", help="lay the changed pages out")
    arguments = parser.parse_args()
    folder = data_folder("records")
    reached: dict[str, list[float]] = defaultdict(list)
    for row in read_rows(folder / "records.jsonl"):
        if row.get("source", SOURCE) == SOURCE and is_chosen(row["site"]):
            html, url = read_html(folder, row), f"https://{row['site']}/"
            for name, changed, wanted in rewrite(html, url, row, arguments.only):
                regions = windrow.parse(changed, url=url, render=arguments.render).regions()
                found = [record.text for record in regions[0].records] if regions else []
                reached[name].append(agreement(found, wanted))
    print("| change | pages | right | F1 |\n|---|---|---|---|")
    for name in arguments.only:
        if got := reached[name]:
            right = sum(each >= RIGHT for each in got) / len(got)
            print(f"| {name} | {len(got)} | {right:.2f} | {sum(got) / len(got):.2f} |")
    return 0


def read_html(folder: Path, row: dict[str, Any]) -> str:
    """Return a page as it is written out again, so that broken markup is no change."""
    return settled((folder / row["html_path"]).read_bytes().decode(row["charset"] or "utf-8", "replace"))


def rewrite(html: str, url: str, row: dict[str, Any], names: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield what each change makes of a page whose records can be found, and the texts of the records that are left."""
    page = windrow.parse(html, url=url, render=False)
    truth, groups = Truth(page.nodes, row["truth"]), find_candidates(PageMeasures(page.nodes))
    agreed = [truth.agreement(group.records) for group in groups]
    if max(agreed, default=0.0) < RIGHT:
        return
    records = groups[agreed.index(max(agreed))].records
    texts = ["\n".join(map(page.nodes.visible_text, record)) for record in records]
    paths = [[page.xpath(node) for node in record] for record in records]
    left = {f"{count} records": count for count in SHORT}
    for name in names:
        root = parse_tree(html)
        trees = [[node for path in record if isinstance(node := root.xpath_one(path), Node)] for record in paths]
        if all(trees) and CHANGES[name](Subject(root, trees, random.Random(row["id"]))):  # noqa: S311 - no secret
            yield name, root.html, texts[: left.get(name)]


if __name__ == "__main__":
    sys.exit(main())
