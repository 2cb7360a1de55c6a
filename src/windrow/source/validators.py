"""Validators: the names that a server gives the version of a page by, to ask later whether it is still the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.options import HEADER_VALUE
from windrow.source.guard import without_credentials

if TYPE_CHECKING:
    from collections.abc import Mapping

    import ada_url

LONGEST = 1024
"""Characters of a validator; a longer one is something else, and many servers refuse headers that long."""


@dataclass(frozen=True)
class Validators:
    """The validators of one version of a page, as the server sent them; empty where it sent none."""

    etag: str = ""
    last_modified: str = ""
    url: str = ""
    """The address that sent them, after redirects; they mean nothing to any other. Empty for the first one asked."""

    @classmethod
    def of_headers(cls, headers: Mapping[str, str], url: str) -> Validators | None:
        """Return the validators among response headers, whose names are in lower case, or None without any."""
        etag, last_modified = (_usable(headers.get(name, "")) for name in ("etag", "last-modified"))
        return cls(etag, last_modified, url) if etag or last_modified else None

    def conditions(self, url: ada_url.URL, first: ada_url.URL) -> dict[str, str]:
        """Return the headers that make the request for an address conditional; none where they are another's."""
        if _bare(url.href) != _bare(self.url or first.href):
            return {}
        values = {"If-None-Match": _usable(self.etag), "If-Modified-Since": _usable(self.last_modified)}
        return {name: value for name, value in values.items() if value}


def _usable(value: str) -> str:
    value = value.strip()
    return value if len(value) <= LONGEST and HEADER_VALUE.fullmatch(value) else ""


def _bare(url: str) -> str:
    """Return an address without credentials and fragment, neither of which is part of what is asked for."""
    return without_credentials(url).partition("#")[0]
