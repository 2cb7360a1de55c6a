"""``windrow export``: records out of the store, on the terminal, as JSON, or in a file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from windrow.atomic import written
from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.listing import in_short, print_lines, print_table
from windrow.cli.progress import progress
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, say, standard_output, to_json
from windrow.cli.wrapper_file import AS_JSON
from windrow.errors import SourceError, UsageError
from windrow.extras import library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.atomic import NewFile
    from windrow.result.grid import Grid
    from windrow.store.collections import Gathering, Merged
    from windrow.store.rows import Record, Rows, Wanted

ENDINGS = (".csv", ".jsonl", ".json", ".parquet", ".xlsx", ".db")
LIBRARIES = {".parquet": "pyarrow.parquet", ".xlsx": "openpyxl"}
"""What some of them need."""
WARC = ".warc.gz"
"""How the name of a file ends that holds the pages that were kept, and no records."""
IN_JSON = (".jsonl", ".json")
MOST_SHOWN = 50
"""Records that the terminal shows."""


@dataclass(frozen=True)
class Chosen:
    """What is exported: the records of sources, or the rows of a collection."""

    sources: list[Rows]
    gathering: Gathering | None = None

    @property
    def count(self) -> int:
        """How many there are at most."""
        return sum(rows.count() for rows in self.sources) if self.gathering is None else len(self.gathering)

    def dicts(self, passing: Callable[[], None]) -> Iterable[Mapping[str, Any]]:
        """Yield them as JSON can hold them."""
        for each in chain.from_iterable(self.sources) if self.gathering is None else self.gathering:
            passing()
            yield each.to_dict()

    def tables(self) -> Iterator[tuple[str, Sequence[str], Iterable[Sequence[object]]]]:
        """Yield what people look at, with its name and its columns: keys and values; files have the rest."""
        for rows in self.sources:
            labels = [field.label for field in rows.fields]
            about = ("key", "state") if rows.wanted.gone else ("key",)
            yield rows.source.name, [*about, *labels], (_cells(record, about, labels) for record in rows)
        if self.gathering is not None:
            name, labels = self.gathering.collection.name, self.gathering.collection.labels
            yield name, [*labels, "sources"], (_merged_cells(row, labels) for row in self.gathering)

    def grids(self, passing: Callable[[], None], *, apart: bool) -> list[Grid]:
        """Return them as grids, one in all or, apart, one a source."""
        from windrow.store.grids import collection_to_grid, records_to_grid  # noqa: PLC0415 - with the store

        if self.gathering is not None:
            return [collection_to_grid(self.gathering, passing)]
        parts = [[rows] for rows in self.sources] if apart else [self.sources]
        return [records_to_grid(part, part[0].source.name, passing) for part in parts]


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--collection", metavar="NAME", help="The rows of a collection instead.")
@click.option("--alike", is_flag=True, help="Of a collection, pairs that may be the same thing; nothing is merged.")
@click.option("--gone", is_flag=True, help="Also the records that are gone.")
@click.option("--at", metavar="RUN|TIME", help="As it was at the end of this run, or at this time.")
@click.option("--origin", is_flag=True, help="With where each value came from; in JSON.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"Write into FILE; its ending is the form: {', '.join(ENDINGS)}.",
)
@STORE
@AS_JSON
@diagnostic_options
def export(*, names: tuple[str, ...], where: str, output: Path | None, as_json: bool, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Give out the records of the sources that are NAMEd, or the rows of a collection."""
    if output is not None and output.name.lower().endswith(WARC):
        _write_pages(where, names, output)
        return
    collection, alike = choices.pop("collection"), choices.pop("alike")
    if bool(names) == (collection is not None):
        raise click.UsageError("Name the sources to export, or one --collection.")
    ending = None if output is None else check_ending(output)
    if choices["origin"] and (ending not in IN_JSON if ending else not as_json):
        raise click.UsageError("--origin needs room for it: say --json, or write a .jsonl or .json file.")
    if alike and (collection is None or ending not in (None, *IN_JSON)):
        raise click.UsageError(
            "--alike is for a --collection, on the terminal, as --json, or in a .jsonl or .json file."
        )
    with open_store(where, make=False) as store, store.reading() as connection:
        if alike:
            _give_pairs(_gather(connection, collection, choices), output, as_json=as_json)
            return
        if collection is None:
            chosen = Chosen(_find_sources(connection, dict.fromkeys(names), choices))
        else:
            chosen = Chosen([], _gather(connection, collection, choices))
        _give(chosen, output, as_json=as_json)


