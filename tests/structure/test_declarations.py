"""Declarations that lie are found out by the bytes; those that tell the truth are kept."""

from __future__ import annotations

import pytest

import windrow

JAPANESE = "梨の収穫", "秋になると、私たちは果樹園で梨を収穫します。とても甘くておいしいです。"
KOREAN = "배 수확", "가을이 되면 우리는 과수원에서 배를 수확합니다. 아주 달고 맛있습니다."
CHINESE = "梨子收获", "秋天到了，我们在果园里收获梨子，非常甜美好吃，然后运到市场上去卖给大家品尝。"
RUSSIAN = "Урожай груш", "Осенью мы собираем груши в саду. Они очень сладкие и вкусные."
FRENCH = "Récolte d'été", "À l'automne, nous récoltons les poires déjà mûres, très sucrées; où ça? là-bas, près du pré."


def page(words: tuple[str, str], encoding: str, declared: str) -> windrow.Page:
    html = f"<!doctype html><meta charset={declared}><title>{words[0]}</title><p>{words[1]}"
    return windrow.parse(html.encode(encoding))


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1252", "utf-8"])
@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (CHINESE, "gbk"),
        (RUSSIAN, "windows-1251"),
    ],
)
def test_a_lie_is_found_out(words: tuple[str, str], encoding: str, declared: str) -> None:
    found = page(words, encoding, declared)
    assert found.title().text == words[0]
    assert [notice.kind for notice in found.warnings] == ["charset"]


def test_bytes_that_break_as_declared() -> None:
    assert page(JAPANESE, "shift_jis", "euc-jp").title().text == JAPANESE[0]


@pytest.mark.parametrize(
    ("words", "encoding"),
    [(JAPANESE, "shift_jis"), (RUSSIAN, "windows-1251"), (FRENCH, "iso-8859-1"), (FRENCH, "windows-1252")],
)
def test_the_truth_is_kept(words: tuple[str, str], encoding: str) -> None:
    found = page(words, encoding, encoding)
    assert found.title().text == words[0]
    assert found.warnings == ()


@pytest.mark.parametrize("before", [b"", b"\0", b"\x01\x02\x03\x04\x05", b"\xef\xbb\xbf\0\0\0"])
def test_a_page_that_begins_with_a_doctype_is_a_page(before: bytes) -> None:
    noise = b"\0\x01\x02\x03\x0e" * 40
    html = before + b"<!doctype html>" + noise + b"<title>Pears</title><p>Ripe\0 in\x05 October<p>Sweet"
    found = windrow.parse(html)
    assert found.title().text == "Pears"
    assert "Ripe in\x05 October" in found.text
    assert "Sweet" in found.text
