"""The boxes of words: right where a person would point at them, and only there where they are asked for."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import windrow
from windrow.nodes.words import read_page_words

pytestmark = pytest.mark.browser
LETTERS = " ".join(f"w{'i' * (n % 7)}M{'l' * (n % 5)} word{n}" for n in range(150))
PAGE = """<!doctype html><meta charset=utf-8><title>Words</title>
<style>main{columns:2;text-align:justify;font:17px/1.4 serif}.gone{display:none}em{letter-spacing:.3em}
.turned{transform:translate(40px,12px)}pre{font-size:20px}</style>
<h1>Will Iljin's   wide MMMMM mills</h1><p class=gone>never drawn at all</p>
<main><p>LETTERS</p><p>Illicit <b>mmm</b>ixed <em>spaced words</em> fit<i>ting</i> together, 12\u00a0\u20ac each.</p>
</main>
<p class=turned>moved a little</p><pre>kept   as it
    is written</pre><p lang=ja>\u6771\u4eac\u30bf\u30ef\u30fc \U00020bb7\u91ce\u5bb6</p>
<table><tr><td>one<td>two words</table>
<div style="width:60px;overflow-wrap:anywhere">unbreakablebutbrokenword</div>
<iframe srcdoc="<p>framed words" width=200 height=60></iframe>
<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<p>in the <slot></slot> shade</p>'</script>
""".replace("LETTERS", LETTERS)


@pytest.fixture(scope="module")
def page() -> windrow.Page:
    return windrow.parse(PAGE, render=True, options=windrow.Options(words=True, screenshot=True))


def test_the_word_under_the_middle_of_each_box_is_that_word(page: windrow.Page) -> None:
    words = read_page_words(page.nodes)
    centres = np.stack([words.box[:, ::2].mean(axis=1), words.box[:, 1::2].mean(axis=1)], axis=1).tolist()
    right = [words.at(x, y) == number for number, (x, y) in enumerate(centres)]
    assert len(right) > 300
    assert np.mean(right) >= 0.99
    # Every word of the text has a box, and nothing else has.
    said = {page.text[start:end] for start, end in zip(words.start.tolist(), words.end.tolist(), strict=True)}
    assert {"Iljin's", "MMMMM", "mmm", "ixed", "moved", "12\u00a0\u20ac", "\u6771", "framed"} <= said
    assert "never" not in said


def test_boxes_are_where_the_letters_are_drawn(page: windrow.Page) -> None:
    """Around the box of a word nothing dark is drawn, and within it something is."""
    import io  # noqa: PLC0415 - of this test alone

    from PIL import Image  # noqa: PLC0415 - as above

    assert page.screenshot is not None
    picture = np.asarray(Image.open(io.BytesIO(page.screenshot)).convert("L"))
    words = read_page_words(page.nodes)
    inked = gaps = 0
    for left, top, right, bottom in words.box.round().astype(int).tolist():
        inked += bool((picture[top:bottom, left:right] < 128).any())
        gaps += bool((picture[top:bottom, max(0, left - 2)] >= 128).all())
    assert inked / len(words.box) >= 0.99
    assert gaps / len(words.box) >= 0.97  # what runs on from a word in other letters has no gap


def test_words_cost_nothing_unless_they_are_asked_for_and_lines_stand_in_for_them(page: windrow.Page) -> None:
    plain = windrow.parse(PAGE, render=True)
    assert plain.nodes.layout is not None
    assert plain.nodes.layout.words is None
    about, exact = read_page_words(plain.nodes), read_page_words(page.nodes)
    assert len(set(about.start.tolist()) & set(exact.start.tolist())) > 0.95 * len(exact.start)
    first = about.boxes_between(0, 4), exact.boxes_between(0, 4)
    assert np.allclose(first[0], first[1], atol=16)


def test_words_are_kept_with_the_page(page: windrow.Page) -> None:
    copy = pickle.loads(pickle.dumps(page))  # noqa: S301 - our own bytes
    assert np.array_equal(read_page_words(copy.nodes).box, read_page_words(page.nodes).box)


def test_a_page_without_layout_has_no_words() -> None:
    assert not len(read_page_words(windrow.parse("<p>plain").nodes).start)
    with pytest.raises(windrow.UsageError, match="words"):
        windrow.parse("<p>plain", options=windrow.Options(words=True))
