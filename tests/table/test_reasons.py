"""Where there is no reason to look for tables there is none, and no column is made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow

PARTS = (
    "<div>",
    "</div>",
    "<div class='row'>",
    "<div class='a-row b'><b class=cell_1>Quince</b><i>31</i></div>",
    "<p><b class=td>Medlar</b><i class=td>4.50</i></p>" * 3,
    "<section class=table><div><span>a</span><span>1</span></div><div><span>b</span><span>2</span></div></section>",
    "<div style='GRID-template-columns: 1fr 1fr'><p>a</p><p>1</p><p>b</p><p>2</p></div>",
    "<div style='display:table'><p style='display:table-row'><b style='display:table-cell'>a</b></p></div>",
    "<div role=' Grid'><p role=row><b role=cell>a</b><b role=cell>1</b></p><p role=row><b role=cell>b</b></p></div>",
    "<dl><dt>Name<dd>Quince<dt>Price<dd>31<dt>Weight<dd>2 kg</dl>",
    "<pre>Quince  31\nMedlar   4\nRowan   17</pre>",
    "<table><tr><th>Name<th>Price<tr><td>Quince<td>31<tr><td>Medlar<td>4</table>",
    "<div><template shadowrootmode=open><div class=row><b>a</b><i>1</i></div><div class=row><b>b</b><i>2</i></div>",
    "<template><table><tr><td>a<td>1<tr><td>b<td>2</table>",
    "</template>",
    "<h2>Fruit</h2>",
    "<p hidden>",
    "text",
)


@given(st.lists(st.sampled_from(PARTS), max_size=8))
def test_tables_are_the_same_when_everything_is_looked_at(parts: list[str]) -> None:
    html = "<p>Orchard.</p>" + "".join(parts)
    whole = windrow.parse(html)
    assert whole.nodes.kind is not None  # makes the columns, so that no reason is asked for
    assert whole.text  # and the text of all of the page
    assert [table.to_dict() for table in windrow.parse(html).tables()] == [table.to_dict() for table in whole.tables()]


@pytest.mark.parametrize(
    ("html", "is_looked_at"),
    [
        ("<h1>Orchard</h1><p class=lead>Quinces keep until spring.", False),
        ("<div class=row><p>One row</p><p>repeats nothing.</p></div>", False),
        ("<div class=row><p>a</p><p>1</p></div><div class=row><p>b</p><p>2</p></div>", True),
        ("<p role=row>", False),
        ("<p role=table>", True),
        ("<dl>", True),
    ],
)
def test_columns_are_made_where_there_is_a_reason(html: str, is_looked_at: bool) -> None:  # noqa: FBT001 - a parameter
    page = windrow.parse(html)
    page.tables()
    assert page.nodes.has_columns == is_looked_at
