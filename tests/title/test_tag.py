from __future__ import annotations

import pytest

import windrow


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<title> Apples\n &amp; pears </title>", "Apples & pears"),
        ("<title></title><body><title>Second</title>", "Second"),
        ("<svg><title>Drawing</title></svg>", ""),
        ("<p>none</p>", ""),
    ],
)
def test_text_of_the_tag(html: str, text: str) -> None:
    title = windrow.parse(html).title("tag")
    assert title.text == text == str(title)
    assert repr(title).startswith(f"<Title {text!r} (")
    assert bool(title.reason) == (not text)
