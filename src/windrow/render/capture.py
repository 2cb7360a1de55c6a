"""What a browser brings back from a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windrow.provenance import Notice, Provenance

if TYPE_CHECKING:
    from windrow.nodes import Nodes


@dataclass(frozen=True)
class Capture:
    """A laid-out page, and how it was got."""

    nodes: Nodes
    provenance: Provenance = field(default_factory=Provenance)
    """Where the browser ended up, how it got there, and which browser it was."""
    html: str | None = None
    """The document as the server sent it, where there was a server."""
    screenshot: bytes | None = None
    warnings: tuple[Notice, ...] = ()
    """What is not as it should be."""
    cut: str | None = None
    """A sentence that says why the page is not complete, where it is not."""
