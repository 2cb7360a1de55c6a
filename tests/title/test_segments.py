from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.title.segments import cut_segments

WRITING = st.text(alphabet="ab é漢字かナ한글עא|-–—:,｜»«·_【】「」.!? ", max_size=60)


@pytest.mark.parametrize(
    ("text", "parts", "marks"),
    [
        ("Plums | Shop", ["Plums", "Shop"], ["bar"]),
        ("Plums|Shop", ["Plums", "Shop"], ["bar"]),
        ("Plums｜店", ["Plums", "店"], ["bar"]),
        ("T-shirts - Men’s – Shop", ["T-shirts", "Men’s", "Shop"], ["dash", "dash"]),
        ("S-market Kausala", ["S-market Kausala"], []),
        ("新闻标题_频道_网站", ["新闻标题", "频道", "网站"], ["underscore", "underscore"]),
        ("标题-网站", ["标题", "网站"], ["dash"]),
        ("【公式】桜ホテル", ["公式", "桜ホテル"], ["bracket"]),
        ("snake_case name", ["snake_case name"], []),
        ("One: two, three", ["One", "two", "three"], ["colon", "comma"]),
        ("خبر عاجل - الصحيفة", ["خبر عاجل", "الصحيفة"], ["dash"]),
        ("Home » News › Today", ["Home", "News", "Today"], ["arrow", "arrow"]),
        ("| Plums |", ["Plums"], []),
        ("Plums || Shop", ["Plums", "Shop"], ["bar"]),
        ("", [], []),
        ("|||", [], []),
    ],
)
def test_parts_and_marks(text: str, parts: list[str], marks: list[str]) -> None:
    segments = cut_segments(text)
    assert segments.parts() == parts
    assert list(segments.marks) == marks


@given(WRITING)
def test_parts_are_in_order_and_not_empty(text: str) -> None:
    segments = cut_segments(text)
    assert all(segments.parts())
    assert len(segments.marks) == max(0, len(segments) - 1)
    edges = [edge for pair in zip(segments.starts, segments.ends, strict=True) for edge in pair]
    assert edges == sorted(edges)


@given(WRITING)
def test_runs_are_cut_out_of_the_text(text: str) -> None:
    segments = cut_segments(text)
    for first in range(len(segments)):
        for last in range(first, len(segments)):
            assert segments.run(first, last) in text
            assert segments.run(first, last).startswith(segments.run(first, first))


@given(st.text(max_size=200))
def test_any_text_can_be_cut(text: str) -> None:
    cut_segments(text)
