"""Pages of hostile size, read by all readers at once: what the command takes for each.

Asks for: 10 s of processor time and 512 MB of memory for a page of as many nodes as one may have.

    python bench/sizes.py [NAME …]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hostile"))

from large_pages import SIZES

from windrow.options import Limits

MEGABYTE = 1_000_000
MOST_SECONDS, MOST_BYTES = 10.0, 512 * MEGABYTE
COMMAND = [sys.executable, "-m", "windrow", "read", "--json", "--no-render"]


def measure(page: Path) -> tuple[float, float, int]:
    """Read a page; return seconds of the processor, the most memory, and how many sentences say what was left out."""
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(  # noqa: S603 - our own command
            [*COMMAND, str(page)], stdout=subprocess.DEVNULL, stderr=said
        ) as process,
    ):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        sentences = said.read().count(b" more ")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, sentences


def main() -> int:
    """Measure all families, print the table, and say whether all is well."""
    print(f"{'family':<16} {'CPU':>8} {'memory':>10}  left out  verdict")
    bad = 0
    for name in sys.argv[1:] or SIZES:
        with tempfile.TemporaryDirectory(prefix="sizes-") as folder:
            page = Path(folder) / f"{name}.html"
            page.write_text(SIZES[name](Limits.nodes), "utf-8")
            seconds, memory, sentences = measure(page)
        is_good = seconds <= MOST_SECONDS and memory <= MOST_BYTES
        bad += not is_good
        verdict = "ok" if is_good else "TOO MUCH"
        print(f"{name:<16} {seconds:6.1f} s {memory / MEGABYTE:7.0f} MB {sentences:>9}  {verdict}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
