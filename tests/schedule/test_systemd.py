from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from windrow.errors import UsageError
from windrow.schedule.systemd import Watchdog, notify, unit, watchdog_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["file", "abstract"])
def listener(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    if request.param == "abstract" and sys.platform != "linux":
        pytest.skip("only Linux has abstract sockets")
    name = str(tmp_path / "notify") if request.param == "file" else f"@windrow-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(name.replace("@", "\0") if request.param == "abstract" else name)
        channel.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        yield channel


def test_states_reach_systemd(listener: socket.socket) -> None:
    for state in ("READY=1", "STATUS=3 sources – next at 12:00", "STOPPING=1"):
        assert notify(state)
        assert listener.recv(4096).decode() == state


def test_signs_of_life_come_as_often_as_needed(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "120000000")
    watchdog = Watchdog()
    for _ in range(1000):
        watchdog.beat()
    assert listener.recv(4096) == b"WATCHDOG=1"
    listener.settimeout(0.1)
    with pytest.raises(TimeoutError):
        listener.recv(4096)


@pytest.mark.parametrize("address", [None, "", "relative", "vsock:2:5", "/nowhere/at/all"])
def test_without_systemd_nothing_is_said(address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    if address is not None:
        monkeypatch.setenv("NOTIFY_SOCKET", address)
    assert not notify("READY=1")


@pytest.mark.parametrize(
    ("micro", "process", "seconds"),
    [
        ("120000000", None, 120),
        ("5000000", "me", 5),
        ("5000000", "1", None),
        *((text, None, None) for text in ("", "0", "x")),
    ],
)
def test_the_watchdog_is_asked_for(
    micro: str, process: str | None, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", micro)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if process is not None:
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if process == "me" else process)
    assert watchdog_seconds() == seconds


def test_a_unit(tmp_path: Path) -> None:
    text = unit("orchard.db", folder=tmp_path, command=("/opt/my tools/windrow", "a$b", "100%"))
    for line in ("Type=notify", "WatchdogSec=120", "Restart=always", "Environment=WINDROW_STORE=orchard.db"):
        assert line in text.splitlines()
    assert 'ExecStart="/opt/my tools/windrow" a$$b 100%% run' in text
    assert f"ReadWritePaths={tmp_path}" in text
    assert f"ExecStart={sys.executable} -m windrow run" in unit("orchard.db")


def test_a_password_does_not_stand_in_a_unit(tmp_path: Path) -> None:
    text = unit("postgresql://windrow:s3cret@db/orchard", folder=tmp_path)
    assert "s3cret" not in text
    assert f"EnvironmentFile={tmp_path / 'windrow.env'}" in text


def test_a_unit_is_one_line_a_setting() -> None:
    with pytest.raises(UsageError, match="control characters"):
        unit("a\nExecStartPre=/bin/evil")


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze")
    file = tmp_path / "windrow.service"
    file.write_text(unit("orchard.db", folder=tmp_path), "utf-8")
    done = subprocess.run([program, "verify", str(file)], capture_output=True, text=True, check=False)  # noqa: S603 - a program from PATH
    assert "windrow.service" not in done.stderr
