"""How the command ends: each exit status, sentences instead of tracebacks, interrupts and closed pipes."""

from __future__ import annotations

import errno
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command import ORCHARD, objects, run, serving, start

from windrow.cli import output
from windrow.cli.diagnostics import gravest
from windrow.readers.registry import READERS

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

PRIVATE = "http://127.0.0.1:8/"


def test_0_read() -> None:
    assert run("read", ORCHARD, "--no-render").exit_code == 0


def test_1_fault_of_ours_is_a_sentence_and_stops_no_other_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("too much\nhay")

    monkeypatch.setitem(READERS, "title", replace(READERS["title"], to_plain=fail))
    result = run("read", ORCHARD, "--no-render", "--json")
    assert result.exit_code == 1
    (found,) = objects(result)
    assert found["provenance"]
    assert found["text"]
    assert "title" not in found
    assert found["error"] == {
        "kind": "error",
        "message": "Windrow failed on this page: ZeroDivisionError: too much hay; --debug shows where.",
    }
    assert "Traceback" not in result.stderr
    assert "Traceback" in run("read", ORCHARD, "--no-render", "--json", "--debug").stderr


def test_1_a_reader_that_fails_leaves_the_others_in_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("no hay")

    whole = run("read", ORCHARD, "--no-render").stdout
    monkeypatch.setitem(READERS, "structure", replace(READERS["structure"], read=fail))
    result = run("read", ORCHARD, "--no-render")
    assert (result.exit_code, "no hay" in result.stderr) == (1, True)
    assert result.stdout.splitlines()[0] == whole.splitlines()[0]
    assert "Text" in result.stdout
    assert "Structure" not in result.stdout


