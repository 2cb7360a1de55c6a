"""What of a page that was laid out counts as shown."""

from __future__ import annotations

import pytest

import windrow

BOX = "<div style='position: relative; height: 60px'>{}</div>"
OVER = "<p class=over style='position: absolute; inset: 0; opacity: 0; {}'>over</p>"
CARD = BOX.format("<b>Card</b>" + OVER)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("html", "shown"),
    [
        (2 * CARD.format(""), ["Card", "over", "Card", "over"]),
        (CARD.format(""), ["Card"]),
        (2 * CARD.format("top: 90px; bottom: -90px"), ["Card", "Card"]),
        (2 * BOX.format("Show" + 3 * OVER.format("")), ["Show", "Show"]),
        (2 * BOX.format("<a href=/x><b>Card</b>" + OVER.format("") + "</a>"), ["Card", "over", "Card", "over"]),
        (2 * BOX.format("Stock" + OVER.format("")), ["Stock", "Stock"]),
        (2 * BOX.format("<button>Add <b>it</b>" + OVER.format("") + "</button>"), ["Add", "it", "Add", "it"]),
        ("<p style='opacity: 0'>in the flow", ["in", "the", "flow"]),
    ],
    ids=[
        "captions of cards",
        "no card beside",
        "menus",
        "slides",
        "captions in links",
        "other states",
        "buttons",
        "gap in the flow",
    ],
)
def test_transparent_text(html: str, shown: list[str]) -> None:
    assert windrow.parse(html, render=True).text.split() == shown
