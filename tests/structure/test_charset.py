from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.render.charset import decode

RUSSIAN = "Привет, мир: как дела у вас сегодня?"
JAPANESE = "日本語のページです。文字コードは何でしょうか。"


@pytest.mark.parametrize(
    ("data", "declared", "text", "encoding"),
    [
        (b"<p>plain", None, "<p>plain", "windows-1252"),
        ("<p>é".encode(), None, "<p>é", "UTF-8"),
        (b"<meta charset=latin1>\xe9\x80", None, "<meta charset=latin1>é€", "windows-1252"),
        (b"\xef\xbb\xbf\xc3\xa9", "latin1", "é", "UTF-8"),
        ("é".encode("utf-16"), None, "é", "UTF-16LE"),
        (f"<meta charset=koi8-r>{RUSSIAN}".encode("koi8-r"), None, f"<meta charset=koi8-r>{RUSSIAN}", "KOI8-R"),
        (
            f"<meta charset=koi8-r>{RUSSIAN}".encode("cp1251"),
            "windows-1251",
            f"<meta charset=koi8-r>{RUSSIAN}",
            "windows-1251",
        ),
        (b" " * 2000 + b"<meta charset=koi8-r>\xc1", None, " " * 2000 + "<meta charset=koi8-r>а", "KOI8-R"),
        (
            b"<!-- <meta charset=koi8-r> --><meta charset=gbk>\xc4\xe3",
            None,
            "<!-- <meta charset=koi8-r> --><meta charset=gbk>你",
            "GBK",
        ),
        (b"<meta charset=no-such-thing>a", None, "<meta charset=no-such-thing>a", "windows-1252"),
        ("<p>é".encode("utf-16-le"), None, "<p>é", "UTF-16LE"),
        ("<p>é".encode("utf-16-be"), None, "<p>é", "UTF-16BE"),
        (RUSSIAN.encode("cp1251"), None, RUSSIAN, "windows-1251"),
        (JAPANESE.encode("shift_jis"), None, JAPANESE, "Shift_JIS"),
        (JAPANESE.encode("euc-jp"), "no-such-thing", JAPANESE, "EUC-JP"),
    ],
)
def test_encodings_that_are_declared_or_found(data: bytes, declared: str | None, text: str, encoding: str) -> None:
    decoded = decode(data, declared)
    assert (decoded.text, decoded.encoding, decoded.notice) == (text, encoding, None)


@pytest.mark.parametrize(
    ("data", "declared"),
    [
        (f"<meta charset=windows-1252>{RUSSIAN}".encode(), None),
        (f"<meta charset=utf-8>{RUSSIAN}".encode("cp1251"), None),
        (RUSSIAN.encode("cp1251"), "utf-8"),
        (RUSSIAN.encode(), "shift_jis"),
    ],
)
def test_a_lie_is_seen_through_and_told(data: bytes, declared: str | None) -> None:
    decoded = decode(data, declared)
    assert RUSSIAN in decoded.text
    assert decoded.notice is not None
    assert decoded.notice.kind == "charset"
    assert "declared as" in str(decoded.notice)


def test_one_broken_letter_is_no_lie() -> None:
    decoded = decode(f"<meta charset=utf-8>{RUSSIAN}".encode() + b"\xff")
    assert decoded.encoding == "UTF-8"
    assert decoded.text.endswith("\ufffd")


def test_line_ends_are_normalised() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\nb\nc\n"
    assert windrow.parse("a\r\nb\rc").html == "a\nb\nc"


def test_halves_of_surrogate_pairs_are_replaced() -> None:
    page = windrow.parse("<p>a\ud800b\U0001f600\udc00</p>")
    assert page.text == "a\ufffdb\U0001f600\ufffd"
    page.text.encode()


@given(st.binary(max_size=300), st.none() | st.text(max_size=12))
def test_any_bytes_become_text(data: bytes, declared: str | None) -> None:
    decoded = decode(data, declared)
    decoded.text.encode()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_declared_utf8_comes_through(text: str) -> None:
    decoded = decode(b"<meta charset=utf-8>" + text.encode())
    assert decoded.text == "<meta charset=utf-8>" + text.replace("\r\n", "\n").replace("\r", "\n")
