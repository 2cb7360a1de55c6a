"""``windrow read``: from sources to results, on the terminal, as JSON, into a file, as a picture."""

from __future__ import annotations

import logging
import traceback
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from windrow.atomic import NewFile
from windrow.cli.diagnostics import diagnostic_options, gravest, is_debugging
from windrow.cli.journal import Journal
from windrow.cli.options import choices_to_options, page_options
from windrow.cli.output import (
    ENDINGS,
    FOR_ONE,
    JSON_ENDINGS,
    LACKING,
    ROW_ENDINGS,
    Contribution,
    Output,
    RowsWanted,
    check_ending,
    contribute,
)
from windrow.cli.progress import progress
from windrow.cli.sources import Source, check_url, find_sources, is_address, sources_to_tasks
from windrow.cli.summary import view_outcome
from windrow.cli.terminal import counted, say, standard_output, to_json
from windrow.errors import LimitError, SourceError, UsageError, WindrowError
from windrow.loader import Loader, Outcome, Task
from windrow.loader.loader import TITLED
from windrow.loader.outcome import outcome_to_plain
from windrow.overlay import draw
from windrow.readers.names import EVERY, choose_readers
from windrow.readers.registry import READERS, find_left_out, page_to_marks
from windrow.render.garbage_collection import collector_paused
from windrow.result.files import FOR_SEVERAL

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Mapping

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
    as_json: bool
    output: Path | None
    picture: Path | None
    debug: bool
    apart: bool
    """Whether there are several sources, or pages that follow, which must be told apart."""
    every: bool = False
    """Whether a file gets all tables or regions of a page."""
    follow: int = 0
    """How many next pages are read as well."""
    resume: bool = False

    @property
    def ending(self) -> str:
        """The ending of the file that is written; empty where there is none."""
        return self.output.suffix.lower() if self.output is not None else ""

    @property
    def needs_page(self) -> bool:
        """Whether the page itself is wanted, and not only what was read from it."""
        return self.picture is not None

    @property
    def needs_results(self) -> bool:
        """Whether what readers find is wanted for more than JSON."""
        return self.needs_page or self.rows is not None or self.follow > 0

    @property
    def needs_titles(self) -> bool:
        """Whether a title is wanted, or what follows from it."""
        if self.rows is not None and not self.as_json:
            return not TITLED.isdisjoint(self.rows.readers)
        return self.readers is None or not TITLED.isdisjoint(self.readers)

    @property
    def rows(self) -> RowsWanted | None:
        """The rows that a file holds, where its form holds rows."""
        if self.ending not in ROW_ENDINGS:
            return None
        readers = {"tables": {}} if self.readers is None else self.readers
        chosen = {name: settings for name, settings in readers.items() if name in LACKING}
        ordered = {name: chosen[name] for name in LACKING if name in chosen}
        return RowsWanted(ordered, self.ending, every=self.every, apart=self.apart)


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
@click.option("--table", type=click.IntRange(1), metavar="N", help="Only table N of each page, the best being 1.")
@click.option("--region", type=click.IntRange(1), metavar="N", help="Only region N of each page, the best being 1.")
@click.option("--all", "every", is_flag=True, help="Write all tables or regions of a page, not only the best.")
@click.option("--follow-next", type=click.IntRange(0), default=0, metavar="N", help="Read N next pages of each, too.")
@click.option("--resume", is_flag=True, help="Go on with a run into the same file that was interrupted.")
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
    found, follow = find_sources(sources), choices.pop("follow_next")
    wanted = Wanted(
        readers=_choose(choices.pop("only"), {name: choices.pop(name) for name in ("keyword", "table", "region")}),
        as_json=choices.pop("as_json"),
        output=choices.pop("output"),
        picture=choices.pop("picture"),
        debug=is_debugging(ctx),
        apart=len(found) > 1 or follow > 0,
        every=choices.pop("every"),
        follow=follow,
        resume=choices.pop("resume"),
    )
    render, url, workers = not choices.pop("no_render"), choices.pop("url"), choices.pop("workers")
    options = replace(choices_to_options(choices), screenshot=wanted.picture is not None)
    manner = Task(url=url, render=render, options=options)
    _check(found, manner, wanted)
    with Loader(options, workers=workers) as loader:
        ctx.exit(_read_all(found, manner, wanted, loader))


