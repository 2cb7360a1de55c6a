"""Hostile bytes: charsets that lie, characters that are none, and floods of those that nobody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from family import FIRST, LAST, family, page

if TYPE_CHECKING:
    from stage import Targets

UMLAUTS = "Grüße aus der Mühle, schöne Äpfel"


def declared(charset: str, middle: str = f"<p>{UMLAUTS}</p>") -> str:
    return page(middle).replace("utf-8", charset, 1)


@family("UTF-8 that says it is Latin-1.", shown=(FIRST, LAST, UMLAUTS))
def utf8_as_latin1(_: Targets) -> bytes:
    return declared("iso-8859-1").encode()


@family("Latin-1 that says it is UTF-8.", shown=(FIRST, LAST, UMLAUTS))
def latin1_as_utf8(_: Targets) -> bytes:
    return declared("utf-8", f"<p>{UMLAUTS}</p>" * 50).encode("latin-1")


@family("UTF-8 that says it is UTF-16, which a declaration within the page cannot be.")
def utf8_as_utf16(_: Targets) -> bytes:
    return declared("utf-16").encode()


@family("A charset that nobody knows.")
def unknown_charset(_: Targets) -> bytes:
    return declared("x-hay-stack").encode()


@family("UTF-7 with a script in it, which must stay text.")
def utf7(_: Targets) -> bytes:
    return declared("utf-7", "<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>").encode("ascii", "replace")


@family("ISO-2022-JP with escapes that never return.")
def iso2022(_: Targets) -> bytes:
    return declared("iso-2022-jp", "<p>\x1b$B" + "x" * 1_000 + "\x1b(B</p>").encode("ascii", "replace")


@family("GB18030 with broken four-byte characters.")
def gb18030(_: Targets) -> bytes:
    return (
        declared("gb18030", "<p>HERE</p>").encode("ascii", "replace").replace(b"HERE", b"\x81\x30\x81 \xfe\xfe" * 5_000)
    )


@family("UTF-16 in both orders without a mark.")
def utf16_without_mark(_: Targets) -> bytes:
    return page("<p>x</p>").replace("<meta charset=utf-8>", "").encode("utf-16-le")


@family("UTF-16 with a mark, cut in the middle of a character.")
def utf16_cut(_: Targets) -> bytes:
    return page("<p>🌾</p>").encode("utf-16") + b"\xd8"


@family("Halves of surrogate pairs.")
def lone_surrogates(_: Targets) -> str:
    return page("<p>" + "\ud83c x \udf3e" * 1_000 + "</p>")


@family("UTF-8 that is none: overlong, surrogates, beyond the last character, cut.")
def broken_utf8(_: Targets) -> bytes:
    text = page("<p>HERE</p>").encode()
    return text.replace(b"HERE", b"\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xff \xe2\x82" * 2_000)


@family("A byte-order mark of one encoding, and the text in another.", shown=(), ends=("not-html",))
def wrong_mark(_: Targets) -> bytes:
    return b"\xfe\xff" + page("").encode()


@family("Three marks in a row.")
def marks(_: Targets) -> bytes:
    return b"\xef\xbb\xbf" * 3 + page("").encode()


@family("Marks of direction, nested and never ended.")
def bidi(_: Targets) -> str:
    return page("<p>" + "\u202e\u2066\u2067x\u202b" * 20_000 + "</p>")


@family("Half a million characters without width.")
def zero_width(_: Targets) -> str:
    return page("<p>" + "\u200b\u200c\u200d\u2060\ufeff" * 100_000 + "</p>")


@family("100,000 accents on one letter.", ends=("limit",))
def combining(_: Targets) -> str:
    return page("<p>Z" + "\u0301\u0330\u0489" * 33_000 + "</p>")


@family("Families of emoji joined without end.")
def joined_emoji(_: Targets) -> str:
    return page("<p>" + "👩‍👩‍👧‍" * 20_000 + "</p>")


@family("Characters that are not to be used, and private ones.")
def noncharacters(_: Targets) -> str:
    return page("<p>" + "\ufffe\uffff\ue000\U0010ffff\x01\x7f\x85" * 10_000 + "</p>")


@family("Every script's letters at once, for a search through all fonts.")
def all_scripts(_: Targets) -> str:
    return page("<p>" + "".join(chr(code) for code in range(0x100, 0xD800, 3)) + "</p>")


@family("Words that look like nothing in a thousand languages, in lines that never break.")
def unbreakable(_: Targets) -> str:
    return page("<p style='white-space:nowrap'>" + "ﷺ﷽" * 50_000 + "</p>")
