"""Pages that were saved: a file, read with limits, and the folder of things that belong to it."""

from __future__ import annotations

import mimetypes
import os
import stat
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote_to_bytes

from windrow.errors import SourceError
from windrow.options import Limits
from windrow.source.content_codings import decoded

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_BLOCK_BYTES = 64 * 1024


def read_saved(path: Path, limits: Limits) -> bytes:
    """Read a file, of one that is too long a byte more than the limit; one whose name ends in ``.gz`` is unpacked."""
    try:
        with _open_regular(path) as file:
            blocks = iter(lambda: file.read(_BLOCK_BYTES), b"")
            coding = "gzip" if path.suffix.lower() == ".gz" else ""
            return _gather(decoded(blocks, coding, str(path)), limits.bytes + 1)
    except FileNotFoundError:
        raise SourceError(f"There is no file {path}. Check the spelling of its name.") from None
    except IsADirectoryError:
        raise SourceError(f"{path} is a folder. Name a file in it.") from None
    except PermissionError:
        raise SourceError(f"The file {path} may not be read. Check its permissions.") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"The file {path} could not be read: {error}.") from None


def _open_regular(path: Path) -> BinaryIO:
    # Opened without waiting, because a FIFO would wait for a writer for ever.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError
    raise SourceError(f"{path} is not an ordinary file. Save the page to a file first.")


def _gather(blocks: Iterable[bytes], most: int) -> bytes:
    content = bytearray()
    for block in blocks:
        content += block
        if len(content) >= most:
            break
    return bytes(content[:most])


class Folder:
    """The files beside a saved page, as the page may ask for them: nothing outside the folder is ever served."""

    def __init__(self, root: Path, *, max_bytes: int = Limits().bytes) -> None:
        """Serve a folder; files larger than ``max_bytes`` are left out."""
        self._root = root.resolve()
        self._max_bytes = max_bytes

    def resource(self, url_path: str) -> tuple[bytes, str] | None:
        """Return the content and the media type of the file that the path of a URL names, or None."""
        path = self._inside(url_path)
        if path is None:
            return None
        try:
            with _open_regular(path) as file:
                content = file.read(self._max_bytes + 1)
        except (OSError, SourceError):
            return None
        if len(content) > self._max_bytes:
            return None
        return content, mimetypes.guess_type(path.name)[0] or "application/octet-stream"

    def _inside(self, url_path: str) -> Path | None:
        """Return the real file that a path names, if it lies within the folder."""
        raw = unquote_to_bytes(url_path.partition("?")[0].partition("#")[0])
        try:
            name = raw.decode()
        except UnicodeDecodeError:
            return None
        parts = [part for part in name.split("/") if part not in {"", "."}]
        if not parts or ".." in parts or any(char in name for char in "\0\\"):
            return None
        try:
            path = self._root.joinpath(*parts).resolve(strict=True)
        except (OSError, RuntimeError):  # not there, or links in a circle
            return None
        return path if path.is_relative_to(self._root) else None
