"""``windrow read``: from sources to results, on the terminal, as JSON, into a file, as a picture."""

from __future__ import annotations

import logging
import traceback
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from windrow.atomic import NewFile
from windrow.cli.diagnostics import diagnostic_options, gravest, is_debugging
from windrow.cli.options import choices_to_options, page_options
from windrow.cli.output import ENDINGS, FOR_ONE, JSON_ENDINGS, TABLE_ENDINGS, Output, check_ending
from windrow.cli.progress import progress
from windrow.cli.sources import Source, check_url, find_sources, sources_to_tasks
from windrow.cli.summary import view_outcome
from windrow.cli.terminal import say, standard_output, to_json
from windrow.errors import SourceError, UsageError, WindrowError
from windrow.loader import Loader, Outcome, Task
from windrow.loader.outcome import outcome_to_plain
from windrow.overlay import draw
from windrow.readers.names import EVERY, choose_readers
from windrow.readers.registry import READERS, page_to_marks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rich.console import Console, RenderableType

    from windrow.page import Page
    from windrow.readers.names import Settings

logger = logging.getLogger(__name__)


def _complete_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the last of some names with commas between them."""
    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in READERS if name.startswith(last)]


@dataclass(frozen=True)
class Wanted:
    """What is read from each page, and where it goes."""

    readers: Mapping[str, Settings] | None
    """The readers that were chosen, with what they are told; None for all of them in a summary."""
    keyword: str | None
    as_json: bool
    output: Path | None
    picture: Path | None
    debug: bool
    apart: bool
    """Whether there are several sources, which must be told apart."""

    @property
    def ending(self) -> str:
        """The ending of the file that is written; empty where there is none."""
        return self.output.suffix.lower() if self.output is not None else ""

    @property
    def needs_page(self) -> bool:
        """Whether the page itself is wanted, and not only what was read from it."""
        return self.picture is not None or bool(self.ending and self.ending not in JSON_ENDINGS)


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a source, each on a line.")
@click.option("--no-render", is_flag=True, help="Read without a browser: structure and text, no boxes.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"Write into FILE; its ending is the form: {', '.join(ENDINGS)}.",
)
@click.option(
    "--only",
    shell_complete=_complete_names,
    metavar="NAMES",
    help=f"Only these, with commas between: {', '.join(READERS)}.",
)
@click.option("--keyword", metavar="TEXT", help="Of tables, only those in which this stands.")
@click.option(
    "--picture", type=click.Path(path_type=Path), metavar="FILE.png", help="Draw what was found over the page."
)
@click.option("--url", metavar="URL", help="Where a saved page came from.")
@page_options
@click.option("--workers", type=click.IntRange(1, 256), metavar="N", help="Pages at a time. [default: one a core]")
@diagnostic_options
@click.pass_context
def read(ctx: click.Context, /, *, sources: tuple[str, ...], **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Read pages and print what stands on them.

    A SOURCE is an address, a saved page, a folder of saved pages, or - for standard input.

    Several pages with several outcomes give the exit status of the first of these that occurred: 1 a fault of
    Windrow's own, 2 wrong use, 4 refused by the guard, 3 could not be read, 5 a limit was reached.
    """
    found, keyword = find_sources(sources), choices.pop("keyword")
    wanted = Wanted(
        readers=_choose(choices.pop("only"), keyword),
        keyword=keyword,
        as_json=choices.pop("as_json"),
        output=choices.pop("output"),
        picture=choices.pop("picture"),
        debug=is_debugging(ctx),
        apart=len(found) > 1,
    )
    render, url, workers = not choices.pop("no_render"), choices.pop("url"), choices.pop("workers")
    options = replace(choices_to_options(choices), screenshot=wanted.picture is not None)
    manner = Task(url=url, render=render, options=options)
    _check(found, manner, wanted)
    with Loader(options, workers=workers) as loader:
        ctx.exit(_read_all(found, manner, wanted, loader))


def _choose(names: str | None, keyword: str | None) -> dict[str, Settings] | None:
    """Return the readers that are named, or None for all; a keyword picks tables, alone unless others are named."""
    chosen = None if names is None else choose_readers(names)
    if keyword is None:
        return chosen
    if chosen is not None and "tables" not in chosen:
        raise UsageError("--keyword picks tables, and --only leaves them out. Add tables to --only.")
    return {**(chosen or {}), "tables": {"keyword": keyword}}


def _rows(wanted: Wanted) -> str:
    """Return the name of the reader whose rows a sheet holds."""
    if (readers := wanted.readers) is None:
        return "tables"
    found = next((name for name in ("tables", "regions", "toplist") if name in readers), None)
    if found is None and wanted.ending in TABLE_ENDINGS:
        raise UsageError("A sheet holds tables, regions or a toplist, all of which --only leaves out. Add one of them.")
    return found or "tables"


