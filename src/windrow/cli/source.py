"""``windrow source``: what is harvested: added, listed, changed, paused, taken away, and passed on as TOML."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from windrow.atomic import written
from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.source_new import new
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, say, shown, standard_output, to_json
from windrow.cli.wrapper_file import AS_JSON
from windrow.errors import UsageError

if TYPE_CHECKING:
    from windrow.harvest.settings import SourceSettings
    from windrow.store import Store
    from windrow.store.sources import SourceRow

NAME = click.argument("name")
NAMES = click.argument("names", nargs=-1, metavar="[NAME]...")
KEPT_ALL = "Nothing was removed."


@click.group()
def source() -> None:
    """Say what is harvested: new, add, import, export, list, show, set, undo, pause, resume, remove, next."""


source.add_command(new)


@source.command("import")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.toml")
@click.option("--dry-run", is_flag=True, help="Check everything and say what would be done, but do nothing.")
@STORE
@diagnostic_options
def import_(*, file: Path, dry_run: bool, where: str) -> None:
    """Add the sources and collections of FILE.toml, or replace those of the same name."""
    with open_store(where) as store:
        from windrow.harvest.sources import import_file  # noqa: PLC0415 - takes a while, which other commands do without

        done = import_file(store, file, dry_run=dry_run, say=say)
    would = "would be " if dry_run else ""
    for what in ("added", "replaced", "unchanged"):
        if names := getattr(done, what):
            click.echo(f"{would}{what}: {', '.join(names)}")
    if done.collections:
        click.echo(f"{would}kept as {counted(len(done.collections), 'collection')}: {', '.join(done.collections)}")


@source.command()
@NAMES
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE.toml", help="Write here, wrappers beside."
)
@STORE
@diagnostic_options
def export(*, names: tuple[str, ...], output: Path | None, where: str) -> None:
    """Write sources, those that are NAMEd or all, and collections as TOML; what is secret is not in it."""
    with open_store(where, make=False) as store:
        from windrow.harvest.passing_on import export_toml  # noqa: PLC0415 - as above

        text, wrappers = export_toml(store, names)
    if output is None:
        click.echo(text, nl=False)
        return
    with written(output) as file:
        file.write(text.encode())
    for name, body in wrappers.items():
        with written(output.parent / name) as file:
            file.write(body.encode())
    say(f"Wrote {output}" + (f" and {', '.join(wrappers)}" if wrappers else "") + ".")


@source.command()
@NAME
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--list", "list_", metavar="WAY", help="region, links, toplist, sitemap, feed or none. [default: none]")
@click.option("--next", "next_", type=click.Choice(["auto", "none", "load-more", "scroll"]), help="How lists go on.")
@click.option("--detail", metavar="GLOB", help="Links to records: a glob on their path, as in '*/p/*'.")
@click.option(
    "--wrapper", type=click.Path(path_type=Path), metavar="FILE", help="What reads the pages, learned before."
)
@click.option("--reader", type=click.Choice(["records", "tables", "toplist"]), help="What reads the pages otherwise.")
@click.option("--keyword", metavar="TEXT", help="Of tables, those with this text.")
@click.option("--key", multiple=True, metavar="LABEL", help="Labels that tell records apart. [default: url]")
@click.option("--every", metavar="T", help="Read it again and again, as in '6 hours'.")
@click.option("--cron", metavar="T", help="Read it at set times, as in '30 2 * * 1-5'.")
@click.option("--zone", metavar="Z", help="The time zone of the times, as in Europe/Berlin. [default: UTC]")
@click.option("--no-render", is_flag=True, help="Read pages without a browser.")
@click.option("--allow-private", is_flag=True, help="Let requests reach loopback and private addresses.")
@STORE
@diagnostic_options
def add(*, name: str, urls: tuple[str, ...], wrapper: Path | None, where: str, **choices: Any) -> None:  # noqa: ANN401 - click's
    """Add a source NAME that begins at URL...; `windrow source new` asks for all this instead."""
    with open_store(where) as store:
        from windrow.harvest.settings import SourceSettings  # noqa: PLC0415 - as above
        from windrow.harvest.sources import check_settings, read_wrapper, save  # noqa: PLC0415 - as above

        _refuse_known(store, name)
        settings = SourceSettings.from_dict(_to_plain(name, urls, wrapper, choices))
        check_settings(settings)
        save(store, settings, None if wrapper is None else read_wrapper(wrapper), say=say)
    say(f"Added {name}. Try it: `windrow harvest {name} --dry-run --pages 5`.")


def _to_plain(name: str, urls: tuple[str, ...], wrapper: Path | None, choices: dict[str, Any]) -> dict[str, Any]:
    """Return what was chosen as the settings write it; what was not chosen is left out."""
    follow = {"list": choices["list_"], "next": choices["next_"], "detail": choices["detail"]}
    if follow["list"] is None and follow["detail"] is None:
        follow["list"] = "none"
    read = {"wrapper": wrapper and wrapper.name, "reader": choices["reader"], "keyword": choices["keyword"]}
    read["key"] = list(choices["key"]) or None
    schedule = {key: choices[key] for key in ("every", "cron", "zone")}
    network = {"render": False if choices["no_render"] else None, "allow_private": choices["allow_private"] or None}
    plain = {"follow": follow, "read": read, "schedule": schedule, "network": network}
    given = {table: {key: value for key, value in some.items() if value is not None} for table, some in plain.items()}
    if not (given["schedule"].keys() - {"zone"}):
        del given["schedule"]
    return {"name": name, "start": list(urls), **given}


def _refuse_known(store: Store, name: str) -> None:
    from windrow.store.sources import find_source  # noqa: PLC0415 - with the store

    with store.reading() as connection:
        if find_source(connection, name) is not None:
            raise UsageError(f"There is a source {name} already. Change it with `windrow source set {name} KEY=VALUE`.")


@source.command("list")
@STORE
@AS_JSON
@diagnostic_options
def list_(*, where: str, as_json: bool) -> None:
    """List the sources: state, where they begin, what reads them, when."""
    with open_store(where, make=False) as store:
        from windrow.store.sources import list_sources  # noqa: PLC0415 - with the store

        with store.reading() as connection:
            rows = list_sources(connection)
    if as_json:
        for row in rows:
            click.echo(to_json({"source": row.name, "state": row.state, "reason": row.reason, **_about(row)}))
        return
    if not rows:
        say("There is no source yet. Add one with `windrow source new URL`.")
        return
    table = Table(box=None, pad_edge=False)
    for head in ("source", "state", "begins at", "read by", "when"):
        table.add_column(shown(head, "bold"), overflow="fold")
    for row in rows:
        about = _about(row)
        table.add_row(*map(shown, [row.name, row.state, "\n".join(about["start"]), about["read_by"], about["when"]]))
    standard_output().print(table)


def _about(row: SourceRow) -> dict[str, Any]:
    settings = _settings_of(row)
    schedule = settings.schedule
    read_by = settings.read.reader or (f"wrapper {settings.read.wrapper}" if settings.read.wrapper else "wrapper")
    when = (
        "" if schedule is None else f"every {schedule.every}" if schedule.every else f"{schedule.cron} {schedule.zone}"
    )
    return {"start": list(settings.start), "read_by": read_by, "when": when}


def _settings_of(row: SourceRow) -> SourceSettings:
    from windrow.harvest.settings import SourceSettings  # noqa: PLC0415 - takes a while, which other commands do without

    return SourceSettings.from_dict(row.settings)


@source.command()
@NAME
@STORE
@AS_JSON
@diagnostic_options
def show(*, name: str, where: str, as_json: bool) -> None:
    """Show a source: its state, its settings, and the versions of its wrapper."""
    with open_store(where, make=False) as store:
        from windrow.harvest.passing_on import export_toml  # noqa: PLC0415 - as above
        from windrow.store.sources import get_source, list_wrappers  # noqa: PLC0415 - as above

        with store.reading() as connection:
            row = get_source(connection, name)
            wrappers = list_wrappers(connection, row.id)
        text, _ = export_toml(store, [name], collections=False)
    versions = [
        {"version": each.version, "made_by": each.made_by, "made_at": each.made_at, "report": each.report}
        for each in wrappers
    ]
    if as_json:
        about = {"source": row.name, "state": row.state, "reason": row.reason, "version": row.version}
        click.echo(to_json({**about, "made_at": row.made_at, "toml": text, "wrappers": versions, **_about(row)}))
        return
    click.echo(f"{row.name}: {row.state}{f'. {row.reason}' if row.reason else ''}")
    click.echo(f"settings, version {row.version}:\n\n{text}")
    for each in versions:
        click.echo(f"wrapper version {each['version']}, by {each['made_by']}, {str(each['made_at'])[:19]}")


@source.command("set")
@NAME
@click.argument("assignments", nargs=-1, required=True, metavar="KEY=VALUE...")
@STORE
@diagnostic_options
def set_(*, name: str, assignments: tuple[str, ...], where: str) -> None:
    """Change settings of a source, as in manners.rate=2; read.wrapper=FILE is a new version of its wrapper."""
    given = {}
    for each in assignments:
        key, equals, value = each.partition("=")
        if not equals:
            raise UsageError(f"{each!r} is no setting. Write it as in manners.rate=2.")
        given[key.strip()] = value.strip()
    with open_store(where, make=False) as store:
        from windrow.harvest.sources import change  # noqa: PLC0415 - as above

        change(store, name, given, say=say)
    say(f"Changed {', '.join(given)} of {name}.")


@source.command()
@NAME
@STORE
@diagnostic_options
def pause(*, name: str, where: str) -> None:
    """Leave a source alone until it is resumed."""
    _set_state(where, name, "paused")
    say(f"{name} is paused. `windrow source resume {name}` goes on.")


@source.command()
@NAME
@STORE
@diagnostic_options
def resume(*, name: str, where: str) -> None:
    """Go on with a source that was paused or deferred."""
    _set_state(where, name, "active")
    say(f"{name} is active again.")


def _set_state(where: str, name: str, state: Any) -> None:  # noqa: ANN401 - one of the states
    with open_store(where, make=False) as store:
        from windrow.store.sources import get_source, set_state  # noqa: PLC0415 - with the store

        with store.writing() as connection:
            set_state(connection, get_source(connection, name).id, state)


@source.command()
@NAME
@click.option("--to", "version", type=click.IntRange(1), metavar="VERSION", help="Not the one before, but this one.")
@STORE
@diagnostic_options
def undo(*, name: str, version: int | None, where: str) -> None:
    """Read a source by the version of its wrapper before the newest again; `windrow source show` lists them."""
    with open_store(where, make=False) as store:
        from windrow.harvest.versions import go_back  # noqa: PLC0415 - with the store

        number, old = go_back(store, name, version)
    say(f"{name} is read as by version {old} of its wrapper again, which is version {number} now.")


@source.command()
@NAME
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--keep-data", is_flag=True, help="Keep what was stored; the source itself is only paused for good.")
@click.option("--collection", "is_collection", is_flag=True, help="NAME is a collection; its sources stay.")
@STORE
@diagnostic_options
def remove(*, name: str, yes: bool, keep_data: bool, is_collection: bool, where: str) -> None:
    """Remove a source, with everything that was stored of it unless --keep-data is given; or a collection."""
    if is_collection:
        if keep_data:
            raise click.UsageError("A collection has no data of its own to keep; leave --keep-data out.")
        _remove_collection(where, name, yes=yes)
        return
    with open_store(where, make=False) as store:
        from windrow.store.sources import get_source, retire  # noqa: PLC0415 - with the store
        from windrow.store.views import remove_with_view  # noqa: PLC0415 - as above

        with store.reading() as connection:
            row = get_source(connection, name)
        what = "and keep what was stored of it" if keep_data else "with everything that was stored of it"
        if not yes and not click.confirm(f"Remove {name}, {what}?"):
            say(KEPT_ALL)
            return
        if keep_data:
            with store.writing() as connection:
                retire(connection, row.id)
        else:
            remove_with_view(store, row.id)
    if keep_data:
        say(f"Removed {name}; what was stored of it is kept. `windrow source resume {name}` would take it up again.")
    else:
        say(f"Removed {name}, with everything that was stored of it.")


def _remove_collection(where: str, name: str, *, yes: bool) -> None:
    with open_store(where, make=False) as store:
        from windrow.store.collections import get_collection, remove_collection  # noqa: PLC0415 - with the store

        with store.reading() as connection:
            get_collection(connection, name)
        if not yes and not click.confirm(f"Remove the collection {name}? Its sources and their records stay."):
            say(KEPT_ALL)
            return
        with store.writing() as connection:
            remove_collection(connection, name)
    say(f"Removed the collection {name}; its sources and their records stay.")


@source.command("next")
@NAME
@click.option("--count", type=click.IntRange(1, 1000), default=5, show_default=True, metavar="N", help="How many.")
@click.option("--from", "start", metavar="ISO", help="From this moment on. [default: now]")
@STORE
@AS_JSON
@diagnostic_options
def next_(*, name: str, count: int, start: str | None, where: str, as_json: bool) -> None:
    """Say when a source is due next."""
    with open_store(where, make=False) as store:
        from windrow.store.moments import from_text, parse  # noqa: PLC0415 - with the store
        from windrow.store.sources import get_source  # noqa: PLC0415 - as above

        with store.reading() as connection:
            settings = _settings_of(get_source(connection, name))
    if settings.schedule is None:
        raise UsageError(f"{name} has no schedule. Give it one: `windrow source set {name} schedule.every='6 hours'`.")
    since = from_text(parse(start)) if start else datetime.now(UTC)
    fires = [f"{fire:%Y-%m-%dT%H:%M:%SZ}" for fire in settings.schedule.fires(count, since, source=name)]
    if as_json:
        click.echo(to_json({"source": name, "fires": fires}))
        return
    for fire in fires:
        click.echo(fire)