def test_1_unexpected_error_anywhere_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("no hay")

    monkeypatch.setattr("windrow.cli.reading.find_sources", fail)
    result = run("read", ORCHARD)
    assert result.exit_code == 1
    assert "fault of Windrow's own" in result.stderr
    assert "Traceback" not in result.stderr
    assert "Traceback" in run("--debug", "read", ORCHARD).stderr


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("rake",),
        ("read",),
        ("read", ""),
        ("read", "-", "-"),
        ("read", ORCHARD, "--rake"),
        ("read", ORCHARD, "--only", "hay"),
        ("read", ORCHARD, "--only", ","),
        ("read", ORCHARD, "-o", "page.docx"),
        ("read", ORCHARD, "-o", "page"),
        ("read", ORCHARD, ORCHARD, "-o", "page.windrow"),
        ("read", ORCHARD, "--only", "title", "-o", "page.txt"),
        ("read", ORCHARD, ORCHARD, "--url", "https://farm.example/"),
        ("read", "https://farm.example/", "--url", "https://farm.example/"),
        ("read", ORCHARD, "--url", "farm"),
        ("read", ORCHARD, "--picture", "page.jpg"),
        ("read", ORCHARD, ORCHARD, "--picture", "page.png"),
        ("read", ORCHARD, "--picture", "page.png", "--no-render"),
        ("read", ORCHARD, "--viewport", "wide"),
        ("read", ORCHARD, "--viewport", "0x5"),
        ("read", ORCHARD, "--header", "no header"),
        ("read", ORCHARD, "--header", "A: b\r\nC: d"),
        ("read", ORCHARD, "--seconds", "0"),
        ("read", ORCHARD, "--workers", "0"),
        ("read", ORCHARD, "--session", "gone.json"),
        ("login", "farm.example"),
        ("completion", "csh"),
    ],
)
def test_2_wrong_use(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert result.output
    assert not [*tmp_path.iterdir()]


def test_2_unknown_form_lists_the_known(tmp_path: Path) -> None:
    sentence = run("read", ORCHARD, "-o", tmp_path / "page.docx").stderr
    assert all(ending in sentence for ending in output.ENDINGS)


def test_3_could_not_be_read(tmp_path: Path) -> None:
    result = run("read", tmp_path / "gone.html", "--no-render")
    assert result.exit_code == 3
    assert result.stderr.startswith("There is no file")
    (value,) = objects(run("read", tmp_path / "gone.html", "--no-render", "--json"))
    assert [*value] == ["source", "error"]
    assert value["error"]["kind"] == "unreadable"


def test_3_not_html(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_bytes(b"%PDF-1.7 hay")
    result = run("read", tmp_path / "x.html", "--no-render", "--json")
    assert result.exit_code == 3
    assert objects(result)[0]["error"]["kind"] == "not-html"


def test_3_output_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    result = run("read", ORCHARD, "--no-render", "-o", tmp_path / "gone" / "page.json")
    assert result.exit_code == 3
    assert "could not be written: No such file or directory" in result.stderr


def test_3_full_disk_leaves_the_old_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "page.json"
    target.write_text("old", encoding="utf-8")

    def no_room(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("windrow.atomic.os.fsync", no_room)
    result = run("read", ORCHARD, "--no-render", "-o", target)
    assert result.exit_code == 3
    assert "No space left on device" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["page.json"]
    assert target.read_text("utf-8") == "old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_3_full_disk_behind_standard_output(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full, start("read", ORCHARD, "--no-render", *words, stdout=full) as process:
        _, complained = process.communicate(timeout=20)
    assert process.returncode == 3
    assert complained.startswith(b"Standard output could not be written: No space left on device.")
    assert complained.count(b"\n") == 1


def test_closed_standard_output_is_no_fault() -> None:
    with start("read", ORCHARD, "--no-render", preexec_fn=lambda: os.close(1)) as process:
        assert process.communicate(timeout=20)[1] == b""
    assert process.returncode == 0


def test_4_refused_by_the_guard() -> None:
    result = run("read", PRIVATE, "--no-render", "--json")
    assert result.exit_code == 4
    assert objects(result)[0]["error"]["kind"] == "refused"
    assert run("read", "file:///etc/passwd").exit_code == 4


def test_5_limit_gives_what_was_read_until_then(tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_bytes(b"<title>Hay</title>" + b"<p>row</p>" * 100)
    result = run("read", "-", "--no-render", "--json", "--max-bytes", "100", given=path.read_bytes())
    assert result.exit_code == 5
    (value,) = objects(result)
    assert value["title"] == "Hay"
    assert "100 bytes" in value["cut"]
    result = run("read", "-", "--no-render", "--max-bytes", "100", given=path.read_bytes())
    assert result.exit_code == 5
    assert "Hay" in result.stdout
    assert "100 bytes" in result.stderr


def test_5_too_many_nodes_give_the_first_of_them(tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    path.write_bytes(b"<p>row</p>" * 100)
    result = run("read", path, "--no-render", "--json", "--max-nodes", "10")
    assert result.exit_code == 5
    (cut,) = objects(result)
    assert cut["text"].startswith("row")
    assert "more than 10 nodes" in cut["cut"]


@pytest.mark.parametrize(
    ("sources", "status"), [(("gone.html", PRIVATE), 4), (("many.html", "gone.html"), 3), (("many.html", ORCHARD), 5)]
)
def test_several_outcomes_give_the_gravest(
    sources: tuple[str, ...], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.html").write_bytes(b"<p>row</p>" * 500)
    result = run("read", *sources, "--no-render", "--json", "--max-nodes", "300")
    assert result.exit_code == status
    assert [value["source"] for value in objects(result)] == [str(source) for source in sources]


def test_a_page_that_changed_is_graver_than_a_limit() -> None:
    assert [gravest(statuses) for statuses in ({5, 6}, {3, 6}, {5, 7}, set[int]())] == [6, 3, 5, 0]


def test_password_in_an_address_is_not_repeated() -> None:
    for words in ((), ("--json",)):
        assert "hunter2" not in run("read", "http://me:hunter2@127.0.0.1:8/", "--no-render", *words).output


def test_interrupt_ends_at_once_and_quietly() -> None:
    asked = []

    def keep_waiting(_: BaseHTTPRequestHandler) -> tuple[bytes, dict[str, str]]:
        asked.append(True)
        time.sleep(8)
        return b"", {}

    with serving(keep_waiting) as url, start("read", url, "--no-render", "--allow-private") as process:
        until = time.monotonic() + 20
        while not asked and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        said, complained = process.communicate(timeout=10)
        assert time.monotonic() - began < 4
        assert (process.returncode, said, complained) == (130, b"", b"")


def test_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}.html").write_text(f"<p>{'hay ' * 5000}", encoding="utf-8")
    with start("read", tmp_path, "--no-render", "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 141
