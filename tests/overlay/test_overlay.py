from __future__ import annotations

import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from windrow.errors import SourceError, UsageError
from windrow.overlay import FRAME, PALETTE, draw, draw_frames
from windrow.result import Mark

PAPER = (255, 255, 255)


def blank(width: int = 200, height: int = 120) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (width, height), PAPER).save(written, "PNG")
    return written.getvalue()


def pixels(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_frame_runs_around_its_box() -> None:
    drawn = pixels(draw(blank(), [Mark((40, 30, 100, 80))]))
    assert drawn.size == (200, 120)
    for corner in ((39, 50), (100, 50), (70, 29), (70, 80)):
        assert drawn.getpixel(corner) == PALETTE[0]
    assert drawn.getpixel((70, 50)) == PAPER
    assert drawn.getpixel((39 - FRAME, 50)) == PAPER


def test_groups_have_colours_and_a_legend_below_the_page() -> None:
    marks = [Mark((10, 40, 60, 80), "table", "tables"), Mark((100, 40, 160, 80), "ul", "lists", "dashed")]
    drawn = pixels(draw(blank(), marks))
    assert drawn.width == 200
    assert drawn.height > 120
    assert drawn.getpixel((9, 60)) == PALETTE[0]
    found = {color for _, color in drawn.crop((0, 121, 200, drawn.height)).getcolors(10_000) or []}
    assert {PALETTE[0], PALETTE[1]} <= found


def test_dashed_frame_has_gaps_and_filled_mark_lets_the_page_through() -> None:
    drawn = pixels(draw(blank(), [Mark((20, 20, 180, 60), style="dashed"), Mark((20, 80, 180, 110), style="filled")]))
    edge = {drawn.getpixel((x, 19)) for x in range(20, 180)}
    assert edge == {PAPER, PALETTE[0]}
    inside = drawn.getpixel((100, 95))
    assert inside not in {PAPER, PALETTE[0]}


def test_labels_are_written_and_keep_out_of_each_others_way() -> None:
    marks = [Mark((20, 60, 90, 100), "one"), Mark((20, 60, 90, 100), "two")]
    single = pixels(draw(blank(), marks[:1]))
    both = pixels(draw(blank(), marks))
    assert single.getpixel((21, 45)) == PALETTE[0]
    assert both.crop((18, 40, 60, 58)).tobytes() == single.crop((18, 40, 60, 58)).tobytes()
    assert both.tobytes() != single.tobytes()


@pytest.mark.parametrize(
    "box",
    [
        (math.nan, math.nan, math.nan, math.nan),
        (math.inf, 0, math.inf, 5),
        (500, 500, 600, 600),
        (-90, -90, -10, -10),
        (50, 50, 50, 90),
        (90, 50, 40, 90),
    ],
)
def test_what_is_no_box_on_the_picture_is_not_drawn(box: tuple[float, float, float, float]) -> None:
    assert pixels(draw(blank(), [Mark(box, "lost")])).tobytes() == pixels(blank()).tobytes()


@given(
    st.lists(
        st.builds(
            Mark,
            st.tuples(*[st.floats(-1e9, 1e9) | st.integers(-50, 300).map(float)] * 4),
            st.text(max_size=80),
            st.sampled_from(["", "a", "b"]),
            st.sampled_from(["solid", "dashed", "filled"]),
        ),
        max_size=8,
    )
)
def test_any_marks_can_be_drawn(marks: list[Mark]) -> None:
    assert pixels(draw(blank(60, 40), marks)).width == 60


def test_stages_share_colours_and_size() -> None:
    stages = [[Mark((10, 30, 60, 60), "", "rows")], [Mark((10, 30, 60, 60), "", "cells")], []]
    frames = [pixels(frame) for frame in draw_frames(blank(), stages)]
    assert len({frame.size for frame in frames}) == 1
    assert frames[0].getpixel((9, 45)) == PALETTE[0]
    assert frames[1].getpixel((9, 45)) == PALETTE[1]
    assert frames[2].getpixel((9, 45)) == PAPER


def test_tall_page_with_many_marks_is_drawn() -> None:
    marks = [Mark((10.0, 30.0 * row, 600.0, 30.0 * row + 20), f"row {row}", "rows") for row in range(1, 500)]
    assert pixels(draw(blank(640, 15_000), marks)).getpixel((9, 30 * 499 + 5)) == PALETTE[0]


def test_what_is_no_picture_is_a_sentence() -> None:
    with pytest.raises(SourceError, match="damaged"):
        draw(b"no picture", [])
    with pytest.raises(SourceError, match="damaged"):
        draw(blank()[:60], [])


def test_picture_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    with pytest.raises(UsageError, match="too large"):
        draw(blank(), [])
