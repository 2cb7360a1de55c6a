"""``windrow learn``, ``extract``, ``check`` and ``heal``: wrappers on the command line."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from windrow.atomic import written
from windrow.cli.diagnostics import diagnostic_options, gravest
from windrow.cli.options import choices_to_options, page_options
from windrow.cli.sources import without_password
from windrow.cli.terminal import safe, say, to_json
from windrow.errors import HealUncertain, RegionGone, SourceError, UsageError, WindrowError
from windrow.loader import Loader
from windrow.wrapper import Wrapper
from windrow.wrapper import learn as learn_wrapper
from windrow.wrapper.bartree import VARIABLE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.page import Page
    from windrow.wrapper import Change, Extraction

NOT_AS_LEARNED = RegionGone.exit_code
WRAPPER = click.argument("wrapper", type=click.Path(path_type=Path), metavar="WRAPPER")
NO_RENDER = click.option("--no-render", is_flag=True, help="Read without a browser: structure and text, no boxes.")
URL = click.option("--url", metavar="URL", help="Where a saved page came from.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE.json",
    help="Write the wrapper here.",
)


@click.command()
@click.argument("source")
@click.option(
    "--want", "wants", multiple=True, required=True, metavar='LABEL="TEXT"', help="A value as displayed; repeatable."
)
@click.option("--region", metavar="TEXT", help="The text of the whole region of interest.")
@OUTPUT
@NO_RENDER
@URL
@page_options
@diagnostic_options
def learn(*, source: str, wants: tuple[str, ...], output: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Learn a site from text that its page SOURCE displays.

    The same label given again means that it has several values.
    """
    region = choices.pop("region")
    with page_loader(choices) as load:
        wrapper = learn_wrapper(load(source), wants_to_texts(wants), region)
    write_file(output, wrapper.to_json().encode() + b"\n")
    for choice in wrapper.choices:
        say(
            f"{choice.text!r} of {choice.label} stands in {len(choice.others) + 1} places; the first of these counts "
            f"most: {', '.join([choice.chosen, *choice.others])}."
        )
    say(f"Learned {', '.join(wrapper.labels)}. The wrapper is in {output}.")


@click.command()
@WRAPPER
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@AS_JSON
@NO_RENDER
@URL
@page_options
@diagnostic_options
@click.pass_context
def extract(ctx: click.Context, /, *, wrapper: Path, sources: tuple[str, ...], as_json: bool, **choices: Any) -> None:  # noqa: ANN401
    """Read the learned values from pages of the same site.

    The exit status is 6 where a label was not found on one of the pages.
    """
    learned, statuses = read_wrapper(wrapper), set()
    with page_loader(choices) as load:
        for source in sources:
            try:
                found = learned.extract(load(source))
            except WindrowError as error:
                if len(sources) == 1:
                    raise
                say(f"{without_password(source)}: {error}")
                statuses.add(error.exit_code)
                continue
            if found.missing:
                statuses.add(NOT_AS_LEARNED)
            if as_json:
                click.echo(to_json({"source": without_password(source), **found.to_dict()}))
            else:
                print_extraction(found, without_password(source) if len(sources) > 1 else None)
    ctx.exit(gravest(statuses))


@click.command()
@WRAPPER
@click.argument("source")
@click.option(
    "--method", type=click.Choice(["best", *VARIABLE_SETS]), default="best", show_default=True, help="What is compared."
)
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw the bar-trees, as .png or .svg.")
@AS_JSON
@NO_RENDER
@URL
@page_options
@diagnostic_options
@click.pass_context
def check(ctx: click.Context, /, *, wrapper: Path, source: str, method: str, **choices: Any) -> None:  # noqa: ANN401
    """Check whether the template of a page has changed since it was learned.

    The exit status is 0 where it has not and 6 where it has.
    """
    picture, as_json = choices.pop("picture"), choices.pop("as_json")
    learned = read_wrapper(wrapper)
    with page_loader(choices) as load:
        change = learned.check(load(source), method)
    if picture is not None:
        draw_change(change, picture)
    if as_json:
        click.echo(to_json({"source": without_password(source), **change.to_dict()}))
    else:
        click.echo(safe(f"{'changed' if change.changed else 'unchanged'} ({change.kind}): {change.sentence}"))
    ctx.exit(NOT_AS_LEARNED if change.changed else 0)


