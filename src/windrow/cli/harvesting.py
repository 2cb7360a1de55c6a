"""``windrow harvest``: read sources into the store, now."""

from __future__ import annotations

import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from windrow.cli.diagnostics import diagnostic_options, gravest
from windrow.cli.listing import print_lines
from windrow.cli.stopping import stopping
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import is_terminal, say, standard_error, to_json
from windrow.cli.wrapper_file import AS_JSON
from windrow.errors import UsageError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator

    from windrow.harvest.progress import Progress
    from windrow.harvest.report import Report
    from windrow.store import Store


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@STORE
@click.option("--offline", is_flag=True, help="Read the pages that were kept again, without the network.")
@click.option("--fresh", is_flag=True, help="Ask for every page as if it were new.")
@click.option("--pages", type=click.IntRange(1), metavar="N", help="Read at most N pages.")
@click.option("--accept", is_flag=True, help="Take a run as it is that falls short of the one before.")
@click.option("--dry-run", is_flag=True, help="Store nothing; print what would be stored.")
@AS_JSON
@diagnostic_options
@click.pass_context
def harvest(ctx: click.Context, /, *, names: tuple[str, ...], where: str, as_json: bool, **choices: Any) -> None:  # noqa: ANN401
    """Read sources into the store: those that are NAMEd, or all that are not paused.

    A run that was interrupted goes on where it was. Ctrl-C ends after the pages that are under way.
    """
    with open_store(where, make=False) as store, stopping() as stop:
        chosen = list(names) or _active_names(store)
        if choices.pop("dry_run"):
            ctx.exit(gravest({_try_out(store, name, choices, stop, as_json=as_json) for name in chosen} - {0}))
        reports = []
        for name in chosen:
            if stop.is_set():
                break
            report = harvest_one(store, name, choices, stop, quiet=as_json)
            reports.append(report)
            if as_json:
                click.echo(to_json(report.to_dict()))
            else:
                _tell(report)
    if stop.is_set():
        say("Stopped. What was read is stored; the same command goes on where it was.")
    ctx.exit(gravest({report.exit_code for report in reports if report.exit_code}))


def harvest_one(store: Store, name: str, choices: dict[str, Any], stop: threading.Event, *, quiet: bool) -> Report:
    """Harvest a source, with a bar where somebody looks; people are told of new warnings."""
    from windrow.harvest.harvest import harvest_source  # noqa: PLC0415 - takes a while, which other commands do without
    from windrow.harvest.progress import RunChoices  # noqa: PLC0415 - as above

    offline = bool(choices.get("offline"))
    given = {key: value for key, value in choices.items() if key != "offline"}
    trigger = "offline" if offline else str(given.pop("trigger", "hand"))
    with bar(name, quiet=quiet) as watch:
        return harvest_source(store, name, RunChoices(trigger=trigger, **given), watch=watch, stop=stop, say=say)


def _active_names(store: Store) -> list[str]:
    from windrow.store.sources import list_sources  # noqa: PLC0415 - with the store

    with store.reading() as connection:
        sources = list_sources(connection)
    if not sources:
        raise UsageError("There is no source yet. Add one with `windrow source add` or `windrow source import`.")
    return [source.name for source in sources if source.state != "paused"]


def _tell(report: Report) -> None:
    """Write what came of a source in a few lines."""
    number = "" if report.run is None else f", run {report.run}"
    click.echo(f"{report.source}: {report.state}{number}, {report.seconds:.1f} s")
    click.echo(f"  {report.sentence}")
    if report.warnings:
        click.echo(f"  Warnings: {', '.join(report.warnings)}. See `windrow warnings --source {report.source}`.")


@contextmanager
def bar(name: str, *, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Show how far a run is, where somebody looks."""
    if quiet or not is_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich import progress as bars  # noqa: PLC0415 - where a bar is shown

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
    )
    more = bars.TextColumn("{task.fields[rate]:.1f} pages/s  {task.fields[stored]} records  {task.fields[wrong]}")
    with bars.Progress(*columns, more, console=standard_error(), transient=True) as shown:
        task = shown.add_task(name, total=None, rate=0.0, stored=0, wrong="")

        def watch(progress: Progress) -> None:
            counts = progress.counts
            wrong = f"{counts.failed} failed" if counts.failed else ""
            rate = (shown.tasks[0].completed / shown.tasks[0].elapsed) if shown.tasks[0].elapsed else 0.0
            done, total = progress.done, progress.total
            shown.update(task, completed=done, total=total, rate=rate, stored=counts.records, wrong=wrong)

        yield watch


def _try_out(store: Store, name: str, choices: dict[str, Any], stop: threading.Event, *, as_json: bool) -> int:
    """Harvest into a store that is thrown away, and print its records; return the exit status."""
    from windrow.cli.export import Chosen, show  # noqa: PLC0415 - as below
    from windrow.store.rows import Rows  # noqa: PLC0415 - with the store
    from windrow.store.sources import copy_source, get_source  # noqa: PLC0415 - as above

    with tempfile.TemporaryDirectory(prefix="windrow-") as folder, open_store(str(Path(folder) / "try.db")) as other:
        copy_source(store, other, name)
        report = harvest_one(other, name, {**choices, "tells": False}, stop, quiet=as_json)
        with other.reading() as connection:
            chosen = Chosen([Rows(connection, get_source(connection, name))])
            if as_json:
                print_lines(chosen.dicts(lambda: None))
            else:
                show(chosen)
        say(f"{report.sentence} Nothing was stored.")
        return report.exit_code
