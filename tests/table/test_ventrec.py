"""The paper's method on pages of our own, among them its list of athletes as a table and as placed boxes (Figure 4)."""

from __future__ import annotations

import pytest

import windrow
from windrow import UsageError
from windrow.table.drawing import draw_growth, draw_hyperboxes, draw_plane
from windrow.table.ventrec import PAPER, WITH_HEURISTIC, find_interesting_tables

pytestmark = pytest.mark.browser

ROWS = [["Nation", "Men", "Women"], ["Austria", "57", "28"], ["Italy", "109", "75"], ["Latvia", "47", "10"]]
TABLE = "<table cellspacing=2>" + "".join(
    "<tr>" + "".join(f"<td width=90 height=20>{text}</td>" for text in row) + "</tr>" for row in ROWS
)
DIVS = "<div style='position:relative;height:100px'>" + "".join(
    f"<div style='position:absolute;left:{92 * x}px;top:{22 * y}px;width:90px;height:20px'>{text}</div>"
    for y, row in enumerate(ROWS)
    for x, text in enumerate(row)
)
SPANS = """<style>td{padding:0;height:20px}</style><table cellspacing=0 width=400><tr><td rowspan=2>Team
<td colspan=2>Games<tr><td>Won<td>Lost<tr><td>Reds<td>5<td rowspan=2>1<tr><td>Blues<td>3</table>"""


@pytest.mark.parametrize("html", [TABLE, DIVS], ids=["table", "divs"])
def test_the_same_picture_gives_the_same_table(html: str) -> None:
    tables = windrow.parse(html, render=True).tables(method="ventrec", keyword="women")
    assert [table.rows for table in tables] == [ROWS]


def test_spans_are_grown_to_their_neighbours() -> None:
    (table,) = windrow.parse(SPANS, render=True).tables(method="ventrec", keyword="Games")
    assert table.rows == [["Team", "Games", "Games"], ["Team", "Won", "Lost"], ["Reds", "5", "1"], ["Blues", "3", "1"]]


def test_wider_gaps_are_not_adjacent() -> None:
    html = TABLE.replace("cellspacing=2", "cellspacing=6")
    assert windrow.parse(html, render=True).tables(method="ventrec", keyword="women") == []


def test_prose_is_left_out_by_the_heuristic_only() -> None:
    html = TABLE.replace("Austria", "word " * 25)
    nodes = windrow.parse(html, render=True).nodes
    assert len(find_interesting_tables(nodes, "women", PAPER).grids) == 1
    assert find_interesting_tables(nodes, "women", WITH_HEURISTIC).grids == ()


def test_every_stage_can_be_drawn() -> None:
    stages = find_interesting_tables(windrow.parse(TABLE, render=True).nodes, "women")
    assert len(draw_plane(stages)) >= 12
    assert {mark.group for mark in draw_hyperboxes(stages)} == {"hyperBox", "cell"}
    frames = draw_growth(stages)
    assert len(frames) == len(stages.growths[0])
    assert len(stages.growths[0][-1].cells) == 12


def test_the_paper_needs_boxes() -> None:
    with pytest.raises(UsageError, match="render=True"):
        windrow.parse(TABLE).tables(method="ventrec", keyword="women")


def test_an_unknown_method_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="ventrec"):
        windrow.parse(TABLE).tables(method="magic")
