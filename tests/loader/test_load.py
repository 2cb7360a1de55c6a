from __future__ import annotations

import gzip
import threading
from typing import TYPE_CHECKING

import pytest

import windrow
from windrow.errors import LimitError
from windrow.loader.loader import PAGES_WAITING
from windrow.loader.schedule import AHEAD

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
    with pytest.raises(windrow.errors.SourceError, match="no file"):
        windrow.load(tmp_path / "none.html", render=False)
    with pytest.raises(windrow.errors.SourceError, match=r"write https://example\.org/a instead"):
        windrow.load("example.org/a", render=False)
    with pytest.raises(windrow.errors.SourceError):
        windrow.load(tmp_path, render=False)
    for address in ("file:///etc/passwd", "ftp://example.org/", "FILE:///x", "javascript:1", "data:text/html,x"):
        with pytest.raises(windrow.errors.RefusedError, match="http and https"):
            windrow.load(address, render=False)


def test_text_without_a_tag_is_a_page_where_somebody_says_so() -> None:
    for html in (b"hello", b"<li>one<li>two", b"<!--" + b"x" * 5000 + b"--><p>late"):
        assert windrow.parse(html).text


def test_nothing_in_memory_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory").write_text("<p>Not asked for")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(windrow.UsageError, match="not NoneType"):
        windrow.parse(None)  # type: ignore[arg-type] # the mistake
    with pytest.raises(windrow.UsageError, match="not NoneType"):
        list(windrow.parse_many([None]))  # type: ignore[list-item] # the mistake


def test_bytes_that_are_no_page() -> None:
    with pytest.raises(windrow.errors.NotHtmlError, match="PDF"):
        windrow.parse(b"%PDF-1.7 ...")
    with pytest.raises(windrow.errors.NotHtmlError, match="empty"):
        windrow.parse(b"")
    assert windrow.parse("").text == ""


def test_too_many_bytes_give_the_part_that_was_read() -> None:
    options = windrow.Options(limits=windrow.Limits(bytes=100))
    with pytest.raises(LimitError, match="more than 100 bytes") as caught:
        windrow.parse("<p>start</p>" + "x" * 1000, options=options)
    assert caught.value.page is not None
    assert caught.value.page.cut
    assert caught.value.page.text.startswith("start")


def test_many_pages_come_in_order_and_a_failure_stops_nobody() -> None:
    pages = [f"<p>{number}" for number in range(40)]
    results = list(windrow.parse_many([*pages[:20], b"%PDF-1.7", *pages[20:]]))
    failure = results.pop(20)
    assert isinstance(failure, windrow.Outcome)
    assert failure.error is not None
    assert failure.error.kind == "not-html"
    assert [page.text for page in results if isinstance(page, windrow.Page)] == [str(number) for number in range(40)]


def test_many_sources_name_their_failures(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a", encoding="utf-8")
    good, bad = windrow.load_many([tmp_path / "a.html", "file:///x"], render=False)
    assert isinstance(good, windrow.Page)
    assert isinstance(bad, windrow.Outcome)
    assert bad.error is not None
    assert (bad.source, bad.error.exit_code) == ("file:///x", 4)


def test_many_pages_are_read_only_a_little_ahead() -> None:
    asked = []

    def pages() -> Iterator[str]:
        for number in range(1000):
            asked.append(number)
            yield f"<p>{number}"

    results = windrow.Loader(workers=2).parse_many(pages())
    for _ in range(5):
        next(results)
    assert len(asked) <= 5 + 2 * (PAGES_WAITING + AHEAD)  # a page that comes late lets others wait for it
    results.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "windrow-reading"]


def test_a_fault_of_ours_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("windrow.loader.pages.html_to_first_nodes", broken)
    (failure,) = windrow.parse_many(["<p>x"])
    assert isinstance(failure, windrow.Outcome)
    assert failure.error is not None
    assert (failure.error.kind, failure.error.exit_code) == ("error", 1)
    assert isinstance(failure.error.__cause__, ZeroDivisionError)


