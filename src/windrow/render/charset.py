"""Bytes to text by the HTML standard's rules, and by the bytes themselves where nothing is declared or it is a lie.

Order of the standard: byte-order mark, what the transport says, ``<meta>``; then a detector. Two lies are common
enough to be caught: UTF-8 that is declared as something else, and something else that is declared as UTF-8.
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
DECLARATION = re.compile(rb"charset", re.IGNORECASE)


@dataclass(frozen=True)
class Decoded:
    """Text, the encoding that it was decoded from, and a notice where that is not what was declared."""

    text: str
    encoding: str
    notice: Notice | None = None


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode a page; ``declared`` is the label that came with it, from a Content-Type for example."""
    label = declared if declared and _is_known(declared) else None
    if data.startswith((b"<\0", b"\0<")):  # UTF-16 without a mark, which no declaration inside could name
        label = "utf-16le" if data[0] else "utf-16be"
    head = turbohtml.parse(data[:PRESCAN], encoding=label)
    if head.encoding_confidence == "certain" and head.encoding:
        return _check(data, head.encoding)
    late = turbohtml.parse(data, detect_encoding=True)
    return _check(data, late.encoding or "windows-1252")


def _check(data: bytes, encoding: str) -> Decoded:
    text = _read(data, encoding)
    if text.isascii() or data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoded(text, encoding)
    if encoding != "UTF-8":
        return Decoded(text, encoding) if not _is_utf8(data) else _contradict(data, encoding, "UTF-8")
    broken = text.count("\ufffd")
    if broken > 1 and broken > MOST_BROKEN * sum(not char.isascii() for char in text):
        return _contradict(data, encoding, detect(DECLARATION.sub(b"-------", data)).encoding or encoding)
    return Decoded(text, encoding)


def _contradict(data: bytes, declared: str, found: str) -> Decoded:
    sentence = f"The page is declared as {declared} but its bytes are {found}; it was read as {found}."
    return Decoded(_read(data, found), found, Notice("charset", sentence) if found != declared else None)


def _read(data: bytes, encoding: str) -> str:
    text = data.decode(f"whatwg-{encoding.lower()}")
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


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
