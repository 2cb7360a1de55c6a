"""Which grids are tables, and how many of their rows and columns are headings, on pages of our own of many kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import windrow

PAGES = sorted(path.parent for path in Path(__file__).with_name("quality").glob("*/page.html"))


def read(case: Path) -> list[dict[str, Any]]:
    tables = windrow.load(case / "page.html", url="https://example.org/", render=False).tables()
    return [
        {
            "first": table.rows[0],
            "size": [table.row_count, table.column_count],
            "header_rows": table.header_rows,
            "header_columns": table.header_columns,
        }
        for table in tables
    ]


def test_every_page_is_read_right() -> None:
    wanted = {case.name: json.loads((case / "expected.json").read_text("utf-8")) for case in PAGES}
    found = {case.name: read(case) for case in PAGES}
    wrong = {name: {"found": found[name], "wanted": wanted[name]} for name in wanted if found[name] != wanted[name]}
    assert wrong == {}, f"{len(PAGES) - len(wrong)} of {len(PAGES)} pages are read right; wrong: {', '.join(wrong)}"


def test_there_are_enough_pages() -> None:
    assert len(PAGES) >= 25
