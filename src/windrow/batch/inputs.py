"""What somebody named as input, as ranges of files: archives, manifests, index rows, folders of saved pages."""

from __future__ import annotations

import gzip
import io
import json
import os
from contextlib import closing, suppress
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windrow.batch.elsewhere import find_below, find_matching, find_state, is_elsewhere, open_elsewhere
from windrow.batch.shard import Kind, Range
from windrow.errors import SourceError, UsageError
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".warc.zstd")
PAGES = (".html", ".htm", ".xhtml", ".html.gz", ".windrow")
MANIFESTS = (".paths", ".paths.gz", ".txt", ".txt.gz")
ROWS = (".cdxj", ".cdxj.gz", ".cdx", ".cdx.gz", ".jsonl", ".jsonl.gz", ".ndjson")
COLUMNS = ("warc_filename", "warc_record_offset", "warc_record_length")
FIELDS = ("filename", "offset", "length")


def find_inputs(names: Iterable[str], base: str | None = None) -> list[Range]:
    """Return what is to be read, in order; ``base`` is what the paths in manifests and indexes start from.

    What is named twice, be it by a pattern and a folder or by two indexes, is read once.
    """
    found: list[Range] = []
    base = base if base is None or is_elsewhere(base) else os.path.abspath(base)  # noqa: PTH100 - links stay
    for name in names:
        for each in _expand(name):
            found += _find_in(each if is_elsewhere(each) else os.path.abspath(each), base)  # noqa: PTH100 - links stay
    if not found:
        raise SourceError("There is no record to read: the manifests, indexes and folders that were named are empty.")
    whole = {part.file for part in found if part.kind == "warc"}
    once: dict[tuple[str, int], Range] = {}
    for part in found:
        if part.kind != "row" or part.file not in whole:
            once.setdefault((part.file, part.start), part)
    changed = {file: _changed(file) for file in {part.file for part in once.values() if part.kind == "row"}}
    return [replace(part, changed=changed.get(part.file, part.changed)) for part in once.values()]


def _expand(name: str) -> list[str]:
    """Return the files that a name means, which may be a pattern; in an address a question mark is none."""
    if is_elsewhere(name):
        matching = find_matching(name) if "*" in name else [name]
    else:
        matching = sorted(glob(name, recursive=True)) if has_magic(name) and not os.path.lexists(name) else [name]  # noqa: PTH207 - of any folder
    if not matching:
        raise SourceError(f"No file matches {name}. Check the pattern, and put it in quotes.")
    return matching


def _find_in(name: str, base: str | None, within: tuple[str, ...] = ()) -> Iterator[Range]:
    """Yield what a file or folder holds; ``within`` are the manifests that lead there."""
    lower = name.lower()
    if not is_elsewhere(name) and Path(name).is_dir():
        yield from _take_folder(name, _walk_folder(name))
    elif lower.endswith(MANIFESTS):
        yield from _read_manifest(name, base, within)
    elif lower.endswith(ROWS):
        yield from _read_rows(name, base)
    elif lower.endswith(".parquet"):
        yield from _read_columns(name, base)
    elif lower.endswith(PAGES):
        yield _whole("saved", name)
    elif lower.endswith(ARCHIVES) or _looks_like_archive(name):
        yield _whole("warc", name)
    elif is_elsewhere(name) and (files := find_below(name)):
        yield from _take_folder(name, files)
    else:
        raise UsageError(
            f"{name} is nothing that a batch reads. It reads archives ({', '.join(ARCHIVES)}), manifests "
            f"({', '.join(MANIFESTS)}), indexes ({', '.join((*ROWS, '.parquet'))}), and saved pages with their folders."
        )


def _read_manifest(name: str, base: str | None, within: tuple[str, ...]) -> Iterator[Range]:
    if name in within:
        raise UsageError(f"The manifest {name} names itself, so there is no end to it. Take that line out.")
    for line in _lines(name):
        if not line.startswith("#"):
            for each in _expand(_resolve(line, name, base)):
                yield from _find_in(each, base, (*within, name))


def _walk_folder(folder: str) -> list[str]:
    def refuse(error: OSError) -> None:
        raise SourceError(f"The folder {error.filename} could not be read: {error.strerror}. Check its permissions.")

    return sorted(str(Path(place, name)) for place, _, names in os.walk(folder, onerror=refuse) for name in names)


def _take_folder(folder: str, files: list[str]) -> Iterator[Range]:
    wanted = [file for file in files if file.lower().endswith((*ARCHIVES, *PAGES))]
    if not wanted:
        raise SourceError(f"There is no archive and no page in the folder {folder}.")
    for file in wanted:
        yield _whole("warc" if file.lower().endswith(ARCHIVES) else "saved", file)