def _choose(names: str | None, picks: Mapping[str, Any]) -> dict[str, Settings] | None:
    """Return the readers that are named, or None for all, with what is picked of them.

    Picking a table or a region names its reader, alone unless others are named.
    """
    chosen = None if names is None else choose_readers(names)
    for option, reader, setting in (
        ("keyword", "tables", "keyword"),
        ("table", "tables", "number"),
        ("region", "regions", "number"),
    ):
        if (value := picks[option]) is None:
            continue
        if names is not None and reader not in (chosen or {}):
            raise UsageError(f"--{option} picks {reader}, and --only leaves them out. Add {reader} to --only.")
        chosen = chosen or {}
        chosen[reader] = {**chosen.get(reader, {}), setting: str(value)}
    return chosen


def _check(sources: list[Source], manner: Task, wanted: Wanted) -> None:
    """Refuse what does not go together, before anything is read."""
    check_url(manner.url, sources)
    if wanted.output is not None:
        _check_output(wanted, check_ending(wanted.output), len(sources))
    elif wanted.every or wanted.resume:
        option = "--all" if wanted.every else "--resume"
        raise UsageError(f"{option} is about the file that is written. Name it with -o.")
    if wanted.picture is None:
        return
    if wanted.picture.suffix.lower() != ".png":
        raise UsageError(f"The picture is a PNG file, so {wanted.picture} should end in .png.")
    if wanted.apart:
        raise UsageError(f"--picture draws one page, and {max(len(sources), 2)} are named. Name one source.")
    if not manner.render:
        raise UsageError("--picture needs the browser. Leave --no-render out.")


def _check_output(wanted: Wanted, ending: str, sources: int) -> None:
    """Refuse a file that has no room for what is wanted, or is wanted without what it holds."""
    readers = wanted.readers
    if ending in FOR_ONE and wanted.apart:
        raise UsageError(f"A {ending} file holds one page, and {max(sources, 2)} are named. Name one source.")
    if wanted.resume and ending in FOR_ONE:
        raise UsageError(f"--resume is for runs over several sources, and a {ending} file holds one. Leave it out.")
    if ending == ".txt" and readers and "text" not in readers:
        raise UsageError(
            "A .txt file holds the visible text, which --only leaves out. Write into a .json file instead."
        )
    if (rows := wanted.rows) is None:
        if wanted.every:
            raise UsageError(f"--all picks rows, and a {ending} file has everything. Leave it out.")
    elif not rows.readers:
        raise UsageError("A sheet holds tables, regions or a toplist, all of which --only leaves out. Add one of them.")
    elif len(rows.readers) > 1 and ending not in FOR_SEVERAL:
        kinds = " and ".join(rows.readers)
        raise UsageError(f"A {ending} file holds one kind of rows, not {kinds}. Name one of them, or write .xlsx.")


@dataclass(frozen=True)
class Step:
    """A source to read, or a page that follows one."""

    place: tuple[int, int]
    """Which of the sources it is or follows, and how many pages it is behind."""
    source: Source


def _read_all(sources: list[Source], manner: Task, wanted: Wanted, loader: Loader) -> int:
    """Read the sources and pass each result on as soon as it is there; return the exit status."""
    console = standard_output()
    with ExitStack() as stack:
        output = stack.enter_context(Output(wanted.output, wanted.rows)) if wanted.output else None
        picture = stack.enter_context(NewFile(wanted.picture)) if wanted.picture else None
        journal = stack.enter_context(_begin_journal(wanted, manner)) if wanted.output and wanted.apart else None
        advance = stack.enter_context(progress(console, len(sources), as_json=wanted.as_json))
        reading = Reading(manner, wanted, loader, journal)
        held: dict[tuple[int, int], tuple[str, Contribution]] = {}
        for step, shown in stack.enter_context(closing(reading.run(sources))):
            if wanted.follow:  # pages that follow come later, and stand behind the one that they follow
                held[step.place] = (shown.outcome.source, shown.given)
            elif output is not None:
                output.add(shown.outcome.source, shown.given)
            _print(console, shown, wanted)
            if picture is not None and shown.outcome.page is not None:
                _draw_into(picture, shown.outcome.page, wanted, reading.statuses)
            advance()
        if output is not None:
            for place in sorted(held):
                output.add(*held[place])
            output.finish()
            logger.info("wrote %s", wanted.output)
        if journal is not None:
            journal.finish()
    return gravest(reading.statuses)


