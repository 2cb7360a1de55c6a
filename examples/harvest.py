"""Harvest the two small sites of `orchards/` as the README does, in a folder that is thrown away."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from contextlib import chdir
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from windrow.cli import main

ORCHARDS = Path(__file__).parent / "orchards"
PORT = "8021"
"""Where the files say that the sites are; here they are served wherever there is room."""
CHANGED = Path("sites/quillfold/trees/amber-lantern.html")


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def harvest() -> None:
    """Learn, harvest, change a price, and harvest again."""
    shutil.copytree(ORCHARDS, Path(), dirs_exist_ok=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory="sites")) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        for path in (*Path().glob("*.csv"), *Path().glob("*.toml")):
            path.write_text(path.read_text("utf-8").replace(PORT, str(server.server_port)), "utf-8")
        windrow("learn --examples quillfold.csv --type price=money --no-render --allow-private -o quillfold.json")
        windrow("learn --examples linde.csv --type preis=money --no-render --allow-private -o linde.json")
        windrow("source import orchards.toml")
        windrow("harvest")
        windrow("export --collection varieties")
        print("\nAmber Lantern goes up from 28.00 € to 31.50 €.")
        CHANGED.write_text(CHANGED.read_text("utf-8").replace("28.00 €", "31.50 €"), "utf-8")
        windrow("harvest")
        windrow("history quillfold --key Q-101")
        server.shutdown()


def windrow(words: str) -> None:
    """Run a command, and show it as it is typed."""
    print(f"\n$ windrow {words}", flush=True)
    if status := main(words.split(), standalone_mode=False):
        sys.exit(status)


if __name__ == "__main__":
    os.environ["WINDROW_STORE"] = "windrow.db"  # whatever store of their own people have
    with tempfile.TemporaryDirectory(prefix="windrow-") as folder, chdir(folder):
        harvest()
