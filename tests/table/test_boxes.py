"""Grids of boxes, tables that stand flush under each other, and the paper's growth, on boxes that are written down."""

from __future__ import annotations

import pytest
from placed import cells, place

from windrow.table.best import find_best_tables
from windrow.table.boxes import find_box_grids
from windrow.table.headers import Looks
from windrow.table.ventrec import PAPER, WITH_HEURISTIC, VentrecParameters, find_interesting_tables

ROWS = [["Nation", "Men", "Women"], ["Austria", "57", "28"], ["Italy", "109", "75"], ["Latvia", "47", "10"]]


def grids(html: str) -> list[list[list[str]]]:
    nodes = place(html)
    return [grid.texts for grid in find_box_grids(nodes, Looks(nodes))]


def tables(html: str) -> list[list[list[str]]]:
    return [table.rows for table in find_best_tables(place(html), lambda: lambda reference, _: reference, 1000)]


def box(left: int, top: int, text: str, width: int = 90, height: int = 20, **attributes: str) -> str:
    more = "".join(f" {name.replace('_', '-')}='{value}'" for name, value in attributes.items())
    return f'<div data-box="{left} {top} {width} {height}"{more}>{text}</div>'


def row(top: int, *texts: str, step: int = 100) -> str:
    return "<div>" + "".join(box(step * x, top, text) for x, text in enumerate(texts)) + "</div>"


def test_boxes_on_a_lattice_are_a_grid() -> None:
    assert grids(f"<div>{cells(ROWS)}</div>") == [ROWS]


def test_three_boxes_are_none() -> None:
    assert grids(f"<div>{box(0, 0, 'a')}{box(100, 0, 'b')}{box(0, 30, 'c')}</div>") == []
    assert len(grids(f"<div>{box(0, 0, 'a')}{box(100, 0, 'b')}{box(0, 30, 'c')}{box(100, 30, 'd')}</div>")) == 1


def test_boxes_in_one_line_or_one_column_are_none() -> None:
    assert grids(f"<div>{cells([['a', 'b', 'c', 'd', 'e']])}</div>") == []
    assert grids(f"<div>{cells([['a'], ['b'], ['c'], ['d'], ['e']])}</div>") == []


def test_spacers_are_no_cells() -> None:
    spacers = "".join(box(100 * x, 100, "", 2, 2) for x in range(3))
    assert grids(f"<div>{cells(ROWS)}{spacers}</div>") == [ROWS]
    assert grids(f"<div>{cells(ROWS)}{spacers.replace(' 2 2', ' 3 3')}</div>") != [ROWS]


def test_a_sentence_with_parts_is_no_grid() -> None:
    assert grids(f"<div data-box='0 0 400 90'>Beside {cells(ROWS)}</div>") == []


def test_inline_parts_are_no_cells_but_inline_blocks_are() -> None:
    inline = cells(ROWS).replace("<div", "<div data-display=inline")
    assert grids(f"<div>{inline}</div>") == []
    assert grids(f"<div>{inline.replace('=inline', '=inline-block')}</div>") == [ROWS]


def test_what_holds_a_table_is_no_grid() -> None:
    inner = "<table data-box='0 100 90 20'><tr><td data-box='0 100 90 20'>x</table>"
    assert grids(f"<div>{cells(ROWS)}{inner}</div>") == []


def test_rows_of_cells_are_a_grid() -> None:
    html = "<div>" + "".join(row(30 * y, *texts) for y, texts in enumerate(ROWS)) + "</div>"
    assert grids(html) == [ROWS]


def test_a_title_above_the_rows_is_left_out_and_other_elements_are_tolerated() -> None:
    rows = "".join(row(30 + 30 * y, *texts) for y, texts in enumerate(ROWS))
    assert grids(f"<div>{box(0, 0, 'Athletes')}{rows}</div>") == [ROWS]


def test_rows_whose_cells_are_stacked_are_none() -> None:
    stacked = "".join(
        f"<div>{box(0, 60 * y, a)}{box(0, 60 * y + 25, b)}</div>" for y, (a, b) in enumerate([("a", "b"), ("c", "d")])
    )
    assert grids(f"<div>{stacked}</div>") == []


