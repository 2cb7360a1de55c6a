"""The files of weights: what the reader needs of them, and that the document shows what they say of themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from windrow.table.evidence import MARKED, MARKED_FILE, UNMARKED, UNMARKED_FILE
from windrow.weights import load_weights

DOCUMENT = Path(__file__).parents[2] / "docs" / "tables.md"
SIGNS = {MARKED_FILE: MARKED, UNMARKED_FILE: UNMARKED}


@pytest.mark.parametrize("file", SIGNS)
def test_every_weight_has_its_declared_sign(file: str) -> None:
    weights = load_weights("table", file).values
    assert set(weights) == set(SIGNS[file])
    assert all(SIGNS[file][name] * weight > 0 for name, weight in weights.items())


@pytest.mark.parametrize("file", SIGNS)
def test_the_document_shows_the_reliability(file: str) -> None:
    document = DOCUMENT.read_text("utf-8")
    head = load_weights("table", file).head
    assert f"{head['grids']} labelled grids of {head['sites']} sites" in document
    for row in head["reliability"]:
        if row["from"] >= 0.5:
            start, stated, true = row["from"], row["stated"], row["true"]
            line = f"| {start:.1f} to {start + 0.1:.1f} | {row['count']} | {stated:.2f} | {true:.2f} |"
            assert line in document
