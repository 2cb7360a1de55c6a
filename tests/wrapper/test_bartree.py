from __future__ import annotations

from fractions import Fraction

import pytest

import windrow
from windrow.wrapper.template.bartree import (
    BarTree,
    Part,
    changed_depths,
    find_case,
    grow_bartree,
    same_bars,
    same_delta,
    same_total,
)

TENTH = Fraction(1, 10)
FIELD = "<body><div>top</div><div><p>x</p><p>y <b>z</b></p><p>q</p></div><ul><li>end</li></ul></body>"


def tree(parallel: tuple[int, ...], upper: tuple[int, int] = (1, 1)) -> BarTree:
    return BarTree(parallel, (1,) * len(parallel), TENTH, Part(*upper), Part(1, 1))


def grown(html: str, text: str) -> BarTree:
    nodes = windrow.parse(html).nodes
    node = next(number for number, words in enumerate(nodes.text) if words.strip() == text)
    return grow_bartree(nodes, node, node, TENTH)


def test_widths_and_areas_of_the_worked_example() -> None:
    example = tree((1, 2, 4, 1))
    assert list(example.widths) == [1, 1, Fraction(9, 20), Fraction(9, 100)]
    assert list(example.areas) == [0, 1, Fraction(9, 10), Fraction(27, 100)]
    assert example.total == Fraction(154, 100)


def test_the_widths_of_the_figure_follow_equation_6() -> None:
    # Fig. 3 and 4: four tags stand beside each other at depth 5, three at depth 9.
    figure = tree((1, 1, 1, 1, 1, 4, 1, 1, 1, 3, 1))
    product = Fraction(1)
    for depth in range(1, figure.depth + 1):
        product *= (1 - (depth - 1) * TENTH) / figure.parallel[depth - 1]
        assert figure.widths[depth] == product
    assert figure.total == sum(figure.widths[1:])
    assert figure.depth == 10


def test_the_siblings_of_the_deepest_bar_are_in_no_width_but_compared() -> None:
    one, other = tree((1, 2, 3)), tree((1, 2, 4))
    assert same_total(one, other)
    assert not same_bars(one, other)


def test_a_tree_grows_along_the_way_to_the_region() -> None:
    found = grown(FIELD, "z")
    assert found.parallel == (1, 1, 3, 3)
    assert found.ordinals == (1, 1, 2, 2)
    assert found.upper == Part(4, 2)
    assert found.lower == Part(4, 3)
    assert found.delta == (4 - 2) - (4 - 3)


def test_the_ratio_shrinks_with_the_depth() -> None:
    nodes = windrow.parse("<div>" * 30 + "deep" + "</div>" * 30).nodes
    found = grow_bartree(nodes, len(nodes) - 1, len(nodes) - 1)
    assert found.ratio == Fraction(1, found.depth)
    assert min(found.widths) > 0


def test_text_format_tags_do_not_count() -> None:
    assert grown(FIELD, "z") == grown(FIELD.replace("<b>", "<em><font>").replace("</b>", "</font></em>"), "z")


@pytest.mark.parametrize(
    ("html", "case"),
    [
        (FIELD, "none"),
        (FIELD.replace("<div>top", "<div><hr>top"), "upper"),
        (FIELD.replace("<li>", "<li><hr>"), "lower"),
        (FIELD.replace("<p>y", "<section><p>y").replace("</b></p>", "</b></p></section>"), "both-same"),
        (FIELD.replace("<div>top", "<div><hr>top").replace("<li>", "<li><hr><hr>"), "both"),
    ],
)
def test_the_cases_of_delta(html: str, case: str) -> None:
    assert find_case(grown(FIELD, "z"), grown(html, "z")) == case


def test_one_more_open_and_one_more_closed_tag_do_not_cancel() -> None:
    one, other = tree((1, 1), (3, 2)), tree((1, 1), (4, 3))
    assert one.delta == other.delta
    assert find_case(one, other) == "upper"


def test_renamed_tags_escape_the_paper() -> None:
    assert same_delta(grown(FIELD, "z"), grown(FIELD.replace("<p>", "<dd>").replace("</p>", "</dd>"), "z"))


def test_the_changed_depths_are_named() -> None:
    assert changed_depths(tree((1, 2, 3)), tree((1, 3, 3, 1))) == [1, 3]


def test_a_tree_survives_json() -> None:
    found = grown(FIELD, "z")
    assert BarTree.from_dict(found.to_dict()) == found
