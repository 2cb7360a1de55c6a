"""The commands around reading: doctor, setup, login without a display, completion, version, and the bar for many."""

from __future__ import annotations

import importlib.metadata
import json
import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from command import PROGRAM, run

from windrow.cli import confinement, doctor, main
from windrow.errors import BrowserError, RefusedError
from windrow.source.fetch import fetch


def test_version() -> None:
    assert run("--version").stdout == f"windrow {importlib.metadata.version('windrow')}\n"


@pytest.mark.parametrize("words", [(), ("read",), ("login",), ("doctor",), ("setup",), ("completion",)])
def test_help(words: tuple[str, ...]) -> None:
    result = run(*words, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


def test_help_says_where_completion_goes_on_lines_of_its_own() -> None:
    shown = run("completion", "--help").stdout
    assert "\\b" not in shown
    assert "zsh:   windrow completion zsh > ~/.zfunc/_windrow\n" in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell: str, tmp_path: Path) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_WINDROW_COMPLETE" in result.stdout
    program = shutil.which(shell)
    if program is None:
        return
    script = tmp_path / "script"
    script.write_text(result.stdout, encoding="utf-8")
    assert subprocess.run([program, "-n", script], check=False).returncode == 0  # noqa: S603 - checks the syntax only


def test_completion_knows_commands_and_readers() -> None:
    def complete(words: str, number: int) -> list[str]:
        environment = {"_WINDROW_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
        return CliRunner().invoke(main, prog_name="windrow", env=environment).stdout.split()

    assert complete("windrow do", 1) == ["plain,doctor"]
    assert complete("windrow read --only title,te", 3) == ["plain,title,text"]


@pytest.mark.browser
def test_doctor_reports_for_programs() -> None:
    result = run("doctor", "--json")
    assert result.exit_code == 0
    checks = {check["name"]: check for check in json.loads(result.stdout)}
    assert checks["Browser starts"]["ok"]
    assert checks["Network guard"]["found"] == "refuses this machine's own addresses"
    if Path("/proc/self/status").exists():
        assert checks["Renderer"]["found"].startswith("Seccomp: 2, uid ")
        assert not checks["Renderer"]["found"].endswith("uid 0")


@pytest.mark.browser
def test_doctor_reports_for_people() -> None:
    result = run("doctor")
    assert result.exit_code == 0
    assert "Network guard" in result.stdout


def test_doctor_says_what_to_do_without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDROW_BROWSER", "/gone/chromium")
    result = run("doctor", "--json")
    assert result.exit_code == 3
    check = next(check for check in json.loads(result.stdout) if check["name"] == "Browser")
    assert not check["ok"]
    assert "WINDROW_BROWSER" in check["advice"]


def test_doctor_says_when_the_browser_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDROW_BROWSER", "/bin/false")
    (check,) = doctor.check_browser_starts()
    assert not check.ok
    assert check.advice


def test_doctor_tells_a_guard_that_lets_everything_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "fetch", lambda *_: None)
    assert not doctor.check_guard().ok

    def broken(*_: object) -> None:
        raise PermissionError("no ports here")

    monkeypatch.setattr(doctor, "fetch", broken)
    assert "no ports here" in doctor.check_guard().found
    monkeypatch.setattr(doctor, "fetch", fetch)
    assert doctor.check_guard().ok


def test_unconfined_renderer_is_told() -> None:
    confined, as_root, bare = (confinement.Renderer(1, *state) for state in ((65534, 2), (0, 2), (65534, 0)))
    assert doctor.check_renderers([confined]).ok
    assert not doctor.check_renderers([confined, as_root]).ok
    assert not doctor.check_renderers([bare]).ok
    assert not doctor.check_renderers([]).ok


def test_missing_browser_is_a_sentence_with_a_way_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WINDROW_BROWSER", "/gone/chromium")
    (tmp_path / "hay.html").write_text("<title>Hay</title>", encoding="utf-8")
    result = run("read", tmp_path / "hay.html")
    assert result.exit_code == BrowserError.exit_code
    assert "WINDROW_BROWSER" in result.stderr
    assert run("read", tmp_path / "hay.html", "--no-render").exit_code == 0


def test_login_without_a_display_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("windrow.render.login.sys.platform", "linux")
    result = run("login", "https://farm.example/", "-o", tmp_path / "session.json", given=b"\n")
    assert result.exit_code == 3
    assert "no display" in result.stderr


def test_login_needs_a_browser_with_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shell = tmp_path / "chrome-headless-shell"
    shell.write_text("#!/bin/sh\n", encoding="utf-8")
    shell.chmod(0o755)
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setenv("WINDROW_BROWSER", str(shell))
    result = run("login", "https://farm.example/", "-o", tmp_path / "session.json", given=b"\n")
    assert result.exit_code == 3
    assert "has no windows" in result.stderr


def test_login_checks_its_folder_first(tmp_path: Path) -> None:
    result = run("login", "https://farm.example/", "-o", tmp_path / "gone" / "session.json")
    assert result.exit_code == 3
    assert "no folder" in result.stderr


def test_login_refuses_a_private_address(tmp_path: Path) -> None:
    result = run("login", "http://10.0.0.1/", "-o", tmp_path / "session.json", "--headless", given=b"\n")
    assert result.exit_code == RefusedError.exit_code


def test_bar_is_shown_on_a_terminal_and_nothing_of_it_in_the_results(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(5):
        (pages / f"{number}.html").write_text(f"<title>Hay {number}</title>", encoding="utf-8")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = [*PROGRAM, "read", str(pages), "--no-render", "--json", "--only", "title"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:  # noqa: S603
        os.close(theirs)
        assert process.stdout is not None
        results = process.stdout.read()
        shown = drain(ours)
    os.close(ours)
    assert process.returncode == 0
    assert [json.loads(line)["title"] for line in results.splitlines()] == [f"Hay {number}" for number in range(5)]
    assert b"reading" in shown
    assert b"5/5" in shown


def drain(terminal: int) -> bytes:
    data, until = b"", time.monotonic() + 5
    while time.monotonic() < until and select.select([terminal], [], [], 1)[0]:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        data += block
    return data


def test_doctor_counts_the_processors_that_windrow_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert doctor.check_processors().found == "2"


def test_setup_says_once_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise BrowserError("There is no browser. Install one.")

    monkeypatch.setattr("windrow.cli.setup.find_browser", fail)
    result = run("setup")
    assert result.exit_code == 3
    assert result.stderr == "There is no browser. Install one.\n"
    assert "Traceback" in run("--debug", "setup").stderr
