"""Pages in the likeness of what was met, each with what must be read from it: lists, and lookalikes without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import windrow

QUALITY = Path(__file__).parent / "quality"
CASES = sorted(path.parent for path in QUALITY.glob("*/expected.json"))
SAID = ("k", "concept", "criterion", "time", "location")
LEAST_PAGES = 25


def read(case: Path) -> windrow.Page:
    return windrow.parse((case / "page.html").read_bytes(), url="https://orchard.example/a/")


def test_there_are_enough_pages_of_either_kind() -> None:
    lists = [json.loads((case / "expected.json").read_text("utf-8"))["names"] is not None for case in CASES]
    assert len(lists) >= LEAST_PAGES
    assert lists.count(False) >= LEAST_PAGES // 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_page(case: Path) -> None:
    expected: dict[str, Any] = json.loads((case / "expected.json").read_text("utf-8"))
    page = read(case)
    found, verdict = page.toplist(), page.toplist_verdict()
    assert (found and [item.name for item in found.items]) == expected["names"], verdict.reason
    assert verdict.is_topk == expected["is_topk"], verdict.reason
    if not found:
        return
    assert {name: getattr(found, name) for name in SAID if name in expected} == {
        name: expected[name] for name in SAID if name in expected
    }
    for item, attributes in zip(found.items, expected.get("attributes", []), strict=False):
        assert attributes.items() <= item.attributes.items()
    if "urls" in expected:
        assert [item.url for item in found.items] == expected["urls"]
    assert expected.get("first_text", "") in found.items[0].text
