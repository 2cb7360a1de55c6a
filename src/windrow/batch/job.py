"""``Job``: what is read from every page of an archive, and which pages those are; the same on every machine."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from windrow.errors import UsageError
from windrow.options import MEBIBYTE, Options

if TYPE_CHECKING:
    from windrow.batch.response import Response

STATUS = re.compile(r"any|[1-5](?:\d\d|xx)")
PARTIAL, NOT_MODIFIED = 206, 304


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Which pages are wanted; an empty tuple lets all pass."""

    hosts: tuple[str, ...] = ()
    """These and their subdomains."""
    urls: tuple[str, ...] = ()
    """Patterns of addresses, with ``*`` and ``?``."""
    languages: tuple[str, ...] = ()
    """Language tags; ``de`` is ``de-AT``, too."""
    mimes: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    """``404``, ``4xx`` or ``any``; without any, those with which a server gives a page."""
    keyword: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no status."""
        for status in self.statuses:
            if STATUS.fullmatch(status) is None:
                raise UsageError(f"{status!r} is not a status. Write it as in 200, 4xx or any.")

    def refuse_address(self, url: str) -> str:
        """Return the filter that an address does not pass, or an empty text."""
        if self.hosts:
            host = host_of(url)
            if not any(host == wanted or host.endswith(f".{wanted}") for wanted in map(str.lower, self.hosts)):
                return "host"
        if self.urls and not any(_pattern(each).fullmatch(url) for each in self.urls):
            return "url"
        return ""

    def refuse_response(self, response: Response) -> str:
        """Return why a response is passed over by its head, or an empty text."""
        status = response.status
        if not self.statuses and (status // 100 != 2 or status == PARTIAL):  # noqa: PLR2004 - success
            return "redirect" if status // 100 == 3 and status != NOT_MODIFIED else "status"  # noqa: PLR2004 - redirection
        wanted = {str(status), f"{status // 100}xx", "any"}
        if self.statuses and wanted.isdisjoint(self.statuses):
            return "status"
        mime = response.content_type.partition(";")[0].strip().lower()
        return "mime" if self.mimes and mime not in map(str.lower, self.mimes) else ""

    def refuse_language(self, language: str) -> bool:
        """Whether a page is in another language, or says nothing of it."""
        tag = language.lower().replace("_", "-")
        wanted = [each.lower() for each in self.languages]
        return bool(wanted) and not any(tag == each or tag.startswith(f"{each}-") for each in wanted)

    def refuse_text(self, text: str) -> bool:
        """Whether the keyword does not stand in what a reader sees."""
        return bool(self.keyword) and self.keyword.casefold() not in text.casefold()


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is read and how; with the same input it gives the same output."""

    readers: tuple[str, ...] = ()
    """Names of ``windrow.READERS``."""
    wrapper: str = field(default="", repr=False)
    """A wrapper as JSON; its values are a table of their own."""
    filters: Filters = field(default_factory=Filters)
    options: Options = field(default_factory=Options)
    render: bool = False
    """Whether pages are laid out, with what the same archive holds of their style sheets and pictures."""
    dedup: bool = False
    """Whether of pages with the same digest only the first is read."""
    verify: bool = False
    """Whether every record is held against its digest."""

    def __post_init__(self) -> None:
        """Refuse a job that reads nothing."""
        if not self.readers and not self.wrapper:
            raise UsageError("There is nothing to read. Name readers (--read title,tables) or a wrapper (--wrapper).")

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it gives, each a folder."""
        return ("pages", *self.readers, *(("values",) if self.wrapper else ()), "rejects")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that tell one job from another."""
        wrapper = hashlib.sha256(self.wrapper.encode()).hexdigest() if self.wrapper else ""
        plain: dict[str, Any] = {"readers": list(self.readers), "wrapper": wrapper, "filters": asdict(self.filters)}
        kept = self.options.to_dict()
        how = {"viewport": kept["viewport"], "bytes": kept["limits"]["bytes"], "nodes": kept["limits"]["nodes"]}
        plain |= {"render": self.render, "dedup": self.dedup, "verify": self.verify, "options": how}
        same: dict[str, Any] = json.loads(json.dumps(plain))  # as a manifest gives it back
        return same


@dataclass(frozen=True)
class RecordLimits:
    """What one record may cost before it is set aside."""

    seconds: float = 30.0
    memory: int = 1024 * MEBIBYTE
    """Bytes by which the process may grow over one record."""


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    """Return a pattern of addresses, in which nothing is special but ``*`` and ``?``."""
    parts = (".*" if part == "*" else "." if part == "?" else re.escape(part) for part in re.split(r"([*?])", glob))
    return re.compile("".join(parts), re.DOTALL)


def host_of(url: str) -> str:
    """Return the host of an address in lower case; an empty text where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
