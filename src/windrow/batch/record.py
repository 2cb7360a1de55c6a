"""One record of an archive: where it stands, what its header says, and what came of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windrow.batch.counts import Counts
    from windrow.batch.schema import Row
    from windrow.batch.unit import Headers, Unit

TYPES = frozenset({"warcinfo", "request", "metadata", "resource", "conversion", "continuation"})
"""The types of records that hold no answer of a server; each is the reason why it is skipped."""
FAILURES = frozenset(
    {"damaged", "truncated", "digest", "coding", "too-large", "timeout", "memory", "crash", "fault", "missing"}
)
"""The reasons for which a record that somebody wanted could not be read; all others are reasons to skip one."""


@dataclass(frozen=True)
class Reading:
    """What came of one record."""

    rows: Mapping[str, list[Row]]
    """By table."""
    reason: str = ""
    """Why it was rejected; empty where it was read."""
    is_response: bool = False
    is_html: bool = False

    def count(self, counts: Counts) -> None:
        """Count the record; a revisit that waits for its original is counted when that is found, or is not."""
        if "revisits" in self.rows:
            return
        counts.records += 1
        counts.responses += self.is_response
        counts.html += self.is_html
        counts.read += not self.reason
        if self.reason:
            (counts.failed if self.reason in FAILURES else counts.skipped)[self.reason] += 1


@dataclass(frozen=True)
class Origin:
    """The record that a page is from, and what its header says."""

    file: str
    unit: Unit
    original: tuple[str, int] | None = None
    """Of a revisit, where the record with the page is."""
    fields: dict[bytes, str] = field(init=False)

    def __post_init__(self) -> None:
        """Read the header once."""
        found = {name.lower(): value.decode("utf-8", "replace") for name, value in reversed(self.unit.headers)}
        object.__setattr__(self, "fields", found)

    @property
    def place(self) -> Row:
        """What every row begins with."""
        return self.file, self.unit.offset, self.unit.part, self.unit.url

    @property
    def time(self) -> datetime | None:
        """When the page was fetched."""
        with suppress(ValueError, OverflowError):
            found = datetime.fromisoformat(self.fields.get(b"warc-date", ""))
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        return None

    @property
    def digest(self) -> str:
        """The digest of the payload, as the header has it."""
        return self.fields.get(b"warc-payload-digest", "")

    def reject(self, reason: str, detail: str = "", *, is_html: bool = False) -> Reading:
        """Return the record as one that was not read."""
        outcome = "failed" if reason in FAILURES else "skipped"
        fields = self.fields
        kind = fields.get(b"warc-type", "").strip().lower()
        row = (*self.place, fields.get(b"warc-record-id", ""), kind, self.time, self.digest, outcome, reason, detail)
        return Reading({"rejects": [row]}, reason, kind == "response", is_html)


def refers_to(origin: Origin) -> Row:
    """Return what a revisit says of its original: its id, its address and its time; empty texts where it does not."""
    names = (b"warc-refers-to", b"warc-refers-to-target-uri", b"warc-refers-to-date")
    return tuple(origin.fields.get(name, "").strip().removeprefix("<").removesuffix(">") for name in names)


def record_type(headers: Headers) -> bytes:
    """Return the type that a header names, in lower case."""
    return next((value for name, value in headers if name.lower() == b"warc-type"), b"").strip().lower()
