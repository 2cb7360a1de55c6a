"""The quality gate: small pages of all kinds, each with the list that it is about and what was read of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import windrow

QUALITY = Path(__file__).parent / "quality"
URL = "https://quality.example/list"
CASES = {path.parent.name: json.loads(path.read_text("utf-8")) for path in sorted(QUALITY.glob("*/expected.json"))}
LEAST_CASES = 25


def marked(case: str) -> Any:  # noqa: ANN401 -- pytest names no type for it
    return pytest.param(case, marks=pytest.mark.browser) if CASES[case].get("browser") else case


@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_page_is_read_as_expected(case: str) -> None:
    expected = CASES[case]
    html = (QUALITY / case / "page.html").read_text("utf-8")
    regions = windrow.parse(html, url=URL, render=bool(expected.get("browser"))).regions()
    wanted = [records for records in [expected["records"], *expected.get("further", [])] if records]
    for records, region in zip(wanted, regions, strict="further" in expected or not wanted):
        texts = [record.text for record in region.records]
        assert len(texts) == len(records), texts
        assert all(words in text for words, text in zip(records, texts, strict=True)), texts
        assert not any(words in text for words in expected.get("without", []) for text in texts)
    if not wanted:
        return
    first = regions[0]
    for name in ("columns", "rows", "next_url"):
        if name in expected:
            assert getattr(first, name) == expected[name]
    fields = first.records[0].fields
    assert {name: fields.get(name) for name in expected.get("first", {})} == expected.get("first", {})
    assert [region.confidence for region in regions] == sorted((r.confidence for r in regions), reverse=True)


def test_there_are_enough_pages() -> None:
    assert len(CASES) >= LEAST_CASES
