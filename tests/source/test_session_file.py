from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.request import Request

import pytest

from windrow.errors import SourceError
from windrow.source.session import Session, read_session

if TYPE_CHECKING:
    from pathlib import Path

COOKIE: dict[str, str | float | bool] = {
    "name": "sid",
    "value": "s3cret",
    "domain": ".example.org",
    "path": "/",
    "expires": -1,
    "secure": True,
}
COOKIE |= {"httpOnly": True, "sameSite": "Lax"}


def test_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text("old")
    path.chmod(0o644)
    session = Session((dict(COOKIE),), {"https://example.org": {"theme": "dark", "ключ": "значение"}})
    session.write(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_session(path) == session
    assert [entry.name for entry in tmp_path.iterdir()] == ["session.json"]
    assert "s3cret" not in repr(session)


def test_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text("old")
    with pytest.raises(TypeError):
        Session(({"name": object()},)).write(path)  # type: ignore[dict-item]
    path.unlink()
    path.mkdir()
    with pytest.raises(SourceError, match="Is a directory"):
        Session().write(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["session.json"]


def test_fields_beyond_the_known_ones_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"cookies": [COOKIE | {"size": 9, "priority": "Medium"}]}))
    assert read_session(path).cookies == (COOKIE,)
    assert read_session(path).storage == {}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no json",
        "[]",
        "[" * 100_000,
        '{"cookies": {}}',
        '{"cookies": [1]}',
        '{"cookies": [{"name": "a"}]}',
        '{"storage": []}',
        '{"storage": {"https://a": 1}}',
        '{"storage": {"https://a": {"b": 1}}}',
        json.dumps({"cookies": [COOKIE | {"value": 1}]}),
        json.dumps({"cookies": [COOKIE | {"value": "a\r\nX: s3cret"}]}),
        json.dumps({"cookies": [COOKIE | {"domain": ""}]}),
        json.dumps({"cookies": [COOKIE | {"secure": "yes"}]}),
    ],
)
def test_file_that_is_no_session(tmp_path: Path, content: str) -> None:
    path = tmp_path / "session.json"
    path.write_text(content)
    with pytest.raises(SourceError, match="is not a session file") as caught:
        read_session(path)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "kept"), [("1e999", 253_402_300_799), ("9" * 400, 253_402_300_799), ("NaN", -1), ("-Infinity", -1)]
)
def test_times_beyond_all_calendars(tmp_path: Path, written: str, kept: int) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"cookies": [COOKIE | {"expires": 77}]}).replace("77", written))
    session = read_session(path)
    assert [cookie["expires"] for cookie in session.cookies] == [kept]
    assert [cookie.expires for cookie in session.cookiejar()] == [kept if kept > 0 else None]
    far = Session(({**COOKIE, "expires": float("inf")},))
    assert [cookie.expires for cookie in far.cookiejar()] == [253_402_300_799]


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="could not be read"):
        read_session(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("domain", "url", "sent"),
    [
        (".example.org", "https://example.org/", True),
        (".example.org", "https://www.example.org/", True),
        (".example.org", "http://example.org/", False),
        (".example.org", "https://notexample.org/", False),
        (".example.org", "https://example.org.evil.example/", False),
        ("example.org", "https://example.org/", True),
        ("example.org", "https://www.example.org/", False),
        ("localhost", "https://localhost/", True),
        ("127.0.0.1", "https://127.0.0.1/", True),
        ("EXAMPLE.org", "https://example.org/", True),
    ],
)
def test_cookie_goes_only_where_it_belongs(domain: str, url: str, sent: bool) -> None:  # noqa: FBT001
    request = Request(url)  # noqa: S310 - never opened
    Session(({**COOKIE, "domain": domain},)).cookiejar().add_cookie_header(request)
    assert request.has_header("Cookie") is sent
