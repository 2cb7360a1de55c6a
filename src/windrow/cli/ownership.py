"""``windrow wrapper``: look after wrappers: which there are, what they read, and what a person changes in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.examples import Example
from windrow.cli.learning import ROW, WANT, choose_examples, load_example, tell_what_was_learned
from windrow.cli.terminal import counted, say, shown, standard_output, to_json
from windrow.cli.trial import picture, try_
from windrow.cli.wrapper_file import (
    AS_JSON,
    WRAPPER,
    page_loader,
    read_owned,
    read_wrapper,
    wrapper_page_options,
    write_wrapper,
)
from windrow.errors import SourceError, WindrowError
from windrow.wrapper import learn as learn_wrapper
from windrow.wrapper.field import AS_IT_COMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.cli.wrapper_file import Manner
    from windrow.loader import Task
    from windrow.page import Page
    from windrow.wrapper import Wrapper


@click.group()
def wrapper() -> None:
    """Look after wrappers: list, show, rename-label, add-example, try, picture, undo."""


wrapper.add_command(try_)
wrapper.add_command(picture)


@wrapper.command("list")
@click.argument("folder", type=click.Path(path_type=Path), default=".")
@AS_JSON
@diagnostic_options
def list_(*, folder: Path, as_json: bool) -> None:
    """List the wrappers below FOLDER, or below this one; other JSON files are passed over."""
    if not folder.is_dir():
        raise SourceError(f"There is no folder {folder}. Check the spelling of its name.")
    found: list[tuple[Path, Wrapper]] = []
    for path in sorted(folder.rglob("*.json")):
        if looks_like_wrapper(path):
            try:
                found.append((path, read_wrapper(path)))
            except WindrowError as error:
                say(str(error))
    if as_json:
        for path, each in found:
            click.echo(to_json({"file": str(path), **wrapper_to_plain(each)}))
        return
    if not found:
        say(f"There is no wrapper below {folder}. Learn one with `windrow learn`.")
        return
    table = Table(box=None, pad_edge=False)
    for name in ("file", "name", "learned", "version", "labels", "page"):
        table.add_column(shown(name, "bold"), overflow="fold")
    for path, each in found:
        plain = wrapper_to_plain(each)
        day = (plain["learned_at"] or "")[:10]
        pages = plain["pages"]
        table.add_row(*map(shown, [str(path), each.name, day, str(each.version), ", ".join(each.labels), pages[0]]))
    standard_output().print(table)


def looks_like_wrapper(path: Path) -> bool:
    """Whether a JSON file says that it is a wrapper, were it a broken one."""
    try:
        with path.open("rb") as file:
            return b'"windrow": "wrapper"' in file.read(64)
    except OSError:
        return False


@wrapper.command()
@WRAPPER
@AS_JSON
@diagnostic_options
def show(*, wrapper: Path, as_json: bool) -> None:
    """Show a wrapper: its name, when and from which pages it was learned, its labels, its version, its options."""
    learned = read_wrapper(wrapper)
    plain = wrapper_to_plain(learned)
    if as_json:
        click.echo(to_json(plain))
        return
    about = {
        "name": learned.name,
        "learned": (plain["learned_at"] or "").replace("T", " "),
        "from": "\n".join(plain["pages"]),
        "version": str(learned.version),
        "fetched with": ", ".join(f"{name}={to_json(value).decode()}" for name, value in plain["fetch"].items()),
    }
    console = standard_output()
    table = Table.grid(padding=(0, 2))
    for name, text in about.items():
        if text:
            table.add_row(shown(name, "bold"), shown(text))
    console.print(table)
    console.print()
    labels = Table(box=None, pad_edge=False)
    for name in ("label", "type", "values", "needed", "example", "note"):
        labels.add_column(shown(name, "bold"), overflow="fold")
    for label, said in plain["labels"].items():
        count = {True: "several", False: "one", None: ""}[said["several"]]
        needed = "required" if said["required"] else "optional"
        note = "this page only" if said["local"] else ""
        labels.add_row(*map(shown, [label, said["type"] or "", count, needed, "\n".join(said["example"]), note]))
    console.print(labels)


def wrapper_to_plain(learned: Wrapper) -> dict[str, Any]:
    """Return what people should know of a wrapper, as JSON can hold it."""
    labels = {}
    for label in learned.labels:
        said = learned.fields.get(label, AS_IT_COMES)
        example = next((each.values[label] for each in learned.examples if each.values.get(label)), ())
        labels[label] = {
            "type": said.type,
            "several": said.several,
            "required": said.required,
            "local": label in learned.local_labels,
            "example": list(example),
        }
    return {
        "name": learned.name,
        "learned_at": learned.learned_at.isoformat() if learned.learned_at else None,
        "pages": [example.url or example.source or "a page from memory" for example in learned.examples],
        "version": learned.version,
        "fetch": learned.fetch.to_dict(),
        "labels": labels,
    }


@wrapper.command("rename-label")
@WRAPPER
@click.argument("old")
@click.argument("new")
@diagnostic_options
def rename_label(*, wrapper: Path, old: str, new: str) -> None:
    """Give the label OLD the name NEW."""
    write_wrapper(wrapper, read_wrapper(wrapper).rename_label(old, new))
    say(f"{old} is now called {new}. `windrow wrapper undo {wrapper}` takes that back.")


@wrapper.command()
@WRAPPER
@diagnostic_options
def undo(*, wrapper: Path) -> None:
    """Go one step back: to the wrapper as it was before it was healed, renamed or shown another example."""
    newer = read_wrapper(wrapper)
    older = newer.undo()
    write_wrapper(wrapper, older)
    say(f"{wrapper} is version {older.version} again; version {newer.version} is gone.")


@wrapper.command("add-example")
@WRAPPER
@click.argument("source")
@WANT
@ROW
@click.option("--leave-out-lost", is_flag=True, help="Go on without old pages that can't be had or no longer show it.")
@wrapper_page_options
@diagnostic_options
def add_example(*, wrapper: Path, source: str, leave_out_lost: bool, **choices: Any) -> None:  # noqa: ANN401
    """Teach a wrapper one more page, SOURCE, with the texts that it displays.

    The pages that it was learned from are read again. Where one of them can't be had, or no longer shows what was
    pasted from it, that is said and the wrapper stays as it was.
    """
    added = choose_examples(source, choices)
    learned, manner = read_owned(wrapper, choices)
    with page_loader() as load:
        lessons: list[Any] = [(load_example(load, manner, added[0]), added[0].wanted)]
        before, lost = read_again(learned, replace(manner, url=None), load)
    for sentence in lost:
        say(sentence)
    if lost and not leave_out_lost:
        raise SourceError(
            f"The wrapper {wrapper} stays as it was. Learn it anew from pages that are there, or say --leave-out-lost."
        )
    region = None if lost else learned.examples[0].region or None
    taught = learned.succeeded_by(learn_wrapper([*before, *lessons], region=region))
    write_wrapper(wrapper, taught)
    for label in taught.labels:
        if label not in learned.labels:
            say(f"{label} is a new label, which the older examples do not have.")
    if without := [label for label in learned.labels if not learned.list_rule and label not in added[0].wanted]:
        say(f"Nothing was pasted for {', '.join(without)}: {source} says nothing of them.")
    tell_what_was_learned(taught)
    pages = counted(len(taught.examples), "page")
    say(f"Learned {', '.join(taught.labels)} from {pages}. This is version {taught.version}.")


def read_again(learned: Wrapper, manner: Manner, load: Callable[[Task], Page]) -> tuple[list[Any], list[str]]:
    """Return the pages that a wrapper was learned from with what was pasted, and a sentence for each that is lost."""
    pages: list[Any] = []
    lost = []
    for example in learned.examples:
        wanted: Any = {label: list(texts) for label, texts in example.values.items()}
        shown: Any = {label: texts for label, texts in wanted.items() if texts}
        if example.rows:
            shown = wanted = [{label: list(texts) for label, texts in row.items()} for row in example.rows]
        places = [place for place in (example.source, example.url) if place]
        why = "It came from memory, and was not kept."
        for place in places:
            try:
                url = example.url if place == example.source else None
                page = load_example(load, manner, Example(place, wanted, url or None))
                learn_wrapper(page, shown)
            except WindrowError as error:
                why = str(error)
            else:
                pages.append((page, wanted))
                break
        else:
            lost.append(f"The example {' or '.join(places) or 'without address'} is lost. {why}")
    return pages, lost
