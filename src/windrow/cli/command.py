"""The entry to the command line: its commands, its errors as sentences, and its exit statuses."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from importlib import import_module
from typing import Any

import click

from windrow.cli.diagnostics import diagnostic_options, is_debugging
from windrow.cli.terminal import prepare_streams, say
from windrow.errors import SourceError, WindrowError

COMMANDS = {
    "read": ("reading", "Read pages and print what stands on them."),
    "learn": ("learning", "Learn from pasted text what to take from pages."),
    "extract": ("extraction", "Take what was learned from pages of the same site."),
    "check": ("wrapper", "Look whether a page's template has changed."),
    "heal": ("wrapper", "Learn a changed template again."),
    "wrapper": ("ownership", "Look after wrappers."),
    "source": ("source", "Say what is harvested."),
    "harvest": ("harvesting", "Read sources into the store, now."),
    "run": ("scheduling", "Keep the schedule."),
    "status": ("status", "Show how all sources are."),
    "runs": ("status", "List runs."),
    "history": ("history", "Tell what happened to records."),
    "diff": ("history", "Tell what two runs differ in."),
    "export": ("export", "Give records out."),
    "warnings": ("alerts", "List warnings, and see to them."),
    "store": ("upkeep", "Look after the store."),
    "web": ("web", "Serve the web interface and the API."),
    "batch": ("batch", "Read archives of pages into Parquet."),
    "mcp": ("mcp", "Serve tools for language models."),
    "login": ("login", "Log in once by hand, and keep the session."),
    "setup": ("setup", "Install a browser, unless there is one."),
    "doctor": ("doctor", "Check this machine."),
    "completion": ("completion", "Print the script that completes commands in a shell."),
}
"""The module of each command, and what the list of commands says of it."""
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
INTERRUPTED = 130
NOBODY_LISTENS = 141
"""What a shell shows for a program that a closed pipe ended."""


class Command(click.Group):
    """A group of commands whose every ending is a sentence and a status, not a traceback.

    A command is imported when it is named, since what the others need takes a while.
    """

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"windrow.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - whatever the command gives
        """Run a command; turn what it raises into a sentence and an exit status."""
        prepare_streams()
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:  # it is where the caller closed it
                sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            _leave(INTERRUPTED)
        except BrokenPipeError:
            _leave(NOBODY_LISTENS)
        except OSError as error:
            if error.errno not in NO_ROOM:
                ctx.exit(_explain(error, debug=is_debugging(ctx)))
            say(f"Standard output could not be written: {error.strerror}. Make room, or write elsewhere.")
            _leave(SourceError.exit_code)
        except (click.ClickException, click.exceptions.Exit):
            raise
        except Exception as error:  # noqa: BLE001 - the last place where anybody can explain it
            ctx.exit(_explain(error, debug=is_debugging(ctx)))
        else:
            return result


def _explain(error: Exception, *, debug: bool) -> int:
    """Print what happened; return the exit status."""
    if debug:
        say("".join(traceback.format_exception(error)).rstrip())
    if isinstance(error, WindrowError):
        say(str(error))
        return error.exit_code
    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
    say(f"Windrow failed: {what}. That is a fault of Windrow's own; --debug shows where it happened.")
    return WindrowError.exit_code


def _leave(status: int) -> None:
    """End at once: not even pages that are under way are waited for."""
    # Flushing what nobody reads would fail again, and threads that still read pages would be waited for.
    os._exit(status)


@click.group("windrow", cls=Command, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="windrow", message="%(prog)s %(version)s")
@diagnostic_options
def main() -> None:
    """Read web pages the way a person sees them.

    The exit status is 0 when everything was read, 1 for a fault of Windrow's own, 2 for wrong use, 3 when something
    could not be read or written, 4 when the guard or robots.txt refused, 5 when a limit was reached, 6 when a page or a
    source is not as it was learned, 7 when another process harvests the source.
    """
    from windrow.process.memory import give_back_large_blocks  # noqa: PLC0415 - help and version go without it

    give_back_large_blocks()
