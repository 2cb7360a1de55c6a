"""How a page is fetched and laid out, and how much of anything it may cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one page may cost; reaching a limit raises ``LimitError`` with what was read until then."""

    seconds: float = 30.0
    """Wall clock from the first byte asked for to the finished page."""
    bytes: int = 16 * MEBIBYTE
    """Bytes of the document itself, after decompression."""
    loaded: int = 64 * MEBIBYTE
    """Bytes of everything that a live page loads, after decompression."""
    nodes: int = 500_000
    """Nodes of the tree; beyond that a page is a denial of service, not a document."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options for ``load``; the defaults suit a desktop reader on the open web."""

    viewport: tuple[int, int] = (1280, 1024)
    """Width and height of the window, in CSS pixels."""
    user_agent: str | None = None
    """Sent instead of the browser's own (or, without a browser, instead of Windrow's)."""
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Extra request headers; they go to the origin of the page that was asked for and to no other."""
    proxy: str | None = None
    """``http://[user:password@]host:port`` that connections leave through, once the guard has checked them."""
    language: str = "en"
    """Accept-Language, and the locale that scripts see."""
    session: Path | None = None
    """A file with cookies and storage, made by ``windrow login``; read, never written, by ``load``."""
    wait_for: str | None = None
    """A CSS selector that must match before the page is read."""
    wait_for_text: str | None = None
    """A text that must stand on the page before it is read."""
    scroll: int = 0
    """Scroll down at most this many screens, for pages that load as one scrolls."""
    load_more: int = 0
    """Press a "load more" button at most this many times."""
    allow_private: bool = False
    """Let requests reach loopback and private addresses; for your own servers only."""
    screenshot: bool = False
    """Take a picture of the whole page as well, for the overlay."""
    limits: Limits = Limits()
    """What the page may cost."""
