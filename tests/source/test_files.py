from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from windrow.errors import SourceError
from windrow.options import Limits
from windrow.source.files import Folder, read_saved


def test_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"<p>hi")
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(b"<p>hi"))
    for name in ("page.html", "page.html.gz"):
        assert read_saved(tmp_path / name, Limits()) == b"<p>hi"


def test_file_at_the_limit(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"x" * 100)
    assert len(read_saved(tmp_path / "page.html", Limits(bytes=100))) == 100
    assert len(read_saved(tmp_path / "page.html", Limits(bytes=50))) == 51  # which tells that there is more


def test_compressed_bomb(tmp_path: Path) -> None:
    (tmp_path / "bomb.html.gz").write_bytes(gzip.compress(bytes(50_000_000)))
    assert len(read_saved(tmp_path / "bomb.html.gz", Limits(bytes=1_000_000))) == 1_000_001


def test_broken_compressed_file(tmp_path: Path) -> None:
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(b"<p>hi")[:-4])
    with pytest.raises(SourceError, match="breaks off"):
        read_saved(tmp_path / "page.html.gz", Limits())


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no file .*missing.html"):
        read_saved(tmp_path / "missing.html", Limits())
    with pytest.raises(SourceError, match="is a folder"):
        read_saved(tmp_path, Limits())
    with pytest.raises(SourceError, match="could not be read"):
        read_saved(tmp_path / "a\0b", Limits())
    with pytest.raises(SourceError, match="could not be read"):
        read_saved(tmp_path / ("x" * 300), Limits())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.touch(mode=0)
    with pytest.raises(SourceError, match="permissions"):
        read_saved(path, Limits())


def test_devices_and_pipes_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(SourceError, match="not an ordinary file"):
            read_saved(path, Limits())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    root = tmp_path / "page_files"
    (root / "sub").mkdir(parents=True)
    (root / "style.css").write_bytes(b"p {}")
    (root / "sub" / "a b.png").write_bytes(b"png")
    (root / "100%25.txt").write_bytes(b"percent")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    (tmp_path / "page_files_too").mkdir()
    (tmp_path / "page_files_too" / "secret.txt").write_bytes(b"secret")
    (root / "out").symlink_to(tmp_path / "secret.txt")
    (root / "up").symlink_to(tmp_path)
    (root / "in.css").symlink_to(root / "style.css")
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe")
    return Folder(root)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("style.css", (b"p {}", "text/css")),
        ("/style.css?v=1", (b"p {}", "text/css")),
        ("./sub//a%20b.png", (b"png", "image/png")),
        ("in.css", (b"p {}", "text/css")),
        ("100%2525.txt", (b"percent", "text/plain")),
    ],
)
def test_file_of_the_folder(folder: Folder, path: str, content: tuple[bytes, str]) -> None:
    assert folder.resource(path) == content


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        ".",
        "sub",
        "missing",
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "%252e%252e/secret.txt",
        "sub/../../secret.txt",
        "..\\secret.txt",
        "..%5csecret.txt",
        "/etc/passwd",
        "//etc/passwd",
        "%2fetc%2fpasswd",
        "out",
        "up/secret.txt",
        "loop",
        "pipe",
        "style.css%00.png",
        "style.css\0",
        "../page_files_too/secret.txt",
        "%ff",
        "file:///etc/passwd",
        "C:/windows",
        "....//secret.txt",
        "x" * 5000,
        "sub/../style.css",
        "~/x",
        "style.css/.",
    ],
)
def test_nothing_else_is_given(folder: Folder, path: str) -> None:
    given = folder.resource(path)
    assert given is None or given == (b"p {}", "text/css")


def test_large_file_is_not_given(tmp_path: Path) -> None:
    (tmp_path / "large.css").write_bytes(b"x" * 101)
    assert Folder(tmp_path, max_bytes=100).resource("large.css") is None
    assert Folder(tmp_path, max_bytes=101).resource("large.css") is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.lists(st.sampled_from(["..", "up", "secret.txt", "%2e.", "sub", "/", "\\", "%2f", "%00", "."])).map(
        "/".join
    )
)
def test_no_path_leads_out(folder: Folder, path: str) -> None:
    assert folder.resource(path) is None
