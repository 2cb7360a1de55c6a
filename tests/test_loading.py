from __future__ import annotations

import gzip
import threading
from typing import TYPE_CHECKING

import pytest

import windrow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_a_saved_file(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("<title>Café</title><p>é".encode())
    page = windrow.load(path, url="https://example.org/", render=False)
    assert (page.text, page.url, page.source, page.encoding) == ("é", "https://example.org/", str(path), "UTF-8")
    assert windrow.load(str(path), render=False).text == "é"


def test_a_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(b"<p>packed"))
    assert windrow.load(path, render=False).text == "packed"


def test_sources_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(windrow.SourceError, match="no file"):
        windrow.load(tmp_path / "none.html", render=False)
    with pytest.raises(windrow.SourceError, match=r"write https://example\.org/a instead"):
        windrow.load("example.org/a", render=False)
    with pytest.raises(windrow.SourceError):
        windrow.load(tmp_path, render=False)
    for address in ("file:///etc/passwd", "ftp://example.org/", "FILE:///x", "javascript:1", "data:text/html,x"):
        with pytest.raises(windrow.RefusedError, match="http and https"):
            windrow.load(address, render=False)


def test_bytes_that_are_no_page() -> None:
    with pytest.raises(windrow.NotHtmlError, match="PDF"):
        windrow.parse(b"%PDF-1.7 ...")
    with pytest.raises(windrow.NotHtmlError, match="empty"):
        windrow.parse(b"")
    assert windrow.parse("").text == ""


def test_too_many_bytes_give_the_part_that_was_read() -> None:
    options = windrow.Options(limits=windrow.Limits(bytes=100))
    with pytest.raises(windrow.LimitError, match="more than 100 bytes") as caught:
        windrow.parse("<p>start</p>" + "x" * 1000, options=options)
    assert caught.value.page is not None
    assert caught.value.page.cut
    assert caught.value.page.text.startswith("start")


def test_many_pages_come_in_order_and_a_failure_stops_nobody() -> None:
    pages = [f"<p>{number}" for number in range(40)]
    results = list(windrow.parse_many([*pages[:20], b"%PDF-1.7", *pages[20:]]))
    failure = results.pop(20)
    assert isinstance(failure, windrow.Failure)
    assert failure.error.kind == "not-html"
    assert [page.text for page in results if isinstance(page, windrow.Page)] == [str(number) for number in range(40)]


def test_many_sources_name_their_failures(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a", encoding="utf-8")
    good, bad = windrow.load_many([tmp_path / "a.html", "file:///x"], render=False)
    assert isinstance(good, windrow.Page)
    assert isinstance(bad, windrow.Failure)
    assert (bad.source, bad.error.exit_code) == ("file:///x", 4)


def test_many_pages_are_read_only_a_little_ahead() -> None:
    asked = []

    def pages() -> Iterator[str]:
        for number in range(1000):
            asked.append(number)
            yield f"<p>{number}"

    results = windrow.parse_many(pages(), workers=2)
    for _ in range(5):
        next(results)
    assert len(asked) < 20
    results.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("windrow_")]


def test_a_fault_of_ours_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("windrow.loading.html_to_nodes", broken)
    (failure,) = windrow.parse_many(["<p>x"])
    assert isinstance(failure, windrow.Failure)
    assert (failure.error.kind, failure.error.exit_code) == ("error", 1)
    assert isinstance(failure.error.__cause__, ZeroDivisionError)


def test_addresses_with_a_password_do_not_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windrow.source.guard.system_addresses", lambda *_: ["192.0.2.1"])
    with pytest.raises(windrow.WindrowError) as caught:
        windrow.load("http://user:secret@127.0.0.1/", render=False)
    assert "secret" not in str(caught.value)