def _looks_like_archive(name: str) -> bool:
    """Whether a file with any other name begins like an archive."""
    if is_elsewhere(name):
        return False
    try:
        with Path(name).open("rb") as file:
            start = file.read(4096)
    except OSError as error:
        raise _unreadable(name, error) from None
    if start.startswith(b"\x1f\x8b"):
        try:
            start = gzip.GzipFile(fileobj=io.BytesIO(start)).read1(16)
        except (OSError, EOFError):
            return False
    return start.startswith((b"WARC/", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"))


def _resolve(path: str, listed_in: str, base: str | None) -> str:
    """Return where a path leads that stands in a manifest or an index: from the base, or else from that file."""
    if is_elsewhere(path) or Path(path).is_absolute():
        return path
    if base is not None:
        return f"{base.rstrip('/')}/{path}"
    folder = listed_in.rpartition("/")[0]
    return f"{folder}/{path}" if folder else path


def _read_rows(name: str, base: str | None) -> Iterator[Range]:
    with closing(_lines(name)) as lines:
        yield from _parse_rows(lines, name, base)


def _parse_rows(lines: Iterable[str], name: str, base: str | None) -> Iterator[Range]:
    for number, line in enumerate(lines, 1):
        start = line.find("{")
        if line.startswith("!") or (start < 0 and line.lstrip().upper().startswith("CDX")):
            continue  # what some tools write above the rows
        try:
            row: dict[str, Any] = json.loads(line[max(start, 0) :])
            yield _row([row[field] for field in FIELDS], name, base)
        except (ValueError, KeyError, TypeError):
            raise UsageError(
                f"Line {number} of {name} is no row of a CDXJ index: it should have a JSON object with "
                f"{', '.join(FIELDS)}."
            ) from None


def _read_columns(name: str, base: str | None) -> Iterator[Range]:
    parquet = library("pyarrow.parquet")
    try:
        with open_input(name) as file:
            table = parquet.read_table(file, columns=list(COLUMNS))
            columns = [table.column(column).to_pylist() for column in COLUMNS]
    except (KeyError, ValueError, OSError) as error:
        raise UsageError(f"{name} is no columnar index with {', '.join(COLUMNS)}: {error}.") from None
    for number, row in enumerate(zip(*columns, strict=True), 1):
        try:
            yield _row(list(row), name, base)
        except (ValueError, TypeError):
            raise UsageError(
                f"Row {number} of {name} names no record: it should have a file, the byte where the record begins, and "
                "its length."
            ) from None


def _row(row: list[Any], name: str, base: str | None) -> Range:
    offset, length = int(row[1]), int(row[2])
    if not row[0] or offset < 0 or length <= 0:
        raise ValueError
    return Range("row", _resolve(str(row[0]), name, base), offset, offset + length)


def _lines(name: str) -> Generator[str, None, None]:
    """Yield the lines of a text file that have something in them."""
    try:
        with open_input(name) as file:
            plain = gzip.GzipFile(fileobj=file) if name.lower().endswith(".gz") else file
            with io.TextIOWrapper(plain, "utf-8", "replace") as lines:
                for line in lines:
                    if text := line.strip():
                        yield text
    except (OSError, EOFError) as error:
        raise _unreadable(name, error) from None


def open_input(name: str) -> Any:  # noqa: ANN401 - a file of whatever library
    """Open a file that lies here or elsewhere."""
    if is_elsewhere(name):
        return open_elsewhere(name)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise _unreadable(name, error) from None


def _whole(kind: Kind, name: str) -> Range:
    """Return a whole file."""
    size, changed = find_state(name) if is_elsewhere(name) else _state(name)
    return Range(kind, name, 0, size, changed=changed)


def _changed(name: str) -> str:
    """Return when a file was changed that an index names; an empty text where it is not here, which is told later."""
    with suppress(OSError):
        return "" if is_elsewhere(name) else str(Path(name).stat().st_mtime_ns)
    return ""


def _state(name: str) -> tuple[int, str]:
    try:
        about = Path(name).stat()
    except OSError as error:
        raise _unreadable(name, error) from None
    return about.st_size, str(about.st_mtime_ns)


def _unreadable(name: str, error: Exception) -> SourceError:
    why = getattr(error, "strerror", None) or str(error)
    return SourceError(f"{name} could not be read: {why}. Check its name and its permissions.")
