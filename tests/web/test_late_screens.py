"""The server starts with what it shows, not with what reads pages: that comes when somebody has a page read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from windrow.web.screen import find_handler
from windrow.web.screens import ROUTES

HEAVY = {"numpy", "turbohtml", "PIL", "fastapi", "apprise", "windrow.loader", "windrow.wrapper"}
LIGHT = ("login.ask", "sources.overview", "records.overview", "record.overview", "runs.overview", "warnings.overview")


def test_showing_what_was_harvested_imports_nothing_that_reads_pages() -> None:
    script = f"""
import sys
from windrow.web import server
from windrow.web.screen import find_handler
for name in {LIGHT!r}:
    find_handler(name)
print({HEAVY!r} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("name", sorted({route.name for route in ROUTES}))
def test_every_handler_that_the_table_names_is_there(name: str) -> None:
    assert callable(find_handler(name))
