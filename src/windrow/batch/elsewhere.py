"""Files that lie elsewhere, by their addresses, as fsspec opens them; what its libraries raise becomes a sentence."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from windrow.errors import SourceError, UsageError, WindrowError
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

BLOCK_BYTES = 1 << 20
STATES = ("ETag", "etag", "LastModified", "last_modified", "Last-Modified", "mtime")
"""What the libraries of various places call the tag of a file, or the time of its change."""
GONE = (404, 410)
PAUSES = (1.0, 5.0, 0.0)
"""Seconds after each try; stores that are asked for much refuse now and then."""


def is_elsewhere(name: str) -> bool:
    """Whether a name is an address."""
    return "://" in name


def open_elsewhere(name: str) -> Any:  # noqa: ANN401 - a file of whatever library
    """Open a file."""
    with told(name):
        return library("fsspec").open(name, "rb").open()


def find_state(name: str) -> tuple[int, str]:
    """Return how long a file is, and what its place says that tells it from another state of the same file."""
    with told(name):
        files, path = library("fsspec").core.url_to_fs(name)
        about = files.info(path)
        return int(about["size"] or 0), next((str(about[field]) for field in STATES if about.get(field)), "")


def find_matching(pattern: str) -> list[str]:
    """Return the files that a pattern matches, in order."""
    with told(pattern):
        files, path = library("fsspec").core.url_to_fs(pattern)
        return [files.unstrip_protocol(found) for found in sorted(files.glob(path))]


def find_below(name: str) -> list[str]:
    """Return the files below a folder, in order; none where it is no folder."""
    with told(name):
        files, path = library("fsspec").core.url_to_fs(name)
        return [files.unstrip_protocol(found) for found in sorted(files.find(path))] if files.isdir(path) else []


class Parts:
    """A file of which parts are read, each from its own place or not at all."""

    def __init__(self, name: str) -> None:
        """Open it, and ask how long it is."""
        self.name = name
        with told(name):
            files, path = library("fsspec").core.url_to_fs(name)
            self._size: int | None = files.info(path)["size"]
            self._file = files.open(path, "rb", cache_type="none")

    def read(self, start: int, end: int) -> bytes:
        """Return what stands between two places, or up to the end of the file.

        A server that ignores which part was asked for gives the file from its beginning, so that each row of an index
        would give the first record. What is asked for ends where the file does: so the whole is always more than that.
        """
        with told(self.name):
            if self._size is None:
                raise _partless(self.name)
            wanted = max(0, min(end, self._size) - start)
            try:
                self._file.seek(start)
                found: bytes = self._file.read(wanted)
            except ValueError:  # of a stream, or of an answer that is not the part
                raise _partless(self.name) from None
            if len(found) > wanted:
                raise _partless(self.name)
            return found

    def close(self) -> None:
        """Close it."""
        self._file.close()


def _partless(name: str) -> UsageError:
    """Return what is told of a place whose files can only be read from their beginning on."""
    return UsageError(
        f"The server of {name} gives no parts of files: it sends the whole, or does not say how long that is. Fetch "
        "the file first, and name its folder with --base."
    )


def bring_here(name: str) -> Path:
    """Return a copy, here, of a file; whoever asked for it removes it."""
    ending = "".join(PurePosixPath(name).suffixes)
    with (
        open_elsewhere(name) as far,
        tempfile.NamedTemporaryFile(prefix="windrow-", suffix=ending, delete=False) as file,
    ):
        path = Path(file.name)
        try:
            with told(name):
                shutil.copyfileobj(far, file, BLOCK_BYTES)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    return path


@contextmanager
def brought(name: str) -> Iterator[Path]:
    """Give the path of a file, which is brought here for the time being where it lies elsewhere."""
    if not is_elsewhere(name):
        yield Path(name)
        return
    path = tried(lambda: bring_here(name))
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def tried(work: Callable[[], T]) -> T:
    """Return what some work gives; what can't be reached is tried again, what is not there is not."""
    for pause in PAUSES[:-1]:
        try:
            return work()
        except SourceError as error:
            if is_gone(error):
                raise
            time.sleep(pause)
    return work()


def is_gone(error: SourceError) -> bool:
    """Whether a file is not there, which is no matter of its place's being slow, busy or closed."""
    cause = error.__cause__
    return isinstance(cause, FileNotFoundError | IsADirectoryError | NotADirectoryError) or (
        getattr(cause, "status", None) in GONE  # of HTTP's library
    )


@contextmanager
def told(name: str) -> Iterator[None]:
    """Tell in a sentence why a file can't be read."""
    try:
        yield
    except WindrowError:
        raise
    except ImportError as error:  # which no other try mends, and which is no record's fault
        why = str(error).removesuffix(".")
        raise UsageError(f"{name} needs a library that is not installed: {why}. Install it with pip.") from None
    except Exception as error:  # noqa: BLE001 - each place has a library of its own, with errors of its own
        cause = error.__cause__ or error  # to HTTP's library, whatever refuses is a file that is not there
        raise SourceError(f"{name} {_explain(cause)}") from cause


def _explain(error: BaseException) -> str:
    """Return why a file can't be read."""
    if isinstance(error, FileNotFoundError):
        return "could not be read: there is no such file. Check its name."
    why = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
    return f"could not be read: {why}. Check its name and its permissions."
