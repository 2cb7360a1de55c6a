"""The command ``windrow``: a thin skin over the library."""

from windrow.cli.command import main

__all__ = ["main"]
