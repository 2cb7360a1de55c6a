"""``windrow extract``: the learned values of many pages, on the terminal, as JSON, or in a file."""

from __future__ import annotations

import io
import logging
import traceback
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from windrow.atomic import written
from windrow.cli.diagnostics import diagnostic_options, gravest, is_debugging
from windrow.cli.progress import progress
from windrow.cli.sources import check_url, find_sources, sources_to_tasks, without_password
from windrow.cli.terminal import counted, say, shown, standard_output, to_json
from windrow.cli.wrapper_file import AS_JSON, WORKERS, WRAPPER, read_owned, wrapper_page_options
from windrow.errors import RegionGone, SourceError, UsageError, WindrowError
from windrow.extras import library
from windrow.loader import Loader, Outcome
from windrow.loader.outcome import to_fault
from windrow.wrapper import Gathered, PageReading, Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from rich.console import Console

    from windrow.cli.sources import Source
    from windrow.cli.wrapper_file import Manner
    from windrow.loader import Task
    from windrow.provenance import Notice
    from windrow.wrapper import Extraction

logger = logging.getLogger(__name__)

NOT_AS_LEARNED = RegionGone.exit_code
ENDINGS = (".csv", ".jsonl", ".parquet", ".xlsx")
LIBRARIES = {".parquet": "pyarrow.parquet", ".xlsx": "openpyxl"}
"""What some of them need."""


@dataclass(frozen=True)
class Taken:
    """What came of one source: what was read from its page, or what went wrong."""

    source: str
    reading: PageReading | None
    error: WindrowError | None = None
    trace: str = ""
    """Where a fault happened."""
    warnings: tuple[Notice, ...] = ()

    @property
    def status(self) -> int:
        """The exit status that it asks for."""
        if self.reading is None:
            return WindrowError.exit_code if self.error is None else self.error.exit_code
        found = self.reading.found
        return NOT_AS_LEARNED if found.lacking or found.kind != "page" else 0

    def to_plain(self) -> dict[str, Any]:
        """Return what JSON says of it."""
        if self.reading is None:
            error = self.error or WindrowError("Nothing was read.")
            return {"source": self.source, "error": {"kind": error.kind, "message": str(error)}}
        about = {"source": self.source, "url": self.reading.url, "fetched": self.reading.fetched or None}
        found = self.reading.found
        return about | found.to_dict() | ({"rows": found.rows} if found.rows else {})


@click.command()
@WRAPPER
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@AS_JSON
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"Write all pages into FILE; its ending is the form: {', '.join(ENDINGS)}.",
)
@wrapper_page_options
@WORKERS
@diagnostic_options
@click.pass_context
def extract(ctx: click.Context, /, *, wrapper: Path, sources: tuple[str, ...], as_json: bool, **choices: Any) -> None:  # noqa: ANN401
    """Read the learned values from pages of the same site: addresses, saved pages, folders of them, or -.

    The exit status is 6 where a required label was not surely found on one of the pages.
    """
    output = choices.pop("output")
    write = None if output is None else choose_form(output)
    work, console, every = Work.of(wrapper, sources, choices), standard_output(), list[Taken]()
    with closing(work.run(console, as_json=as_json, debug=is_debugging(ctx))) as found:
        for taken in found:
            if as_json:
                click.echo(to_json(taken.to_plain()))
            elif output is None and taken.reading is not None:
                for line in extraction_to_lines(taken.reading.found, taken.source if len(work.sources) > 1 else None):
                    console.print(shown(line), soft_wrap=True)
            every.append(taken)
    if write is not None and any(taken.reading is not None for taken in every):
        write(output, every)
        tell_what_was_written(output, every)
    ctx.exit(gravest({taken.status for taken in every} - {0}))


FEW = 8
"""Up to so many pages are read one after the other: another browser would not be up before they are done."""


@dataclass(frozen=True)
class Work:
    """A wrapper, and the pages that it is to read."""

    wrapper: Wrapper
    sources: list[Source]
    manner: Manner
    workers: int | None

    @classmethod
    def of(cls, path: Path, sources: Sequence[str], choices: dict[str, Any]) -> Work:
        """Take what a command was given."""
        workers, named = choices.pop("workers"), find_sources(sources)
        wrapper, manner = read_owned(path, choices)
        check_url(manner.url, named)
        return cls(wrapper, named, manner, workers or (1 if len(named) <= FEW else None))

    def run(self, console: Console, *, as_json: bool, debug: bool) -> Generator[Taken, None, None]:
        """Yield what comes of each source, read with every core busy, and say what a person should know of it.

        Which values are not of their label's type shows when all are there: other pages tell how dates are written.
        """
        # The text of a wrapper costs less to send with every page than the wrapper itself, and is read once a process.
        function = partial(take, wrapper=self.wrapper.to_json())
        with (
            Loader(workers=self.workers) as loader,
            progress(console, len(self.sources), as_json=as_json) as advance,
            closing(loader.map(function, _to_tasks(self.sources, self.manner))) as found,
        ):
            readings = []
            for taken in found:
                tell(taken, is_alone=len(self.sources) == 1, debug=debug)
                readings += [] if taken.reading is None else [taken.reading]
                yield taken
                advance()
        tell_misfits(Gathered(tuple(readings)), is_alone=len(self.sources) == 1)


def _to_tasks(sources: Sequence[Source], manner: Manner) -> Iterator[Task | Outcome]:
    for source in sources:
        if isinstance(source, Outcome):
            yield source
        else:
            yield from sources_to_tasks([source], manner.task(source))


