"""Files that take their place under their name when they are complete; until then an old one stays as it was."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import contextmanager, suppress
from errno import ENOSPC
from typing import TYPE_CHECKING, Any, Self

from windrow.errors import UnwrittenError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

NEW_FILE_MODE = 0o666
"""What a new file may be at most; the system takes away what the user's mask forbids."""
ONLY_ITS_OWNER = 0o600


class NewFile:
    """A file that replaces an old one when it is finished, and leaves nothing behind when it is not.

    The target of a link is replaced, not the link; a pipe or a device is written to as it is.
    """

    def __init__(self, path: Path, mode: int | None = None) -> None:
        """Open it, or raise ``UnwrittenError``. Without a mode it gets that of the old file, or the default."""
        self.path = path
        self._temporary: Path | None = None
        try:
            self._target = path.resolve()
            old = self._target.stat().st_mode if self._target.exists() else None
            if old is not None and not stat.S_ISREG(old):
                self._file = self._target.open("wb")
                return
            if mode is None and old is not None:
                mode = stat.S_IMODE(old)
            temporary = self._target.with_name(f".windrow-{secrets.token_hex(8)}")
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            handle = os.open(temporary, flags, NEW_FILE_MODE if mode is None else mode & ONLY_ITS_OWNER)
            self._temporary = temporary
            self._file = os.fdopen(handle, "wb")
            self._mode = mode
        except (OSError, ValueError, RuntimeError) as error:
            raise self._failed(error) from None

    def write(self, data: bytes | memoryview) -> int:
        """Append to the file, and return how many bytes those were, as any file does."""
        try:
            return self._file.write(data)
        except OSError as error:
            raise self._failed(error) from None

    def flush(self) -> None:
        """Hand what was written to the system."""
        try:
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from None

    def finish(self) -> None:
        """Put the file in its place, under its name."""
        try:
            self._file.flush()
            if self._temporary is not None:
                if self._mode is not None:
                    os.fchmod(self._file.fileno(), self._mode)
                os.fsync(self._file.fileno())
                self._file.close()
                self._temporary.replace(self._target)
                self._temporary = None
        except OSError as error:
            raise self._failed(error) from None

    def __enter__(self) -> Self:
        """Return the file itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Discard a file that was not finished."""
        with suppress(OSError):
            self._file.close()
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.unlink()

    def _failed(self, error: Exception) -> UnwrittenError:
        why = getattr(error, "strerror", None) or str(error)
        advice = (
            "Make room, or choose another place." if getattr(error, "errno", 0) == ENOSPC else "Choose another place."
        )
        return UnwrittenError(f"{self.path} could not be written: {why}. {advice}")


@contextmanager
def written(path: Path, mode: int | None = None) -> Iterator[NewFile]:
    """Yield a file to write to, which takes its place unless something fails."""
    with NewFile(path, mode) as file:
        yield file
        file.finish()


class Sink:
    """A new file as Parquet's writer wants one; closing it is left to whoever opened it."""

    closed = False

    def __init__(self, file: NewFile) -> None:
        """Write into a file."""
        self._file = file
        self._place = 0

    def write(self, data: Any) -> int:  # noqa: ANN401 - whatever is like bytes
        """Append to it."""
        count = self._file.write(memoryview(data))
        self._place += count
        return count

    def tell(self) -> int:
        """Return how much was written."""
        return self._place

    def flush(self) -> None:
        """Hand what was written to the system."""
        self._file.flush()

    def close(self) -> None:
        """Take no more; the file itself stays open."""
        self.closed = True

    def readable(self) -> bool:
        """Whether it can be read: no."""
        return False

    def writable(self) -> bool:
        """Whether it can be written."""
        return True

    def seekable(self) -> bool:
        """Whether one can go back in it: no."""
        return False