def _write_pages(where: str, names: tuple[str, ...], path: Path) -> None:
    """Write the pages that were kept of a source as a WARC file."""
    if len(names) != 1:
        raise click.UsageError("A WARC file holds the pages of one source. Name one.")
    with open_store(where, make=False) as store, store.reading() as connection:
        from windrow.harvest.warc import write_warc  # noqa: PLC0415 - with the store
        from windrow.store.bodies import list_kept  # noqa: PLC0415 - as above
        from windrow.store.sources import get_source  # noqa: PLC0415 - as above

        number = get_source(connection, names[0]).id
        if not (total := len(list_kept(connection, number))):
            raise UsageError(f"No page of {names[0]} was kept. Set keep.pages=true, and harvest it.")
        with progress(standard_output(), total, as_json=False, doing="writing") as advance, written(path) as file:
            write_warc(connection, number, file, advance)
    say(f"{counted(total, 'page')} in {path}.")


def check_ending(path: Path) -> str:
    """Return the ending of a file's name; an error where it names no form, or the form needs what is not there."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"The name {path} does not say in which form to write; end it in one of: {', '.join([*ENDINGS, WARC])}."
        )
    if not path.parent.is_dir():
        raise SourceError(f"There is no folder {path.parent} to write into. Make it first, or choose another place.")
    if ending in LIBRARIES:
        library(LIBRARIES[ending])
    return ending


def _find_sources(connection: Connection, names: Iterable[str], choices: Mapping[str, Any]) -> list[Rows]:
    from windrow.store.points import find_point  # noqa: PLC0415 - with the store
    from windrow.store.rows import Rows, Wanted  # noqa: PLC0415 - as above
    from windrow.store.sources import get_source  # noqa: PLC0415 - as above

    found = []
    for source in [get_source(connection, name) for name in names]:
        at = None if choices["at"] is None else find_point(connection, source, choices["at"])
        found.append(Rows(connection, source, Wanted(choices["gone"], at, choices["origin"])))
    return found


def _gather(connection: Connection, name: str, choices: Mapping[str, Any]) -> Gathering:
    from windrow.store.collections import Gathering, get_collection  # noqa: PLC0415 - with the store

    return Gathering(connection, get_collection(connection, name), _wanted_of_all(choices))


def _wanted_of_all(choices: Mapping[str, Any]) -> Wanted:
    """Return what is wanted of several sources, which have no run in common."""
    from windrow.store.points import find_moment  # noqa: PLC0415 - with the store
    from windrow.store.rows import Wanted  # noqa: PLC0415 - as above

    at = choices["at"]
    if at is not None and at.isdecimal():
        raise UsageError(f"The sources of a collection have no run {at} in common. Say --at with a date or a time.")
    return Wanted(choices["gone"], None if at is None else find_moment(at), choices["origin"])


def _give(chosen: Chosen, output: Path | None, *, as_json: bool) -> None:
    """Write what was chosen where it was asked for."""
    total = chosen.count
    if output is not None:
        with progress(standard_output(), total, as_json=as_json, doing="writing") as advance:
            given = write(chosen, output, advance)
        say(f"{counted(given, 'record' if chosen.gathering is None else 'row')} in {output}.")
    if as_json:
        print_lines(chosen.dicts(lambda: None))
    elif output is None and not show(chosen):
        names = ", ".join(rows.source.name for rows in chosen.sources)
        say(f"There is no record of {names} yet." if chosen.sources else "There is no row in the collection yet.")


def show(chosen: Chosen) -> int:
    """Print the beginning as a table; return how many were shown."""
    shown = 0
    for name, columns, cells in chosen.tables():
        rows = iter(cells)
        some = list(islice(rows, MOST_SHOWN))
        if some:
            print_table(columns, some)
        if left := sum(1 for _ in rows):
            say(f"… and {left:,} more of {name}; --json prints all, -o writes a file.")
        shown += len(some)
    return shown


def _cells(record: Record, about: Sequence[str], labels: Sequence[str]) -> list[object]:
    return [*(getattr(record, name) for name in about), *(record.values.get(label) for label in labels)]


def _merged_cells(row: Merged, labels: Sequence[str]) -> list[object]:
    """Return a row of a collection; where sources disagree, what each of them says."""
    cells: list[object] = []
    for label in labels:
        given = ((values.get(label), source) for source, values in row.sources.items())
        said = [f"{in_short(value)} ({source})" for value, source in given if value is not None]
        cells.append(said if label in row.conflicts else row.values[label])
    return [*cells, list(row.sources)]


def write(chosen: Chosen, path: Path, advance: Callable[[], None]) -> int:
    """Write a file in the form that its ending names, as a whole or not at all; return how many records it holds."""
    ending, seen = path.suffix.lower(), 0

    def passing() -> None:
        nonlocal seen
        seen += 1
        advance()

    if ending == ".db":
        _write_database(chosen, path, passing)
        return seen
    with written(path) as file:
        if ending in IN_JSON:
            write_json(file, chosen.dicts(passing), is_array=ending == ".json")
        else:
            _write_grids(file, ending, chosen.grids(passing, apart=ending == ".xlsx"))
    return seen


def write_json(file: NewFile, things: Iterable[Mapping[str, Any]], *, is_array: bool) -> None:
    """Write one JSON object a line, or an array of them."""
    before = b"[\n" if is_array else b""
    for each in things:
        file.write(before + to_json(each) + (b"" if is_array else b"\n"))
        before = b",\n" if is_array else b""
    if is_array:
        file.write(b"\n]\n" if before == b",\n" else b"[]\n")


def _write_grids(file: NewFile, ending: str, grids: list[Grid]) -> None:
    from windrow.result.files import write_grids  # noqa: PLC0415 - with the store

    for sentence in write_grids(file, ending, grids):
        say(sentence)


def _write_database(chosen: Chosen, path: Path, passing: Callable[[], None]) -> None:
    from windrow.result.database import write_tables  # noqa: PLC0415 - with the store
    from windrow.store.grids import grid_to_table, records_to_table  # noqa: PLC0415 - as above

    if chosen.gathering is not None:
        write_tables(path, map(grid_to_table, chosen.grids(passing, apart=False)))
    else:
        write_tables(path, (records_to_table(rows, passing) for rows in chosen.sources))


def _give_pairs(gathering: Gathering, output: Path | None, *, as_json: bool) -> None:
    from windrow.store.likeness import find_alike  # noqa: PLC0415 - with the store

    pairs = [pair.to_dict() for pair in find_alike(gathering)]
    if output is not None:
        with written(output) as file:
            write_json(file, pairs, is_array=output.suffix.lower() == ".json")
        say(f"{counted(len(pairs), 'pair')} in {output}.")
    if as_json:
        print_lines(pairs)
    elif output is None and not pairs:
        say(f"Nothing in {gathering.collection.name} is alike without having the same key.")
    elif output is None:
        labels = gathering.collection.compare or gathering.collection.key
        print_table(
            ("likeness", "sources", *labels),
            (
                (pair["likeness"] if number == 0 else "", side["sources"], *(side["values"][label] for label in labels))
                for pair in pairs
                for number, side in enumerate(pair["pair"])
            ),
        )
