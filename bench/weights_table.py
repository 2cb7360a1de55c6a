"""Fit what the evidence for tables weighs, and how sure the reader may be of one: ``make weights-table``.

    WINDROW_BENCH_DATA=… python bench/weights_table.py

Two models, each with few measures whose signs are declared beforehand: one for grids that their author marked as a
table, a definition list or preformatted text, one for other grids. Labelled ``<table>`` elements come from the folders
``tables`` and ``tables-genuine``; other grids are labelled in ``labelled_grids.jsonl`` beside this file, by page and
XPath, and the tables of the folder ``tables`` that were written again as CSS grids are genuine. Pages are laid out only
where a label was given to boxes: the measures of markup hardly differ with a browser and without.
"""

from __future__ import annotations

import gzip
import itertools
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from data import data_folder, read_rows
from fitting import (
    Logistic,
    deal_sites,
    digest_of,
    find_reliability,
    fit_logistic,
    leave_sites_out,
    reliability_to_markdown,
    weigh_sites,
    write_into,
    write_weights,
)

import windrow
from windrow.nodes import xpath
from windrow.table.best import PARAMETERS, find_candidates
from windrow.table.evidence import MARKED, MARKED_FILE, UNMARKED, UNMARKED_FILE, Counts, measure
from windrow.table.grid import condense
from windrow.table.headers import Looks
from windrow.table.hidden import Shown
from windrow.table.repetition import find_calling, find_repeated_roots
from windrow.weights import Calibration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fitting import Numbers
    from numpy.typing import NDArray

    from windrow.nodes import Nodes
    from windrow.table.grid import Grid

FOLDERS = ("tables", "tables-genuine")
LISTS = "lists and text"
LABELS = {"genuine": True, "non-genuine": False}
OTHERS = Path(__file__).with_name("labelled_grids.jsonl")
PAGES = {
    "tables": "tables.jsonl",
    "tables-genuine": "tables.jsonl",
    "titles": "titles.jsonl",
    "sites": "titles.jsonl",
    "wrappers": "pages.jsonl",
    "records": "records.jsonl",
    "toplists": "gold.jsonl",
}
"""Where the pages of each folder are listed."""
VOTES = {"tables": 0.5, "written again": 1.5}
"""How much a grid counts by its source, where that is not 1: one encyclopedia has many tables that are alike, and those
written again are the only ones without markup that have many rows and columns."""
PENALTY = {MARKED_FILE: 0.5, UNMARKED_FILE: 1.0}
FOLDS, DEALS = 8, 4
DOCUMENT = Path(__file__).parents[1] / "docs" / "tables.md"
RELIABILITY = {
    MARKED_FILE: "<!-- reliability of marked grids by make weights-table -->",
    UNMARKED_FILE: "<!-- reliability of other grids by make weights-table -->",
}
ABLATION_MARKED = "<!-- ablation of marked grids by make weights-table -->"
ABLATION_UNMARKED = "<!-- ablation of other grids by make weights-table -->"


@dataclass(frozen=True)
class Sample:
    """A labelled grid."""

    source: str
    folder: str
    page: str
    site: str
    measures: Mapping[str, float]
    genuine: bool


def read_tables(name: str) -> Iterator[Sample]:
    """Yield the labelled ``<table>`` elements of one folder."""
    folder = data_folder(name)
    gold = folder / "gold.jsonl"
    groups = {Path(row["page"]).name: row["group"] for row in read_rows(gold)} if gold.exists() else {}
    for row in read_rows(folder / "tables.jsonl"):
        nodes = windrow.load(folder / row["html_path"], render=False).nodes
        grids = {grid.root: grid for grid in _candidates(nodes) if grid.kind == "table"}
        tables, counts = nodes.tag.where("table").tolist(), Counts(nodes)
        site = groups.get(Path(row["html_path"]).name, row["site"])
        for label in row["tables"]:
            grid = grids.get(tables[label["index"]]) if label["index"] < len(tables) else None
            if grid is not None and label["label"] in LABELS:
                yield Sample(name, name, row["id"], site, measure(grid, counts), LABELS[label["label"]])


