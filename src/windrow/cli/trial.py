"""``windrow wrapper try`` and ``picture``: what a wrapper would take, to be looked at by a person."""

from __future__ import annotations

from contextlib import closing
from os.path import commonprefix
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from windrow.cli.diagnostics import diagnostic_options, gravest, is_debugging
from windrow.cli.extraction import NOT_AS_LEARNED, Taken, Work
from windrow.cli.terminal import say, shown, standard_output, to_json
from windrow.cli.wrapper_file import (
    AS_JSON,
    WORKERS,
    WRAPPER,
    page_loader,
    read_owned,
    wrapper_page_options,
    write_file,
)
from windrow.errors import SourceError, UsageError
from windrow.overlay import draw
from windrow.result import Mark
from windrow.wrapper.gathering import find_same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.text import Text

    from windrow.wrapper import Extraction

MISSING = "–"
DOUBTFUL = "?"


@click.command("try")
@WRAPPER
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@AS_JSON
@wrapper_page_options
@WORKERS
@diagnostic_options
@click.pass_context
def try_(ctx: click.Context, /, *, wrapper: Path, sources: tuple[str, ...], as_json: bool, **choices: Any) -> None:  # noqa: ANN401
    """Show what a wrapper takes from pages: a row a page, a column a label.

    A cell with ? is doubtful, one with – is missing. A label whose value is the same on every page is pointed out: it
    may stand in the frame of the site. The exit status is as of `windrow extract`.
    """
    work = Work.of(wrapper, sources, choices)
    console, labels = standard_output(), work.wrapper.labels
    with closing(work.run(console, as_json=as_json, debug=is_debugging(ctx))) as found:
        every = list(found)
    same = find_same((taken.reading.found for taken in every if taken.reading is not None), labels)
    if as_json:
        click.echo(to_json({"labels": labels, "pages": [page_to_plain(each) for each in every], "same": same}))
    else:
        console.print(to_table(every, labels))
        for label, texts in same.items():
            console.print(shown(f"{label} is the same on every page: {'; '.join(texts)}. Is it this page's own?"))
    ctx.exit(gravest({taken.status for taken in every} - {0}))


def page_to_plain(taken: Taken) -> dict[str, Any]:
    """Return what JSON says of a page: its values, what is doubtful and what is missing."""
    plain = taken.to_plain()
    return {
        name: plain[name]
        for name in ("source", "url", "kind", "values", "doubtful", "missing", "error")
        if name in plain
    }


def to_table(every: Sequence[Taken], labels: Sequence[str]) -> Table:
    """Return the table of pages and labels; a list page has a row a record."""
    folder = common_folder([taken.source for taken in every])
    table = Table(title=shown(folder, "dim") if folder else None, title_justify="left")
    for name in ("page", *labels):
        table.add_column(shown(name, "bold"), overflow="fold")
    for taken in every:
        records = taken.reading.found.rows if taken.reading is not None else []
        table.add_row(
            shown(taken.source.removeprefix(folder)), *(to_cell(taken, label, records[:1]) for label in labels)
        )
        for record in records[1:]:
            table.add_row("", *(shown("\n".join(record.get(label, [MISSING]))) for label in labels))
    return table


def common_folder(sources: Sequence[str]) -> str:
    """Return what all sources begin with, up to the last slash; nothing for one alone."""
    begin = commonprefix(list(sources)) if len(sources) > 1 else ""  # noqa: RUF071 - addresses too; cut below
    return begin[: begin.rfind("/") + 1]


def to_cell(taken: Taken, label: str, records: Sequence[Mapping[str, list[str]]]) -> Text:
    """Return one cell: its values, a line each; texts that are doubtful, or the sign that there is nothing.

    Of labels that stand in records, it holds the first one's.
    """
    if taken.reading is None:
        return shown("" if taken.error is None else taken.error.kind, "dim")
    found = taken.reading.found
    in_records = any(label in row for row in found.rows)
    texts = records[0].get(label) if records and in_records else found.values.get(label)
    if texts:
        return shown("\n".join(texts))
    if doubtful := found.doubtful.get(label):
        return shown("\n".join(f"{text} {DOUBTFUL}" for text in doubtful), "yellow")
    return shown(MISSING if found.kind == "page" else found.kind, "dim")


@click.command()
@WRAPPER
@click.argument("source")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE.png", help="Write the picture here."
)
@wrapper_page_options
@diagnostic_options
@click.pass_context
def picture(ctx: click.Context, /, *, wrapper: Path, source: str, output: Path, **choices: Any) -> None:  # noqa: ANN401
    """Draw frames around what a wrapper takes from a page, a colour a label.

    The exit status is 6 where a required label was not surely found.
    """
    learned, manner = read_owned(wrapper, choices)
    if output.suffix.lower() != ".png":
        raise UsageError(f"The picture is a PNG file, so {output} should end in .png.")
    if not manner.fetch().render:
        raise UsageError("A picture needs the browser. Say --render.")
    with page_loader() as load:
        page = load(manner.task(source, screenshot=True))
    if page.screenshot is None:
        raise SourceError(
            f"{source} was saved without its picture. Name the page itself, or save it with `windrow read --picture`."
        )
    found = learned.extract(page)
    write_file(output, draw(page.screenshot, extraction_to_marks(found)))
    for label in found.missing:
        say(f"{label} is {'doubtful' if found.doubtful.get(label) else 'missing'}, and not in the picture.")
    ctx.exit(NOT_AS_LEARNED if found.lacking else 0)


def extraction_to_marks(found: Extraction) -> list[Mark]:
    """Return a frame around each value that stands on the page."""
    return [
        Mark(place.box, label, label)
        for label, places in found.located.items()
        for place in places
        if place.box is not None
    ]
