"""Large blocks of memory go back to the system when they are free."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

PROGRAM = """
import os, sys
import numpy as np
import psutil
from windrow.process.memory import give_back_large_blocks

if sys.argv[1] == "give back":
    give_back_large_blocks()
for _ in range(3):  # C's library learns from the first that such blocks come again
    blocks = [np.ones(500_000) for _ in range(20)]
    last = np.ones(100_000)  # keeps the end of the heap taken
    del blocks
print(psutil.Process().memory_info().rss)
"""


@pytest.mark.skipif(not psutil.LINUX, reason="only C's library on Linux has the setting")
def test_what_is_free_is_given_back() -> None:
    kept, given_back = (
        int(subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, check=True).stdout)  # noqa: S603
        for how in ("keep", "give back")
    )
    assert given_back < kept - 50_000_000
