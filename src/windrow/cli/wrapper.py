"""``windrow check`` and ``heal``: whether a wrapper still fits its site, and what to do where it does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.examples import read_examples
from windrow.cli.learning import load_example
from windrow.cli.sources import without_password
from windrow.cli.terminal import counted, safe, to_json
from windrow.cli.wrapper_file import (
    AS_JSON,
    OUTPUT,
    WRAPPER,
    page_loader,
    read_owned,
    wrapper_page_options,
    write_file,
    write_wrapper,
)
from windrow.errors import HealUncertain, RegionGone, UsageError
from windrow.wrapper import Example as Record
from windrow.wrapper.template.bartree import VARIABLE_SETS

if TYPE_CHECKING:
    from windrow.cli.examples import Example
    from windrow.page import Page
    from windrow.wrapper import Change
    from windrow.wrapper.healing import HealReport

NOT_AS_LEARNED = RegionGone.exit_code
MOST_SHOWN = 80
"""Characters of the values of a label that a line shows."""


@click.command()
@WRAPPER
@click.argument("source")
@click.option(
    "--method", type=click.Choice(["best", *VARIABLE_SETS]), default="best", show_default=True, help="What is compared."
)
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw the bar-trees, as .png or .svg.")
@AS_JSON
@wrapper_page_options
@diagnostic_options
@click.pass_context
def check(ctx: click.Context, /, *, wrapper: Path, source: str, method: str, **choices: Any) -> None:  # noqa: ANN401
    """Check whether the template of a page has changed since it was learned.

    The exit status is 0 where it has not and 6 where it has, be it a note, a warning or a reason to stop.
    """
    picture, as_json = choices.pop("picture"), choices.pop("as_json")
    learned, manner = read_owned(wrapper, choices)
    with page_loader() as load:
        change = learned.check(load(manner.task(source)), method)
    if picture is not None:
        draw_change(change, picture)
    if as_json:
        click.echo(to_json({"source": without_password(source), **change.to_dict()}))
    else:
        said = f"changed ({change.kind}, {change.severity})" if change.changed else f"unchanged ({change.kind})"
        click.echo(safe(f"{said}: {change.sentence}"))
    ctx.exit(NOT_AS_LEARNED if change.changed else 0)


@click.command()
@WRAPPER
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--partial", is_flag=True, help="Leave out the labels that can't be kept.")
@click.option(
    "--known",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Further pages with what is known of them, as `learn --examples` has it.",
)
@OUTPUT
@AS_JSON
@wrapper_page_options
@diagnostic_options
def heal(*, wrapper: Path, sources: tuple[str, ...], output: Path, as_json: bool, **choices: Any) -> None:  # noqa: ANN401
    """Learn a changed template again by the old values, which SOURCE must still show.

    Further sources are pages of the new template, on which what was learned is tried; --url is the first one's. Records
    that are known of pages tell where a text stands by chance. The
    exit status is 6 where the text is gone or a label can't be kept; nothing is written then.
    """
    partial, file = choices.pop("partial"), choices.pop("known")
    learned, manner = read_owned(wrapper, choices)
    examples = [] if file is None else read_examples(file)
    try:
        with page_loader() as load:
            pages = [load(manner.task(source, has_url=number == 0)) for number, source in enumerate(sources)]
            shown = [load_example(load, manner, example, has_url=False) for example in examples]
        known = [to_record(page, example) for page, example in zip(shown, examples, strict=True)]
        healed = learned.heal(pages + shown, known=known, partial=partial)
    except (RegionGone, HealUncertain) as error:
        if as_json:
            click.echo(to_json({"healed": False, "kind": error.kind, "report": error.report.to_dict()}))
        else:
            print_report(error.report, len(sources) + len(examples))
        raise
    write_wrapper(output, healed)
    report = healed.report
    if report is None:
        return
    if as_json:
        click.echo(to_json({"healed": True, "report": report.to_dict()}))
        return
    print_report(report, len(pages) + len(shown))


def to_record(page: Page, example: Example) -> Record:
    """Return what is known of a page; without an address nobody could tell which page it is of."""
    if not page.url:
        raise UsageError(f"Nobody says where {example.source} came from. Give its address, as url of its example.")
    if isinstance(example.wanted, list):
        return Record.of_rows(page, example.wanted)
    return Record.of_record(page.url, example.wanted)


def print_report(report: HealReport, pages: int) -> None:
    """Print where each label was and is, what it read and reads, and how sure that is."""
    click.echo(safe(report.sentence))
    for label, move in report.moves.items():
        sure = f"{move.confidence:.2f}, {move.pages} of {counted(pages, 'page')}"
        runner_up = f", next best {move.runner_up!r}" if move.runner_up else ""
        values = " → ".join(" | ".join(texts)[:MOST_SHOWN] for texts in (move.old_values, move.new_values))
        click.echo(safe(f"{label}: {move.old} → {move.new} ({sure}{runner_up})\n  {values}"))


def draw_change(change: Change, picture: Path) -> None:
    """Draw the learned bar-tree, and the new one where something changed."""
    ending = picture.suffix.lower()
    if ending not in {".png", ".svg"}:
        raise UsageError(f"The picture is a .png or .svg file, so {picture} should end in one of these.")
    write_file(picture, change.to_svg().encode() if ending == ".svg" else change.to_png())
