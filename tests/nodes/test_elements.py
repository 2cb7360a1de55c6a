"""Nodes one by one: out of the parser's tree and out of the columns they are the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.nodes import ColumnElements, Elements, Nodes

PARTS = (
    "<p class='a b' id=x>",
    "</p>",
    "<h1>",
    "</h1>",
    "<a href='/'>",
    "</a>",
    "<svg><title>s</title></svg>",
    "<template><h1>t</h1>",
    "</template>",
    "<script>var x</script>",
    "<table><td>",
    "<!-- c -->",
    "rye ",
    "<b hidden>",
)


def nodes_of(parts: list[str]) -> Nodes:
    return windrow.parse("".join(parts) or "<p>").nodes


def describe(elements: Elements, tag: str) -> list[object]:
    """Return all that single nodes tell, their names made numbers."""
    number = elements.number
    said, texts = elements.texts(range(2, 8), {"script"})
    after = [elements.after(text) for text in texts]
    told: list[object] = [list(map(number, texts)), said, [each if each is None else number(each) for each in after]]
    told.append({number(node): value for node, value in elements.having("href").items()})
    for node in elements.named(tag):
        inside = [(number(inner), number(parent), elements.string(inner)) for inner, parent in elements.walk(node)]
        around = elements.parent(node)
        told.append((number(node), elements.tag(node), dict(elements.attributes(node)), inside))
        told.append((elements.attribute(node, "class"), elements.has(node, "hidden"), elements.tag(around)))
        told.append((list(map(number, elements.children(node))), number(elements.at(number(node)))))
    return told


@given(st.lists(st.sampled_from(PARTS), max_size=20), st.sampled_from(("p", "h1", "a", "title", "b")))
def test_tree_and_columns_tell_the_same(parts: list[str], tag: str) -> None:
    nodes = nodes_of(parts)
    assert describe(nodes.elements, tag) == describe(ColumnElements(nodes), tag)


@given(st.lists(st.sampled_from(PARTS), max_size=20))
def test_the_number_of_nodes_is_known_before_there_are_columns(parts: list[str]) -> None:
    nodes = nodes_of(parts)
    count = len(nodes)
    assert "kind" not in vars(nodes)
    assert count == len(nodes.kind) == len(nodes.parent) == len(nodes.text)
