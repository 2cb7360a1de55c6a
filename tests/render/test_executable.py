from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from windrow.errors import BrowserError
from windrow.render import executable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Script = Callable[..., Path]
    Programs = dict[str, Callable[[Sequence[str]], tuple[int, str]]]

VERSION = "echo Chromium 140.0.1.2"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for an empty machine: one folder on PATH, a fresh home, an ordinary user, nothing in fixed places."""
    (tmp_path / "bin").mkdir()
    for name in (executable.ENVIRONMENT_NAME, "PLAYWRIGHT_BROWSERS_PATH", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(executable, "FIXED_PLACES", ())
    monkeypatch.setattr(executable, "MAC_BUNDLES", ())
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


@pytest.fixture
def script(machine: Path) -> Script:
    def write(path: str, body: str = VERSION) -> Path:
        target = machine / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        target.chmod(0o755)
        return target

    return write


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> tuple[Programs, list[list[str]]]:
    """Let no program run: those named answer as told, all others fail; and note what was asked for."""
    answers: Programs = {}
    asked: list[list[str]] = []

    def run(
        command: Sequence[str],
        *,
        seconds: float = 0,
        environment: Mapping[str, str] | None = None,
        user: int | None = None,
    ) -> subprocess.CompletedProcess[str]:
        del seconds, environment, user
        asked.append(list(command))
        for name, answer in answers.items():
            if name in {Path(word).name for word in command}:
                return subprocess.CompletedProcess(command, *answer(command))
        return subprocess.CompletedProcess(command, 1, "no such program")

    monkeypatch.setattr(executable, "_run", run)
    return answers, asked


@pytest.mark.usefixtures("machine")
def test_an_empty_machine_has_no_browser() -> None:
    assert executable.find_browser() is None


def test_the_headless_shell_comes_before_the_full_browser(script: Script) -> None:
    script("bin/google-chrome")
    script("bin/chromium")
    shell = script("bin/chromium-headless-shell")
    assert executable.find_browser() == shell


@pytest.mark.parametrize("name", executable.COMMANDS)
def test_every_browser_of_the_family_is_found(script: Script, name: str) -> None:
    browser = script(f"bin/{name}")
    assert executable.find_browser() == browser


def test_the_environment_wins(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    script("bin/chromium-headless-shell")
    mine = script("elsewhere/my-browser")
    monkeypatch.setenv("WINDROW_BROWSER", str(mine))
    assert executable.find_browser() == mine


def test_the_environment_may_name_a_command(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    brave = script("bin/brave")
    script("bin/chromium")
    monkeypatch.setenv("WINDROW_BROWSER", "brave")
    assert executable.find_browser() == brave


def test_a_wrong_environment_is_said_and_not_passed_over(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    script("bin/chromium")
    monkeypatch.setenv("WINDROW_BROWSER", "/nowhere/chromium")
    with pytest.raises(BrowserError, match="WINDROW_BROWSER names /nowhere/chromium"):
        executable.find_browser()


def test_what_is_not_executable_is_no_browser(script: Script) -> None:
    script("bin/chromium").chmod(0o644)
    assert executable.find_browser() is None


@pytest.mark.parametrize(
    "path",
    [
        "home/.cache/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell",
        "home/.cache/ms-playwright/chromium_headless_shell-1100/chrome-linux/headless_shell",
        "home/.cache/ms-playwright/chromium-1100/chrome-linux/chrome",
        "home/Library/Caches/ms-playwright/chromium-1100/chrome-mac/Chromium.app/Contents/MacOS/Chromium",
        "home/.local/share/windrow/browser/chromium_headless_shell-1200/chrome-linux/headless_shell",
    ],
)
def test_downloaded_browsers_are_found(script: Script, path: str) -> None:
    browser = script(path)
    assert executable.find_browser() == browser


def test_the_newest_download_is_taken_by_number_not_by_letter(script: Script) -> None:
    script("home/.cache/ms-playwright/chromium_headless_shell-999/chrome-linux/headless_shell")
    newer = script("home/.cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell")
    assert executable.find_browser() == newer


def test_an_app_bundle_is_found(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executable, "MAC_BUNDLES", ("Windrow Test Browser",))
    app = script("home/Applications/Windrow Test Browser.app/Contents/MacOS/Windrow Test Browser")
    assert executable.find_browser() == app


def test_a_snap_comes_last_and_only_when_it_works(script: Script) -> None:
    snap = script("bin/chromium", 'exec /snap/bin/chromium "$@"')
    assert executable.is_snap_stub(snap)
    assert executable.find_browser() is None
    script("bin/chromium", f"# hands over to /snap/bin/chromium\n{VERSION}")
    assert executable.find_browser() == snap
    plain = script("bin/brave")
    assert not executable.is_snap_stub(plain)
    assert executable.find_browser() == plain


def test_root_passes_over_what_the_browsers_user_cannot_reach(
    machine: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = script("home/.cache/ms-playwright/chromium-1/chrome-linux/chrome")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    (machine / "home").chmod(0o700)
    assert executable.find_browser() is None
    monkeypatch.setenv("WINDROW_BROWSER", str(browser))
    assert executable.find_browser() == browser


def test_the_version_is_the_line_with_a_number(script: Script) -> None:
    path = script("bin/chromium", f"echo a warning >&2\n{VERSION}")
    assert executable.browser_version(path) == "Chromium 140.0.1.2"


@pytest.mark.parametrize("body", ["echo broken library >&2; exit 127", "echo hello", "sleep 30"])
def test_what_is_no_browser_has_no_version(script: Script, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    real = executable._run  # noqa: SLF001  # only its patience is changed
    monkeypatch.setattr(executable, "_run", lambda command: real(command, seconds=1))
    with pytest.raises(BrowserError, match=r"bin/chromium does not"):
        executable.browser_version(script("bin/chromium", body))


def test_root_installs_with_the_package_manager(
    script: Script, programs: tuple[Programs, list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, asked = programs
    script("bin/apt-get")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(executable, "_is_reachable", lambda _: True)

    def install(command: Sequence[str]) -> tuple[int, str]:
        if "chromium-headless-shell" in command:
            script("bin/chromium-headless-shell")
        return 0, ""

    answers["apt-get"] = install
    answers["apt-cache"] = lambda _: (0, "  Candidate: 140.0-1\n")
    answers["chromium-headless-shell"] = lambda _: (0, "Chromium 140.0.1.2")
    steps: list[str] = []
    assert executable.install_browser(steps.append).name == "chromium-headless-shell"
    assert ["apt-get", "update"] in asked
    assert steps
    assert not any("playwright" in command for command in asked)


def test_where_the_package_is_a_snap_it_is_not_installed(
    script: Script, programs: tuple[Programs, list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, asked = programs
    script("bin/apt-get")
    script("bin/uv")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    answers["apt-get"] = lambda _: (0, "")
    answers["apt-cache"] = lambda _: (0, "  Candidate: 2:1snap1-0ubuntu2\n")
    with pytest.raises(BrowserError, match="package manager"):
        executable.install_browser(lambda _: None)
    assert not any("install" in command and "chromium" in command for command in asked)
    assert any("--with-deps" in command for command in asked)


def test_an_ordinary_user_gets_one_of_their_own(script: Script, programs: tuple[Programs, list[list[str]]]) -> None:
    answers, asked = programs
    script("bin/apt-get")
    script("bin/sudo")
    script("bin/uv")

    def download(_: Sequence[str]) -> tuple[int, str]:
        script("home/.local/share/windrow/browser/chromium_headless_shell-9/chrome-linux/headless_shell")
        return 0, ""

    answers["uv"] = download
    answers["headless_shell"] = lambda _: (0, "Chromium 140.0.1.2")
    assert executable.install_browser(lambda _: None).name == "headless_shell"
    assert not any("apt-get" in command for command in asked)
    assert not any("--with-deps" in command for command in asked)


@pytest.mark.usefixtures("machine", "programs")
def test_where_nothing_helps_the_error_says_what_to_do() -> None:
    steps: list[str] = []
    with pytest.raises(BrowserError, match="WINDROW_BROWSER"):
        executable.install_browser(steps.append)
    assert any("failed" in step for step in steps)


def test_the_sandbox_needs_namespaces_or_the_helper(
    machine: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = script("browser/chrome")
    monkeypatch.setattr(executable, "_has_user_namespaces", lambda: False)
    monkeypatch.setattr(executable, "_setuid_helper", lambda _: None)
    assert executable.sandbox_kind(browser) == "none"
    assert "chromium-sandbox" in executable.sandbox_state(browser)
    monkeypatch.setattr(executable, "_setuid_helper", lambda _: machine / "chrome-sandbox")
    assert executable.sandbox_kind(browser) == "setuid"
    monkeypatch.setattr(executable, "_has_user_namespaces", lambda: True)
    assert executable.sandbox_kind(browser) == "namespaces"
    assert "nobody" not in executable.sandbox_state(browser)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "nobody" in executable.sandbox_state(browser)
