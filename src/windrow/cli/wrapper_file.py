"""The file of a wrapper, and how its pages are read: as the wrapper keeps it, but for what the command line says."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from windrow.atomic import written
from windrow.cli.options import choices_to_options, page_options
from windrow.cli.sources import check_url, is_address
from windrow.errors import SourceError, UsageError
from windrow.loader import Loader, Task
from windrow.wrapper import Fetch, Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from windrow.cli.sources import Source
    from windrow.page import Page

Function = TypeVar("Function", bound="Callable[..., Any]")

WRAPPER = click.argument("wrapper", type=click.Path(path_type=Path), metavar="WRAPPER")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.json",
    help="Write the wrapper here.",
)
WORKERS = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Pages at a time. [default: one a core, one for a few pages]",
)
RENDER = click.option(
    "--render/--no-render",
    default=None,
    help="Lay pages out in a browser, or read structure and text only. [default: as learned; render]",
)
URL = click.option("--url", metavar="URL", help="Where a saved page came from.")


def wrapper_page_options(function: Function) -> Function:
    """Add the options for how pages are fetched and laid out; those that were given at learning need not be again."""
    return RENDER(URL(page_options(function)))


@dataclass(frozen=True)
class Manner:
    """How pages are read."""

    kept: Fetch
    """What the wrapper keeps."""
    given: Mapping[str, Any]
    """The options that were given on the command line; they count for more."""
    render: bool | None
    url: str | None
    """Where the one page that is named came from."""

    @classmethod
    def of(cls, choices: dict[str, Any], kept: Fetch | None = None) -> Manner:
        """Take the choices of a command, and leave those that are not about pages."""
        render, url = choices.pop("render"), choices.pop("url")
        check_url(url, ())
        given = {name: value for name, value in choices.items() if not (value is None or value is False or value == {})}
        return cls(kept or Fetch(), given, render, url)

    def fetch(self, *, live: bool = True) -> Fetch:
        """Return how a live or a saved page is read."""
        kept = self.kept if self.render is None else replace(self.kept, render=self.render)
        kept = kept.suited(live=live)
        return replace(kept, options=choices_to_options(self.given, kept.options))

    def task(self, source: Source, *, has_url: bool = True, screenshot: bool = False) -> Task:
        """Return the task of reading a source; ``has_url`` says whether ``--url`` is its own."""
        fetch = self.fetch(live=is_address(source))
        options = replace(fetch.options, screenshot=screenshot)
        where = str(source) if not isinstance(source, Path) else source
        return Task(where, url=self.url if has_url else None, render=fetch.render, options=options)


@contextmanager
def page_loader() -> Iterator[Callable[[Task], Page]]:
    """Load pages one after the other, with one browser for all."""
    with Loader(workers=1) as loader:

        def load(task: Task) -> Page:
            return loader.load(task.source, url=task.url, render=task.render, options=task.options)

        yield load


def read_wrapper(path: Path) -> Wrapper:
    """Read a wrapper from its file."""
    try:
        return Wrapper.from_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SourceError(f"The wrapper {path} could not be read: {why}. Learn one with `windrow learn`.") from None
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def read_owned(path: Path, choices: dict[str, Any]) -> tuple[Wrapper, Manner]:
    """Read a wrapper, and how its pages are read: a session that it names lies beside it."""
    wrapper = read_wrapper(path)
    kept = wrapper.fetch
    session = kept.options.session
    if session is not None:
        kept = replace(kept, options=replace(kept.options, session=path.parent / session))
    return wrapper, Manner.of(choices, kept)


def to_keep(fetch: Fetch, path: Path) -> Fetch:
    """Return how pages are fetched as a file keeps it: a session below its folder is named from there."""
    session = fetch.options.session
    if session is None:
        return fetch
    session, folder = Path(session).resolve(), path.parent.resolve()
    named = session.relative_to(folder) if session.is_relative_to(folder) else session
    return replace(fetch, options=replace(fetch.options, session=named))


def write_wrapper(path: Path, wrapper: Wrapper) -> None:
    """Write a wrapper into its file."""
    write_file(path, wrapper.to_json().encode() + b"\n")


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all."""
    with written(path) as file:
        file.write(data)
