from __future__ import annotations

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.nodes import Kind

PAGE = """<!doctype html><title>t</title><body><div id=a>x<p>1<p>2<b>y</b>z</div><div><!-- c -->
<svg><g><path/></g><g/></svg>
<table><tr><td>1<td>2</table><math><mi>q</mi></math><my-tag>w</my-tag></div>"""


def test_paths_of_known_nodes() -> None:
    page = windrow.parse(PAGE)
    (bold,) = page.nodes.tag.where("b").tolist()
    assert page.xpath(bold) == "/html/body/div[1]/p[2]/b"
    assert page.xpath(bold + 1) == "/html/body/div[1]/p[2]/b/text()"
    assert page.css_path(bold) == "html > body:nth-child(2) > div:nth-child(1) > p:nth-child(2) > b"
    assert page.css_path(bold + 1) == page.css_path(bold)
    assert page.xpath(0) == page.css_path(0) == ""


@given(
    st.lists(
        st.sampled_from(["<p>", "<div>", "</div>", "<b>", "t", "<td>", "<table>", "<li>", "<svg>", "<g>", "<!--c-->"])
    )
)
def test_paths_find_their_node_again(parts: list[str]) -> None:
    page = windrow.parse("".join(parts) or "x")
    tree = turbohtml.parse(page.html, scripting=True)
    for node in range(1, len(page.nodes)):
        if page.nodes.kind[node] == Kind.ELEMENT:
            found = tree.select(page.css_path(node))
            name = page.nodes.tag[node].rpartition(":")[2]
            assert [element.tag for element in found] == [name]
            assert found[0].text == "".join(
                page.nodes.text[inner]
                for inner in range(node, int(page.nodes.end[node]))
                if page.nodes.kind[inner] == Kind.TEXT
            )


def test_xpaths_are_understood_by_an_xpath_engine() -> None:
    page = windrow.parse(PAGE)
    tree = turbohtml.parse(page.html, scripting=True)
    elements = [node for node in range(1, len(page.nodes)) if page.nodes.kind[node] == Kind.ELEMENT]
    plain = [node for node in elements if ":" not in page.nodes.tag[node]]
    assert len(plain) > 10
    for node in plain:
        found = tree.xpath(page.xpath(node))
        assert isinstance(found, list)
        assert [getattr(element, "tag", None) for element in found] == [page.nodes.tag[node]]
    assert len({page.xpath(node) for node in elements}) == len(elements)


def test_paths_into_a_frame_start_over() -> None:
    page = windrow.parse("<template><p>in</p></template>")
    (inner,) = page.nodes.tag.where("p").tolist()
    assert page.xpath(inner) == "/html/head/template >> /p"
    assert page.css_path(inner) == "html > head:nth-child(1) > template >> p"


@pytest.mark.parametrize("depth", [20_000])
def test_deep_pages_have_paths_too(depth: int) -> None:
    page = windrow.parse("<div>" * depth + "x")
    assert page.xpath(len(page.nodes) - 1).endswith("/text()")


@given(
    st.lists(
        st.sampled_from(["<p>", "</p>", "<div>", "</div>", "a", "<svg><g>", "</svg>", "<!--c-->", "<template><b>"])
    )
)
def test_a_path_is_the_same_whether_columns_are_made_or_not(parts: list[str]) -> None:
    html = f"<!doctype html><html><body>{''.join(parts)}</body></html>"
    made = windrow.parse(html)
    for node in range(len(made.nodes.kind)):
        assert windrow.parse(html).xpath(node) == made.xpath(node)


def test_the_path_of_an_element_or_a_text_makes_no_columns() -> None:
    page = windrow.parse("<div><p>one</p><p>two<br>three</p></div>")
    elements = page.nodes.elements
    second = elements.named("p")[1]
    assert page.xpath(elements.number(second)) == "/html/body/div/p[2]"
    assert page.xpath(elements.number(elements.children(second)[2])) == "/html/body/div/p[2]/text()[2]"
    assert not page.nodes.has_columns


def test_many_paths_make_the_columns_once_and_do_not_go_through_the_page_for_each() -> None:
    page = windrow.parse("<title>t</title>" + "<br>".join(f"text {number}" for number in range(200)))
    elements = page.nodes.elements
    _, texts = elements.texts(range(99), {"title"})
    numbers = [elements.number(text) for text in texts]
    assert [page.xpath(each) for each in numbers] == [f"/html/body/text()[{each}]" for each in range(1, 201)]
    assert page.nodes.has_columns
