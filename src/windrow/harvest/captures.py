"""Pages that people are shown when they look at a source: the one it was learned from, healed on, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.page import Page
from windrow.pagefile import bytes_to_parts, page_to_bytes
from windrow.store.captures import find_capture, keep_capture, list_captures

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.harvest.progress import RunUnderWay
    from windrow.store.captures import Kind


@dataclass(frozen=True)
class Packed:
    """A page in one file; packing takes a while, and is done before a transaction that keeps it begins."""

    url: str
    content: bytes

    @classmethod
    def of(cls, page: Page) -> Packed:
        """Pack a page."""
        return cls(page.url, page_to_bytes(page))


def keep_page(run: RunUnderWay, connection: Connection, kind: Kind, page: Packed, version: int | None = None) -> None:
    """Keep a page in a transaction of a run; without a ``version`` it is the wrapper's that met it."""
    met = run.reader.wrappers[0][0] if version is None else version
    about = {"wrapper_version": met, "run_id": run.run.id}
    keep_capture(connection, run.source.id, kind=kind, url=page.url, content=page.content, **about)


def keep_learned(run: RunUnderWay, page: Page) -> None:
    """Keep the page that a wrapper was learned from as it is now, where nothing is kept of that version yet."""
    version = run.reader.wrappers[0][0]
    with run.store.reading() as connection:
        known = {each.wrapper_version for each in list_captures(connection, run.source.id) if each.kind != "refused"}
    if version not in known:
        packed = Packed.of(page)
        with run.store.writing() as connection:
            keep_page(run, connection, "learned", packed)


def read_capture(connection: Connection, source_id: int, number: int) -> Page | None:
    """Return the page of a capture; None where it is no more."""
    content = find_capture(connection, source_id, number)
    return None if content is None else Page(**bytes_to_parts(content, "The page that was kept"))
