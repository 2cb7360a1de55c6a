"""Where the decisions about tables turn: the last case on one side of each limit, and the first on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from placed import place

import windrow
from windrow.table.arrangement import arrange_rows
from windrow.table.best import find_candidates
from windrow.table.evidence import Counts, measure
from windrow.table.headers import Looks, find_headings
from windrow.table.hidden import Shown
from windrow.table.markup import find_definition_grids, find_markup_grids
from windrow.table.preformatted import find_text_grids
from windrow.table.repetition import find_calling, find_repeated_grids, find_repeated_roots
from windrow.table.ventrec import PAPER, WITH_HEURISTIC, is_of_interest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.nodes import Nodes
    from windrow.table.grid import Grid
    from windrow.table.repetition import RepeatedRoots


def repeated_roots(nodes: Nodes) -> RepeatedRoots:
    """Return the elements in which rows repeat."""
    return find_repeated_roots(nodes, find_calling(nodes.elements))


def table_of(rows: Sequence[Sequence[str]]) -> str:
    """Write a table; a text that begins with markup is a cell of its own making."""
    cells = ("".join(text if text.startswith("<t") else f"<td>{text}</td>" for text in row) for row in rows)
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def grid_of(nodes: Nodes) -> Grid:
    return find_markup_grids(Shown(nodes))[0]


def headings_of(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    nodes = windrow.parse(table_of(rows)).nodes
    found = find_headings(grid_of(nodes), Looks(nodes))
    return found.rows, found.columns


def measures_of(rows: Sequence[Sequence[str]]) -> dict[str, float]:
    nodes = windrow.parse(table_of(rows)).nodes
    return measure(grid_of(nodes), Counts(nodes))


FIGURES = [["Quince", "31", "7"], ["Medlar", "12", "9"], ["Damson", "25", "4"]]


@pytest.mark.parametrize(("length", "rows"), [(60, 1), (61, 0)])
def test_a_long_text_names_no_column(length: int, rows: int) -> None:
    assert headings_of([["F" * length, "Kilos", "Price"], *FIGURES])[0] == rows


@pytest.mark.parametrize(("length", "rows"), [(120, 2), (121, 0)])
def test_a_long_text_over_all_columns_is_no_title(length: int, rows: int) -> None:
    title = f"<td colspan=3>{'T' * length}</td>"
    assert headings_of([[title], ["Fruit", "Kilos", "Price"], *FIGURES])[0] == rows


def test_headings_end_after_six_rows_and_three_columns() -> None:
    above = [["<th>a</th>", "<th>b</th>", "<th>c</th>"]] * 8
    assert headings_of([*above, *FIGURES])[0] == 6
    assert headings_of([["<th>a</th>"] * 5 + ["1"], *([["<th>b</th>"] * 5 + ["2"]] * 3)])[1] == 3


@pytest.mark.parametrize(("words", "figures", "rows"), [(10, 15, 1), (11, 14, 0)])
def test_words_stand_over_numbers_where_most_of_the_rows_looked_at_are(words: int, figures: int, rows: int) -> None:
    body = [["none", "none"]] * words + [["31", "7"]] * figures + [["none", "none"]] * 9
    assert headings_of([["Kilos", "Price"], *body])[0] == rows


def test_one_row_or_one_column_of_numbers_makes_no_heading() -> None:
    assert headings_of([["Kilos", "Price"], ["31", "7"]])[0] == 0
    assert headings_of([["Fruit", "Kilos"], ["Quince", "31"], ["Medlar", "12"]])[0] == 0
    assert headings_of([["Fruit 1", "Kilos", "Price"], ["Quince", "31", "high"], ["Medlar", "12", "low"]])[0] == 1
    assert headings_of([["Fruit:", "Kilos"], ["31", "7"], ["12", "9"]])[0] == 0


@pytest.mark.parametrize(("bold", "rows"), [(4, 1), (5, 0)])
def test_bold_names_stand_out_where_most_of_the_rows_compared_are_not(bold: int, rows: int) -> None:
    body = [["Quince", "<td><b>ripe</b></td>"]] * bold + [["Medlar", "raw"]] * 9
    assert headings_of([["<td><b>Fruit</b></td>", "<td><b>State</b></td>"], *body])[0] == rows


def test_plain_names_are_three_or_more_and_all_different() -> None:
    body = [["Quince", "late", "ripe"], ["Medlar", "early", "raw"]]
    assert headings_of([["Fruit", "Season", "State"], *body])[0] == 1
    assert headings_of([["Fruit", "State", "State"], *body])[0] == 0
    assert headings_of([["Fruit", "Season", "State 2"], *body])[0] == 0
    assert headings_of([["Fruit", "", "State"], *body])[0] == 0
    assert headings_of([["Fruit", "Season", "State"], body[0]])[0] == 0
    assert headings_of([["Fruit", "Season"], ["Quince", "late"], ["Medlar", "early"]])[0] == 0


def test_a_background_of_its_own_makes_a_heading() -> None:
    body = [["Quince 1", "late 2"], ["Medlar 3", "early 4"]]
    grey = "<td bgcolor=grey>"
    assert headings_of([[f"{grey}Fruit 1</td>", f"{grey}Season 1</td>"], *body])[0] == 1
    assert headings_of([[f"{grey}Fruit 1</td>", "Season 1"], *body])[0] == 0
    assert headings_of([[f"{grey}Fruit 1</td>", f"{grey}Season 1</td>"], ["Quince 1", f"{grey}late 2</td>"]])[0] == 0


def test_the_font_weight_tells_what_is_bold() -> None:
    rows = [("b", "Fruit", "State"), ("i", "Quince", "ripe"), ("i", "Medlar", "raw"), ("i", "Damson", "ripe")]
    cells = [
        [
            f'<td data-box="{left} {20 * row} 88 18"><{tag} data-box="{left} {20 * row} 50 18">{text}</{tag}></td>'
            for left, text in zip((0, 90), texts, strict=True)
        ]
        for row, (tag, *texts) in enumerate(rows)
    ]
    nodes = place(table_of(cells))
    assert find_headings(grid_of(nodes), Looks(nodes)).rows == 1


def test_a_matrix_has_an_empty_corner_and_words_below_it() -> None:
    head = ["<td></td>", "<th>North</th>", "<th>South</th>"]
    assert headings_of([head, *FIGURES]) == (1, 1)
    assert headings_of([head, ["1", "31", "7"], ["2", "12", "9"]]) == (1, 0)
    assert headings_of([["<th></th>", "<th>North</th>"], ["Quince", "31"], ["Medlar", "12"]]) == (1, 0)
    assert headings_of([["<th>Fruit</th>", *head[1:]], *FIGURES]) == (1, 0)


@pytest.mark.parametrize(("figures", "columns"), [(2, 1), (3, 0)])
def test_names_beside_values_are_a_column_of_headings(figures: int, columns: int) -> None:
    pairs = [["Weight", "31 g"], ["Colour", "red"], ["Season", "late"]]
    pairs += [[str(year), "good"] for year in range(2020, 2020 + figures)]
    assert headings_of(pairs)[1] == columns


@pytest.mark.parametrize(("pairs", "grids"), [(2, 0), (3, 1)])
def test_two_pairs_of_a_definition_list_are_a_remark(pairs: int, grids: int) -> None:
    html = "<dl>" + "<dt>Weight</dt><dd>31 g</dd>" * pairs + "</dl>"
    assert len(find_definition_grids(windrow.parse(html).nodes)) == grids


def test_definitions_belong_to_the_terms_before_them() -> None:
    html = "<dl><dd>lost</dd><dt>a</dt><dt>b</dt><dd>1</dd><dt>c</dt><dd>2</dd><dd>3</dd><dt>d</dt></dl>"
    (grid,) = find_definition_grids(windrow.parse(html).nodes)
    assert grid.texts == [["a", "1"], ["b", "1"], ["c", "2"], ["c", "3"]]


@pytest.mark.parametrize(("code", "grids"), [(3, 1), (4, 0)])
def test_lines_of_a_program_are_no_table(code: int, grids: int) -> None:
    lines = ["Quince    31    7"] * (10 - code) + ["Medlar    12    9;"] * code
    assert len(find_text_grids(windrow.parse("<pre>" + "\n".join(lines) + "</pre>").nodes)) == grids


@pytest.mark.parametrize(("full", "grids"), [(7, 1), (6, 0)])
def test_most_lines_of_a_table_in_text_fill_two_columns(full: int, grids: int) -> None:
    lines = ["Quince    31"] * full + ["Medlar"] * (10 - full)
    assert len(find_text_grids(windrow.parse("<pre>" + "\n".join(lines) + "</pre>").nodes)) == grids


@pytest.mark.parametrize(("rows", "columns", "grids"), [(2, 2, 1), (1, 3, 0), (3, 1, 0)])
def test_a_table_has_two_rows_and_columns(rows: int, columns: int, grids: int) -> None:
    nodes = windrow.parse(table_of([[f"{row} {column}" for column in range(columns)] for row in range(rows)])).nodes
    assert len(find_candidates(Shown(nodes), Looks(nodes), repeated_roots(nodes))) == grids
    assert is_of_interest(grid_of(nodes), PAPER) == bool(grids)


def test_prose_is_of_no_interest_where_the_heuristic_is_asked_for() -> None:
    for words, interesting in ((20, True), (21, False)):
        grid = grid_of(windrow.parse(table_of([["word " * words, "1"], ["Quince", "2"]])).nodes)
        assert is_of_interest(grid, WITH_HEURISTIC) == interesting
        assert is_of_interest(grid, PAPER)


def test_elements_displayed_as_a_table_are_one() -> None:
    def styled(display: str, inner: str) -> str:
        return f'<div style="display: {display}">{inner}</div>'

    row = styled("table-row", styled("table-cell", "Quince") + styled("table-cell", "31"))
    nodes = windrow.parse(styled("table", row * 2)).nodes
    assert grid_of(nodes).texts == [["Quince", "31"]] * 2


def test_rows_beyond_the_sixtieth_are_not_measured() -> None:
    full, gap = ["Quince", "31"], ["Medlar"]
    assert measures_of([full] * 60 + [gap])["holes"] == 0
    assert measures_of([full] * 59 + [gap])["holes"] > 0


def test_a_title_over_one_row_speaks_against_a_table() -> None:
    title = "<td colspan=2>Fruit</td>"
    assert measures_of([[title], ["Quince", "31"]])["title_over_row"] == 1
    assert measures_of([[title], ["Quince", "31"], ["Medlar", "12"]])["title_over_row"] == 0
    assert measures_of([["Fruit", "Kilos"], ["Quince", "31"]])["title_over_row"] == 0
    assert measures_of([["<td colspan=2></td>"], ["Quince", "31"]])["title_over_row"] == 0


def test_many_rows_make_a_table_up_to_a_number() -> None:
    rows = [measures_of([["Quince", "31"]] * count)["rows"] for count in (2, 31, 32, 33)]
    assert rows[0] == pytest.approx(0.2)
    assert rows[1] < rows[2] == rows[3] == 1


def test_boxes_in_known_rows_span_the_columns_that_begin_under_them() -> None:
    nested = np.array([[0, 0, 200, 20], [100, 20, 180, 40]], dtype=np.float32)
    places = arrange_rows(nested, np.array([0, 1]))
    assert places is not None
    assert places.tolist() == [[0, 0, 1, 2], [1, 1, 1, 1]]
    in_step = np.array([[0, 0, 100, 20], [50, 20, 150, 40]], dtype=np.float32)
    assert arrange_rows(in_step, np.array([0, 1])) is None


@pytest.mark.parametrize(("others", "grids"), [(3, 1), (4, 0)])
def test_half_of_the_children_are_rows(others: int, grids: int) -> None:
    rows = '<div class="row"><div class="cell">Quince</div><div class="cell">31</div></div>' * 3
    nodes = windrow.parse(f"<section>{rows}{'<p>And more.</p>' * others}</section>").nodes
    assert len(find_repeated_grids(nodes, repeated_roots(nodes))) == grids


@pytest.mark.parametrize(("longer", "grids"), [(1, 1), (2, 0)])
def test_most_rows_have_equally_many_cells(longer: int, grids: int) -> None:
    cell = '<div class="cell">Quince</div>'
    rows = f'<div class="row">{cell * 2}</div>' * (5 - longer) + f'<div class="row">{cell * 3}</div>' * longer
    nodes = windrow.parse(f"<section>{rows}</section>").nodes
    assert len(find_repeated_grids(nodes, repeated_roots(nodes))) == grids


def test_as_many_terms_as_are_read_share_a_definition() -> None:
    html = "<dl>" + "<dt>a</dt>" * 21 + "<dd>1</dd><dt>b</dt><dd>2</dd><dt>c</dt><dd>3</dd><dt>d</dt><dd>4</dd></dl>"
    (grid,) = find_definition_grids(windrow.parse(html).nodes)
    assert [row[0] for row in grid.texts] == ["a", "b", "c", "d"]
    (grid,) = find_definition_grids(windrow.parse(html.replace("<dt>a</dt>", "", 1)).nodes)
    assert [row[0] for row in grid.texts] == ["a"] * 20 + ["b", "c", "d"]
