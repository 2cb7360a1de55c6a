"""What templates show: words of people, on a page that has buttons."""

from __future__ import annotations

import pytest

from windrow.web.templating import spoken


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is gone. Choose another: `windrow source set a read.wrapper=FILE`.", "It is gone."),
        (
            "It is held. See `windrow diff a.b --held`; take it with `windrow harvest a.b --accept`. Look.",
            "It is held. Look.",
        ),
        ("Ask `windrow runs`.", "Ask `windrow runs`."),
        ("Nothing to do.", "Nothing to do."),
        ("A source called `x`. Fine.", "A source called `x`. Fine."),
    ],
)
def test_sentences_with_commands_are_left_out(text: str, shown: str) -> None:
    assert spoken(text) == shown
