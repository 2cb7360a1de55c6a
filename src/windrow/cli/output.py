"""``-o``: the file that results go into. Its ending says in which form; it is written as a whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from windrow.cli.terminal import Json, to_json
from windrow.errors import SourceError, UsageError
from windrow.table import tables_to_xlsx

if TYPE_CHECKING:
    from types import TracebackType

    from windrow.cli.sources import Reading
    from windrow.table import Table

ENDINGS = {
    ".json": "an array with one object a source",
    ".jsonl": "one object a source, each on a line",
    ".txt": "the visible text",
    ".html": "the source of one page",
    ".windrow": "one page, to be read again",
    ".csv": "the best table of one page",
    ".xlsx": "every table, each on a sheet of its own",
}
JSON_ENDINGS = frozenset({".json", ".jsonl"})
FOR_ONE = frozenset({".html", ".windrow", ".csv"})
"""Forms that hold one page and no more."""
TABLE_ENDINGS = frozenset({".csv", ".xlsx"})


class NewFile:
    """A file that takes its place under its name when it is complete; until then an old one stays as it was."""

    def __init__(self, path: Path) -> None:
        """Begin it; ``SourceError`` where that is not possible."""
        self.path = path
        # The target of a link is replaced, not the link; a pipe or a device is written to as it is.
        self._target = path.resolve()
        try:
            special = self._target.exists() and not stat.S_ISREG(self._target.stat().st_mode)
            if special:
                self._temporary: Path | None = None
                self._file = self._target.open("wb")
            else:
                handle, name = tempfile.mkstemp(prefix=".windrow-", dir=self._target.parent)
                self._temporary = Path(name)
                self._file = os.fdopen(handle, "wb")
        except OSError as error:
            raise self._failed(error) from None

    def write(self, data: bytes) -> None:
        """Add to the file."""
        try:
            self._file.write(data)
        except OSError as error:
            raise self._failed(error) from None

    def finish(self) -> None:
        """Give the file its name."""
        try:
            self._file.flush()
            if self._temporary is not None:
                os.fsync(self._file.fileno())
                self._temporary.chmod(_usual_mode(self._target))
                self._file.close()
                self._temporary.replace(self._target)
                self._temporary = None
        except OSError as error:
            raise self._failed(error) from None

    def __enter__(self) -> Self:
        """Use it until ``finish``."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Throw away what was not finished."""
        with suppress(OSError):
            self._file.close()
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.unlink()

    def _failed(self, error: OSError) -> SourceError:
        why = error.strerror or str(error)
        return SourceError(f"{self.path} could not be written: {why}. Choose another place, or make room.")


class Output:
    """Results on their way into a file."""

    def __init__(self, path: Path, keyword: str | None = None) -> None:
        """Begin the file, in the form that its ending names; of tables, those with the keyword."""
        self.ending = check_ending(path)
        self._file = NewFile(path)
        self._keyword = keyword
        self._tables: list[Table] = []
        self._count = 0

    def add(self, reading: Reading, value: Json) -> None:
        """Add what became of one source; ``value`` is its JSON object."""
        if self.ending == ".jsonl":
            self._file.write(to_json(value) + b"\n")
        elif self.ending == ".json":
            self._file.write((b",\n" if self._count else b"[\n") + to_json(value))
        elif reading.page is None:
            return
        elif self.ending in TABLE_ENDINGS:
            self._tables += reading.page.tables(self._keyword)
        elif self.ending == ".txt":
            self._file.write(b"\n" * bool(self._count) + reading.page.text.encode("utf-8", "replace") + b"\n")
        elif self.ending == ".html":
            if not reading.page.html:
                raise SourceError(f"The source of {reading.source} was not kept, so there is nothing to write as HTML.")
            # The mark at the beginning counts for more than a charset that the page declares and no longer has.
            encoding = "utf-8" if reading.page.html.isascii() else "utf-8-sig"
            self._file.write(reading.page.html.encode(encoding, "replace"))
        else:
            reading.page.save(self._file.path)
        self._count += 1

    def finish(self) -> None:
        """Close the file; where no page was read there is none, unless the form can say why."""
        if self.ending == ".json":
            self._file.write(b"\n]\n" if self._count else b"[]\n")
        if self._count and self.ending in TABLE_ENDINGS:
            self._write_tables()
        if self._count and self.ending != ".windrow":
            self._file.finish()

    def _write_tables(self) -> None:
        if not self._tables:
            what = f"no table with {self._keyword!r}" if self._keyword else "no table"
            raise SourceError(f"There is {what} to write into {self._file.path}. Look at the page without -o.")
        if self.ending == ".csv":
            self._file.write(self._tables[0].to_csv().encode("utf-8", "replace"))
        else:
            self._file.write(tables_to_xlsx(self._tables))

    def __enter__(self) -> Self:
        """Use it until ``finish``."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Throw away what was not finished."""
        self._file.__exit__(kind, error, trace)


def check_ending(path: Path) -> str:
    """Give the ending of a file's name, if it is one that says something."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(f"{known} ({what})" for known, what in ENDINGS.items())
        raise UsageError(f"The name {path} does not say in which form to write; end it in one of: {known}.")
    return ending


def _usual_mode(target: Path) -> int:
    """Give the permissions that the old file has, or that a new one gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
