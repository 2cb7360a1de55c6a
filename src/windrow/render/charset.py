"""Bytes to text by the HTML standard's rules, and by the bytes themselves where nothing is declared or it is a lie.

Order of the standard: byte-order mark, what the transport says, ``<meta>``; then a detector. Lies that are common
enough to be caught: UTF-8 that is declared as something else, something else that is declared as UTF-8, bytes that
break in the declared encoding, writing in another script that is declared as Western, and East Asian writing, two bytes
a character, that is declared as an encoding of single bytes.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import turbohtml
from turbohtml.detect import detect

from windrow.provenance import Notice

PRESCAN = 1024
"""Bytes that the standard searches for a declaration before it parses."""
MOST_BROKEN = 0.5
"""Of the characters beyond ASCII, how many may be broken before a declared UTF-8 is taken for a lie."""
MOST_BROKEN_PAIRS = 0.1
"""The same for older encodings, where other bytes break seldom, for most pairs of bytes are characters."""
WESTERN = frozenset({"windows-1252", "iso-8859-15", "macintosh", "iso-8859-3", "windows-1254"})
"""Encodings in which letters beyond ASCII stand one by one between others."""
FEWEST_FOREIGN = 16
"""Bytes beyond ASCII that must stand there before a Western encoding is doubted."""
MOST_TOGETHER = 0.6
"""Of them, how many may stand beside another one: in Western writing hardly any do, in other scripts most."""
DOUBLE_BYTE = frozenset({"Shift_JIS", "EUC-JP", "ISO-2022-JP", "EUC-KR", "GBK", "gb18030", "Big5"})
"""Encodings of East Asia. Their bytes break in few encodings of single bytes, where they are letters and signs."""
FEWEST_DOUBLED = 64
"""Bytes beyond ASCII from which the detector tells these from others: fewer of Greek in capitals pass for Chinese."""
UTF_16 = re.compile(rb"<\0[!-~]\0|\0<\0[!-~]")
"""How UTF-16 begins; a NUL alone before a tag is none."""
DECLARATION = re.compile(rb"charset", re.IGNORECASE)
FOREIGN = re.compile(rb"[\x80-\xff]+")
LINE_END = re.compile("\r\n?")


@dataclass(frozen=True)
class Decoded:
    """Text, the encoding that it was decoded from, and a notice where that is not what was declared."""

    text: str
    encoding: str
    notice: Notice | None = None


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode a page; ``declared`` is the label that came with it, from a Content-Type for example."""
    label = declared if declared and _is_known(declared) else None
    if UTF_16.match(data):  # UTF-16 without a mark, which no declaration inside could name
        label = "utf-16le" if data[0] else "utf-16be"
    head = turbohtml.parse(data[:PRESCAN], encoding=label)
    if head.encoding_confidence == "certain" and head.encoding:
        return _check(data, head.encoding)
    # A declaration further down counts, but only the parser knows one from mere text; without any the detector decides.
    is_declared = DECLARATION.search(data) is not None
    late = (turbohtml.parse(data, detect_encoding=True) if is_declared else detect(data)).encoding
    return _check(data, late or "windows-1252")


def _check(data: bytes, encoding: str) -> Decoded:
    text = _read(data, encoding)
    if text.isascii() or data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoded(text, encoding)
    if encoding != "UTF-8" and _is_utf8(data):
        return _contradict(data, encoding, "UTF-8")
    if _is_lie(text, encoding) or (encoding.lower() in WESTERN and _is_foreign(data)):
        return _contradict(data, encoding, _detect(data) or encoding)
    if (found := _find_double_byte(data, encoding)) is not None:
        return _contradict(data, encoding, found)
    return Decoded(text, encoding)


def _find_double_byte(data: bytes, encoding: str) -> str | None:
    """Return the encoding of East Asia that the bytes are in, where one of single bytes is declared."""
    is_settled = encoding == "UTF-8" or encoding in DOUBLE_BYTE or encoding.lower() in WESTERN
    if is_settled or sum(map(len, FOREIGN.findall(data))) < FEWEST_DOUBLED:
        return None
    found = _detect(data)
    return found if found in DOUBLE_BYTE and not _is_lie(_read(data, found), found) else None


def _detect(data: bytes) -> str | None:
    """Return the encoding that the bytes look like, whatever the page says of itself."""
    return detect(DECLARATION.sub(b"-------", data)).encoding


def _is_lie(text: str, encoding: str) -> bool:
    """Whether too many of the characters beyond ASCII are broken; most pages have no broken one."""
    broken = text.count("\ufffd")
    if broken <= 1:
        return False
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    return broken > (MOST_BROKEN if encoding == "UTF-8" else MOST_BROKEN_PAIRS) * foreign


def _is_foreign(data: bytes) -> bool:
    """Whether bytes beyond ASCII stand together, as in scripts that are not Western."""
    runs = [len(run) for run in FOREIGN.findall(data)]
    return sum(runs) >= FEWEST_FOREIGN and sum(run for run in runs if run > 1) > MOST_TOGETHER * sum(runs)


def _contradict(data: bytes, declared: str, found: str) -> Decoded:
    sentence = f"The page is declared as {declared} but its bytes are {found}; it was read as {found}."
    return Decoded(_read(data, found), found, Notice("charset", sentence) if found != declared else None)


def _read(data: bytes, encoding: str) -> str:
    # Of UTF-8 both decoders make the same, whatever is broken in it, but Python's own takes a third of the time.
    text = data.decode("utf-8", "replace") if encoding == "UTF-8" else data.decode(f"whatwg-{encoding.lower()}")
    return unify_line_ends(text.removeprefix("\ufeff"))


def unify_line_ends(text: str) -> str:
    """Return a text with one kind of line ends, as the parser would read it."""
    return LINE_END.sub("\n", text) if "\r" in text else text


def _is_known(label: str) -> bool:
    try:
        codecs.lookup(f"whatwg-{label.strip().lower()}")
    except (LookupError, ValueError):  # the latter where there is a NUL in it
        return False
    return True


def _is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 beyond ASCII, though the last character may be cut off."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data, final=False)
    except UnicodeDecodeError:
        return False
    return not text.isascii()
