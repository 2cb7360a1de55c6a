"""Walking through XML that strangers wrote, in one pass: nothing is expanded, fetched or kept that nobody asked for.

What is broken is mended where it is a plain mistake that is often made, an ampersand that is not escaped; otherwise the
walk ends there, and says so: a list of addresses that breaks off must not pass for a whole one.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar
from xml.parsers import expat  # entities are refused below

from windrow.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class WalkParameters:
    """What a walk may cost; beyond that a file is a denial of service."""

    most_elements: int = 2_000_000
    """Forty for each of the 50,000 addresses that a sitemap may have: pictures, languages."""
    deepest: int = 100
    longest_text: int = 64 * 1024
    """Characters of a piece of an element's own text; the parser gives long ones in pieces of 8 KiB."""
    most_pieces: int = 16


PARAMETERS = WalkParameters()

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_BARE_AMPERSAND = re.compile(r"&(?!(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]+")


class Visitor(Protocol):
    """What a walk tells of."""

    def enter(self, path: list[str], attributes: Mapping[str, str]) -> None:
        """Take notice of an element; ``path`` are the names from the root to it, in lower case, without prefixes."""

    def leave(self, path: list[str], text: str) -> None:
        """Take notice of an element's end, and of the text before it, which is all of it where no element is inside."""


VisitorT = TypeVar("VisitorT", bound=Visitor)


class EnoughError(Exception):
    """A visitor has seen enough; its sentence says why the rest is left out."""


def walk(body: bytes, make: Callable[[], VisitorT], name: str) -> tuple[VisitorT, str]:
    """Walk through a document with a new visitor; return it, and why the walk ended early, as a sentence, or nothing.

    ``name`` is what the document is called in messages.
    """
    text = _decode(body)
    visitor, cut = _walk(text, make(), name)
    if cut and (mended := _BARE_AMPERSAND.sub("&amp;", text)) != text:
        return _walk(mended, make(), name)
    return visitor, cut


def _walk(text: str, visitor: VisitorT, name: str) -> tuple[VisitorT, str]:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    steps = _Steps(visitor, name)
    parser.StartElementHandler = steps.start
    parser.EndElementHandler = steps.end
    parser.CharacterDataHandler = steps.add
    parser.EntityDeclHandler = steps.refuse
    try:
        parser.Parse(text, True)  # noqa: FBT003 - the parser takes it by position only
    except expat.ExpatError as error:
        return visitor, f"{name} is broken in line {error.lineno}, so the rest was left out."
    except EnoughError as enough:
        return visitor, str(enough)
    return visitor, ""


class _Steps:
    """The parser's events, as a visitor hears of them."""

    def __init__(self, visitor: Visitor, name: str) -> None:
        self._visitor, self._name = visitor, name
        self._path: list[str] = []
        self._pieces: list[str] = []
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > PARAMETERS.most_elements or len(self._path) >= PARAMETERS.deepest:
            raise EnoughError(f"{self._name} has more elements than any honest file, so the rest was left out.")
        self._path.append(tag.rpartition(":")[2].lower())
        self._pieces.clear()
        self._visitor.enter(self._path, attributes)

    def end(self, _: str) -> None:
        self._visitor.leave(self._path, "".join(self._pieces).strip())
        self._path.pop()
        self._pieces.clear()

    def add(self, text: str) -> None:
        if len(self._pieces) < PARAMETERS.most_pieces:
            self._pieces.append(text[: PARAMETERS.longest_text])

    def refuse(self, *_: object) -> None:
        raise SourceError(
            f"{self._name} declares entities, which can grow without bound, so it was not read. Ask for a plain file."
        )


def _decode(body: bytes) -> str:
    """Return a document as text, by its byte-order mark or by what it declares; without characters that XML forbids."""
    encoding = "utf-8-sig"
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif not body.startswith(codecs.BOM_UTF8) and (declared := _DECLARED.match(body)):
        encoding = _known(declared[1].decode("ascii"))
    return _FORBIDDEN.sub("", body.decode(encoding, "replace")).lstrip()


def _known(label: str) -> str:
    """Return the name of an encoding of text that contains ASCII, UTF-8 for any other label."""
    try:
        is_text = b"<".decode(label) == "<"
    except (LookupError, ValueError):
        is_text = False
    return label if is_text else "utf-8"
