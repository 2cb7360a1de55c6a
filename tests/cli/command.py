"""Runs the command, in this process or in one of its own, and gives it servers to talk to."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner, Result

from windrow.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
ORCHARD = ROOT / "examples" / "orchard.html"
PROGRAM = (sys.executable, "-c", "from windrow.cli import main; main()")


def run(*words: str | Path, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=given)


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def start(*words: str | Path, **choices: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - passed on
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **choices}
    # Whoever runs the tests in the background has interrupts ignored, which programs inherit.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen([*PROGRAM, *map(str, words)], **pipes)  # noqa: S603 - the program under test
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def serving(answer: Callable[[BaseHTTPRequestHandler], tuple[bytes, dict[str, str]]]) -> Iterator[str]:
    """Serve pages on the loopback interface; give the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body, headers = answer(self)
            self.send_response(200)
            for name, value in {
                "Content-Type": "text/html; charset=utf-8",
                "Content-Length": str(len(body)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Say nothing: a browser that hangs up would be told of in the output of whatever test runs next."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