def test_addresses_with_a_password_do_not_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windrow.source.guard.system_addresses", lambda *_: ["192.0.2.1"])
    with pytest.raises(windrow.WindrowError) as caught:
        windrow.load("http://user:secret@127.0.0.1/", render=False)
    assert "secret" not in str(caught.value)


def test_a_host_with_a_port_is_not_a_scheme() -> None:
    with pytest.raises(windrow.errors.SourceError, match="write https://localhost:8000/x instead"):
        windrow.load("localhost:8000/x", render=False)


def test_too_many_nodes_give_the_part_that_was_read() -> None:
    options = windrow.Options(limits=windrow.Limits(nodes=50))
    with pytest.raises(LimitError, match="more than 50 nodes") as caught:
        windrow.parse("<p class=a>start</p>" + "<p class=b>x" * 100, options=options)
    page = caught.value.page
    assert page is not None
    assert len(page.nodes) == 50
    assert page.text.startswith("start")
    assert max(page.nodes.attributes.having("class")) < 50


def test_a_long_file_gives_the_part_that_was_read(tmp_path: Path) -> None:
    (tmp_path / "long.html").write_text("<p>start</p>" + "x" * 1000, encoding="utf-8")
    with pytest.raises(LimitError) as caught:
        windrow.load(tmp_path / "long.html", render=False, options=windrow.Options(limits=windrow.Limits(bytes=100)))
    assert caught.value.page is not None
    assert caught.value.page.text.startswith("start")


def test_one_text_is_not_many_sources() -> None:
    with pytest.raises(windrow.UsageError, match="from a list"):
        windrow.load_many("page.html", render=False)
    with pytest.raises(windrow.UsageError, match="from a list"):
        windrow.parse_many("<p>One page")
    with pytest.raises(windrow.UsageError, match="has no name"):
        windrow.load("", render=False)


def test_a_page_that_was_saved_without_its_address_can_be_given_one(tmp_path: Path) -> None:
    windrow.parse("<a href=/tree>Tree</a>").save(tmp_path / "page.windrow")
    page = windrow.load(tmp_path / "page.windrow", url="https://orchard.example/")
    assert page.link(page.nodes.tag.where("a")[0]) == "https://orchard.example/tree"
    page.save(tmp_path / "page.windrow")
    with pytest.raises(windrow.UsageError, match=r"https://orchard\.example/; leave out url"):
        windrow.load(tmp_path / "page.windrow", url="https://orchard.example/")


@pytest.mark.parametrize("options", [{"wait_for": "p"}, {"wait_for_text": "x"}, {"scroll": 1}, {"load_more": 1}])
def test_options_that_would_be_passed_over_are_refused(options: dict[str, object]) -> None:
    chosen = windrow.Options(**options)  # type: ignore[arg-type]
    with pytest.raises(windrow.UsageError, match="live pages"):
        windrow.parse("<p>x", options=chosen)
    with pytest.raises(windrow.UsageError, match="no picture"):
        windrow.parse("<p>x", options=windrow.Options(screenshot=True))
    with pytest.raises(windrow.UsageError, match="leave out url"):
        windrow.load("https://example.org/", url="https://example.com/", render=False)


@pytest.mark.browser
def test_as_many_pages_at_a_time_as_asked_for() -> None:
    with windrow.Loader(workers=3) as loader:
        pages = list(loader.parse_many(["<p>a"] * 6, render=True))
    assert all(isinstance(page, windrow.Page) for page in pages)


@pytest.mark.browser
def test_closing_while_others_read_is_a_sentence_for_them() -> None:
    outcomes: list[object] = []

    def read() -> None:
        try:
            for _ in range(40):
                windrow.parse("<p>a" * 2000, render=True)
        except windrow.WindrowError as error:
            outcomes.append(error)
        except BaseException as error:  # noqa: BLE001 - that is what must not happen
            outcomes.append(("raw", error))

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        windrow.close()
    for thread in threads:
        thread.join()
    windrow.close()
    assert not [outcome for outcome in outcomes if isinstance(outcome, tuple)]
