"""``windrow status`` and ``runs``: how the sources are, and what their runs came to."""

from __future__ import annotations

from dataclasses import asdict
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
        from windrow.harvest.timetable import next_runs  # noqa: PLC0415 - with the store
        from windrow.store.overview import describe_sources  # noqa: PLC0415 - as above

        found = [asdict(each) for each in describe_sources(connection)]
        planned = next_runs(connection)
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


@click.command()
@click.argument("name", required=False)
@STORE
@AS_JSON
@diagnostic_options
def runs(*, name: str | None, where: str, as_json: bool) -> None:
    """List the runs of the source NAME, or of all, newest first."""
    with open_store(where, make=False) as store, store.reading() as connection:
        from windrow.store.runs import list_runs, run_to_dict  # noqa: PLC0415 - with the store
        from windrow.store.sources import get_source  # noqa: PLC0415 - as above

        source_id = None if name is None else get_source(connection, name).id
        found = [run_to_dict(row) for row in list_runs(connection, source_id)]
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
