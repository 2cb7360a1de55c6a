"""The sources that a person named, as a list of things to read: addresses, files, folders, standard input."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import ada_url

from windrow.errors import SourceError, UsageError
from windrow.loader import Outcome, Task
from windrow.source.guard import shown_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

STANDARD_INPUT = "-"
PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".html.gz", ".windrow")
WEB = ("http:", "https:")

Source: TypeAlias = str | Path | Outcome


def find_sources(names: Iterable[str]) -> list[Source]:
    """Return what is to be read; a folder that can't be looked into takes its place in the list as a failure."""
    found: list[Source] = []
    for name in names:
        if not name:
            raise UsageError("A source is empty. Name an address, a file, a folder, or - for standard input.")
        if name == STANDARD_INPUT and name in found:
            raise UsageError("Standard input (-) can be read only once. Name it once.")
        if is_address(name) or not os.path.lexists(name):
            found.append(name)
        elif Path(name).is_dir():
            found += _files_below(Path(name))
        else:
            found.append(Path(name))
    return found


def sources_to_tasks(sources: Iterable[Source], manner: Task) -> Iterator[Task | Outcome]:
    """Yield a task for each source, read in the manner of a given one; standard input is read when its turn comes."""
    for source in sources:
        if isinstance(source, Outcome):
            yield source
        elif source == STANDARD_INPUT:
            # One byte more than may be read shows that there is more.
            html = sys.stdin.buffer.read(manner.options.limits.bytes + 1)
            yield replace(manner, source=STANDARD_INPUT, html=html)
        else:
            yield replace(manner, source=source)


def is_address(source: Source) -> bool:
    """Whether a source is read from the network."""
    return isinstance(source, str) and source.lower().startswith(WEB)


def check_url(url: str | None, sources: Sequence[Source]) -> None:
    """Refuse an address that is none, or that could be the one of any of several pages."""
    if url is not None and (len(sources) > 1 or any(map(is_address, sources))):
        raise UsageError("--url says where one saved page came from. Name that page as the only source.")
    if url is not None and not is_address(url):
        raise UsageError(f"--url {url} is not a web address; it should look like https://example.org/page.")


def without_password(name: str) -> str:
    """Return an address without user and password; whatever else it is stays the same."""
    if not is_address(name):
        return name
    try:
        address = ada_url.URL(name)
    except ValueError:
        return shown_url(name)
    if not address.username and not address.password:
        return name
    address.username = address.password = ""
    return str(address.href)


def _files_below(folder: Path) -> list[Source]:
    unread: list[Source] = []

    def note(error: OSError) -> None:
        sentence = f"The folder {error.filename} could not be read: {error.strerror}. Check its permissions."
        unread.append(Outcome.of_error(str(error.filename), SourceError(sentence)))

    files = sorted(
        Path(place, name)
        for place, _, names in os.walk(folder, onerror=note)
        for name in names
        if name.lower().endswith(PAGE_ENDINGS)
    )
    if not files and not unread:
        sentence = f"There is no page in the folder {folder}. Pages are files that end in {', '.join(PAGE_ENDINGS)}."
        return [Outcome.of_error(str(folder), SourceError(sentence))]
    return [*unread, *files]