def read_others() -> Iterator[Sample]:
    """Yield the labelled grids of other elements, on pages that are laid out where the label was given to boxes."""
    wanted: dict[tuple[str, str, bool], dict[str, bool]] = {}
    for row in read_rows(OTHERS):
        wanted.setdefault((row["folder"], row["page"], row["rendered"]), {})[row["xpath"]] = row["genuine"]
    for (name, page, rendered), labels in wanted.items():
        folder = data_folder(name)
        row = _pages(name)[page]
        nodes = _load(folder / (row.get("html_path") or row["html"]), render=rendered)
        counts = Counts(nodes)
        for grid in _candidates(nodes):
            if grid.kind == "table" or (grid.kind == "boxes") != rendered:
                continue
            genuine = labels.pop(xpath(nodes, grid.root), None)
            if genuine is not None:
                source = LISTS if grid.is_marked else "boxes" if rendered else "rows"
                yield Sample(source, name, page, _site(row), measure(grid, counts), genuine)


@cache
def _pages(name: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in read_rows(data_folder(name) / PAGES[name])}


def read_written_again() -> Iterator[Sample]:
    """Yield the tables that were written again as CSS grids; all of them are genuine."""
    folder = data_folder("tables")
    for row in read_rows(folder / "tables.jsonl"):
        if row["reencoded"]:
            nodes = windrow.load(folder / row["reencoded"]["grid"], render=False).nodes
            counts = Counts(nodes)
            for grid in _candidates(nodes):
                yield Sample("written again", "tables", row["id"], row["site"], measure(grid, counts), genuine=True)


def _candidates(nodes: Nodes) -> list[Grid]:
    roots = None if nodes.layout is not None else find_repeated_roots(nodes, find_calling(nodes.elements))
    return [condense(grid) for grid in find_candidates(Shown(nodes), Looks(nodes), roots)]


def _load(path: Path, *, render: bool) -> Nodes:
    if path.suffix == ".gz":
        return windrow.parse(gzip.decompress(path.read_bytes()), url="https://example.org/", render=render).nodes
    return windrow.load(path, url="https://example.org/", render=render).nodes


def _site(row: Mapping[str, Any]) -> str:
    return str(row.get("site") or urlsplit(row["url"]).hostname)


@dataclass(frozen=True)
class Fit:
    """A model, its calibration, and what was stated of each sample without its site."""

    samples: list[Sample]
    names: list[str]
    model: Logistic
    calibration: Calibration
    stated: Numbers

    @classmethod
    def of(cls, samples: list[Sample], signs: Mapping[str, int], penalty: float) -> Fit:
        """Fit a model; the calibration is fitted to scores of sites left out."""
        features, genuine, votes = _features(samples, signs), _labels(samples), _votes(samples)
        sites = [sample.site for sample in samples]
        how: dict[str, Any] = {"penalty": penalty, "signs": list(signs.values())}
        score = np.zeros(len(samples))
        for deal, number in itertools.product(range(DEALS), range(FOLDS)):
            out = deal_sites(sites, FOLDS, deal) == number
            score[out] += fit_logistic(features[~out], genuine[~out], votes[~out], **how).odds(features[out]) / DEALS
        return cls(samples, list(signs), fit_logistic(features, genuine, votes, **how), *_calibrate(samples, score))


def _calibrate(samples: list[Sample], score: Numbers) -> tuple[Calibration, Numbers]:
    """Fit a calibration to scores, and return what it states of each sample without its site."""
    column, genuine, sites = score[:, None], _labels(samples), [sample.site for sample in samples]
    found = fit_logistic(column, genuine, _votes(samples), signs=[1])
    return Calibration(found.bias, {"score": float(found.weights[0])}), leave_sites_out(
        column, genuine, sites, signs=[1]
    )


def _features(samples: list[Sample], signs: Mapping[str, int]) -> Numbers:
    return np.array([[sample.measures[name] for name in signs] for sample in samples])


def _labels(samples: list[Sample]) -> NDArray[np.bool_]:
    return np.array([sample.genuine for sample in samples])


