"""How a page is fetched and laid out, and how much of anything it may cost."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self

import ada_url

from windrow.errors import UsageError

MEBIBYTE = 1024 * 1024
LARGEST_VIEWPORT = 16_384
MOST_SECONDS = 86_400
MOST = 2**31 - 1
"""The largest number of bytes, nodes or steps."""
HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
HEADER_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f\u0100-\U0010ffff]*")
# These belong to the connection; a second opinion about them lets one request pass for two.
NOT_THE_USERS = {"host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect"}
_LANGUAGE = r"(?:\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"
LANGUAGES = re.compile(rf"{_LANGUAGE}(?:[ \t]*,[ \t]*{_LANGUAGE})*")


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

    def __post_init__(self) -> None:
        """Refuse what is not a limit."""
        if not (_is_number(self.seconds) and (0 < self.seconds <= MOST_SECONDS or self.seconds == math.inf)):
            raise UsageError(
                f"{self.seconds!r} is not a limit of seconds. "
                f"Give a number above 0, up to {MOST_SECONDS:,}, or infinity."
            )
        for name in ("bytes", "loaded", "nodes"):
            _check_count(f"limit of {name}", getattr(self, name), least=1)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options for ``load``; the defaults suit a desktop reader on the open web."""

    viewport: tuple[int, int] = (1280, 1024)
    """Width and height of the window, in CSS pixels."""
    user_agent: str | None = None
    """Sent instead of the browser's own (or, without a browser, instead of Windrow's)."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Extra request headers; they go to the origin of the page that was asked for and to no other."""
    proxy: str | None = field(default=None, repr=False)
    """``http://[user:password@]host:port`` that connections leave through, once the guard has checked them."""
    language: str = "en"
    """Accept-Language, and the locale that scripts see."""
    session: str | Path | None = None
    """A file with cookies and storage, made by ``windrow login``; read, never written, by ``load``."""
    wait_for: str | None = None
    """A CSS selector that must match before the page is read."""
    wait_for_text: str | None = None
    """A text that must stand on the page before it is read."""
    wait: float = 0.0
    """Seconds to wait once the page is quiet, for content that comes late."""
    scroll: int = 0
    """Scroll down at most this many screens, for pages that load as one scrolls."""
    load_more: int = 0
    """Press a "load more" button at most this many times."""
    allow_private: bool = False
    """Let requests reach loopback and private addresses; for your own servers only."""
    screenshot: bool = False
    """Take a picture of the whole page as well, for the overlay."""
    words: bool = False
    """Find out where each word stands as well, for pointing at them on the picture."""
    limits: Limits = field(default_factory=Limits)
    """What the page may cost."""

    def __post_init__(self) -> None:
        """Refuse what can't be meant, before anything is fetched."""
        if not isinstance(self.limits, Limits):
            raise UsageError("The limits are not a Limits value. Write them as in Limits(seconds=10).")
        object.__setattr__(self, "viewport", _checked_viewport(self.viewport))
        if not (_is_number(self.wait) and 0 <= self.wait <= MOST_SECONDS):
            raise UsageError(f"{self.wait!r} is not a time to wait. Give seconds, from 0 to {MOST_SECONDS:,}.")
        if self.wait >= self.limits.seconds:
            most = f"{self.limits.seconds:g} seconds in all"
            raise UsageError(f"A page that has {most} can't wait for {self.wait:g}. Raise the limit (--seconds).")
        _check_count("number of screens to scroll", self.scroll, least=0)
        _check_count('number of times to press "load more"', self.load_more, least=0)
        for name in ("user_agent", "proxy", "wait_for", "wait_for_text"):
            if not isinstance(getattr(self, name), str | None):
                raise UsageError(f"{name} is not text. Write it in quotes, or leave it out.")
        _check_language(self.language)
        _check_header("User-Agent", self.user_agent or "")
        _check_headers(self.headers)
        object.__setattr__(self, "headers", dict(self.headers))
        if self.proxy:
            parse_proxy(self.proxy)
        if isinstance(self.session, str):
            object.__setattr__(self, "session", Path(self.session))
        if not isinstance(self.session, Path | None):
            raise UsageError("The session is not a file. Give the name of a file that 'windrow login' made.")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold; passwords in headers and in the proxy's address are among them."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        limits = {each.name: getattr(self.limits, each.name) for each in fields(self.limits)}
        return plain | {
            "viewport": list(self.viewport),
            "headers": dict(self.headers),
            "session": None if self.session is None else str(self.session),
            "limits": limits | {"seconds": None if self.limits.seconds == math.inf else self.limits.seconds},
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return the options that ``to_dict`` described; what is missing has its default."""
        try:
            given, limits = dict(plain), dict(plain.get("limits", {}))
            if limits.get("seconds", 0) is None:
                limits["seconds"] = math.inf
            return cls(**given | {"limits": Limits(**limits)})
        except (AttributeError, TypeError, ValueError) as error:
            raise UsageError(f"These are not options: {error}. Use what Options.to_dict() returned.") from None


def parse_proxy(proxy: str) -> ada_url.URL:
    """Read ``http://[user:password@]host:port``; what it contains never shows in messages."""
    try:
        url = ada_url.URL(proxy)
    except ValueError:
        url = None
    if url is None or url.protocol != "http:" or url.pathname != "/" or url.search or url.hash:
        raise UsageError("The proxy is not understood. Write it as http://host:port or http://user:password@host:port.")
    return url


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_count(what: str, value: object, *, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST:
        raise UsageError(f"{value!r} is not a {what}. Give a whole number from {least} to {MOST:,}.")


def _checked_viewport(viewport: object) -> tuple[int, int]:
    sizes = tuple(viewport) if isinstance(viewport, tuple | list) else ()
    if len(sizes) == 2 and all(type(size) is int and 0 < size <= LARGEST_VIEWPORT for size in sizes):  # noqa: PLR2004
        return sizes[0], sizes[1]
    raise UsageError(
        f"{viewport!r} is not the size of a window. Write it as in (1280, 1024), each at most {LARGEST_VIEWPORT:,}."
    )


def _check_language(language: object) -> None:
    if not isinstance(language, str) or not LANGUAGES.fullmatch(language):
        raise UsageError(f"{language!r} does not name languages. Write them as in 'de-AT' or 'de,en;q=0.5'.")


def _check_headers(headers: object) -> None:
    if not isinstance(headers, Mapping):
        raise UsageError("The headers are not a mapping. Write them as in {'X-Name': 'value'}.")
    for name, value in headers.items():
        _check_header(name, value)
        if name.lower() in NOT_THE_USERS or name.lower().startswith("proxy-"):
            raise UsageError(f"The header {name} is not yours to set. Leave it out.")


def _check_header(name: object, value: object) -> None:
    """Refuse what would not stay one header; a line break would smuggle in another."""
    plain = isinstance(name, str) and isinstance(value, str)
    if not plain or not HEADER_NAME.fullmatch(str(name)) or not HEADER_VALUE.fullmatch(str(value)):
        raise UsageError(
            f"The header {name!r} cannot be sent. Use a plain name, and a value of one line in Latin letters."
        )
