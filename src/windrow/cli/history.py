"""``windrow history`` and ``diff``: what happened to the records of a source."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.listing import moment, print_lines, print_table
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, say
from windrow.cli.wrapper_file import AS_JSON

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy.engine import Connection

    from windrow.store.history import Change
    from windrow.store.sources import SourceRow

MOST_SHOWN = 200
"""Changes that the terminal shows; JSON has them all."""
COLUMNS = ("run", "at", "key", "kind", "label", "old", "new")


@click.command()
@click.argument("name")
@click.option("--key", metavar="KEY", help="Only of the record with this key.")
@click.option("--label", metavar="LABEL", help="Only the values of this label.")
@click.option("--since", metavar="RUN|TIME", help="Only what happened after this run or time.")
@STORE
@AS_JSON
@diagnostic_options
def history(*, name: str, key: str | None, label: str | None, since: str | None, where: str, as_json: bool) -> None:  # noqa: PLR0913 - options of a command
    """Tell what happened to the records of the source NAME: added, changed, removed, returned; oldest first."""
    with _reading(where, name) as (connection, source):
        from windrow.store.history import Asked, History  # noqa: PLC0415 - with the store
        from windrow.store.points import find_point  # noqa: PLC0415 - as above

        point = None if since is None else find_point(connection, source, since)
        _show(History(connection, source).changes(Asked(key, label, point)), as_json=as_json)


@click.command()
@click.argument("name")
@click.argument("points", nargs=-1, metavar="[RUN|TIME [RUN|TIME]]")
@click.option("--held", is_flag=True, help="What the last run would have changed, had it not been held for review.")
@STORE
@AS_JSON
@diagnostic_options
def diff(*, name: str, points: tuple[str, ...], held: bool, where: str, as_json: bool) -> None:
    """Tell what the records of the source NAME differ in, by key, between two runs or times.

    Without any, the last whole run is compared with the one before it; with one, that with the last whole run before.
    A value that went and came back is no difference.
    """
    if len(points) > (0 if held else 2):
        raise click.UsageError("Name at most two runs or times to compare, and none with --held.")
    with _reading(where, name) as (connection, source):
        from windrow.store.history import History, choose_points  # noqa: PLC0415 - with the store

        if held:
            _show(History(connection, source).held(), as_json=as_json)
            return
        older, newer = choose_points(connection, source, points)
        if not as_json:
            say(f"From {older} to {newer}:")
        _show(History(connection, source).difference(older, newer), as_json=as_json)


@contextmanager
def _reading(where: str, name: str) -> Iterator[tuple[Connection, SourceRow]]:
    with open_store(where, make=False) as store, store.reading() as connection:
        from windrow.store.sources import get_source  # noqa: PLC0415 - with the store

        yield connection, get_source(connection, name)


def _show(changes: Iterable[Change], *, as_json: bool) -> None:
    if as_json:
        print_lines(change.to_dict() for change in changes)
        return
    found = iter(changes)
    first = list(islice(found, MOST_SHOWN))
    if not first:
        say("Nothing changed.")
        return
    values = ({**change.to_dict(), "at": moment(change.at)} for change in first)
    print_table(COLUMNS, ([each[column] for column in COLUMNS] for each in values))
    if left := sum(1 for _ in found):
        say(f"… and {counted(left, 'more change')}. --json prints all.")
