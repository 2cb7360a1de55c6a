from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from windrow.atomic import ONLY_ITS_OWNER, NewFile, written
from windrow.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def write(path: Path, data: bytes = b"new", mode: int | None = None) -> None:
    with written(path, mode) as file:
        file.write(data)


def test_a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "hay"
    write(path)
    assert mode_of(path) == 0o640
    path.chmod(0o604)
    write(path, b"newer")
    assert (path.read_bytes(), mode_of(path)) == (b"newer", 0o604)
    write(path, mode=ONLY_ITS_OWNER)
    assert mode_of(path) == 0o600
    assert names_in(tmp_path) == ["hay"]


def test_nobody_else_reads_a_private_file_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "hay"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with NewFile(path) as file:
        file.write(b"secret")
        (temporary,) = (entry for entry in tmp_path.iterdir() if entry != path)
        assert mode_of(temporary) == 0o600


def test_the_target_of_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "hay")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "hay").read_bytes() == b"new"
    assert names_in(tmp_path / "real") == ["hay"]


def test_what_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hay"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write(path, "no bytes")  # type: ignore[arg-type]

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SourceError, match="No space left"):
        write(path)
    with NewFile(path) as file:
        file.write(b"not finished")
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["hay"]


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("folder", "no/hay", "loop/hay", "h\0y", "x" * 300):
        with pytest.raises(SourceError, match="could not be written"):
            write(tmp_path / name)
    assert names_in(tmp_path) == ["folder", "loop"]
    assert names_in(tmp_path / "folder") == []


def test_a_device_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(pipe)
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert names_in(tmp_path) == ["pipe"]
