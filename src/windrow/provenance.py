"""Where a page came from, how it was fetched and laid out, and what is not as it should be."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

NoticeKind: TypeAlias = Literal["charset", "loading", "unfilled", "left-out", "picture-cut", "picture-failed"]
NOTICE_KINDS: frozenset[str] = frozenset(get_args(NoticeKind))
HEADERS = {
    "content-type": "content_type",
    "content-language": "content_language",
    "etag": "etag",
    "last-modified": "last_modified",
}
"""The response headers that are kept, and the fields that hold them."""


@dataclass(frozen=True)
class Notice:
    """A warning about a page: a kind for programs, and a sentence for people, which is also its ``str``."""

    kind: NoticeKind
    text: str

    def __str__(self) -> str:
        """Return the sentence."""
        return self.text

    def to_dict(self) -> dict[str, str]:
        """Return the notice as plain values."""
        return {"kind": self.kind, "text": self.text}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return the notice that ``to_dict`` described; ``ValueError`` where it is none."""
        kind, text = plain["kind"], plain["text"]
        if kind not in NOTICE_KINDS or type(text) is not str:
            raise ValueError("this is not a notice")
        return cls(kind, text)


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Everything that is known about how a page came here; what nobody said is empty or None."""

    url: str = ""
    """Where the page lives, after redirects; what relative links start from."""
    redirects: tuple[str, ...] = ()
    """The addresses that led there, the one that was asked for first."""
    status: int | None = None
    """The status of the server's answer."""
    content_type: str = ""
    content_language: str = ""
    etag: str = ""
    last_modified: str = ""
    fetched: datetime | None = None
    """When the page was asked for, in UTC; None for a page from memory."""
    sha256: str = field(default_factory=str)
    """The digest of the whole document after decompression, in hexadecimal; empty where it was cut.

    It is worked out when it is first asked for (``with_digest``), for that takes a tenth as long as reading the page.
    Of a page that was text when it came here, from memory or out of a browser, it is the digest of that text in UTF-8.
    """
    encoding: str = ""
    """The encoding that the document was decoded from; empty for text."""
    browser: str = ""
    """What laid the page out, such as ``HeadlessChrome/140.0.7339.80``; empty where only its structure was read."""
    viewport: tuple[int, int] | None = None
    """The size of the browser's window in CSS pixels."""

    def with_headers(self, headers: Mapping[str, str]) -> Provenance:
        """Return the same with the response headers that matter, whose names are in lower case."""
        return self.but(**{name: headers[header] for header, name in HEADERS.items() if header in headers})

    def with_digest(self, document: str | bytes) -> Provenance:
        """Return the same with the digest of a document."""
        made = self.but()
        made.__dict__.pop("sha256", None)
        made.__dict__["_document"] = document
        return made

    def but(self, **changes: object) -> Provenance:
        """Return the same with other values; a digest that nobody asked for yet is not worked out for that."""
        made = object.__new__(Provenance)
        made.__dict__.update(self.__dict__ | changes)
        return made

    def __getattr__(self, name: str) -> str:
        """Work the digest out when it is found missing."""
        document = self.__dict__.get("_document")
        if name != "sha256" or (document is None and "sha256" not in self.__dict__):
            raise AttributeError(name)
        if document is not None:  # else another thread was faster
            data = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
            self.__dict__["sha256"] = hashlib.sha256(data).hexdigest()
            self.__dict__.pop("_document", None)
        return str(self.__dict__["sha256"])

    def __getstate__(self) -> dict[str, Any]:
        """Go from one process to another with the digest, not with the document."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold, the time in ISO 8601."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        return plain | {
            "redirects": list(self.redirects),
            "fetched": self.fetched.isoformat() if self.fetched else None,
            "viewport": list(self.viewport) if self.viewport else None,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return what ``to_dict`` described; ``ValueError`` where a value is of another type."""
        given = {each.name: plain[each.name] for each in fields(cls)}
        given["redirects"] = tuple(given["redirects"])
        given["fetched"] = None if given["fetched"] is None else datetime.fromisoformat(given["fetched"])
        given["viewport"] = None if given["viewport"] is None else tuple(given["viewport"])
        found = cls(**given)
        texts = [getattr(found, each.name) for each in fields(cls) if each.type == "str"]
        if not (
            all(type(text) is str for text in [*texts, *found.redirects])
            and (found.status is None or type(found.status) is int)
            and (found.fetched is None or found.fetched.tzinfo is not None)
            and (found.viewport is None or [type(size) for size in found.viewport] == [int, int])
        ):
            raise ValueError("this is not a provenance")
        return found


def now() -> datetime:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)
