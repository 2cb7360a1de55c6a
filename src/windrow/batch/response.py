"""The HTTP response in a record: status, headers, and the body with its transfer and content codings undone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.errors import UnreachableError, WindrowError
from windrow.source.content_codings import CODINGS, decoded
from windrow.source.sniffing import find_kind

if TYPE_CHECKING:
    from collections.abc import Mapping

STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?:[ \t][^\r\n]*)?$")
INTERIM = re.compile(rb"(?:HTTP/\d(?:\.\d)?[ \t]+1\d\d\b[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n(?=HTTP/\d))+")
"""What a server says before its answer, such as 103 Early Hints."""
HEAD_END = re.compile(rb"\r?\n\r?\n")
CHUNK = re.compile(rb"[ \t]*([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
BLOCK_BYTES = 64 * 1024


@dataclass(frozen=True)
class Response:
    """What a server answered, as an archive keeps it."""

    status: int
    headers: Mapping[str, str]
    """By names in lower case; what was sent several times is joined by commas."""
    body: bytes
    """As it stands in the archive."""

    @property
    def content_type(self) -> str:
        """The header of that name."""
        return self.headers.get("content-type", "")

    @property
    def is_called_html(self) -> bool:
        """Whether its header says that it is a web page."""
        return "html" in self.content_type.lower()


class Unreadable(Exception):  # noqa: N818 - what happened
    """A response can't be read; ``reason`` names why, the text tells it."""

    def __init__(self, reason: str, detail: str) -> None:
        """Keep the reason beside the sentence."""
        super().__init__(detail)
        self.reason = reason


def find_cause(error: WindrowError) -> str:
    """Return the first sentence of an error; the advice behind it is for whoever fetches a page, not for a batch."""
    sentence, more, _ = str(error).partition(". ")
    return sentence + "." if more else sentence


def parse_response(content: bytes) -> Response:
    """Take the content of a record apart."""
    if (before := INTERIM.match(content)) is not None:
        content = content[before.end() :]
    end = HEAD_END.search(content)
    head = content[: end.start()] if end else content.rstrip(b"\r\n")
    lines = head.splitlines()
    found = STATUS.match(lines[0].rstrip()) if lines else None
    if found is None:
        raise Unreadable("not-http", "The record does not hold an HTTP response.")
    headers: dict[str, str] = {}
    last = ""
    for line in lines[1:]:
        if line[:1] in (b" ", b"\t") and last:
            headers[last] += " " + line.strip().decode("latin-1")
            continue
        name, colon, value = line.partition(b":")
        if colon:
            last = name.strip().decode("latin-1").lower()
            text = value.strip().decode("latin-1")
            headers[last] = f"{headers[last]}, {text}" if last in headers else text
    return Response(int(found[1]), headers, content[end.end() :] if end else b"")


def decode_body(response: Response, most: int, name: str) -> bytes:
    """Return the body as a reader of the page gets it; ``Unreadable`` where it is torn, broken or longer than ``most``.

    Tools that archive pages often undo a coding and leave its header, so what is not in a coding is taken as it is.
    """
    body = response.body
    is_chunked = "chunked" in response.headers.get("transfer-encoding", "").lower() and CHUNK.match(body) is not None
    if is_chunked:
        body = _join_chunks(body)
    codings = _find_codings(response.headers)
    is_coded = bool(codings) and not _is_bare(body, response.content_type, name)
    declared = response.headers.get("content-length", "").partition(",")[0]  # which may be sent twice
    is_short = not is_chunked and declared.isdigit() and len(body) < int(declared)
    torn = Unreadable("truncated", f"The body should have {declared} bytes and has {len(body)}.")
    if is_short and not codings:
        raise torn
    if is_coded:  # which says where it ends, whatever length stands in the header
        try:
            body = _undo(body, codings, most, name)
        except Unreadable as error:
            raise torn if is_short else error from None
        unknown = sorted({each.strip().lower() for each in codings.split(",")} - CODINGS)
        if unknown and body and response.is_called_html and not _is_bare(body, response.content_type, name):
            raise Unreadable("coding", f"It is packed in a way that is not known here: {', '.join(unknown)}.")
    if len(body) > most:
        raise Unreadable("too-large", f"The page has more than {most:,} bytes. Raise the limit (--max-bytes).")
    return body


def _find_codings(headers: Mapping[str, str]) -> str:
    """Return what a body is packed by, in the order in which that was done: for keeping, then for the transfer."""
    named = f"{headers.get('content-encoding', '')},{headers.get('transfer-encoding', '')}".split(",")
    return ",".join(each for each in named if each.strip().lower() not in ("", "identity", "chunked"))


def _is_bare(body: bytes, content_type: str, name: str) -> bool:
    """Whether a body is a page as it stands, whatever coding its header names."""
    return find_kind(body, content_type, name) is None


def _undo(body: bytes, codings: str, most: int, name: str) -> bytes:
    blocks = (body[start : start + BLOCK_BYTES] for start in range(0, len(body), BLOCK_BYTES))
    found = bytearray()
    try:
        for block in decoded(blocks, codings, name):
            found += block
            if len(found) > most:
                break
    except UnreachableError as error:
        raise Unreadable("truncated", find_cause(error)) from None
    except WindrowError as error:
        raise Unreadable("coding", find_cause(error)) from None
    return bytes(found)


def _join_chunks(body: bytes) -> bytes:
    """Undo the chunked transfer coding."""
    found = bytearray()
    place = 0
    while (head := CHUNK.match(body, place)) is not None:
        size = int(head[1], 16)
        if not size:
            return bytes(found)
        chunk = body[head.end() : head.end() + size]
        found += chunk
        place = head.end() + size
        if len(chunk) < size:
            break
        place += 2 if body[place : place + 2] == b"\r\n" else 1 if body[place : place + 1] == b"\n" else 0
    raise Unreadable("truncated", "The chunks of the body break off, or their lengths are wrong.")
