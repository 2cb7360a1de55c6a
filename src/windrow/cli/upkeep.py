"""``windrow store``: look after the store itself."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from windrow.cli.diagnostics import diagnostic_options
from windrow.cli.store_option import STORE, open_store
from windrow.cli.terminal import counted, safe, say, to_json
from windrow.cli.wrapper_file import AS_JSON
from windrow.errors import StoreError

UNITS = ("bytes", "kB", "MB", "GB")


@click.group()
def store() -> None:
    """Look after the store: check, info, migrate, clean, backup."""


@store.command()
@STORE
@diagnostic_options
@click.pass_context
def check(ctx: click.Context, /, *, where: str) -> None:
    """Check that the store is whole and that its rules hold; the exit status is 0 only then, else 3."""
    with open_store(where, make=False) as opened:
        from windrow.store import upkeep  # noqa: PLC0415 - with the store

        faults = upkeep.check(opened)
    for fault in faults:
        click.echo(safe(fault))
    if not faults:
        click.echo(f"{safe(opened.name)} is whole, and its rules hold.")
    ctx.exit(StoreError.exit_code if faults else 0)


@store.command()
@STORE
@AS_JSON
@diagnostic_options
def info(*, where: str, as_json: bool) -> None:
    """Show what kind of store it is, its version, its size and how much of everything is in it."""
    with open_store(where, make=False) as opened:
        from windrow.store import upkeep  # noqa: PLC0415 - with the store

        found = asdict(upkeep.describe(opened))
    if as_json:
        click.echo(to_json(found))
        return
    click.echo(safe(f"{found['store']} ({found['database']}, version {found['version']}, {in_units(found['bytes'])})"))
    for name, count in found["counts"].items():
        click.echo(f"{count:>12,} {name}")


@store.command()
@STORE
@diagnostic_options
def migrate(*, where: str) -> None:
    """Bring the tables of an older store up, as any command does that opens it; a copy is kept before."""
    with open_store(where, make=False) as opened:
        from windrow.store import upkeep  # noqa: PLC0415 - with the store

        version = upkeep.describe(opened).version
    click.echo(safe(f"{opened.name} has version {version}, the newest that this Windrow knows."))


@store.command()
@STORE
@diagnostic_options
def clean(*, where: str) -> None:
    """Throw away what nothing refers to: how old pages were got, addresses that are no more; give the room back.

    Records, their history and where their values came from stay.
    """
    with open_store(where, make=False) as opened:
        from windrow.store import upkeep  # noqa: PLC0415 - with the store

        done = upkeep.clean(opened)
    parts = {"page": done.pages, "place": done.spots, "kept page": done.bodies}
    gone = ", ".join(counted(count, what) for what, count in parts.items())
    click.echo(f"Threw away {gone} and {done.addresses:,} addresses; {in_units(done.bytes)} less.")


@store.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@STORE
@diagnostic_options
def backup(*, file: Path, where: str) -> None:
    """Write a copy of the store into FILE, while others may write to the store.

    Of a store in PostgreSQL it is an archive by pg_dump, which pg_restore reads.
    """
    with open_store(where, make=False) as opened:
        from windrow.store import upkeep  # noqa: PLC0415 - with the store

        upkeep.back_up(opened, file)
    say(f"The copy is in {file}.")


def in_units(count: float) -> str:
    """Return a number of bytes as people say it."""
    for unit in UNITS[:-1]:
        if count < 1000:  # noqa: PLR2004 - of a unit
            return f"{count:,.0f} {unit}" if unit == UNITS[0] else f"{count:,.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} {UNITS[-1]}"
