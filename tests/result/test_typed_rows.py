"""Typed files are written some rows at a time, and are the same as if all rows had been looked at together."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from windrow.atomic import written
from windrow.result import Column, typed_rows
from windrow.result.files import write_grids
from windrow.result.grid import Grid
from windrow.result.typed_rows import TypedRows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from windrow.result.grid import Row

MANY = typed_rows.A_GROUP + typed_rows.AT_ONCE + 3


def crates(last: Row) -> Grid:
    """Return many rows, the last of which is another."""

    def read() -> Iterator[Row]:
        for number in range(MANY - 1):
            yield [f"crate {number}", str(number), f"{number % 9 + 1} kg"]
        yield last

    return Grid("crates", (Column("key", wordy=True), Column("apples"), Column("weight")), read, 1)


def test_the_last_row_has_a_say_in_what_a_column_is() -> None:
    table = crates(["crate z", "2.5", "9 kg"]).to_arrow()
    assert table.num_rows == MANY
    assert table.schema.field("apples").type == pa.float64()
    assert table.column("apples")[-1].as_py() == 2.5
    assert table.column("apples (text)")[0].as_py() == "0"
    several = crates(["crate z", ["1", "2"], "9 kg"]).to_arrow()
    assert several.schema.field("apples").type == pa.list_(pa.int64())
    assert several.column("apples")[-1].as_py() == [1, 2]
    assert several.column("apples")[0].as_py() == [0]


def test_a_text_that_fits_no_number_is_null_and_told_of_once(tmp_path: Path) -> None:
    with written(tmp_path / "crates.parquet") as file:
        said = write_grids(file, ".parquet", [crates(["crate z", "a few", "9 kg"])])
    assert said == ["1 text of apples is no number: apples (text) has them."]
    table = pq.read_table(tmp_path / "crates.parquet")
    assert table.column("apples")[-1].as_py() is None
    assert table.column("apples (text)")[-1].as_py() == "a few"


def test_rows_are_written_before_the_last_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_rows, "A_GROUP", 4_000)
    grid, passed = crates(["crate z", "1", "1 kg"]), 0

    def passing() -> None:
        nonlocal passed
        passed += 1

    counted = Grid(grid.label, grid.columns, grid.rows, grid.about, passing)
    groups = TypedRows(counted).groups()
    assert passed == 0
    assert next(groups).num_rows == passed == 4_000
    with written(tmp_path / "crates.parquet") as file:
        write_grids(file, ".parquet", [grid])
    assert pq.ParquetFile(tmp_path / "crates.parquet").metadata.num_row_groups == -(-MANY // 4_000)


def test_whoever_counts_rows_is_told_of_each_once(tmp_path: Path) -> None:
    rows = [["a", "1"], ["b", "2"]]
    for ending in (".csv", ".md", ".parquet", ".xlsx", ".db"):
        passed: list[None] = []
        columns = Column("key", wordy=True), Column("apples")
        with written(tmp_path / f"x{ending}") as file:
            write_grids(file, ending, [Grid("x", columns, lambda: rows, 1, lambda: passed.append(None))])  # noqa: B023 - called at once
        assert len(passed) == 2, ending


def test_nothing_at_all_is_a_file_with_columns(tmp_path: Path) -> None:
    grid = Grid("none", (Column("key", wordy=True), Column("apples")), list)
    for ending in (".parquet", ".xlsx"):
        with written(tmp_path / f"none{ending}") as file:
            write_grids(file, ending, [grid])
    assert pq.read_table(tmp_path / "none.parquet").column_names == ["key", "apples"]
    book = openpyxl.load_workbook(io.BytesIO((tmp_path / "none.xlsx").read_bytes()))
    assert [[cell.value for cell in row] for row in book["none"].rows] == [["key", "apples"]]
