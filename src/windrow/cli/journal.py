"""What a run over many sources has read so far, in a file beside its output, so that ``--resume`` goes on with it."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from windrow.cli.output import Contribution
from windrow.errors import SourceError, UsageError
from windrow.loader.siblings import Introduction  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from types import TracebackType

    from windrow.cli.sources import Source

SUFFIX = ".part"


class Journal:
    """The lines of a run: what it was told first, then a source a line with what it gave."""

    def __init__(self, output: Path, told: object, *, resume: bool) -> None:
        """Begin a journal, or go on with the one that is there and was told the same."""
        self.path = output.with_name(output.name + SUFFIX)
        self._done: dict[str, Done] = {}
        digest = hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()
        kept = self._read(digest) if resume else []
        try:
            self._file = self.path.open("wb")
        except OSError as error:
            raise SourceError(
                f"{self.path} could not be written: {error.strerror or error}. Choose another place."
            ) from None
        self._write({"windrow": digest})
        for line in kept:
            self._file.write(line)
        self._file.flush()

    def _read(self, digest: str) -> list[bytes]:
        """Take in what is there; a line that was cut off when the run ended is left out."""
        if not self.path.exists():
            return []
        first, *lines = self.path.read_bytes().splitlines(keepends=True) or [b""]
        if first.strip() != _to_line({"windrow": digest}).strip():
            raise UsageError(
                f"{self.path} was begun with other options or by another Windrow. Give the same options, or leave out "
                "--resume to start anew."
            )
        kept = []
        for line in lines:
            if line.endswith(b"\n"):
                done = msgspec.convert(json.loads(line), Done)
                self._done[done.source] = done
                kept.append(line)
        return kept

    def find(self, source: Source) -> Done | None:
        """Return what a source gave, where it was read and has not changed since."""
        done = self._done.get(str(source)) if isinstance(source, str | Path) else None
        return done if done is not None and done.mark == _mark(source) else None

    def add(
        self,
        source: Source,
        given: Contribution,
        next_url: str | None = None,
        says: Introduction | None = None,
    ) -> None:
        """Note what a source gave and says to others; one that could not be read is tried again."""
        if isinstance(source, str | Path) and given.is_page:
            plain = {
                "source": str(source),
                "mark": _mark(source),
                "data": base64.b64encode(given.data).decode("ascii"),
                "parts": msgspec.to_builtins(given.parts),
                "next_url": next_url,
                "says": says,
            }
            self._write(plain)

    def _write(self, plain: dict[str, Any]) -> None:
        self._file.write(_to_line(plain))
        self._file.flush()

    @property
    def count(self) -> int:
        """How many sources were read before."""
        return len(self._done)

    def finish(self) -> None:
        """Remove the journal: the output has everything."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        """Use it until ``finish``."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the file for ``--resume``, unless nothing stands in it."""
        self._file.close()
        if self.path.exists() and self.path.read_bytes().count(b"\n") <= 1:
            self.path.unlink()


class Done(msgspec.Struct):
    """A source that was read."""

    source: str
    mark: tuple[int, int] | None
    """Size and time of a file, by which a changed one is known."""
    data: bytes
    parts: tuple[Any, ...]
    next_url: str | None = None
    says: Introduction | None = None
    """What its page tells others of its host."""

    @property
    def given(self) -> Contribution:
        """What it gave."""
        return msgspec.convert({"data": self.data, "parts": self.parts}, Contribution)


def _to_line(plain: dict[str, Any]) -> bytes:
    return json.dumps(plain).encode() + b"\n"


def _mark(source: Source) -> tuple[int, int] | None:
    if not isinstance(source, Path):
        return None
    try:
        found = source.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
