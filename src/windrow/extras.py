"""Libraries that are installed only on request, because most users do without them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from windrow.errors import UsageError

EXTRAS = {
    "pandas": "pandas",
    "pyarrow": "arrow",
    "openpyxl": "xlsx",
    "fastwarc": "warc",
    "fsspec": "remote",
    "pyspark": "spark",
    **dict.fromkeys(("argon2", "fastapi", "jinja2", "python_multipart", "starlette", "uvicorn"), "web"),
    "mcp": "mcp",
}
"""Which extra of Windrow brings which library."""


def library(name: str) -> Any:  # noqa: ANN401 - a module
    """Return an optional library; ``UsageError`` with the command that installs it where it is missing."""
    package = name.partition(".")[0]
    try:
        return import_module(name)
    except ImportError:
        raise _missing(package) from None


def require_library(package: str) -> None:
    """Raise what ``library`` would raise, without importing anything: for those whose worker processes need it."""
    if find_spec(package) is None:
        raise _missing(package)


def _missing(package: str) -> UsageError:
    return UsageError(
        f"This needs {package}, which is not installed. Install it with: pip install 'windrow[{EXTRAS[package]}]'"
    )