def test_rows_in_a_group_of_their_own_are_read_with_the_head() -> None:
    head, *body = (row(30 * y, *texts) for y, texts in enumerate(ROWS))
    assert ROWS in grids(f"<div>{head}<section>{''.join(body)}</section></div>")


def test_lists_side_by_side_are_columns() -> None:
    lists = [
        f"<ul>{''.join(box(150 * x, 25 * y, t) for y, t in enumerate(texts))}</ul>"
        for x, texts in enumerate(["abc", "def"])
    ]
    assert grids(f"<div>{''.join(lists)}</div>") == [[["a", "d"], ["b", "e"], ["c", "f"]]]
    uneven = lists[0], lists[1].replace("</ul>", box(150, 75, "g") + "</ul>")
    assert grids(f"<div>{''.join(uneven)}</div>") == []
    mixed = lists[0], lists[1].replace("<div", "<p", 1).replace("</div", "</p", 1)
    assert grids(f"<div>{''.join(mixed)}</div>") == []


def test_cells_out_of_line_by_a_touch_share_their_column() -> None:
    for off, found in ((3, True), (-3, True)):
        moved = cells(ROWS, gap=4).replace('data-box="94 24', f'data-box="{94 + off} 24')
        assert (grids(f"<div>{moved}</div>") == [ROWS]) is found


def test_centred_cells_share_their_column() -> None:
    html = (
        box(20, 0, "City", 50) + box(150, 0, "People", 60) + box(0, 30, "Linz on the Danube") + box(160, 30, "204", 40)
    )
    assert grids(f"<div>{html}</div>") == [[["City", "People"], ["Linz on the Danube", "204"]]]


def test_cells_over_several_places_repeat() -> None:
    html = f"<div>{box(0, 0, 'Team', 90, 42)}{box(92, 0, 'Games', 182)}{box(92, 22, 'Won')}{box(184, 22, 'Lost')}"
    html += f"{box(0, 44, 'Reds')}{box(92, 44, '5')}{box(184, 44, '1')}</div>"
    assert grids(html) == [[["Team", "Games", "Games"], ["Team", "Won", "Lost"], ["Reds", "5", "1"]]]


def test_columns_in_step_are_no_grid() -> None:
    upper, lower = ((0, 140), (150, 140)), ((0, 60), (70, 140), (220, 70))
    html = "".join(box(left, 0, "a", width) for left, width in upper)
    html += "".join(box(left, 30, "b", width) for left, width in lower)
    assert grids(f"<div>{html}</div>") == []


def html_table(top: int, *rows: tuple[str, ...], tag: str = "td", left: int = 0) -> str:
    lines = [
        "<tr>"
        + "".join(
            f'<{tag if not y else "td"} data-box="{left + 100 * x} {top + 20 * y} 100 20">{text}'
            for x, text in enumerate(texts)
        )
        for y, texts in enumerate(rows)
    ]
    return f"<table>{''.join(lines)}</table>"


HEAD = html_table(0, ("City", "People"), ("Graz", "291134"), ("Enns", "11939"), tag="th")


@pytest.mark.parametrize(("gap", "count"), [(0, 1), (3, 1), (4, 2), (-3, 1), (-4, 2)])
def test_tables_flush_under_each_other_are_one(gap: int, count: int) -> None:
    below = html_table(60 + gap, ("Linz", "204846"), ("Wels", "62654"), ("Steyr", "38331"))
    assert len(tables(HEAD + below)) == count


def test_tables_with_a_heading_or_other_columns_or_places_are_not_joined() -> None:
    rows = ("Linz", "204846"), ("Wels", "62654"), ("Steyr", "38331")
    assert len(tables(HEAD + html_table(60, *rows, tag="th"))) == 2
    assert len(tables(HEAD + html_table(60, *((*row, "x") for row in rows)))) == 2
    assert len(tables(HEAD + html_table(60, *rows, left=4))) == 2
    assert len(tables(HEAD + html_table(60, *rows, left=3))) == 1


