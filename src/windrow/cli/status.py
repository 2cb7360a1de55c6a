"""``windrow status`` and ``runs``: how the sources are, and what their runs came to."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.listing import moment, print_lines, print_table
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, say
from windrow.cli.wrapper_file import AS_JSON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.engine import Connection

    from windrow.store.batches import AnyRow

MOST_SHOWN = 50
"""Runs that the terminal shows; JSON has them all."""
COUNTED = ("added", "changed", "removed", "returned", "failed")
NO_SOURCE = "There is no source yet. Add one with `windrow source add` or `windrow source import`."


@click.command()
@STORE
@AS_JSON
@diagnostic_options
def status(*, where: str, as_json: bool) -> None:
    """Show all sources: their state, records, last and next run, and open warnings."""
    with open_store(where, make=False) as store, store.reading() as connection:
        from windrow.store.overview import describe_sources  # noqa: PLC0415 - with the store

        found = [asdict(each) for each in describe_sources(connection)]
        planned = _next_runs(connection)
    for each in found:
        each["next_run"] = each["next_run"] or planned.get(each["source"])
    if as_json:
        print_lines(found)
        return
    if not found:
        say(NO_SOURCE)
        return
    rows = [
        (
            each["source"],
            each["state"],
            f"{each['records']:,}",
            f"{each['last_state']}, {moment(each['last_run'])}" if each["last_run"] else None,
            moment(each["next_run"]),
            each["warnings"] or None,
        )
        for each in found
    ]
    print_table(("source", "state", "records", "last run", "next run", "warnings"), rows)
    for each in found:
        if each["reason"]:
            say(f"{each['source']}: {each['reason']}")
    if total := sum(each["warnings"] for each in found):
        say(f"{counted(total, 'warning')} open; `windrow warnings` lists them.")


def _next_runs(connection: Connection) -> dict[str, str]:
    """Return when sources would be due whose schedule nobody keeps yet."""
    from windrow.schedule import Schedule  # noqa: PLC0415 - other commands do without
    from windrow.store.sources import list_sources  # noqa: PLC0415 - with the store

    found = {}
    for source in list_sources(connection):
        if (plain := source.settings.get("schedule")) and source.state != "paused":
            due = Schedule.from_dict(plain).after(datetime.now(UTC), source=source.name)
            found[source.name] = f"{due:%Y-%m-%dT%H:%M:%SZ}"
    return found


@click.command()
@click.argument("name", required=False)
@STORE
@AS_JSON
@diagnostic_options
def runs(*, name: str | None, where: str, as_json: bool) -> None:
    """List the runs of the source NAME, or of all, newest first."""
    with open_store(where, make=False) as store, store.reading() as connection:
        from windrow.store.runs import list_runs  # noqa: PLC0415 - with the store
        from windrow.store.sources import get_source  # noqa: PLC0415 - as above

        source_id = None if name is None else get_source(connection, name).id
        found = [_run_to_plain(row) for row in list_runs(connection, source_id)]
    if as_json:
        print_lines(found)
        return
    if not found:
        who = "No source has" if name is None else f"{name} has not"
        say(f"{who} been harvested yet. `windrow harvest` begins a run.")
        return
    columns = ("run", "source", "state", "started", "pages", "records")
    rows = ([*({**run, "started": moment(run["started"])}[column] for column in columns), _what(run)] for run in found)
    print_table((*columns, ""), islice(rows, MOST_SHOWN))
    if (left := len(found) - MOST_SHOWN) > 0:
        say(f"… and {counted(left, 'older run')}. --json prints all.")


def _what(run: Mapping[str, Any]) -> str:
    """Return what a run did, in a few words."""
    return ", ".join(f"{run[name]:,} {name}" for name in COUNTED if run.get(name))


def _run_to_plain(row: AnyRow) -> dict[str, Any]:
    """Return what is told of a run."""
    from windrow.store.moments import from_text, shown  # noqa: PLC0415 - with the store

    seconds = (from_text(row.ended_at) - from_text(row.started_at)).total_seconds() if row.ended_at else None
    about = {"run": row.id, "source": row.name, "state": row.state, "trigger": row.trigger, "due": shown(row.due_at)}
    times = {"started": shown(row.started_at), "ended": shown(row.ended_at)}
    return {**about, **times, **row.counts, "seconds": seconds, "sentence": row.sentence}
