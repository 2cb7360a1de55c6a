"""What readers there are, by name: all that a command line needs to know of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from windrow.errors import UsageError

Settings: TypeAlias = Mapping[str, Any]
"""What a reader is told beside the page, by name: keyword, method, the number of one; all are texts."""
NAMES = ("title", "text", "toplist", "regions", "tables", "structure")
"""The readers of the registry, in its order."""
EVERY: Mapping[str, Settings] = {name: {} for name in NAMES}
"""All readers, without settings."""


def choose_readers(names: str) -> dict[str, Settings]:
    """Return the readers that are named, with commas between, in the order of the registry, with no settings yet."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in NAMES]
    if unknown or not wanted:
        what = f"There is no reader {unknown[0]!r}" if unknown else "No reader is named"
        raise UsageError(f"{what}; there are: {', '.join(NAMES)}.")
    return {name: {} for name in NAMES if name in wanted}
