"""What confines the processes of a running browser that have pages in them, as the system tells it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROCESSES = Path("/proc")
SECCOMP_FILTER = 2
"""``Seccomp:`` of a process that may use only the system calls on a list."""
RENDERER = b"--type=renderer"


@dataclass(frozen=True)
class Renderer:
    """A process that lays pages out: its number, its user, and its mode of confinement."""

    process: int
    user: int
    seccomp: int

    @property
    def confined(self) -> bool:
        """Whether a page that takes the process over would gain next to nothing."""
        return self.seccomp == SECCOMP_FILTER and self.user != 0


def find_renderers(ancestor: int) -> list[Renderer]:
    """Return the renderers among the descendants of a process; none where the system does not tell, as on macOS."""
    status: dict[int, dict[str, str]] = {}
    for place in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            lines = (place / "status").read_text(encoding="utf-8", errors="replace").splitlines()
            status[int(place.name)] = {
                name: value.strip() for name, _, value in (line.partition(":") for line in lines)
            }
    return [
        Renderer(process, int(fields["Uid"].split()[0]), int(fields.get("Seccomp", "0")))
        for process, fields in sorted(status.items())
        if _descends(process, ancestor, status) and RENDERER in _command(process)
    ]


def _descends(process: int, ancestor: int, status: dict[int, dict[str, str]]) -> bool:
    seen = set()
    while process in status and process not in seen:
        if process == ancestor:
            return True
        seen.add(process)
        process = int(status[process]["PPid"])
    return False


def _command(process: int) -> bytes:
    with suppress(OSError):
        return (PROCESSES / str(process) / "cmdline").read_bytes()
    return b""