def _begin_journal(wanted: Wanted, manner: Task) -> Journal:
    assert wanted.output is not None  # noqa: S101 - the caller looked
    told = (wanted.readers, wanted.ending, wanted.every, manner.url, manner.render, manner.options.to_dict())
    journal = Journal(wanted.output, told, resume=wanted.resume)
    if wanted.resume:
        say(f"{counted(journal.count, 'page')} of an earlier run need not be read again.")
    return journal


@dataclass(frozen=True)
class Reading:
    """A run over sources and the pages that follow them."""

    manner: Task
    wanted: Wanted
    loader: Loader
    journal: Journal | None
    statuses: set[int] = field(default_factory=set)

    def run(self, sources: list[Source]) -> Generator[tuple[Step, Shown], None, None]:
        """Yield what comes of each source, in order, and then of the pages that follow, a round at a time."""
        steps = [Step((number, 0), source) for number, source in enumerate(sources)]
        try:
            yield from self._run_rounds(steps)
        except KeyboardInterrupt:
            if self.journal is not None:
                say(f"What was read so far is in {self.journal.path}; the same command with --resume goes on with it.")
            raise

    def _run_rounds(self, steps: list[Step]) -> Generator[tuple[Step, Shown], None, None]:
        sources = [step.source for step in steps]
        seen = {str(source) for source in sources if isinstance(source, str)}
        while steps:
            following = []
            for step, shown in self._run_round(steps):
                yield step, shown
                behind = step.place[1] + 1
                if shown.next_url is None and self._leads_nowhere(step):
                    say(f"{shown.outcome.source}: no next page can be followed; --url says where a page came from.")
                if (address := shown.next_url) is None or address in seen:
                    continue
                if behind > self.wanted.follow:
                    if self.wanted.follow:
                        say(
                            f"{shown.outcome.source}: there is another page, {address}. Raise --follow-next to read it."
                        )
                    continue
                seen.add(address)
                following.append(Step((step.place[0], behind), address))
            steps = following

    def _leads_nowhere(self, step: Step) -> bool:
        """Whether next pages are wanted of a source whose links are not known to lead anywhere."""
        is_saved = not is_address(str(step.source))
        return self.wanted.follow > 0 and is_saved and not self.manner.url and step.place[1] == 0

    def _run_round(self, steps: list[Step]) -> Iterator[tuple[Step, Shown]]:
        known = {step.place: done for step in steps if self.journal and (done := self.journal.find(step.source))}
        # What was read in an earlier run stays in its place, for what its page tells the next one.
        sources = [
            Outcome(done.source, says=done.says) if (done := known.get(step.place)) else step.source for step in steps
        ]
        # Where a saved page came from is said of it alone, and of no page that follows it.
        manner = replace(self.manner, url=None) if any(step.place[1] for step in steps) else self.manner
        tasks, work = sources_to_tasks(sources, manner), partial(show, wanted=self.wanted)
        with closing(self.loader.map(work, tasks, siblings=self.wanted.needs_titles)) as results:
            for step, shown in zip(steps, results, strict=True):
                if done := known.get(step.place):
                    yield step, Shown(Outcome(done.source), b"", [], done.given, done.next_url)
                    continue
                if shown.outcome.error is not None:
                    self.statuses.add(shown.outcome.error.exit_code)
                if shown.lack:
                    self.statuses.add(SourceError.exit_code)
                if shown.left_out:
                    self.statuses.add(LimitError.exit_code)
                if self.journal is not None:
                    self.journal.add(step.source, shown.given, shown.next_url, shown.outcome.says)
                yield step, shown


