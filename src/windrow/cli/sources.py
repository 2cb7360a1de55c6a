"""What the person named, as a list of things to read: addresses, files, the files below a folder, standard input."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import ada_url

from windrow.errors import LimitError, SourceError, UsageError, WindrowError
from windrow.loading import Failure, load, load_many, parse
from windrow.page import Page
from windrow.source.guard import shown_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windrow.options import Options

STANDARD_INPUT = "-"
PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".html.gz", ".windrow")
WEB = ("http:", "https:")

Source: TypeAlias = str | Path | Failure


@dataclass(frozen=True)
class Reading:
    """What became of one source: a page, an error, or for a page that was cut both."""

    source: str
    page: Page | None = None
    error: WindrowError | None = None


@dataclass(frozen=True)
class Manner:
    """How all sources are read."""

    render: bool
    options: Options
    url: str | None = None
    workers: int | None = None


def find_sources(names: Iterable[str]) -> list[Source]:
    """List what is to be read; a folder that can't be looked into takes its place in the list as a failure."""
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


def read_sources(sources: Iterable[Source], manner: Manner) -> Iterator[Reading]:
    """Read the sources with every core busy; readings come in the order of the sources."""
    sources = list(sources)
    loaded = _load(sources, manner)
    for source in sources:
        if source == STANDARD_INPUT:
            yield _reading(STANDARD_INPUT, _read_standard_input(manner))
        else:
            result = source if isinstance(source, Failure) else next(loaded)
            yield _reading(named(source), result)


def is_address(name: str) -> bool:
    """Say whether a source is read from the network."""
    return name.lower().startswith(WEB)


def named(source: Source) -> str:
    """Name a source as it was given, but for a password in it."""
    return source.source if isinstance(source, Failure) else without_password(str(source))


def without_password(name: str) -> str:
    """Take user and password out of an address; whatever else it is stays the same."""
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


def _load(sources: list[Source], manner: Manner) -> Iterator[Page | Failure]:
    files = [source for source in sources if not isinstance(source, Failure) and source != STANDARD_INPUT]
    if manner.url is None:
        return load_many(files, render=manner.render, options=manner.options, workers=manner.workers)
    return (_attempt(source, manner) for source in files)


def _attempt(source: str | Path, manner: Manner) -> Page | Failure:
    try:
        return load(source, url=manner.url, render=manner.render, options=manner.options)
    except WindrowError as error:
        return Failure(str(source), error)


def _read_standard_input(manner: Manner) -> Page | Failure:
    most = manner.options.limits.bytes
    # One byte more than may be read shows that there is more.
    html = sys.stdin.buffer.read(most + 1)
    try:
        return parse(html, url=manner.url, render=manner.render, options=manner.options)
    except WindrowError as error:
        return Failure(STANDARD_INPUT, error)


def _reading(source: str, result: Page | Failure) -> Reading:
    if isinstance(result, Page):
        return Reading(source, result)
    return Reading(source, result.error.page if isinstance(result.error, LimitError) else None, result.error)


def _files_below(folder: Path) -> list[Source]:
    unread: list[Source] = []

    def note(error: OSError) -> None:
        sentence = f"The folder {error.filename} could not be read: {error.strerror}. Check its permissions."
        unread.append(Failure(str(error.filename), SourceError(sentence)))

    files = sorted(
        Path(place, name)
        for place, _, names in os.walk(folder, onerror=note)
        for name in names
        if name.lower().endswith(PAGE_ENDINGS)
    )
    if not files and not unread:
        sentence = f"There is no page in the folder {folder}. Pages are files that end in {', '.join(PAGE_ENDINGS)}."
        return [Failure(str(folder), SourceError(sentence))]
    return [*unread, *files]
