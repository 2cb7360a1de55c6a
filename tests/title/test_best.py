"""The best title: every case is a folder with a page, its address and the title that a reader would give it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import windrow

CASES = sorted((Path(__file__).parent / "cases").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_title_of_case(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    page = windrow.parse((case / "page.html").read_bytes(), url=expected["url"])
    assert page.title().text == expected["title"]