@dataclass(frozen=True)
class Shown:
    """What came of one source, in the forms in which it is wanted."""

    outcome: Outcome
    json: bytes
    """Its JSON object, on one line, where one is wanted."""
    view: list[RenderableType]
    given: Contribution = Contribution()  # noqa: RUF009 - it can't be changed
    """What it gives to the file."""
    next_url: str | None = None
    """The page that follows it, where those are wanted."""
    trace: str = ""
    """Where a fault happened, for ``--debug``."""
    lack: str = ""
    """The table or region that was asked for by its number and is not there, in words."""
    left_out: tuple[str, ...] = ()
    """What readers left out, in sentences."""


def show(outcome: Outcome, wanted: Wanted) -> Shown:
    """Run the readers, in the process where the page is; a fault of one of them is this page's and stops no other."""
    error: Exception | None = outcome.error
    given, next_url = Contribution(is_page=False), None
    try:
        json, view = _to_forms(outcome, wanted)
        given = contribute(outcome, wanted.ending, wanted.rows, json) if wanted.output else given
        next_url = _find_next(outcome.page) if wanted.follow and outcome.page is not None else None
    except Exception as fault:
        if not isinstance(fault, WindrowError):
            logger.exception("failed on %s", outcome.source)
        error = fault
        json, view, outcome = _salvage(outcome, wanted, fault)
        given = Contribution(json, is_page=False)
    trace = "".join(traceback.format_exception(error)).rstrip() if error is not None and wanted.debug else ""
    lack = "" if wanted.output or outcome.page is None else _find_lack(outcome.page, wanted)
    left_out = () if outcome.page is None else _find_left_out(outcome.page, wanted)
    kept = outcome if wanted.needs_page else outcome.without_page()
    return Shown(kept, json, view, given, next_url, trace, lack, left_out)


def _find_left_out(page: Page, wanted: Wanted) -> tuple[str, ...]:
    """Return what the readers that are wanted left out of a page."""
    readers = EVERY if wanted.readers is None else wanted.readers
    return tuple(f"{notice} Raise the limit (--max-nodes)." for notice in find_left_out(page, readers))


def _find_lack(page: Page, wanted: Wanted) -> str:
    """Return what of the things that are asked for by their numbers a page does not have, in words."""
    readers = (wanted.readers or {}).items()
    lacking = [name for name, settings in readers if "number" in settings and not page.read(name, **settings)]
    return " and ".join(f"{LACKING[name]} {(wanted.readers or {})[name]['number']}" for name in lacking)


def _find_next(page: Page) -> str | None:
    """Return the page that follows a page's list, where it is one that can be fetched."""
    return next((region.next_url for region in page.regions() if is_address(region.next_url or "")), None)


def _to_forms(outcome: Outcome, wanted: Wanted, without: Collection[str] = ()) -> tuple[bytes, list[RenderableType]]:
    """Return an outcome as JSON and as the terminal shows it, each where it is wanted, but for some readers."""
    json = b""
    view: list[RenderableType] = []
    if wanted.as_json or wanted.ending in JSON_ENDINGS:
        readers = EVERY if wanted.readers is None else wanted.readers
        chosen = {name: readers[name] for name in readers if name not in without}
        with collector_paused():
            json = to_json(outcome_to_plain(outcome, chosen, keep=wanted.needs_results))
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
    if shown.lack:
        say(f"{outcome.source}: there is {shown.lack} on this page.")
    for sentence in shown.left_out:
        say(f"{outcome.source}: {sentence}")
    if wanted.as_json:
        click.echo(shown.json, nl=False)
        click.echo()
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


def _draw_into(picture: NewFile, page: Page, wanted: Wanted, statuses: set[int]) -> None:
    """Draw a page; a picture that can't be drawn is told, and takes nothing else away."""
    try:
        picture.write(_draw(page, wanted))
        picture.finish()
    except (SourceError, UsageError) as error:
        say(str(error))
        statuses.add(SourceError.exit_code)


def _draw(page: Page, wanted: Wanted) -> bytes:
    if page.screenshot is None:
        raise SourceError(
            "This page was saved without its picture. Load it with --picture and -o page.windrow to keep one."
        )
    return draw(page.screenshot, page_to_marks(page, EVERY if wanted.readers is None else wanted.readers))
