"""Labels can be read in every script: in its own letters where the machine has them, else in Latin ones."""

from __future__ import annotations

import pytest

from windrow import overlay
from windrow.overlay import _has_letters, _to_drawable

LABELS = ["Pears", "Äpfel – ½ €", "Груши", "Αχλάδια", "梨", "なし", "배", "كمثرى", "אגסים", "ลูกแพร์", "नाशपाती"]


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_drawn_with_letters(label: str) -> None:
    words, font = _to_drawable(label)
    assert words
    assert _has_letters(font, words)


def test_without_fonts_a_label_is_in_latin_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlay, "_find_font", lambda _: None)
    assert _to_drawable("梨")[0] == "Li"
