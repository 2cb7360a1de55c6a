"""Secrets: named by reference in settings, looked up late, and never in an export."""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path

from windrow.errors import UsageError

REFERENCES = ("env:", "file:")
TELLING = ("auth", "cookie", "credential", "key", "passw", "secret", "session", "token")
"""What names of headers with secrets hold."""
SCHEMES = re.compile(r"(?:basic|bearer|digest|token|apikey)\s", re.IGNORECASE)
PLAIN_TARGET = re.compile(r"(?:jsons?|xmls?|forms?)://[\w.\-\[\]:]+(?:/[a-z_\-]{0,32})*", re.ASCII)
"""A web hook whose address gives nothing away: no user, no parameters, and words for a path rather than digits."""


def resolve_secret(text: str) -> str:
    """Return the secret that a setting names: ``env:NAME``, ``file:PATH``, or the text itself."""
    if text.startswith("env:"):
        name = text.removeprefix("env:")
        if name not in os.environ:
            raise UsageError(
                f"The environment has no {name}, which the settings name. Set it before you start Windrow."
            )
        return os.environ[name]
    if text.startswith("file:"):
        path = Path(text.removeprefix("file:")).expanduser()
        try:
            return path.read_text("utf-8").rstrip("\r\n")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            raise UsageError(f"The file {path}, which the settings name, could not be read: {why}.") from None
    return text


def is_reference(text: str) -> bool:
    """Whether a text only names a secret."""
    return text.startswith(REFERENCES)


def is_secret_header(name: str, value: str) -> bool:
    """Whether a header holds what nobody else should see."""
    tells = any(word in name.lower() for word in TELLING) or SCHEMES.match(value) is not None
    return tells and not is_reference(value)


def is_secret_proxy(proxy: str) -> bool:
    """Whether the address of a proxy holds a password."""
    return "@" in proxy and not is_reference(proxy)


def is_secret_target(address: str) -> bool:
    """Whether an address that warnings are sent to may hold a secret; when in doubt, it does."""
    return not is_reference(address) and PLAIN_TARGET.fullmatch(address) is None


def secret_reference(source: str, what: str) -> str:
    """Return the reference that stands for a secret in an export."""
    words = [re.sub(r"[^A-Z0-9]+", "_", word.upper()).strip("_") for word in (source, what)]
    # Names that differ only in what a variable can't hold must not share a secret.
    if words[0] != source.upper() or source != source.lower() or not source.isascii():
        words[0] = f"{words[0]}_{zlib.crc32(source.encode('utf-8', 'surrogatepass')):08X}".strip("_")
    return f"env:WINDROW_{words[0]}_{words[1]}"
