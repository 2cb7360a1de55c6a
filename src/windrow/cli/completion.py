"""``windrow completion``: the script with which a shell completes Windrow's commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from windrow.errors import UsageError

VARIABLE = "_WINDROW_COMPLETE"
WHERE = """\b
bash:  windrow completion bash > ~/.local/share/bash-completion/completions/windrow
zsh:   windrow completion zsh > ~/.zfunc/_windrow
fish:  windrow completion fish > ~/.config/fish/completions/windrow.fish"""


@click.command(epilog=WHERE)
@click.argument("shell", metavar="SHELL", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes Windrow's commands and options in a SHELL: bash, zsh or fish."""
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"There is no completion for {shell}.")
    click.echo(kind(ctx.find_root().command, {}, "windrow", VARIABLE).source())
