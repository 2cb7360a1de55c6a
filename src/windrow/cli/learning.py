"""``windrow learn``: from pasted text to a wrapper in a file, with everything said that a person should know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.examples import Example, read_examples, words_to_rows, words_to_texts
from windrow.cli.terminal import counted, say
from windrow.cli.wrapper_file import OUTPUT, Manner, page_loader, to_keep, wrapper_page_options, write_wrapper
from windrow.errors import UsageError
from windrow.result import TYPES
from windrow.wrapper import Field
from windrow.wrapper import learn as learn_wrapper

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.loader import Task
    from windrow.page import Page
    from windrow.wrapper import Wrapper

WANT = click.option(
    "--want", "wants", multiple=True, metavar='LABEL="TEXT"', help="A value as displayed; the label again for more."
)
ROW = click.option(
    "--row",
    "--rows",
    "rows",
    multiple=True,
    metavar='"A=TEXT|B=TEXT"',
    help="A row of a list page; two teach more than one.",
)
NOT_KEPT = {
    "headers": "The headers are not kept in the wrapper, since they may hold passwords. Give them again to `extract`.",
    "proxy": "The proxy is not kept in the wrapper, since it may hold a password. Give it again to `extract`.",
    "allow_private": "--allow-private is not kept in the wrapper: whoever runs it decides. Give it again to `extract`.",
}


@click.command()
@click.argument("source", required=False)
@WANT
@ROW
@click.option(
    "--examples",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Several pages with their texts, in a .csv, .toml or .json file.",
)
@click.option("--region", metavar="TEXT", help="The text of the whole region of interest.")
@click.option("--name", default="", metavar="NAME", help="What you call the wrapper.")
@click.option("--one", multiple=True, metavar="LABEL", help="It has one value; several are doubtful. Repeatable.")
@click.option("--several", multiple=True, metavar="LABEL", help="It may have several values. Repeatable.")
@click.option("--required", multiple=True, metavar="LABEL", help="A page must have it, as is the default. Repeatable.")
@click.option("--optional", multiple=True, metavar="LABEL", help="A page may lack it. Repeatable.")
@click.option(
    "--type", "types", multiple=True, metavar="LABEL=TYPE", help=f"What its values are: {', '.join(TYPES)}. Repeatable."
)
@OUTPUT
@wrapper_page_options
@diagnostic_options
def learn(*, source: str | None, output: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Learn a site from text that its page SOURCE displays, or from several pages that a file names.

    The same label given again means that it has several values. How the pages are fetched is kept in the wrapper.
    """
    fields = choose_fields(choices)
    region, name = choices.pop("region"), choices.pop("name")
    examples = choose_examples(source, choices)
    manner = Manner.of(choices)
    with page_loader() as load:
        lessons: list[Any] = [(load_example(load, manner, example), example.wanted) for example in examples]
    fetch = to_keep(manner.fetch(), output)
    learned = learn_wrapper(lessons, region=region, name=name, fields=fields, fetch=fetch)
    write_wrapper(output, learned)
    tell_what_was_learned(learned)
    for option in fetch.not_kept:
        say(NOT_KEPT[option])
    say(f"Learned {', '.join(learned.labels)} from {counted(len(examples), 'page')}. The wrapper is in {output}.")


def choose_examples(source: str | None, choices: dict[str, Any]) -> list[Example]:
    """Return the examples that were given, as words or in a file."""
    wants, rows, file = choices.pop("wants"), choices.pop("rows"), choices.pop("examples", None)
    if wants and rows:
        raise UsageError(
            "--want is for a page that shows one thing, --row for one that lists several. Give one of them."
        )
    if source is None and (wants or rows or file is None):
        raise UsageError("Name the page that shows these texts, or a file with several pages: --examples FILE.")
    if source is not None and not (wants or rows):
        raise UsageError(f'Say what to take from {source}: --want title="text as the page displays it".')
    if file is not None and choices["url"] is not None:
        raise UsageError("--url says where one saved page came from. Write it into the file, as url of its example.")
    found = [] if source is None else [Example(source, words_to_rows(rows) if rows else words_to_texts(wants))]
    found += read_examples(file) if file is not None else []
    if len({example.is_list for example in found}) > 1:
        raise UsageError("Some examples are rows of a list and some are not. Learn a wrapper for each kind of page.")
    return found


def load_example(load: Callable[[Task], Page], manner: Manner, example: Example, *, has_url: bool = True) -> Page:
    """Load the page of an example; the address that stands with it counts, else the one that was said, if it has it."""
    task = manner.task(example.source, has_url=has_url)
    return load(task if example.url is None else replace(task, url=example.url))


def choose_fields(choices: dict[str, Any]) -> dict[str, Field]:
    """Return what was said of each label."""
    several = said_of(choices.pop("several"), choices.pop("one"), "--several", "--one")
    required = said_of(choices.pop("required"), choices.pop("optional"), "--required", "--optional")
    types: dict[str, Any] = {}
    for word in choices.pop("types"):
        label, equals, kind = word.rpartition("=")
        if not equals or not label.strip():
            raise UsageError(f"{word!r} should look like price=money; the types are: {', '.join(TYPES)}.")
        types[label.strip()] = kind.strip()
    return {
        label: Field(type=types.get(label), several=several.get(label), required=required.get(label, True))
        for label in dict.fromkeys([*types, *several, *required])
    }


def said_of(yes: tuple[str, ...], no: tuple[str, ...], *options: str) -> dict[str, bool]:
    """Return the answer for each label, and refuse two answers for one."""
    if both := set(yes) & set(no):
        raise UsageError(f"{min(both)} can't be both {' and '.join(options)}. Leave one of them out.")
    return dict.fromkeys(yes, True) | dict.fromkeys(no, False)


def tell_what_was_learned(learned: Wrapper) -> None:
    """Say what a person should know at once: names taken off, places chosen among several, labels of one page only."""
    for remark in learned.remarks:
        say(remark)
    for label in learned.local_labels:
        say(
            f"{label} is read only on the address where it was pasted: nothing tells where it stands on others. Paste "
            "its whole line, or show another page that has it with `windrow wrapper add-example`."
        )
