"""What a browser brings back from a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow.nodes import Nodes


@dataclass(frozen=True)
class Capture:
    """A laid-out page, and how it was got."""

    nodes: Nodes
    url: str | None = None
    """Where the browser ended up; None for a page from memory."""
    status: int | None = None
    html: str | None = None
    """The document as the server sent it, where there was a server."""
    screenshot: bytes | None = None
    encoding: str = ""
    warnings: tuple[str, ...] = ()
    """Sentences about what is not as it should be."""
    cut: str | None = None
    """A sentence that says why the page is not complete, where it is not."""
