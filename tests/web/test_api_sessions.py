"""What the document of the API shows is what happens: its commands run against a served interface."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from interface import serving
from stocked import asking
from test_documented_sessions import PORT, find_steps, is_shown, perform, served

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "api.md"
BASE = "http://127.0.0.1:8765"
LEARNED = ("quillfold", "price"), ("linde", "preis")


@pytest.mark.skipif(shutil.which("curl") is None, reason="the document asks with curl")
def test_the_document_shows_what_the_api_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "orchards"
    shutil.copytree(ROOT / "examples" / "orchards", folder)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("WINDROW_STORE", raising=False)
    text = DOCUMENT.read_text("utf-8")
    prelude = next(line for line in text.splitlines() if line.startswith("api() {"))
    with served(folder / "sites") as port:
        for path in (*folder.glob("*.csv"), *folder.glob("*.toml")):
            path.write_text(path.read_text("utf-8").replace(PORT, port), "utf-8")
        for name, label in LEARNED:
            words = f"--type {label}=money --no-render --allow-private -o {name}.json"
            perform(f"windrow learn --examples {name}.csv {words}", "")
        assert "added: quillfold, linde" in perform("windrow source import orchards.toml", "")
        perform("windrow harvest", "")
        with serving(folder, "--no-schedule") as interface, asking(interface) as client:
            environment = {**os.environ, "TOKEN": client.headers["authorization"].partition(" ")[2]}
            steps = find_steps(DOCUMENT)
            assert len(steps) > 5
            for step in steps:
                command = f"{prelude}\n{step.command.replace(BASE, interface.url)}"
                done = subprocess.run(  # noqa: S603 - the document's
                    ["/bin/sh", "-c", command], check=False, capture_output=True, text=True, env=environment
                )
                assert is_shown(step.shown, done.stdout.replace("\r", "")), (
                    f"line {step.line}: {done.stdout}{done.stderr}"
                )
