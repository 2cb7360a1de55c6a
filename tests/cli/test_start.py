"""The command starts at once: its help and its version need none of what reading pages needs."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from windrow.cli.command import COMMANDS, main

HEAVY = {"numpy", "turbohtml", "sqlalchemy", "PIL", "babel", "starlette"}


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_and_version_import_little(word: str) -> None:
    script = f"""
import sys
from windrow.cli import main
try:
    main([{word!r}])
except SystemExit:
    print({HEAVY!r} & set(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stderr.strip() == "set()"


def test_the_list_names_every_command_and_each_can_be_had() -> None:
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