def grown(html: str, keyword: str | None = "women", parameters: VentrecParameters = PAPER) -> list[list[list[str]]]:
    return [grid.texts for grid in find_interesting_tables(place(html), keyword, parameters).grids]


@pytest.mark.parametrize(("gap", "found"), [(0, [ROWS]), (3, [ROWS]), (4, [])])
def test_growth_takes_neighbours_within_three_pixels(gap: int, found: list[list[list[str]]]) -> None:
    assert grown(f"<div>{cells(ROWS, gap=gap)}</div>") == found


def test_growth_starts_at_the_keyword_whatever_its_case_and_blanks() -> None:
    html = f"<div>{cells([['New  Nation', *ROWS[0][1:]], *ROWS[1:]])}</div>"
    assert len(grown(html, "newnation")) == 1
    assert grown(html, "nowhere") == []
    assert len(grown(html, None)) == 1


def test_growth_joins_smaller_neighbours_first() -> None:
    html = f"<div>{box(0, 0, 'Team', 90, 42)}{box(92, 0, 'Games', 182)}{box(92, 22, 'Won')}{box(184, 22, 'Lost')}"
    html += f"{box(0, 44, 'Reds')}{box(92, 44, '5')}{box(184, 44, '1')}</div>"
    assert grown(html, "Games") == [[["Team", "Games", "Games"], ["Team", "Won", "Lost"], ["Reds", "5", "1"]]]


def test_one_line_is_no_table_of_interest() -> None:
    assert grown(f"<div>{cells([ROWS[0]])}</div>") == []
    assert grown(f"<div>{cells([[row[0]] for row in ROWS])}</div>", "Italy") == []


def test_the_heuristic_bounds_the_words_of_a_cell() -> None:
    for words, count in ((20, 1), (21, 0)):
        html = f"<div>{cells(ROWS).replace('Austria', ' '.join(['word'] * words))}</div>"
        assert len(grown(html)) == 1
        assert len(grown(html, parameters=WITH_HEURISTIC)) == count


def test_frames_around_cells_are_no_cells() -> None:
    rows = "".join(
        f"<tr>{''.join(f'<td data-box={chr(34)}{92 * x} {22 * y} 90 20{chr(34)}>{t}' for x, t in enumerate(texts))}"
        for y, texts in enumerate(ROWS)
    )
    assert grown(f"<table>{rows}</table>") == [ROWS]


def test_two_tables_apart_are_two() -> None:
    assert len(grown(f"<div>{cells(ROWS)}</div><div>{cells(ROWS, left=500)}</div>")) == 2


def frozen(tops: tuple[int, ...] = (0, 20, 40), left: int = 100, names: int = 3) -> list[list[list[str]]]:
    """Read a table of names and one of figures, set side by side; every box is written down."""
    first = "".join(
        f"<tr><th data-box='0 {20 * number} 100 20'>{name}</th></tr>"
        for number, name in enumerate(["Club", "Harrow", "Elm"][:names])
    )
    rows = zip(tops, [["Won", "Points"], ["20", "61"], ["18", "55"]], strict=True)
    second = "".join(
        "<tr>"
        + "".join(f"<td data-box='{left + 80 * x} {top} 80 20'>{text}</td>" for x, text in enumerate(row))
        + "</tr>"
        for top, row in rows
    )
    return tables(
        f"<div><table data-box='0 0 100 60' data-display=table>{first}</table>"
        f"<div><table data-box='{left} 0 160 60' data-display=table>{second}</table></div></div>"
    )


def test_a_column_of_names_beside_a_table_belongs_to_it() -> None:
    joined = [["Club", "Won", "Points"], ["Harrow", "20", "61"], ["Elm", "18", "55"]]
    assert frozen() == [joined]
    assert frozen(left=103) == [joined]


def test_a_column_that_is_not_in_line_is_another_table() -> None:
    alone = [["Won", "Points"], ["20", "61"], ["18", "55"]]
    assert frozen(left=112) == [alone]
    assert frozen(tops=(0, 26, 52)) == [alone]
    assert frozen(names=2) == [alone]
