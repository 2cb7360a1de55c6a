from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.render.charset import decode

RUSSIAN = "Привет, мир: как дела у вас сегодня?"
JAPANESE = "日本語のページです。文字コードは何でしょうか。"
KOREAN = "어제 친구와 함께 새로 생긴 식당에 갔습니다. 음식이 아주 맛있고 가격도 저렴했습니다."
CHINESE = "昨天我和朋友一起去了一家公司。他的文字很好，明天再去一次。五月是植物的季。今天天很好，我去山上看日出。"
GREEK = "Χθες πήγαμε με φίλους σε ένα νέο εστιατόριο. Το φαγητό ήταν πολύ νόστιμο και οι τιμές χαμηλές."
POLISH = "Wczoraj poszliśmy z przyjaciółmi do nowej restauracji. Łódź, źdźbło, gęślą jaźń, łąka, śnieg. " * 3


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


@pytest.mark.parametrize("declared", ["windows-1251", "koi8-r", "iso-8859-5", "windows-1253", "windows-1250", "latin1"])
@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (JAPANESE * 2, "shift_jis", "Shift_JIS"),
        (JAPANESE * 2, "euc-jp", "EUC-JP"),
        (KOREAN, "euc-kr", "EUC-KR"),
        (CHINESE, "gbk", "GBK"),
        (CHINESE, "big5", "Big5"),
    ],
)
def test_two_bytes_a_character_are_seen_under_an_encoding_of_single_bytes(
    text: str, encoding: str, name: str, declared: str
) -> None:
    decoded = decode(f"<meta charset={declared}><p>{text}".encode(encoding))
    assert text in decoded.text
    assert decoded.encoding == name
    assert decoded.notice is not None


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        (RUSSIAN * 3, "cp1251", "windows-1251"),
        (RUSSIAN * 3, "koi8-r", "KOI8-R"),
        (GREEK, "cp1253", "windows-1253"),
        (GREEK.upper(), "iso-8859-7", "ISO-8859-7"),
        (GREEK.upper()[:24], "iso-8859-7", "ISO-8859-7"),
        (POLISH, "iso-8859-2", "ISO-8859-2"),
    ],
)
def test_an_honest_encoding_of_single_bytes_is_believed(text: str, encoding: str, name: str) -> None:
    decoded = decode(f"<meta charset={encoding.replace('cp', 'windows-')}><p>{text}".encode(encoding))
    assert text in decoded.text
    assert (decoded.encoding, decoded.notice) == (name, None)


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
