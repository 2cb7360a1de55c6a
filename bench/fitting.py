"""What the commands that fit weights share: the data's digest, folds by site, logistic fits, reliability, the file."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import windrow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windrow.weights import Calibration

Numbers = NDArray[np.float64]
PACKAGE = Path(windrow.__file__).parent
DIGITS = 3
"""Decimals of a weight that is written: fewer than what machines add up differently, more than what matters."""
STEPS = 200
STEEPEST = 30.0
BUCKETS = 10
END = "<!-- end -->"
"""What stands in a document behind a table that a command writes."""


def digest_of(folder: Path) -> str:
    """Return a digest of the names and contents of all files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def deal_sites(sites: Sequence[str], folds: int, deal: int = 0) -> NDArray[np.intp]:
    """Return the fold of each row; rows of one site share theirs. Another ``deal`` is another way to deal them."""
    return np.array([zlib.crc32(f"{deal} {site}".encode()) % folds for site in sites], np.intp)


def weigh_sites(sites: Sequence[str]) -> Numbers:
    """Return how much each row counts, so that a site with a hundred rows has no hundred votes."""
    _, place, count = np.unique(np.array(sites), return_inverse=True, return_counts=True)
    votes = count[place] ** -0.5
    return np.asarray(votes / votes.mean(), np.float64)


@dataclass(frozen=True)
class Logistic:
    """A fitted model: log-odds = bias + features · weights."""

    bias: float
    weights: Numbers

    def odds(self, features: Numbers) -> Numbers:
        """Return the log-odds of each row."""
        return np.asarray(self.bias + features @ self.weights)

    def probability(self, features: Numbers) -> Numbers:
        """Return the probability of each row."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self.odds(features), -STEEPEST, STEEPEST))))


def fit_logistic(
    features: Numbers,
    right: NDArray[np.bool_],
    votes: Numbers | None = None,
    *,
    penalty: float = 1.0,
    signs: Sequence[int] | None = None,
) -> Logistic:
    """Fit a logistic regression with a square penalty on standardised features, by Newton's method.

    ``signs`` declares beforehand which way a feature may count: 1, -1, or 0 for either; a weight that would end on
    the wrong side is 0.
    """
    spread = features.std(axis=0)
    spread[spread == 0] = 1.0
    centre = features.mean(axis=0)
    scaled = (features - centre) / spread
    free = np.ones(scaled.shape[1], bool)
    while True:
        solved = _newton(scaled[:, free], right, np.ones(len(right)) if votes is None else votes, penalty)
        weights = np.zeros(len(free))
        weights[free] = solved[1:]
        wrong = np.array([sign * weight < 0 for sign, weight in zip(signs or [0] * len(free), weights, strict=True)])
        if not wrong.any():
            break
        # The worst offender first: the others may turn around once it is gone.
        free[int(np.argmax(np.where(wrong, np.abs(weights), -1)))] = False
    weights = weights / spread
    return Logistic(float(solved[0] - weights @ centre), weights)


def _newton(features: Numbers, right: NDArray[np.bool_], votes: Numbers, penalty: float) -> Numbers:
    rows = np.column_stack([np.ones(len(features)), features])
    pull = np.diag([1e-6, *[penalty] * features.shape[1]])
    solved = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ solved, -STEEPEST, STEEPEST)))
        slope = rows.T @ (votes * (right - chance)) - pull @ solved
        bend = (rows * (votes * np.maximum(chance * (1 - chance), 1e-6))[:, None]).T @ rows + pull
        step = np.linalg.solve(bend, slope)
        solved = solved + step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:  # noqa: PLR2004 - far below what is written
            break
    return solved


def leave_sites_out(  # noqa: PLR0913 - the data, and how to fit
    features: Numbers,
    right: NDArray[np.bool_],
    sites: Sequence[str],
    *,
    penalty: float = 1.0,
    signs: Sequence[int] | None = None,
    folds: int = 8,
) -> Numbers:
    """Return the probability of each row by a fit without the rows of its site's fold."""
    found, fold, votes = np.zeros(len(right)), deal_sites(sites, folds), weigh_sites(sites)
    for number in np.unique(fold):
        out = fold == number
        model = fit_logistic(features[~out], right[~out], votes[~out], penalty=penalty, signs=signs)
        found[out] = model.probability(features[out])
    return found


def find_reliability(
    stated: Numbers, right: NDArray[np.bool_], buckets: int = BUCKETS, sites: Sequence[str] = ()
) -> list[dict[str, float]]:
    """Return, for each part of the stated confidence that occurs, how many there are and what is true of them.

    Where the sites of the rows are given, it says how many sites those are of, too.
    """
    bucket = np.minimum((stated * buckets).astype(int), buckets - 1)
    return [
        {
            "from": number / buckets,
            "count": int((bucket == number).sum()),
            **({"sites": len(np.unique(np.array(sites)[bucket == number]))} if sites else {}),
            "stated": round(float(stated[bucket == number].mean()), DIGITS),
            "true": round(float(right[bucket == number].mean()), DIGITS),
        }
        for number in range(buckets)
        if (bucket == number).any()
    ]


def reliability_to_markdown(rows: Iterable[Mapping[str, float]], buckets: int = BUCKETS) -> str:
    """Write a reliability table for a document."""
    rows = list(rows)
    of_sites = " of sites |" if "sites" in rows[0] else ""
    lines = [f"| confidence | results |{of_sites} stated | right |", "|---|---|---|---|" + "---|" * bool(of_sites)]
    for row in rows:
        counts = " | ".join(str(row[name]) for name in ("count", "sites") if name in row)
        lines.append(
            f"| {row['from']:.1f} to {row['from'] + 1 / buckets:.1f} | {counts} | {row['stated']:.2f} "
            f"| {row['true']:.2f} |"
        )
    return "\n".join(lines) + "\n"


def write_into(document: Path, mark: str, table: str) -> None:
    """Put a table into a document, between its mark and the end."""
    before, begin, rest = document.read_text("utf-8").partition(mark)
    _, end, after = rest.partition(END)
    document.write_text(f"{before}{begin}\n{table}{end}{after}", "utf-8")


def write_weights(  # noqa: PLR0913 - one a part of the file
    room: str,
    *,
    head: Mapping[str, Any],
    bias: float = 0.0,
    values: Mapping[str, float] | None = None,
    thresholds: Mapping[str, float] | None = None,
    calibrations: Mapping[str, Calibration] | None = None,
    file: str = "weights.json",
) -> Path:
    """Write a room's file: the same bytes for the same numbers."""
    plain = {
        "head": {"made by": f"make weights-{room}", **head},
        "bias": round(bias, DIGITS),
        "values": _rounded(values or {}),
        "thresholds": _rounded(thresholds or {}),
        "calibrations": {
            name: {"bias": round(found.bias, DIGITS), "weights": _rounded(found.weights)}
            for name, found in sorted((calibrations or {}).items())
        },
    }
    path = PACKAGE / room / file
    path.write_text(json.dumps(plain, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"wrote {path.name} of {room}")
    return path


def _rounded(numbers: Mapping[str, float]) -> dict[str, float]:
    return {name: round(float(value), DIGITS) + 0.0 for name, value in sorted(numbers.items())}