@click.command()
@WRAPPER
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@OUTPUT
@AS_JSON
@NO_RENDER
@URL
@page_options
@diagnostic_options
def heal(*, wrapper: Path, sources: tuple[str, ...], output: Path, as_json: bool, **choices: Any) -> None:  # noqa: ANN401
    """Learn a changed template again by the old values, which SOURCE must still show.

    Further sources are pages of the new template, on which what was learned is tried; --url is the first one's. The
    exit status is 6 where the text is gone or a person must decide; nothing is written then.
    """
    learned = read_wrapper(wrapper)
    try:
        with page_loader(choices) as load:
            pages = [load(sources[0]), *(load(source, has_url=False) for source in sources[1:])]
        healed = learned.heal(pages)
    except (RegionGone, HealUncertain) as error:
        if as_json:
            click.echo(to_json({"healed": False, "kind": error.kind, "report": error.report.to_dict()}))
        raise
    write_file(output, healed.to_json().encode() + b"\n")
    report = healed.report
    if report is None:
        return
    if as_json:
        click.echo(to_json({"healed": True, "report": report.to_dict()}))
        return
    click.echo(safe(report.sentence))
    for label, move in report.moves.items():
        sure = f"{move.confidence:.2f}, {move.pages} of {len(pages)} pages"
        runner_up = f", next best {move.runner_up!r}" if move.runner_up else ""
        click.echo(safe(f"{label}: {move.old} → {move.new} ({sure}{runner_up})"))


class Load(Protocol):
    """Loads a page by the options of the command, with one browser for all pages."""

    def __call__(self, source: str, *, has_url: bool = True) -> Page:
        """Load a page; ``has_url`` says whether ``--url`` is its own."""


@contextmanager
def page_loader(choices: dict[str, Any]) -> Iterator[Load]:
    """Load pages one after the other, by the options of the command."""
    render, url = not choices.pop("no_render"), choices.pop("url")
    with Loader(choices_to_options(choices), workers=1) as loader:

        def load(source: str, *, has_url: bool = True) -> Page:
            return loader.load(source, url=url if has_url else None, render=render)

        yield load


def print_extraction(found: Extraction, source: str | None) -> None:
    """Print the values of each label, below the name of the source where there are several."""
    if source is not None:
        click.echo(safe(source))
    for label, values in found.values.items():
        for value in values or ["(not found)"]:
            click.echo(safe(f"{label}: {value}"))


def wants_to_texts(wants: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the texts of each label, from words such as ``title="text"``."""
    texts: dict[str, list[str]] = {}
    for want in wants:
        label, equals, text = want.partition("=")
        if not equals or not label.strip() or not text.strip():
            raise UsageError(f'{want!r} should look like title="text as the page displays it".')
        texts.setdefault(label.strip(), []).append(text)
    return texts


def read_wrapper(path: Path) -> Wrapper:
    """Read a wrapper from its file."""
    try:
        return Wrapper.from_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SourceError(f"The wrapper {path} could not be read: {why}. Learn one with `windrow learn`.") from None


def draw_change(change: Change, picture: Path) -> None:
    """Draw the learned bar-tree, and the new one where something changed."""
    ending = picture.suffix.lower()
    if ending not in {".png", ".svg"}:
        raise UsageError(f"The picture is a .png or .svg file, so {picture} should end in one of these.")
    write_file(picture, change.to_svg().encode() if ending == ".svg" else change.to_png())


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all."""
    with written(path) as file:
        file.write(data)
