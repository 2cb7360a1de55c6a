"""``windrow warnings``: what a person should know, until somebody has seen to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.listing import moment, print_lines
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, safe, say
from windrow.cli.wrapper_file import AS_JSON
from windrow.errors import UsageError

if TYPE_CHECKING:
    from windrow.store.warnings import State

STATES = ("open", "acknowledged", "resolved", "all")
NUMBERS = click.argument("numbers", nargs=-1, required=True, type=click.IntRange(1, 2**62), metavar="ID...")


@click.group(invoke_without_command=True)
@click.option("--source", "name", metavar="NAME", help="Only those of this source.")
@click.option("--state", type=click.Choice(STATES), default="open", show_default=True, help="Only those in this state.")
@STORE
@AS_JSON
@diagnostic_options
@click.pass_context
def warnings(ctx: click.Context, /, *, name: str | None, state: str, where: str, as_json: bool) -> None:
    """List warnings, newest first; acknowledge or resolve them with ack and resolve."""
    ctx.obj = where
    if ctx.invoked_subcommand is not None:
        return
    with open_store(where, make=False) as store, store.reading() as connection:
        from windrow.store.sources import get_source  # noqa: PLC0415 - with the store
        from windrow.store.warnings import list_warnings  # noqa: PLC0415 - as above

        source_id = None if name is None else get_source(connection, name).id
        found = list_warnings(connection, state, source_id)
    if as_json:
        print_lines(found)
        return
    if not found:
        say("There is no warning." if state == "all" else f"There is no {state} warning.")
        return
    for each in found:
        times = f", {each['count']:,} times" if each["count"] > 1 else ""
        about = f"{each['kind']} ({each['severity']}, {each['state']}{times}, {moment(each['at'])})"
        click.echo(safe(f"{each['id']}  {each['source'] or ''}  {about}".replace("\n", " ")))
        click.echo(safe(f"   {each['text']}" + (f"\n   {each['url']}" if each["url"] else "")))


@warnings.command()
@NUMBERS
@STORE
@diagnostic_options
@click.pass_context
def ack(ctx: click.Context, /, *, numbers: tuple[int, ...], where: str) -> None:
    """Acknowledge warnings by their numbers: they are known, and go on counting."""
    _set(store_of(ctx, where), numbers, "acknowledged")


@warnings.command()
@NUMBERS
@STORE
@diagnostic_options
@click.pass_context
def resolve(ctx: click.Context, /, *, numbers: tuple[int, ...], where: str) -> None:
    """Resolve warnings by their numbers: should their cause be met again, new ones are raised."""
    _set(store_of(ctx, where), numbers, "resolved")


@warnings.command("test")
@click.argument("name", required=False)
@STORE
@diagnostic_options
@click.pass_context
def test_(ctx: click.Context, /, *, name: str | None, where: str) -> None:
    """Send a message to the addresses in warn.send of the source NAME, or of all, to see whether it arrives."""
    with open_store(store_of(ctx, where), make=False) as store, store.reading() as connection:
        from windrow.harvest.notification import send  # noqa: PLC0415 - with the store
        from windrow.harvest.settings import SourceSettings  # noqa: PLC0415 - as above
        from windrow.store.sources import get_source, list_sources  # noqa: PLC0415 - as above

        rows = list_sources(connection) if name is None else [get_source(connection, name)]
    found = [settings for row in rows if (settings := SourceSettings.from_dict(row.settings)).warn.send]
    if not found:
        who = "No source sends warnings anywhere" if name is None else f"{name} sends warnings nowhere"
        raise UsageError(f"{who}. Say where: `windrow source set {name or 'NAME'} warn.send=ADDRESS`.")
    for settings in found:
        body = f"This is a test. Warnings about {settings.name} would come here."
        send(settings.warn.send, f"Windrow: {settings.name}", body, allow_private=settings.network.allow_private)
        several = "es" if len(settings.warn.send) > 1 else ""
        say(f"{settings.name}: sent to {len(settings.warn.send)} address{several}. See whether it arrived.")


def store_of(ctx: click.Context, where: str) -> str:
    """Return the store that was named at the command or, before it, at the group."""
    is_named = ctx.get_parameter_source("where") is click.core.ParameterSource.COMMANDLINE
    return where if is_named or not isinstance(ctx.obj, str) else ctx.obj


def _set(where: str, numbers: tuple[int, ...], state: State) -> None:
    with open_store(where, make=False) as store, store.writing() as connection:
        from windrow.store.warnings import set_warnings  # noqa: PLC0415 - with the store

        set_warnings(connection, numbers, state)
    say(f"{counted(len(set(numbers)), 'warning')} {state}.")
