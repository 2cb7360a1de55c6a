"""The API answers as its document says, whatever it is asked: schemathesis asks.

The number of examples for each address is small here; ``make fuzz`` asks many more.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from interface import serving
from stocked import asking, stock

from windrow.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = os.environ.get("WINDROW_FUZZ_EXAMPLES", "3")
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "response_headers_conformance,negative_data_rejection,unsupported_method"
)
KNOWN = """
[parameters]
source = "barn"
collection = "all"
key = "k0"
run = 1

[[operations]]
include-method = "DELETE"
parameters = { source = "spare", collection = "spare" }
"""
"""What is there to be asked for, so that questions reach further than to what is not; only spare things are removed."""


@pytest.mark.timeout(0 if "WINDROW_FUZZ_EXAMPLES" in os.environ else 300)
def test_no_answer_is_outside_the_document(tmp_path: Path) -> None:
    with open_store(tmp_path / "windrow.db") as store:
        stock(store)
    (tmp_path / "schemathesis.toml").write_text(KNOWN, "utf-8")
    with serving(tmp_path, "--no-schedule", private=False) as interface, asking(interface) as client:
        assert client.get("/openapi.json").status_code == 200  # the first request loads the API, and may take long
        words = [sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "run"]
        words += [f"{interface.url}/api/v1/openapi.json", "-H", f"Authorization: {client.headers['authorization']}"]
        words += ["--checks", CHECKS, "--max-examples", EXAMPLES, "--phases", "examples,coverage,fuzzing"]
        words += ["--generation-deterministic", "--workers", "2", "--no-color"]
        words += ["--wait-for-schema", "60", "--request-timeout", "60"]
        done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=tmp_path)  # noqa: S603 - ours
        print(done.stdout)  # noqa: T201 - shown with -s, and where it failed
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr
        assert "Traceback" not in interface.log.read_text("utf-8")
