"""``Unit``: what stands at one place of an archive, a record or what is left of one, and where that place is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Headers = tuple[tuple[bytes, bytes], ...]
"""The named fields of a record as they stand in it."""


class Place(NamedTuple):
    """Where a record begins: which range of its shard, the byte of the file, and which record of a shared member."""

    range: int
    offset: int
    part: int = 0


@dataclass(frozen=True)
class Unit:
    """A record of an archive, whole or not."""

    offset: int
    """Where it begins in the file; with compression, where its member begins."""
    headers: Headers
    content: bytes | None
    """What follows the header, or as much of it as somebody wanted; None where nobody did."""
    part: int = 0
    """Which record of its member it is, where several share one."""
    length: int = 0
    """How long its content should be."""
    reason: str = ""
    """Why it can't be read: ``damaged`` or ``truncated``; empty where it is whole."""
    detail: str = ""

    def get(self, name: bytes) -> str:
        """Return a field by its name in lower case; an empty text where it is not there."""
        return next((value.decode("utf-8", "replace") for key, value in self.headers if key.lower() == name), "")

    @property
    def is_complete(self) -> bool:
        """Whether all of its content is here."""
        return self.content is not None and len(self.content) == self.length

    @property
    def type(self) -> str:
        """The type of the record, in lower case; empty where it has none."""
        return self.get(b"warc-type").strip().lower()

    @property
    def url(self) -> str:
        """The address that was asked for; some tools put it between angle brackets."""
        return self.get(b"warc-target-uri").strip().removeprefix("<").removesuffix(">")

    def find_cut(self) -> str:
        """Return a sentence where the header says that the archive does not hold all of it here; else an empty text."""
        if why := self.get(b"warc-truncated"):
            return f"The archive cut it: {why}."
        is_segment = bool(self.get(b"warc-segment-number"))
        return "It is the first of several records that hold the page in pieces." if is_segment else ""
