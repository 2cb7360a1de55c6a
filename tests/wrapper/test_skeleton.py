from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.wrapper.template.alignment import align
from windrow.wrapper.template.skeleton import Skeleton, read_digest, read_skeleton

TAGS = st.sampled_from(["div", "p", "ul", "li", "svg:g", "h1"])


@st.composite
def skeletons(draw: st.DrawFn) -> Skeleton:
    depths = [0]
    for _ in range(draw(st.integers(0, 25))):
        depths.append(draw(st.integers(1, depths[-1] + 1)))
    tags = ["body", *(draw(TAGS) for _ in depths[1:])]
    hidden = np.array([False, *(draw(st.booleans()) for _ in depths[1:])])
    return Skeleton(np.array(depths, dtype=np.int64), tuple(tags), hidden)


@given(skeletons())
def test_a_line_is_read_back(skeleton: Skeleton) -> None:
    again = Skeleton.from_line(skeleton.to_line())
    assert again.tags == skeleton.tags
    assert again.depth.tolist() == skeleton.depth.tolist()
    assert again.hidden.tolist() == skeleton.hidden.tolist()


@given(skeletons())
def test_a_skeleton_is_aligned_with_itself(skeleton: Skeleton) -> None:
    alignment = align(skeleton, skeleton)
    assert alignment.prefix == alignment.suffix == len(skeleton.tags)
    assert [alignment.carry(number) for number in range(len(skeleton.tags))] == list(range(len(skeleton.tags)))


def test_equal_neighbours_are_written_once() -> None:
    nodes = windrow.parse("<div><h1>a</h1></div><ul><li><a>b</a></li><li><a>c</a></li><li><a>d</a></li></ul>").nodes
    assert read_skeleton(nodes).to_line() == "body(div(h1) ul(3*li(a)))"


def test_what_nobody_sees_is_marked() -> None:
    nodes = windrow.parse("<p>a</p><div hidden><p>b</p></div><p style='display: none'>c</p>").nodes
    assert read_skeleton(nodes).to_line() == "body(p div/(p/) p/)"


def test_what_is_behind_an_addition_is_carried_on() -> None:
    old = Skeleton.from_line("body(div(p) div(ul(li)))")
    new = Skeleton.from_line("body(div(a(img) p) div(p) div(ul(li)))")
    assert align(old, new).carry(4) == 8


def test_texts_and_attributes_do_not_count() -> None:
    pages = ["<p class=a>one</p><script>1</script>", "<p id=b>two <!-- x --></p>"]
    assert len({read_digest(windrow.parse(html).nodes) for html in pages}) == 1


def test_tags_and_their_order_count() -> None:
    pages = ["<p>a</p><hr>", "<hr><p>a</p>", "<div>a</div><hr>", "<p>a<hr></p>", "<div><p>a</p><hr></div>"]
    assert len({read_digest(windrow.parse(html).nodes) for html in pages}) == len(pages)


@pytest.mark.browser
def test_a_page_with_frames_is_read_back_and_checked() -> None:
    fingerprint = '<iframe srcdoc="<p>Rain <b>on Monday</b></p><p>Sun"></iframe>'
    html = f"<h1>The Hay Year</h1>{fingerprint}<div><p>In stock</p></div><div><p>Carting before rain</p></div>"
    page = windrow.parse(html, url="https://a.example/", render=True)
    skeleton = read_skeleton(page.nodes)
    assert Skeleton.from_line(skeleton.to_line()).tags == skeleton.tags
    learned = windrow.learn(page, {"stock": "In stock", "last": "Carting before rain"})
    changed = windrow.parse(f"<p>Sale</p>{html.replace('In stock', 'Sold out')}", url="https://a.example/", render=True)
    assert learned.check(changed).case == "upper"