def _check(sources: list[Source], manner: Task, wanted: Wanted) -> None:
    """Refuse what does not go together, before anything is read."""
    readers = wanted.readers
    if wanted.output is not None and check_ending(wanted.output) in FOR_ONE and len(sources) > 1:
        raise UsageError(
            f"A {wanted.output.suffix} file holds one page, and {len(sources)} are named. Name one source."
        )
    if wanted.ending == ".txt" and readers and "text" not in readers:
        raise UsageError(
            "A .txt file holds the visible text, which --only leaves out. Write into a .json file instead."
        )
    if wanted.ending in TABLE_ENDINGS:
        _rows(wanted)
    check_url(manner.url, sources)
    if wanted.picture is None:
        return
    if wanted.picture.suffix.lower() != ".png":
        raise UsageError(f"The picture is a PNG file, so {wanted.picture} should end in .png.")
    if len(sources) > 1:
        raise UsageError(f"--picture draws one page, and {len(sources)} are named. Name one source.")
    if not manner.render:
        raise UsageError("--picture needs the browser. Leave --no-render out.")


def _read_all(sources: list[Source], manner: Task, wanted: Wanted, loader: Loader) -> int:
    """Read the sources and pass each result on as soon as it is there; return the exit status."""
    statuses = set()
    console = standard_output()
    with ExitStack() as stack:
        output = stack.enter_context(Output(wanted.output, wanted.keyword, _rows(wanted))) if wanted.output else None
        picture = stack.enter_context(NewFile(wanted.picture)) if wanted.picture else None
        advance = stack.enter_context(progress(console, len(sources), as_json=wanted.as_json))
        tasks = sources_to_tasks(sources, manner)
        for shown in stack.enter_context(closing(loader.map(partial(show, wanted=wanted), tasks))):
            outcome = shown.outcome
            if outcome.error is not None:
                statuses.add(outcome.error.exit_code)
            _print(console, shown, wanted)
            if output is not None:
                output.add(outcome, shown.json)
            if picture is not None and outcome.page is not None:
                picture.write(_draw(outcome.page, wanted))
                picture.finish()
            advance()
        if output is not None:
            output.finish()
            logger.info("wrote %s", wanted.output)
    return gravest(statuses)


@dataclass(frozen=True)
class Shown:
    """What came of one source, in the forms in which it is wanted."""

    outcome: Outcome
    json: bytes
    """Its JSON object, on one line, where one is wanted."""
    view: list[RenderableType]
    trace: str = ""
    """Where a fault happened, for ``--debug``."""


def show(outcome: Outcome, wanted: Wanted) -> Shown:
    """Run the readers, in the process where the page is; a fault of one of them is this page's and stops no other."""
    error: Exception | None = outcome.error
    try:
        json, view = _to_forms(outcome, wanted)
    except Exception as fault:
        logger.exception("failed on %s", outcome.source)
        error = fault
        json, view, outcome = _salvage(outcome, wanted, fault)
    trace = "".join(traceback.format_exception(error)).rstrip() if error is not None and wanted.debug else ""
    return Shown(outcome if wanted.needs_page else outcome.without_page(), json, view, trace)


def _to_forms(outcome: Outcome, wanted: Wanted, without: Collection[str] = ()) -> tuple[bytes, list[RenderableType]]:
    """Return an outcome as JSON and as the terminal shows it, each where it is wanted, but for some readers."""
    json = b""
    view: list[RenderableType] = []
    if wanted.as_json or wanted.ending in JSON_ENDINGS:
        readers = EVERY if wanted.readers is None else wanted.readers
        json = to_json(outcome_to_plain(outcome, {name: readers[name] for name in readers if name not in without}))
    if not wanted.as_json and wanted.output is None:
        view = view_outcome(outcome, wanted.readers, apart=wanted.apart, without=without)
    return json, view


def _salvage(outcome: Outcome, wanted: Wanted, fault: Exception) -> tuple[bytes, list[RenderableType], Outcome]:
    """Return what can be said of a page on which something failed: the error, and what the other readers found."""
    what = " ".join(f"{type(fault).__name__}: {fault}".split())
    before = f" {outcome.error}" if outcome.error else ""
    sentence = f"Windrow failed on this page: {what}; --debug shows where.{before}"
    failed = replace(outcome, error=fault if isinstance(fault, WindrowError) else WindrowError(sentence))
    readers = EVERY if wanted.readers is None else wanted.readers
    failing = []
    for name, settings in readers.items():
        try:
            _to_forms(outcome, replace(wanted, readers={name: settings}))
        except Exception:  # noqa: BLE001 - the first of them was logged
            failing.append(name)
    try:
        json, view = _to_forms(failed, wanted, failing)
    except Exception:  # noqa: BLE001 - the fault is no reader's
        failed = replace(failed, page=None)
        json, view = _to_forms(failed, wanted)
    return json, view, failed.without_page()


def _print(console: Console, shown: Shown, wanted: Wanted) -> None:
    outcome = shown.outcome
    if shown.trace:
        say(shown.trace)
    if wanted.as_json:
        click.echo(shown.json)
        return
    for part in shown.view:
        # What was asked for by name is not broken into lines: the person's own pipe or pager does that.
        console.print(part, soft_wrap=wanted.readers is not None)
    if shown.view and wanted.apart:
        console.print()
    for notice in outcome.warnings:
        say(f"{outcome.source}: {notice}")
    if outcome.error is not None:
        sentence = str(outcome.error)
        say(f"{outcome.source}: {sentence}" if wanted.apart and outcome.source not in sentence else sentence)


def _draw(page: Page, wanted: Wanted) -> bytes:
    if page.screenshot is None:
        raise SourceError(
            "This page was saved without its picture. Load it with --picture and -o page.windrow to keep one."
        )
    return draw(page.screenshot, page_to_marks(page, EVERY if wanted.readers is None else wanted.readers))
