"""Libraries that are installed only on request, because most users do without them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from windrow.errors import UsageError

EXTRAS = {"pandas": "pandas", "pyarrow": "arrow", "openpyxl": "xlsx", "fastwarc": "warc"}
"""Which extra of Windrow brings which library."""


def library(name: str) -> Any:  # noqa: ANN401 - a module
    """Return an optional library; ``UsageError`` with the command that installs it where it is missing."""
    package = name.partition(".")[0]
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            f"This needs {package}, which is not installed. Install it with: pip install windrow[{EXTRAS[package]}]"
        ) from None
