"""Reading kept pages again, without the network: what a mended wrapper makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from windrow.errors import SourceError, UsageError
from windrow.harvest.visiting import Fetched, Visitor
from windrow.page import Page
from windrow.pagefile import bytes_to_parts
from windrow.store.bodies import find_body, list_kept

if TYPE_CHECKING:
    from windrow.harvest.visiting import Reader, Seen
    from windrow.store import Store
    from windrow.store.frontier import Entry, Lead


def kept_starts(store: Store, source_id: int) -> list[Lead]:
    """Return the addresses of which a page was kept."""
    with store.reading() as connection:
        kept = list_kept(connection, source_id)
    if not kept:
        raise UsageError("No page of this source was kept. Set keep.pages=true, and harvest it once.")
    return list(kept.values())


class OfflineVisitor(Visitor):
    """Gives the pages that were kept, and follows no link."""

    def visit(self, entry: Entry, reader: Reader, *, fresh: bool, fetched: Fetched | None = None) -> Seen:
        """Return what a kept page gives."""
        del fresh
        seen = self.understand(entry, fetched or self.fetch(entry, conditional=False), reader)
        return replace(seen, leads=(), links=entry.links or [])

    def fetch(self, entry: Entry, *, conditional: bool) -> Fetched:
        """Return the page that was kept of an address."""
        del conditional
        with self._store.reading() as connection:
            body = find_body(connection, entry.address_id)
        if body is None:
            raise SourceError(f"No page of {entry.url} was kept. Harvest it once with keep.pages=true.")
        url, content_type = body.headers.get(":url", entry.url), body.headers.get("content-type")
        if body.kind == "page":
            page = Page(**bytes_to_parts(body.content))
        else:
            page = self._loader.parse(body.content, url=url, content_type=content_type, options=self._options)
            page = replace(page, provenance=replace(page.provenance, status=int(body.headers.get(":status", "200"))))
        kept = Fetched(page, body.content, url, page.status, size=len(body.content), body=body)
        # What is known of the live page stays known.
        return replace(kept, validators=entry.validators, body_digest=entry.body_digest)
