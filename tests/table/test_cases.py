"""Small tables of our own, each in the likeness of one that was met: a page and what is to be read from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import windrow

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.table import Table

CASES = Path(__file__).with_name("cases")
STRUCTURE = sorted(path.parent for path in CASES.glob("structure/*/page.html"))
RENDERED = sorted(path.parent for path in CASES.glob("rendered/*/page.html"))


def found(table: Table, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return of a table what a case asks for."""
    asked: dict[str, Callable[[], list[str]]] = {
        "types": lambda: [
            table.read(cell).kind
            for column in range(table.column_count)
            if (cell := table.cell(table.data_rows[0], column))
        ],
        "links": lambda: [link for cell in table.cells for link in cell.links],
        "images": lambda: [image for cell in table.cells for image in cell.images],
    }
    value = {name: asked[name]() if name in asked else getattr(table, name) for name in wanted}
    return {name: list(part) if isinstance(part, tuple) else part for name, part in value.items()}


def check(case: Path, *, render: bool) -> None:
    wanted = json.loads((case / "expected.json").read_text("utf-8"))
    tables = windrow.load(case / "page.html", url="https://example.org/", render=render).tables()
    assert [table.rows for table in tables] == [each["rows"] for each in wanted]
    assert [found(table, each) for table, each in zip(tables, wanted, strict=True)] == wanted


@pytest.mark.parametrize("case", STRUCTURE, ids=lambda case: case.name)
def test_structure(case: Path) -> None:
    check(case, render=False)


@pytest.mark.browser
@pytest.mark.parametrize("case", RENDERED, ids=lambda case: case.name)
def test_rendered(case: Path) -> None:
    check(case, render=True)


@pytest.mark.browser
@pytest.mark.parametrize("case", STRUCTURE, ids=lambda case: case.name)
def test_boxes_change_nothing_where_structure_says_all(case: Path) -> None:
    wanted = json.loads((case / "expected.json").read_text("utf-8"))
    tables = windrow.load(case / "page.html", url="https://example.org/").tables()
    assert [table.rows for table in tables] == [each["rows"] for each in wanted]
    assert [table.header_rows for table in tables] == [each["header_rows"] for each in wanted]


def test_there_are_enough_cases() -> None:
    assert len(STRUCTURE) + len(RENDERED) >= 40
