"""What an archive holds of the style sheets, pictures and frames that its pages load; nothing comes from elsewhere."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from windrow.batch.response import Unreadable, decode_body, parse_response
from windrow.batch.warc import open_archive
from windrow.options import MEBIBYTE

if TYPE_CHECKING:
    from datetime import datetime

    from windrow.batch.unit import Headers
    from windrow.batch.warc import Archive
    from windrow.page import Page

MOST_BYTES = 16 * MEBIBYTE
"""Larger ones are left out, as those of a saved page are."""
MOST_OPEN = 16
NEAREST = "SELECT file, place, part FROM resource WHERE url = ? ORDER BY ABS(time - ?), file, place LIMIT 1"


@dataclass(frozen=True)
class PageResources:
    """What one page may load: of several captures of an address, the one nearest in time."""

    archive: ArchivedResources
    url: str
    time: float
    missing: set[str] = field(default_factory=set)
    """The addresses that were asked for and are not there."""

    def resource(self, path: str) -> tuple[bytes, str] | None:
        """Return the bytes and the media type of what stands at an address, or None."""
        found = self.archive.find(path, self.time)
        if found is None:
            self.missing.add(path)
        return found

    def find_missing_styles(self, page: Page) -> list[str]:
        """Return the style sheets that a page asked for in vain; what they would have hidden is read as visible."""
        attributes = (page.nodes.attributes[int(link)] for link in page.nodes.tag.where("link"))
        named = {
            urljoin(self.url, each.get("href", ""))
            for each in attributes
            if "stylesheet" in each.get("rel", "").lower()
        }
        return sorted(each for each in self.missing if each in named or urlsplit(each).path.endswith(".css"))


class ArchivedResources:
    """Everything that an archive holds, by address."""

    def __init__(self, index: Path) -> None:
        """Open the index."""
        self._index = sqlite3.connect(f"file:{index}?mode=ro", uri=True, check_same_thread=False)
        self._archives: dict[str, Archive | None] = {}
        self._stack = ExitStack()

    def around(self, url: str, time: datetime | None) -> PageResources:
        """Return what a page that was fetched at a time may load."""
        return PageResources(self, url, time.timestamp() if time is not None else 0.0)

    def find(self, url: str, time: float) -> tuple[bytes, str] | None:
        """Return what stood at an address about a time, decoded, with its media type; None where it is not there."""
        found = self._index.execute(NEAREST, (url.partition("#")[0], time)).fetchone()
        if found is None:
            return None
        file, place, part = found
        archive = self._open(file)
        within = iter(()) if archive is None else archive.read_member(place, _ask_for)
        unit = next((unit for unit in within if unit.part == part), None)
        if unit is None or unit.content is None or unit.reason:
            return None
        try:
            response = parse_response(unit.content)
            return decode_body(response, MOST_BYTES, url), response.content_type or "application/octet-stream"
        except Unreadable:
            return None

    def close(self) -> None:
        """Close the index and all archives."""
        self._index.close()
        self._archives.clear()
        self._stack.close()

    def _open(self, file: str) -> Archive | None:
        if file not in self._archives:
            if len(self._archives) >= MOST_OPEN:
                self._archives.clear()
                self._stack.close()
            self._archives[file] = self._stack.enter_context(open_archive(Path(file)))
        return self._archives[file]


def _ask_for(_: Headers, length: int) -> int | None:
    return length if length <= MOST_BYTES else None


def open_resources(index: Path | None) -> ArchivedResources | None:
    """Return what an archive holds, where pages are laid out."""
    return None if index is None else ArchivedResources(index)
