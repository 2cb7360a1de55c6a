"""systemd: saying that the service is ready, alive or about to stop, and the text of a unit."""

from __future__ import annotations

import getpass
import os
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

from windrow.errors import UsageError

MICROSECONDS = 1_000_000
WATCHDOG_SECONDS = 120
UNIT = """\
[Unit]
Description=Windrow keeps the schedule of its sources
Documentation=https://windrow.readthedocs.io
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
NotifyAccess=main
User={user}
ExecStart={command}
WorkingDirectory={folder}
{environment}
WatchdogSec={watchdog}
Restart=always
RestartSec=10
# A harvest stops at the border of a page; a page may take a while.
TimeoutStopSec=180
KillMode=mixed

NoNewPrivileges=true
PrivateTmp=true
PrivateDevices=true
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths={writable}
ProtectKernelTunables=true
ProtectKernelModules=true
ProtectKernelLogs=true
ProtectControlGroups=true
ProtectClock=true
ProtectHostname=true
RestrictRealtime=true
RestrictSUIDSGID=true
LockPersonality=true
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
UMask=0077
# Namespaces and writable, executable memory stay allowed: the browser's sandbox and its scripts need them.

[Install]
WantedBy=multi-user.target
"""


def notify(state: str) -> bool:
    """Tell systemd a state, such as ``READY=1``, ``WATCHDOG=1``, ``STOPPING=1`` or ``STATUS=…``.

    Return whether it listens.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in {"/", "@"}:
        return False
    # A name that begins with a NUL is one of the abstract namespace, which systemd writes with an @.
    path = "\0" + address[1:] if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.connect(path)
        channel.sendall(state.encode("utf-8", "replace"))
        return True
    return False


def watchdog_seconds() -> float | None:
    """Return how often systemd wants a sign of life from this process, if it does."""
    given, whose = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not given.isdecimal() or int(given) == 0 or (whose and whose != str(os.getpid())):
        return None
    return int(given) / MICROSECONDS


class Watchdog:
    """Signs of life, as often as systemd needs them and no more; ``beat`` costs next to nothing."""

    def __init__(self) -> None:
        """Ask once how often they are wanted."""
        seconds = watchdog_seconds()
        self._interval = None if seconds is None else seconds / 4
        self._next = 0.0

    def beat(self) -> None:
        """Give a sign of life if it is time for one."""
        if self._interval is not None and time.monotonic() >= self._next:
            notify("WATCHDOG=1")
            self._next = time.monotonic() + self._interval


def unit(store: str, *, folder: Path | None = None, command: tuple[str, ...] = ()) -> str:
    """Return the text of a unit that keeps the schedule of a store, as the user who asks.

    ``folder`` is where the service runs and may write, ``command`` what starts Windrow, by default this Python.
    """
    folder = Path.cwd() if folder is None else folder.resolve()
    words = (*(command or (sys.executable, "-m", "windrow")), "run")
    if _has_password(store):
        environment = (
            "# Holds WINDROW_STORE=…, whose password is nobody else's to read.\n"
            f"EnvironmentFile={_escaped(str(folder / 'windrow.env'))}"
        )
    else:
        environment = f"Environment={_quoted(f'WINDROW_STORE={store}')}"
    return UNIT.format(
        # In a command, a dollar sign would begin the name of a variable.
        command=" ".join(_quoted(word).replace("$", "$$") for word in words),
        environment=environment,
        folder=_escaped(str(folder)),
        user=getpass.getuser(),
        watchdog=WATCHDOG_SECONDS,
        writable=_quoted(str(folder)),
    )


def _has_password(store: str) -> bool:
    return "://" in store and ("@" in store or "password" in store.lower())


def _quoted(text: str) -> str:
    """Return a word as systemd reads it back."""
    escaped = _escaped(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' if any(mark in escaped for mark in " \"'\\;#") else escaped


def _escaped(text: str) -> str:
    if any(ord(char) < ord(" ") or char == "\x7f" for char in text):
        raise UsageError("A unit can't hold a name with control characters. Choose another folder or store.")
    return text.replace("%", "%%")
