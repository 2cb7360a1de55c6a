from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.errors import LimitError
from windrow.nodes import Kind
from windrow.options import Limits, Options
from windrow.render.structure import bound_nodes, html_to_first_nodes, html_to_nodes

TREE_TESTS = Path(os.environ.get("WINDROW_BENCH_DATA", "none")) / "conformance" / "tree-construction"
MARKUP = st.lists(
    st.sampled_from(
        "<p> </p> <b> </b> <table> <td> <tr> x <template> </template> <svg> </svg> <select> <option> <!--c--> <script> "
        "</script> <noscript> &amp; <math> \0 <a/href=u>".split(" ")
    )
)


@given(MARKUP)
def test_columns_are_the_tree(parts: list[str]) -> None:
    html = "".join(parts)
    nodes = html_to_nodes(html)
    root = turbohtml.parse(html, scripting=True, allow_declarative_shadow_roots=False)
    order = [root, *root.descendants]
    number: dict[object, int] = {node: place for place, node in enumerate(order)}
    assert len(nodes) == len(order)
    for place, node in enumerate(order[1:], 1):
        assert nodes.parent[place] == number[node.parent]
        if isinstance(node, turbohtml.Element):
            assert nodes.tag[place].rpartition(":")[2] == node.tag
            assert dict(nodes.attributes[place]) == {name: node.attr(name) for name in node.attrs}
        elif isinstance(node, turbohtml.Text):
            assert nodes.text[place] == node.data


@given(MARKUP, st.integers(1, 20))
def test_a_tree_that_is_cut_off_keeps_its_first_nodes(parts: list[str], most: int) -> None:
    whole, cut = html_to_nodes("".join(parts)), html_to_first_nodes("".join(parts), most)[0]
    assert cut.parent.tolist() == whole.parent[:most].tolist()
    assert cut.tag.to_list() == whole.tag.to_list()[:most]
    assert cut.text == whole.text[:most]


@given(MARKUP, MARKUP)
def test_no_tree_has_more_nodes_than_is_said_without_counting(parts: list[str], more: list[str]) -> None:
    html = "".join((*parts, *parts, *more))
    assert bound_nodes(turbohtml.parse(html, scripting=True), html) >= len(html_to_nodes(html))


def test_nodes_of_a_page_that_can_not_have_too_many_are_not_counted() -> None:
    nodes = windrow.parse("<p>a<p>b").nodes
    assert "_counted" not in vars(nodes)
    assert len(nodes) == len(nodes.kind) == 8


@pytest.mark.parametrize("around", ["{}", "<template>{}</template>"])
def test_what_the_parser_opens_again_and_again_counts(around: str) -> None:
    page = around.format("<p>" + "".join(f"<b class=b{number}>" for number in range(100)) + "<p>x" * 100)
    most = 2 * len(page)
    with pytest.raises(LimitError, match=f"more than {most:,} nodes"):
        windrow.parse(page, options=Options(limits=Limits(nodes=most)))


@pytest.mark.parametrize("kind", [str, str.encode])
def test_pages_strung_together_are_refused(kind: type[str]) -> None:
    page = kind("".join(f"<HTML a{number}=1><bOdy b{number}=1>" for number in range(5_000)))
    with pytest.raises(LimitError, match="many pages in one"):
        windrow.parse(page)


def test_attributes_keep_their_raw_values() -> None:
    nodes = html_to_nodes("<p class='a  b' rel='x y' hidden data-X=1><svg viewbox='0 0 1 1'><a xlink:href=u></svg>")
    (paragraph,) = nodes.tag.where("p").tolist()
    assert dict(nodes.attributes[paragraph]) == {"class": "a  b", "rel": "x y", "hidden": "", "data-x": "1"}
    assert nodes.attributes.having("class") == {paragraph: "a  b"}
    (link,) = nodes.tag.where("svg:a").tolist()
    assert nodes.attributes.having("xlink:href") == {link: "u"}
    assert dict(nodes.attributes[0]) == {}


def test_attributes_inside_templates_are_found_in_order() -> None:
    nodes = html_to_nodes("<body><i id=a></i><template><i id=b></i></template><i id=c></i>")
    assert list(nodes.attributes.having("id").values()) == ["a", "b", "c"]


def test_foreign_elements_have_their_own_names() -> None:
    nodes = html_to_nodes("<title>page</title><svg><title>picture</title><path/></svg><math><mi>x</mi></math>")
    assert len(nodes.tag.where("title")) == 1
    assert {"svg:title", "svg:path", "math:mi"} <= set(nodes.tag.words)


def test_twenty_thousand_nested_tags() -> None:
    page = windrow.parse("<div>" * 20_000 + "deep")
    assert len(page.nodes) >= 20_000
    assert page.text == "deep"


def test_source_offsets_point_at_the_tag() -> None:
    page = windrow.parse("<!doctype html>\r\n<p>é<b class=x>bold</b>")
    (bold,) = page.nodes.tag.where("b").tolist()
    offset = page.offset(bold)
    assert offset is not None
    assert page.html[offset:].startswith("<b class=x>")
    (head,) = page.nodes.tag.where("head").tolist()
    assert page.offset(head) is None


def test_a_changed_tree_has_no_offsets() -> None:
    page = windrow.parse("<p>one")
    other = windrow.parse("<div>two</div>")
    mixed = windrow.Page(page.nodes, "memory", html=other.html)
    assert mixed.offset(len(page.nodes) - 2) is None


def test_the_collector_is_left_as_it_was() -> None:
    gc.disable()
    try:
        windrow.parse("<p>x")
        assert not gc.isenabled()
    finally:
        gc.enable()
    windrow.parse("<p>x")
    assert gc.isenabled()


def test_kinds() -> None:
    nodes = html_to_nodes("<!doctype html><!--c--><p>t")
    assert [Kind(kind) for kind in nodes.kind.tolist()[:3]] == [Kind.DOCUMENT, Kind.DOCTYPE, Kind.COMMENT]
    assert list(nodes.text[1:3]) == ["html", "c"]


@pytest.mark.skipif(not TREE_TESTS.is_dir(), reason="WINDROW_BENCH_DATA names no folder with the tests")
def test_trees_of_the_web_platform() -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
    import conformance  # noqa: PLC0415 - a script, found by its folder

    files = sorted(TREE_TESTS.glob("*.dat"))
    failed = {
        test.name for file in files for test in conformance.read_tests(file) if conformance.run(test) != test.expected
    }
    assert failed
    assert all(name.startswith("scripted_") for name in failed)  # these want a script to run while parsing
