"""Pages of hostile size: all readers at once give as much as the page's nodes allow, and say what they left out."""

from __future__ import annotations

import json

import pytest
from large_pages import SIZES

import windrow
from windrow.loader import Outcome
from windrow.loader.outcome import outcome_to_plain
from windrow.readers.names import EVERY
from windrow.readers.registry import READERS, find_left_out
from windrow.result import gather, to_pieces

NODES = 3_000


def read(html: str, nodes: int = NODES) -> windrow.Page:
    try:
        return windrow.parse(html, options=windrow.Options(limits=windrow.Limits(nodes=nodes)))
    except windrow.WindrowError as error:
        page = getattr(error, "page", None)
        assert isinstance(page, windrow.Page)
        return page


@pytest.mark.parametrize("name", SIZES)
def test_what_is_read_keeps_to_the_budget_and_what_is_not_is_told(name: str) -> None:
    page = read(SIZES[name](NODES))
    tables, regions, outline = page.tables(), page.regions(), page.read("structure")
    assert sum(table.row_count * table.column_count for table in tables) <= NODES // 2
    assert sum(len(texts) for table in tables for row in table.rows for texts in row) <= 200 * NODES
    assert sum(len(region.records) for region in regions) <= NODES // 10 + 20 * len(regions)
    assert len(outline.entries) <= NODES // 10
    lacking = [result for result in (*regions, *tables, outline) if result.left_out]
    assert all(f"{result.left_out:,} more" in result.lack for result in lacking)
    assert bool(find_left_out(page, EVERY)) == bool(lacking)


@pytest.mark.parametrize(
    ("name", "readers"),
    [
        ("records", {"regions"}),
        ("long-table", {"regions"}),
        ("covered-places", {"tables"}),
        ("covered-text", {"tables"}),
        ("headings", {"regions", "structure"}),
        ("landmarks", {"structure"}),
    ],
)
def test_each_reader_says_what_it_left_out(name: str, readers: set[str]) -> None:
    page = read(SIZES[name](NODES))
    assert {reader for reader in READERS if page.left_out(reader)} == readers


@pytest.mark.parametrize("name", ["wide-table", "square-table", "long-table", "small-tables", "definitions"])
def test_cells_that_stand_on_a_page_are_all_read(name: str) -> None:
    page = read(SIZES[name](NODES))
    assert page.tables()
    assert not any(table.left_out for table in page.tables())


def test_rows_are_read_up_to_the_budget_and_no_further() -> None:
    html = SIZES["covered-places"](600)  # 100 columns and rows
    (table,) = read(html, 3_000).tables()
    assert (table.row_count, table.column_count, table.left_out) == (15, 100, 85)
    assert table.cells[-1].row < 15
    assert max(cell.row + cell.row_span for cell in table.cells) == 15
    (table,) = read(html, 20_000).tables()
    assert (table.row_count, table.left_out, table.lack) == (100, 0, "")


def test_a_table_with_nothing_read_is_there_all_the_same() -> None:
    (table,) = read(SIZES["covered-places"](600).replace("<td>0<", f"<td colspan=2>{'x' * 100_000}<"), 1_000).tables()
    assert table.left_out == 100 - table.row_count > 0
    assert windrow.from_dict(table.to_dict()) == table


def test_a_summary_of_many_is_short() -> None:
    told = read(SIZES["covered-places"](600) * 6, 7_000).left_out("tables")
    assert [sentence.split()[0] for sentence in told] == ["A", "A", "A", "Of"]
    assert told[-1] == "Of tables, 3 more were not read to the end."


@pytest.mark.parametrize("name", ["records", "long-table", "small-tables", "headings", "ranked"])
def test_json_in_pieces_is_the_json_of_the_whole(name: str) -> None:
    page = read(SIZES[name](NODES))
    outcome = Outcome.of_page(page)
    pieces = list(to_pieces(outcome_to_plain(outcome, EVERY)))
    assert "".join(pieces) == json.dumps(gather(outcome_to_plain(outcome, EVERY)), ensure_ascii=False)


def test_what_need_not_be_kept_is_forgotten() -> None:
    page = read(SIZES["long-table"](NODES))
    (region,), (table,) = page.regions(), page.tables()
    for keep in (True, False):
        assert all(
            len(piece) < 50_000 for piece in to_pieces(outcome_to_plain(Outcome.of_page(page), EVERY, keep=keep))
        )
        assert (page.regions()[0] is region, page.tables()[0] is table) == (keep, keep)
    assert page.regions() == [region]
    page.forget("regions")
    assert page.left_out("regions") == (region.lack,)


def test_there_is_nothing_left_out_of_an_unknown_reader() -> None:
    with pytest.raises(windrow.WindrowError, match="no reader"):
        windrow.parse("<p>x").left_out("nothing")