def take(outcome: Outcome, wrapper: str) -> Taken:
    """Read the values, in the process where the page is; a fault is this page's and stops no other."""
    try:
        page = outcome.require_page()
        found = _wrapper_of(wrapper).extract(page)
        fetched = page.provenance.fetched
        about = (outcome.source, without_password(page.url), fetched.isoformat() if fetched else "")
        return Taken(outcome.source, PageReading(*about, found), warnings=outcome.warnings)
    except Exception as error:  # noqa: BLE001 - told with its page
        fault = to_fault(error)
        if not isinstance(error, WindrowError):
            logger.warning("failed on %s", outcome.source)
        trace = "".join(traceback.format_exception(error)).rstrip()
        # A page that was cut hangs on its error, and stays where it is.
        return Taken(outcome.source, None, Outcome.of_error(outcome.source, fault).without_page().error, trace)


@lru_cache(maxsize=1)
def _wrapper_of(text: str) -> Wrapper:
    return Wrapper.from_json(text)


def tell(taken: Taken, *, is_alone: bool, debug: bool) -> None:
    """Say what a person should know beside the values."""
    before = "" if is_alone else f"{taken.source}: "
    if taken.trace and debug:
        say(taken.trace)
    if taken.error is not None:
        sentence = str(taken.error)
        say(sentence if taken.source in sentence else before + sentence)
    for notice in taken.warnings:
        say(f"{taken.source}: {notice}")
    if taken.reading is None:
        return
    found = taken.reading.found
    if found.kind != "page":
        say(f"{taken.source} gave no values ({found.kind}). {found.sentence}".strip())


def tell_misfits(gathered: Gathered, *, is_alone: bool) -> None:
    """Say which values can't be read as what their label was declared to be."""
    for page, misfits in zip(gathered.pages, gathered.misfits_by_page, strict=True):
        before = "" if is_alone else f"{page.source}: "
        for label, texts in misfits.items():
            values, kind = ", ".join(map(repr, texts)), page.found.fields[label].type
            say(f"{before}{values} of {label} is not surely of the type {kind}, and stays text.")


def tell_what_was_written(output: Path, every: Sequence[Taken]) -> None:
    """Say how much a file holds, and what it does not: what is doubtful, and labels that pages lack."""
    read = [taken.reading for taken in every if taken.reading is not None]
    lacking = Counter[str]()
    for reading in read:
        for label, texts in reading.found.doubtful.items():
            say(f"{reading.source}: {label} is doubtful and not in the file: {', '.join(map(repr, texts))}.")
        if reading.found.kind == "page":
            lacking.update(label for label in reading.found.missing if label not in reading.found.doubtful)
    for label, count in lacking.items():
        say(f"{label} was not found on {counted(count, 'page')} of {len(read):,}.")
    pages = counted(sum(reading.found.kind == "page" for reading in read), "page")
    beside = f" of {len(read):,}" if any(reading.found.kind != "page" for reading in read) else ""
    say(f"What was read from {pages}{beside} is in {output}.")


def extraction_to_lines(found: Extraction, source: str | None) -> Iterator[str]:
    """Yield the values of each label a line each, records apart from each other, then what is doubtful.

    Above it stands the source, where there are several.
    """
    if source is not None:
        yield source
    if found.kind != "page":
        return
    in_rows = {label for row in found.rows for label in row}
    for label, values in found.values.items():
        if label not in in_rows:
            yield from (f"{label}: {value}" for value in values)
        if not values and not found.doubtful.get(label):
            yield f"{label}: (not found)"
    for number, row in enumerate(found.rows):
        if number or source is not None or in_rows != set(found.values):
            yield ""
        yield from (f"{label}: {value}" for label, values in row.items() for value in values)
    yield from (f"doubtful {label}: {text}" for label, texts in found.doubtful.items() for text in texts)


def choose_form(path: Path) -> Callable[[Path, Sequence[Taken]], None]:
    """Return what writes a file in the form that its ending names."""
    forms = dict(zip(ENDINGS, (_write_csv, _write_jsonl, _write_parquet, _write_xlsx), strict=True))
    ending = path.suffix.lower()
    if ending not in forms:
        raise UsageError(
            f"The name {path} does not say in which form to write; end it in one of: {', '.join(ENDINGS)}."
        )
    if not path.parent.is_dir():
        raise SourceError(f"There is no folder {path.parent} to write into. Make it first, or choose another place.")
    if ending in LIBRARIES:
        library(LIBRARIES[ending])  # better missed now than when all pages are read
    return forms[ending]


def _gather(every: Sequence[Taken]) -> Gathered:
    return Gathered(tuple(taken.reading for taken in every if taken.reading is not None))


def _write_csv(path: Path, every: Sequence[Taken]) -> None:
    with written(path) as file:
        file.write(_gather(every).to_csv().encode("utf-8", "replace"))


def _write_xlsx(path: Path, every: Sequence[Taken]) -> None:
    with written(path) as file:
        file.write(_gather(every).to_xlsx())


def _write_parquet(path: Path, every: Sequence[Taken]) -> None:
    _gather(every).to_parquet(path, typed=True)


def _write_jsonl(path: Path, every: Sequence[Taken]) -> None:
    """Write one object a record, and one for each source that could not be read."""
    records = iter(_gather(every).records())
    into = io.BytesIO()
    for taken in every:
        for plain in [taken.to_plain()] if taken.reading is None else next(records):
            into.write(to_json(plain) + b"\n")
    with written(path) as file:
        file.write(into.getvalue())
