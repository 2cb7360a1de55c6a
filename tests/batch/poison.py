"""Pages that ruin the process that reads them: a Python that starts with this on its path has readers that fall for it.

``install`` writes it as ``sitecustomize``, which every fresh Python runs, so that no code of ours has a place for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PROGRAM = """
import ctypes, os, sys, time

def poisoned(page):
    html = page.html
    if "POISON-CRASH" in html:
        ctypes.string_at(0)
    if "POISON-EXIT" in html:
        os._exit(3)
    if "POISON-HANG" in html:
        while True: pass
    if "POISON-MEMORY" in html:
        held = []
        while True: held.append(bytearray(64 << 20)); time.sleep(0.02)
    if "POISON-FAULT" in html:
        raise ZeroDivisionError("by zero")
    if "POISON-SLOW" in html:
        time.sleep(1.1)
    if "POISON-GATE" in html:
        gate = os.environ["WINDROW_TEST_POISON"] + "/gate"
        if os.path.exists(gate):
            open(gate + "-" + str(os.getpid()), "w").close()
        while os.path.exists(gate): time.sleep(0.01)

if len(sys.argv) > 0 and os.environ.get("WINDROW_TEST_POISON"):
    import importlib.abc, importlib.util

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path, target=None):
            if name != "windrow.batch.reading":
                return None
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(name)
            run = spec.loader.exec_module
            def exec_module(module):
                run(module)
                inner = module.RecordReader._read_page
                def read(self, origin, page, *more):
                    poisoned(page)
                    return inner(self, origin, page, *more)
                module.RecordReader._read_page = read
                asked = module.Selection.asks_for
                def asks_for(self, headers, length):
                    if any(b"POISON-UNPACK" in value for _, value in headers):
                        ctypes.string_at(0)
                    return asked(self, headers, length)
                module.Selection.asks_for = asks_for
            spec.loader.exec_module = exec_module
            return spec

    sys.meta_path.insert(0, Finder())
"""


def install(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let every Python that is started from now on fall for poison."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(PROGRAM)
    patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]))
    patch.setenv("WINDROW_TEST_POISON", str(folder))
