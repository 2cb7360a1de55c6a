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


def fetch_bytes(name: str, start: int, end: int) -> bytes:
    """Return the bytes of a file between two places."""
    with told(name):
        files, path = library("fsspec").core.url_to_fs(name)
        found: bytes = files.cat_file(path, start, end)
    if len(found) > end - start:  # from its beginning on, so that each row would give the first record
        raise UsageError(
            f"The server of {name} gives the whole file where a part of it was asked for. Fetch the file first, and "
            "name its folder with --base."
        )
    return found


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
            if isinstance(error.__cause__, FileNotFoundError):
                raise
            time.sleep(pause)
    return work()


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
