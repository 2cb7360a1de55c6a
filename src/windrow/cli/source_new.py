"""``windrow source new``: a source from nothing, asked for in the terminal: paste, label, look, confirm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click
from rich.table import Table

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.learning import tell_what_was_learned
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, safe, say, shown, standard_output
from windrow.cli.wrapper_file import RENDER
from windrow.errors import UsageError, WindrowError
from windrow.loader import Loader
from windrow.options import Options
from windrow.render.executable import find_browser
from windrow.wrapper import Fetch, learn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.harvest.settings import Follow, SourceSettings
    from windrow.page import Page
    from windrow.store import Store
    from windrow.wrapper import Extraction, Wrapper

WAYS = {
    "1": "this page itself is one record",
    "2": "this page is a list, and its rows are the records",
    "3": "this page is a list that leads to a page for each record",
}


@dataclass(frozen=True)
class Reached:
    """How the records of a page are reached, and the pages to learn from and to try."""

    follow: Follow
    pages: list[str]
    is_list: bool = False


@click.command("new")
@click.argument("url")
@click.option("--allow-private", is_flag=True, help="Let requests reach loopback and private addresses.")
@RENDER
@STORE
@diagnostic_options
def new(*, url: str, allow_private: bool, render: bool | None, where: str) -> None:
    """Set a source up that begins at URL: questions are asked, texts pasted, and rows shown before anything is kept."""
    with open_store(where) as store:
        options = Options(allow_private=allow_private)
        lays_out = find_browser() is not None if render is None else render
        with Loader(options, workers=1) as loader:
            settings, wrapper = _ask(store, Reading(loader, lays_out), url, allow_private=allow_private)
        from windrow.harvest.sources import check_settings, save  # noqa: PLC0415 - takes a while, which other commands do without

        check_settings(settings)
        save(store, settings, wrapper, say=say)
    name = settings.name
    say(f"Added {name}. Read it with `windrow harvest {name}`, or keep its schedule with `windrow run`.")


@dataclass(frozen=True)
class Reading:
    """How pages are read while questions are asked."""

    loader: Loader
    render: bool

    def load(self, url: str) -> Page:
        """Load a page, with or without a browser."""
        return self.loader.load(url, render=self.render)


def _ask(store: Store, reading: Reading, url: str, *, allow_private: bool) -> tuple[SourceSettings, Wrapper]:
    from windrow.harvest import setting_up  # noqa: PLC0415 - takes a while, which other commands do without

    page = reading.load(url)
    say(f"{page.title().text or url} ({'as a browser shows it' if reading.render else 'read without a browser'})")
    reached = _ask_way(page)
    wrapper = _ask_texts(reading, page, reached)
    _show_samples(reading, wrapper, reached.pages)
    if not click.confirm("Are these the values that you want?", default=True, err=True):
        raise UsageError("Nothing was kept. Begin again, and paste whole texts from a page that has all of them.")
    name = _ask_name(store, url)
    key = _ask_key(wrapper)
    every = click.prompt(
        "How often? (as in '6 hours', or a cron line; empty for by hand only)", default="", show_default=False, err=True
    )
    plan = setting_up.Plan(
        name=name,
        start=(url,),
        follow=reached.follow,
        key=key,
        schedule=setting_up.parse_schedule(every),
        render=reading.render,
        allow_private=allow_private,
    )
    return plan.to_settings(), replace(wrapper, name=name)


def _ask_way(page: Page) -> Reached:
    """Ask how records are reached; the list that the page shows is offered."""
    from windrow.crawl.links import find_details, find_records  # noqa: PLC0415 - as above
    from windrow.harvest.setting_up import SAMPLES, guess_glob  # noqa: PLC0415 - as above
    from windrow.harvest.settings import Follow  # noqa: PLC0415 - as above

    regions = page.regions()
    records = regions[0].records if regions else ()
    links = list(find_records(page).addresses)
    if records:
        sample = " ".join(records[0].text.split())[:70]
        say(f"The page shows a list of {counted(len(records), 'record')}, such as: {sample}")
    for number, way in WAYS.items():
        say(f"  {number}  {way}")
    usual = "3" if links else "2" if records else "1"
    way = click.prompt("Which is it?", type=click.Choice(list(WAYS)), default=usual, err=True)
    if way == "1":
        return Reached(Follow(), [page.url])
    if way == "2":
        return Reached(Follow(), [page.url], is_list=True)
    if not links:
        raise UsageError("No link to a record was found on this page. Give the address of a record's page instead.")
    glob = click.prompt("Links to records (a glob on their path)", default=guess_glob(links), err=True)
    chosen = list(find_details(page, glob).addresses)
    if not chosen:
        raise UsageError(f"No link of this page matches {glob}. Look at the addresses of its records.")
    say(f"{counted(len(chosen), 'link')} match, such as {chosen[0]}.")
    return Reached(Follow(list="region", detail=glob), chosen[:SAMPLES])


def _ask_texts(reading: Reading, page: Page, reached: Reached) -> Wrapper:
    """Ask for texts and labels, of one page or of two rows, and learn them."""
    fetch = Fetch(reading.loader.options, reading.render)
    if reached.is_list:
        rows: list[dict[str, str | list[str]]] = []
        for number in ("first", "second"):
            say(f"Paste the texts of the {number} row, each as the page displays it.")
            rows.append(_ask_row(page, list(rows[0]) if rows else None))
        wrapper = learn(page, rows, fetch=fetch)
    else:
        sample = page if reached.pages == [page.url] else reading.load(reached.pages[0])
        say(f"Paste texts from {sample.url}, each as the page displays it.")
        wrapper = learn(sample, _ask_row(sample, None), fetch=fetch)
    tell_what_was_learned(wrapper)
    return wrapper


def _ask_row(page: Page, labels: Sequence[str] | None) -> dict[str, str | list[str]]:
    """Ask for labels with their texts, or for the texts of known labels."""
    texts: dict[str, list[str]] = {}
    for label in labels or ():
        if text := _ask_text(page, label, default=""):
            texts[label] = [text]
    while labels is None:
        label = click.prompt("  label (empty when done)", default="", show_default=False, err=True).strip()
        if not label:
            break
        texts.setdefault(label, []).append(_ask_text(page, label))
    if not texts:
        raise UsageError("Nothing was pasted. Begin again with at least one label and its text.")
    return {label: some[0] if len(some) == 1 else some for label, some in texts.items()}


def _ask_text(page: Page, label: str, default: str | None = None) -> str:
    while True:
        text = str(click.prompt(f"  text of {label}", default=default, show_default=False, err=True))
        try:
            if text:
                learn(page, {label: text})
        except WindrowError as error:
            say(str(error))  # and ask again: what was pasted before is not lost
        else:
            return text


def _show_samples(reading: Reading, wrapper: Wrapper, pages: Sequence[str]) -> None:
    """Show what the wrapper takes from some pages."""
    from windrow.harvest.setting_up import SAMPLES, try_pages  # noqa: PLC0415 - as above

    table = Table(box=None, pad_edge=False)
    for head in ("page", *wrapper.labels):
        table.add_column(shown(head, "bold"), overflow="fold")
    for tried in try_pages(reading.loader, wrapper, pages, render=reading.render):
        if tried.found is None:
            table.add_row(shown(tried.url), shown(safe(tried.error), "dim"))
            continue
        for row in tried.rows()[:SAMPLES]:
            cells = ["\n".join(row.get(label, [])) or _lacking(tried.found, label) for label in wrapper.labels]
            table.add_row(*map(shown, [tried.url, *cells]))
    standard_output().print(table)


def _lacking(found: Extraction, label: str) -> str:
    return f"{found.doubtful[label][0]} ?" if found.doubtful.get(label) else "–"


def _ask_name(store: Store, url: str) -> str:
    from windrow.harvest.setting_up import propose_name  # noqa: PLC0415 - as above
    from windrow.store.sources import find_source  # noqa: PLC0415 - with the store

    while True:
        name = str(click.prompt("A name for the source", default=propose_name(url), err=True)).strip()
        with store.reading() as connection:
            if find_source(connection, name) is None:
                return name
        say(f"There is a source {name} already.")


def _ask_key(wrapper: Wrapper) -> tuple[str, ...]:
    from windrow.harvest.setting_up import propose_key  # noqa: PLC0415 - as above

    usual = propose_key(wrapper.labels)
    while True:
        said = click.prompt("Labels that tell records apart (or url), with commas", default=usual, err=True)
        key = tuple(label.strip() for label in str(said).split(",") if label.strip())
        unknown = [label for label in key if label not in (*wrapper.labels, "url")]
        if key and not unknown:
            return key
        say(f"There is no label {unknown[0] if unknown else said!r}; there are: {', '.join(wrapper.labels)}, and url.")