def _votes(samples: list[Sample]) -> Numbers:
    return weigh_sites([sample.site for sample in samples]) * [VOTES.get(sample.source, 1.0) for sample in samples]


def _head(samples: list[Sample], stated: Numbers) -> dict[str, Any]:
    """Describe the data, and what was reached on sites left out."""
    source, genuine = np.array([sample.source for sample in samples]), _labels(samples)
    left_out = {str(name): _measure(stated[source == name], genuine[source == name]) for name in np.unique(source)}
    reliability = find_reliability(stated, genuine)
    print("\n".join(f"  left out, {name}: {measures}" for name, measures in left_out.items()))
    return {
        "grids": len(samples),
        "pages": len({(sample.folder, sample.page) for sample in samples}),
        "sites": len({sample.site for sample in samples}),
        "sites left out": left_out,
        "reliability": reliability,
        "data": {name: digest_of(data_folder(name)) for name in sorted({sample.folder for sample in samples})},
    }


def _measure(stated: Numbers, genuine: NDArray[np.bool_]) -> dict[str, float]:
    accepted = stated >= PARAMETERS.least_confidence
    right = int((accepted & genuine).sum())
    return {
        "grids": len(genuine),
        "precision": round(right / max(int(accepted.sum()), 1), 3),
        "recall": round(right / max(int(genuine.sum()), 1), 3),
        "Brier score": round(float(((stated - genuine) ** 2).mean()), 3),
    }


def ablate(samples: list[Sample], signs: Mapping[str, int], penalty: float) -> str:
    """Write a table of what is reached on sites left out, and what without each of the measures."""
    genuine = _labels(samples)
    found = {"all measures": _measure(Fit.of(samples, signs, penalty).stated, genuine)}
    for name in signs:
        others = {other: sign for other, sign in signs.items() if other != name}
        found[f"without `{name}`"] = _measure(Fit.of(samples, others, penalty).stated, genuine)
    columns = [column for column in found["all measures"] if column != "grids"]
    lines = [[name, *(f"{reached[column]:.3f}" for column in columns)] for name, reached in found.items()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [["", *columns], ["---"] * (len(columns) + 1), *lines])


def write(file: str, fit: Fit, head: Mapping[str, Any], calibrations: Mapping[str, Calibration]) -> None:
    """Write one model, with its calibrations: of tables, and of other grids that it judges; and how sure it is."""
    sure = [row for row in head["reliability"] if row["from"] >= PARAMETERS.least_confidence]
    labelled = f"{head['grids']} labelled grids of {head['sites']} sites:\n\n"
    write_into(DOCUMENT, RELIABILITY[file], f"{labelled}{reliability_to_markdown(sure)}")
    values = dict(zip(fit.names, fit.model.weights.tolist(), strict=True))
    write_weights("table", head=head, bias=fit.model.bias, values=values, calibrations=calibrations, file=file)


def main() -> None:
    """Fit both models; definition lists and preformatted text are too few to be fitted, so they are only calibrated."""
    others = list(read_others())
    tables = Fit.of([sample for name in FOLDERS for sample in read_tables(name)], MARKED, PENALTY[MARKED_FILE])
    lists = [sample for sample in others if sample.source == LISTS]
    calibration, stated = _calibrate(lists, tables.model.odds(_features(lists, MARKED)))
    head = _head([*tables.samples, *lists], np.concatenate([tables.stated, stated]))
    write(MARKED_FILE, tables, head, {"table": tables.calibration, "other": calibration})
    unmarked = [sample for sample in others if sample.source != LISTS]
    grids = Fit.of([*unmarked, *read_written_again()], UNMARKED, PENALTY[UNMARKED_FILE])
    windrow.close()
    write_into(DOCUMENT, ABLATION_MARKED, ablate(tables.samples, MARKED, PENALTY[MARKED_FILE]))
    write_into(DOCUMENT, ABLATION_UNMARKED, ablate(grids.samples, UNMARKED, PENALTY[UNMARKED_FILE]))
    write(UNMARKED_FILE, grids, _head(grids.samples, grids.stated), {"other": grids.calibration})


if __name__ == "__main__":
    main()
