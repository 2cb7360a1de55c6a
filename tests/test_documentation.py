"""The documents tell the truth: their code runs, and they know every command, option and public name."""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MOST_PUBLIC_NAMES = 27
"""Twenty-five to read pages with, and two that keep a schedule, which is of no use without the other."""
BLOCK = re.compile(r"(?P<comment><!-- not run: [^>]+ -->\s*)?^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def find_blocks(document: Path) -> list[tuple[int, str]]:
    """Return the line and the code of each block that is to run."""
    text = document.read_text("utf-8")
    return [
        (text.count("\n", 0, match.start("code")), match["code"])
        for match in BLOCK.finditer(text)
        if not match["comment"]
    ]


def find_commands(command: click.Command, name: str) -> list[tuple[str, click.Command]]:
    """Return every command with its full name, those of groups included."""
    found = [(name, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            assert inner is not None
            found += find_commands(inner, f"{name} {word}")
        assert len(found) > 1
    return found


@pytest.mark.browser
@pytest.mark.parametrize("document", [path for path in DOCUMENTS if find_blocks(path)], ids=lambda path: path.name)
def test_code_in_documents_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for line, code in find_blocks(document):
        # The empty lines give a traceback the document's own line numbers.
        exec(compile("\n" * line + code, str(document), "exec"), names)  # noqa: S102  # running them is the test


def test_every_command_and_option_is_documented() -> None:
    main = importlib.import_module("windrow.cli").main
    assert isinstance(main, click.Command)
    text = "\n".join(path.read_text("utf-8") for path in DOCUMENTS)
    missing = []
    for name, command in find_commands(main, "windrow"):
        if not re.search(rf"{re.escape(name)}\b", text):
            missing.append(name)
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                longest = max(parameter.opts, key=len)
                if not re.search(rf"(?<![\w-]){re.escape(longest)}(?![\w-])", text):
                    missing.append(f"{name} {longest}")
    assert missing == []


def test_the_document_of_the_command_has_all_of_them() -> None:
    main = importlib.import_module("windrow.cli").main
    text = (ROOT / "docs" / "command.md").read_text("utf-8")
    missing = [name for name, _ in find_commands(main, "windrow") if not re.search(rf"^{name}\b", text, re.MULTILINE)]
    assert [name for name in missing if name.count(" ") == 1] == []


def test_there_are_few_public_names_and_each_has_a_docstring() -> None:
    windrow = importlib.import_module("windrow")
    assert len(windrow.__all__) <= MOST_PUBLIC_NAMES
    public = {name: getattr(windrow, name) for name in windrow.__all__}
    described = {name: thing for name, thing in public.items() if inspect.isclass(thing) or inspect.isroutine(thing)}
    # A dataclass without one gets its signature for a docstring.
    missing = [name for name, thing in described.items() if not thing.__doc__ or thing.__doc__.startswith(f"{name}(")]
    assert missing == []
