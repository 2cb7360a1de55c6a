"""From which likeness of its fingerprint on a page of another address shows the learned template."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from data import data_folder, read_rows
from fitting import Numbers, deal_sites

import windrow
from windrow.wrapper.page_features import features_of
from windrow.wrapper.template.skeleton import Fingerprint, find_pairs

if TYPE_CHECKING:
    from detail_pages import Known
    from numpy.typing import NDArray

FOLDS = 8
MOST_PAGES = 10
"""Pages of a site that are compared with its first."""
SAME_TEMPLATE = 0.9
"""Two versions of a publisher that are more alike than this show one template."""


def find_templates(sites: Mapping[str, list[Known]]) -> tuple[Numbers, NDArray[np.bool_], list[str]]:
    """Return how alike pages of two addresses are, which of them show two templates, and whose they are."""
    likeness, changed, owners = [], [], []
    folder, versions = data_folder("changes"), defaultdict(list)
    for row in read_rows(folder / "fundus.jsonl"):
        text = gzip.decompress((folder / row["html"]).read_bytes()).decode("utf-8", "replace")
        versions[row["site"]].append((windrow.parse(text, url=row["url"]), row["jaccard_to_previous"] or 0.0))
    for site, pages in versions.items():
        for (old, _), (new, same) in pairwise(pages):
            if same < SAME_TEMPLATE:
                likeness.append(compare(old, new))
                changed.append(True)
                owners.append(site)
    for site, known in sites.items():
        for other in known[1:MOST_PAGES]:
            likeness.append(compare(known[0].page, other.page))
            changed.append(False)
            owners.append(site)
    return np.array(likeness), np.array(changed), owners


def compare(old: windrow.Page, new: windrow.Page) -> float:
    """Return how much of one page's fingerprint another page has."""
    first = find_pairs(features_of(old.nodes))
    return Fingerprint(first, first).likeness(find_pairs(features_of(new.nodes)))


def find_cut(likeness: Numbers, changed: NDArray[np.bool_]) -> float:
    """Return the middle of the widest range in which a cut tells changed from unchanged templates best."""
    ordered = np.unique(likeness)
    cuts = (ordered[1:] + ordered[:-1]) / 2
    right = [f1_of(likeness < cut, changed) for cut in cuts]
    best = np.flatnonzero(np.array(right).round(6) == round(max(right), 6))
    return float((ordered[best[0]] + ordered[best[-1] + 1]) / 2)


def f1_of(said: NDArray[np.bool_], changed: NDArray[np.bool_]) -> float:
    """Return the harmonic mean of precision and recall of what was said to be changed."""
    return float(2 * (said & changed).sum() / (said.sum() + changed.sum()))


def leave_cut_out(likeness: Numbers, changed: NDArray[np.bool_], sites: Sequence[str]) -> float:
    """Return how well changed and unchanged templates are told apart by cuts that were chosen on other sites."""
    fold, said = deal_sites(sites, FOLDS), np.zeros(len(sites), bool)
    for number in np.unique(fold):
        out = fold == number
        said[out] = likeness[out] < find_cut(likeness[~out], changed[~out])
    return f1_of(said, changed)
