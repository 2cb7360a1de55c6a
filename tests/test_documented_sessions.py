"""What the documents show of sessions in a terminal is what happens: their commands run, and print what they show.

A block of the language ``console`` has commands after ``$`` and what they print below. The blocks of a document are one
session, in a copy of ``examples/orchards`` whose sites are served. In what is shown, ``…`` stands for more of the line
or, alone on a line, for more lines. What is typed where a command asks stands in a comment before the block.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from click.testing import CliRunner

from windrow.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(?:<!-- typed: (?P<typed>[^>]*) -->\n)?^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = "8021"
VARYING = {
    r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?": "MOMENT",
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?": "MOMENT",
    r"\b\d+\.\d s\b": "SECONDS",
    r"\b\d+\.\d kB\b": "SIZE",
    r"[ \t]+$": "",
    r"(?<=\S)  +": " ",
}
"""What is another one each time, and the width of columns, which follows from it."""


class Step(NamedTuple):
    """A command, what is typed while it runs, and what it is said to print."""

    line: int
    command: str
    typed: str
    shown: str


def find_steps(document: Path) -> list[Step]:
    text = document.read_text("utf-8")
    steps = []
    for block in BLOCK.finditer(text):
        typed = "".join(f"{answer.strip()}\n" for answer in (block["typed"] or "").split("|"))
        number = text.count("\n", 0, block.start("text"))
        for part in re.finditer(r"^\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", block["text"], re.MULTILINE):
            line = number + block["text"].count("\n", 0, part.start()) + 1
            steps.append(Step(line, part["command"], typed, part["shown"]))
    return steps


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder, and give the port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield str(server.server_port)
        server.shutdown()


def date(sites: Path, contents: dict[Path, bytes]) -> None:
    """Give pages that changed a time of their own: that of a file counts in seconds, which is too coarse for a test."""
    for path in sites.rglob("*.html"):
        if contents.get(path) != path.read_bytes():
            contents[path] = path.read_bytes()
            moment = 1_600_000_000 + len(contents) + sum(map(len, contents.values()))
            os.utime(path, (moment, moment))


def perform(command: str, typed: str) -> str:
    """Return what a command prints."""
    if command.startswith("windrow "):
        words = shlex.split(command, comments=True)[1:]
        return CliRunner().invoke(main, words, input=typed, prog_name="windrow").output
    command = re.sub("^python3 ", f"{shlex.quote(sys.executable)} ", command)
    done = subprocess.run(["/bin/sh", "-c", command], check=False, capture_output=True, text=True)  # noqa: S603 - the document's
    return done.stdout + done.stderr


def steady(text: str) -> str:
    """Return a text without what is another one each time."""
    for pattern, name in VARYING.items():
        text = re.sub(pattern, name, text, flags=re.MULTILINE)
    return text.strip("\n")


def is_shown(shown: str, printed: str) -> bool:
    """Whether a text is what a document shows of it."""
    pattern = re.escape(steady(shown)).replace(re.escape("\n…\n"), r"\n(?:.*\n)*?").replace("…", r"[^\n]*")
    return re.fullmatch(pattern, steady(printed)) is not None


@pytest.mark.parametrize("name", ["README.md", "docs/harvest.md"])
def test_sessions_in_documents_are_what_happens(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "orchards"
    shutil.copytree(ROOT / "examples" / "orchards", folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("WINDROW_STORE", raising=False)
    steps = find_steps(ROOT / name)
    assert len(steps) > 5
    contents: dict[Path, bytes] = {}
    with served(folder / "sites") as port:
        for path in (*folder.glob("*.csv"), *folder.glob("*.toml")):
            path.write_text(path.read_text("utf-8").replace(PORT, port), "utf-8")
        for step in steps:
            if step.command.startswith("sqlite3 ") and shutil.which("sqlite3") is None:
                continue
            date(folder / "sites", contents)
            printed = perform(step.command.replace(PORT, port), step.typed).replace(port, PORT)
            printed = printed.replace(str(folder), "/home/ada/orchards")
            assert is_shown(step.shown, printed), f"{name}, line {step.line}: {step.command} printed:\n{printed}"


def test_the_example_harvests_and_leaves_nothing_behind(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "COLUMNS": "100"}
    words = [sys.executable, str(ROOT / "examples" / "harvest.py")]
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=environment)  # noqa: S603 - ours
    assert done.returncode == 0, done.stderr
    assert "1790 (quillfold) | 1791 (linde)" in done.stdout
    assert "12 records from 14 pages: 1 changed." in done.stdout
    assert list(tmp_path.iterdir()) == []
