"""``windrow run``: keep the schedule, until somebody says stop."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from windrow.cli.diagnostics import diagnostic_options, start_logging
from windrow.cli.stopping import stopping
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, say
from windrow.errors import WindrowError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from windrow.harvest.report import Report
    from windrow.schedule.systemd import Watchdog
    from windrow.store import Store


@click.command()
@STORE
@click.option("--once", is_flag=True, help="Do what is due now, and end.")
@click.option("--unit", "as_unit", is_flag=True, help="Print a unit for systemd, and end.")
@diagnostic_options
def run(*, where: str, once: bool, as_unit: bool) -> None:
    """Keep the schedule: read each source when it is due, until SIGTERM or Ctrl-C.

    Runs that were interrupted are gone on with first. It ends at the border of a page; nothing is lost.
    """
    from windrow.schedule.systemd import Watchdog, notify, unit  # noqa: PLC0415 - other commands do without

    if as_unit:
        click.echo(unit(where), nl=False)
        return
    start_logging(click.get_current_context())  # a run that fails is logged, and the others go on
    with open_store(where) as store, stopping() as stop:
        from windrow.harvest.timetable import Scheduler, StoreTimetable  # noqa: PLC0415 - as above

        def work(source: str, due: datetime) -> None:
            with beating(watchdog):
                _harvest(store, source, stop, due)

        watchdog = Watchdog()
        scheduler = Scheduler(store, work, heartbeat=watchdog.beat)
        if not once:
            _greet(len(StoreTimetable(store).entries()))
        _wake_on_stop(scheduler.stop)
        notify("READY=1")
        with beating(watchdog):
            _go_on(store, stop)
        if once:
            done, due = 0, scheduler.count_due()
            # Each source that is due once: one that takes longer than its interval is due again when it is done.
            while not stop.is_set() and done < due and scheduler.step() == 0.0:
                done += 1
            if not done:
                say("Nothing is due. `windrow status` tells what is next.")
        elif not stop.is_set():
            scheduler.run()
        notify("STOPPING=1")


def _greet(scheduled: int) -> None:
    """Say what is kept, so that a terminal that stays quiet for hours is not taken for one that hangs."""
    if scheduled:
        say(f"Keeping the schedule of {counted(scheduled, 'source')}. Ctrl-C ends after the pages that are under way.")
    else:
        say("No source has a schedule yet. Give one: `windrow source set NAME schedule.every='6 hours'`.")


def _wake_on_stop(stop_scheduler: object) -> None:
    """Let a signal that asks to stop wake the scheduler, too."""
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def ask(received: int, frame: object, before: object = before) -> None:
            if callable(before):
                before(received, frame)
            if callable(stop_scheduler):
                stop_scheduler()

        signal.signal(number, ask)


def _go_on(store: Store, stop: threading.Event) -> None:
    """Go on with the runs that were interrupted."""
    from windrow.store.runs import list_interrupted  # noqa: PLC0415 - with the store

    with store.reading() as connection:
        names = list_interrupted(connection)
    for name in names:
        if stop.is_set():
            return
        try:
            _harvest(store, name, stop, None)
        except WindrowError as error:
            say(f"{name}: the run that was interrupted could not be gone on with: {error}")


def _harvest(store: Store, name: str, stop: threading.Event, due: datetime | None) -> None:
    from windrow.harvest.harvest import harvest_source  # noqa: PLC0415 - other commands do without
    from windrow.harvest.progress import RunChoices  # noqa: PLC0415 - as above
    from windrow.store.moments import to_text  # noqa: PLC0415 - as above

    choices = RunChoices(trigger="schedule", due_at=None if due is None else to_text(due))
    report: Report = harvest_source(store, name, choices, stop=stop, say=say)
    sys.stdout.write(f"{report.source}: {report.state}. {report.sentence}\n")
    sys.stdout.flush()


@contextmanager
def beating(watchdog: Watchdog) -> Iterator[None]:
    """Keep systemd's watchdog quiet while a source is read, which may take hours."""
    done = threading.Event()

    def beat() -> None:
        while not done.wait(10.0):
            watchdog.beat()

    thread = threading.Thread(target=beat, name="windrow-watchdog", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
