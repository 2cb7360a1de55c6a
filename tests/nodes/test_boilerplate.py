from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.nodes.boilerplate import PARTS, find_boilerplate, find_landmarks
from windrow.nodes.identifiers import words_of

if TYPE_CHECKING:
    from windrow.nodes import Nodes

ARTICLE = "<main><h1>Pruning pears</h1><p>" + "Cut above an outward bud, and leave the spurs. " * 9 + "</p></main>"
ATTRIBUTES = ["", ' class="site-nav"', ' id="sideBar_left"', ' class="comments"', ' role="search"', ' class="navy"']
TAGS = ["div", "nav", "aside", "footer", "ul", "section", "form"]

pieces = st.builds(
    lambda tag, said, inner: f"<{tag}{said}>{inner}</{tag}>",
    st.sampled_from(TAGS),
    st.sampled_from(ATTRIBUTES),
    st.sampled_from(["pears", "<h1>pears</h1>", "<div class=menu>pears</div>", "<p>" + "pears " * 200 + "</p>"]),
)
pages = st.lists(pieces, max_size=5).map(lambda parts: windrow.parse("".join(parts) + ARTICLE).nodes)
shares = st.floats(0, 1)


@pytest.mark.parametrize(
    ("markup", "part"),
    [
        ("<nav>pears</nav>", "navigation"),
        ('<div role=" Navigation ">pears</div>', "navigation"),
        ('<ul class="topMenu">pears</ul>', "navigation"),
        ('<div id="main_footer">pears</div>', "footer"),
        ("<header>pears</header>", "header"),
        ('<section class="filter-list">pears</section>', "filters"),
        ('<div class="fb comments">pears</div>', "comments"),
        ("<dialog open>pears</dialog>", "dialog"),
        ('<div class="cookie-consent">pears</div>', "dialog"),
        ("<button>pears</button>", "controls"),
        ('<div class="related-posts">pears</div>', "promotion"),
    ],
)
def test_a_part_is_known_by_tag_role_or_name(markup: str, part: str) -> None:
    nodes = windrow.parse(markup + ARTICLE).nodes
    pears = nodes.text.index("pears")
    assert [name for name in PARTS if find_boilerplate(nodes, [name], 0.2)[pears]] == [part]
    assert not find_boilerplate(nodes, PARTS, 0.2)[nodes.tag.where("h1")].any()


@pytest.mark.parametrize(
    "markup",
    [
        '<span class="menu">pears</span>',
        '<h2 class="related">pears</h2>',
        '<div class="navy">pears</div>',
        '<div class="sidebar"><h1>pears</h1></div>',
        "<aside>" + "pears, and what to do with them in spring. " * 60 + "</aside>",
    ],
)
def test_what_only_sounds_like_it_is_content(markup: str) -> None:
    nodes = windrow.parse(f'<body class="has-sidebar">{markup}{ARTICLE}').nodes
    assert not find_boilerplate(nodes, PARTS, 0.5).any()


@given(pages, shares, shares)
def test_more_parts_and_larger_ones_mark_more(nodes: Nodes, one: float, other: float) -> None:
    less, more = (
        find_boilerplate(nodes, ["navigation"], min(one, other)),
        find_boilerplate(nodes, PARTS, max(one, other)),
    )
    assert not (less & ~more).any()
    assert not find_boilerplate(nodes, PARTS, 0).any()


@given(pages, shares)
def test_parts_are_marked_as_a_whole_and_together(nodes: Nodes, share: float) -> None:
    marked = find_boilerplate(nodes, PARTS, share)
    assert (nodes.inside(marked) == marked).all()
    single = np.stack([find_boilerplate(nodes, [part], share) for part in PARTS])
    assert (single.any(axis=0) == marked).all()


@given(pages)
def test_landmarks_are_told_by_their_tags(nodes: Nodes) -> None:
    assert not find_landmarks(nodes, []).any()
    assert find_landmarks(nodes, ["navigation"]).tolist() == nodes.inside(nodes.tag.is_in({"nav"})).tolist()
    assert (find_landmarks(nodes, PARTS) | ~find_landmarks(nodes, ["footer"])).all()


def test_names_are_split_into_words() -> None:
    assert words_of("searchResults_top") == ["search", "results", "top"]
    assert words_of("site-nav2 ") == ["site", "nav"]
