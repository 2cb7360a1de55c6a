"""One page to read, with everything that decides how: the value that goes to a worker process."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from windrow.options import Options
from windrow.source.guard import without_credentials

if TYPE_CHECKING:
    from windrow.render.offline import Resources

Html: TypeAlias = str | bytes

MEMORY = "memory"
"""What the source of a page in memory is called."""


@dataclass(frozen=True)
class Task:
    """A source to read: an address, a file, or, where ``html`` is given, a page in memory."""

    source: str | Path = MEMORY
    html: Html | None = field(default=None, repr=False)
    url: str | None = None
    """Where a saved page, or one in memory, came from."""
    content_type: str | None = None
    """The content type that came with a page in memory."""
    charset: str | None = None
    """The charset that came with a page in memory; it counts for more than the one of the content type."""
    render: bool = True
    """Whether a browser lays the page out."""
    options: Options = field(default_factory=Options)
    resources: Resources | None = field(default=None, repr=False)
    """What a page in memory may load when it is laid out, by its address; it must have one itself."""

    @property
    def name(self) -> str:
        """The source as it may be shown: without a password."""
        if isinstance(self.source, Path):
            return str(self.source)
        return without_credentials(self.source) if "@" in self.source else self.source
