"""``--verbose`` tells what is done, and no secret."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from command import ORCHARD, run, serving

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

    import pytest


def answer(_: BaseHTTPRequestHandler) -> tuple[bytes, dict[str, str]]:
    return b"<title>Hay</title>", {"Set-Cookie": "given=s3cret-cookie"}


def test_fetches_are_told_without_secrets(tmp_path: Path) -> None:
    session = tmp_path / "session.json"
    session.write_text(
        '{"cookies": [{"name": "sid", "value": "s3cret-sid", "domain": "127.0.0.1", "path": "/"}]}', encoding="utf-8"
    )
    with serving(answer) as url:
        address = url.replace("http://", "http://me:s3cret-word@")
        secrets = ("--header", "X-Key: s3cret-key", "--session", session)
        result = run("read", address, "--no-render", "--allow-private", "-vv", *secrets)
    assert f"windrow.source.fetch: {url} answered with status 200" in result.stderr
    assert "windrow.source.proxy: connected to 127.0.0.1" in result.stderr
    assert "s3cret" not in result.output


def test_refusals_are_told() -> None:
    assert "windrow.source" not in run("read", "http://127.0.0.1:8/", "--no-render").stderr
    result = run("-v", "read", ORCHARD, "http://localhost:8/", "--no-render", "--allow-private", "--workers", "1")
    assert "no connection to localhost port 8" in result.stderr


def test_worker_processes_are_told_and_tell(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.html").write_text("<p>row</p>" * 100, encoding="utf-8")
    result = run("read", tmp_path, "--no-render", "--json", "--max-nodes", "20", "--workers", "2", "-v")
    assert "windrow.loader.workers: started worker process" in result.stderr
    assert result.stderr.count("windrow.loader.pages: ") == 2


def test_logging_ends_with_the_command(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("windrow")
    before = (logger.level, list(logger.handlers))
    run("read", ORCHARD, "--no-render", "-v")
    assert (logger.level, logger.handlers) == before
    assert not caplog.records
