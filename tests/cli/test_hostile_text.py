"""Text of pages is data: whatever a page says, a terminal shows it and does not obey it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from command import objects, run, start
from hypothesis import given
from hypothesis import strategies as st

from windrow.cli.terminal import safe, to_json

if TYPE_CHECKING:
    from pathlib import Path

ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
ATTACKS = {
    "clear screen": "\x1b[2J\x1b[Hgone",
    "window title": "\x1b]0;owned\x07",
    "one-byte control": "\x9b31mred",
    "link": "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "turned around": "invoice\u202egpj.exe",
    "backspace": "safe\x08\x08\x08\x08evil",
    "markup": "[bold red]hay[/bold red] [link=https://evil.example]x[/link] [/]",
    "emoji code": ":smiley: :bomb:",
    "deleted": "a\x7fb",
}


@pytest.mark.parametrize("words", [(), ("--json",), ("--only", "text"), ("--only", "title"), ("--only", "structure")])
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_no_order_reaches_the_terminal(attack: str, words: tuple[str, ...]) -> None:
    # A page with these characters themselves is taken for binary, but it may spell them.
    said = attack.replace("\x07", "&#7;").replace("\x08", "&#8;")
    page = f"<title>{said}</title><nav aria-label='{said}'>n</nav><h1>{said}</h1><p>{said}</p>".encode()
    result = run("read", "-", "--no-render", *words, given=page)
    assert result.exit_code == 0
    assert not ORDERS.search(result.output)


def test_markup_is_shown_as_it_stands() -> None:
    attack = ATTACKS["markup"]
    assert run("read", "-", "--no-render", "--only", "text", given=f"<p>{attack}".encode()).stdout == f"{attack}\n"
    assert run("read", "-", "--no-render", "--only", "text", given=b"<p>:bomb:").stdout == ":bomb:\n"


def test_names_and_messages_are_shown_safely_too(tmp_path: Path) -> None:
    result = run("read", tmp_path / "\x1b[2J.html", "--no-render")
    assert result.exit_code == 3
    assert "\\x1b[2J.html" in result.stderr
    assert not ORDERS.search(result.output)
    assert not ORDERS.search(run("read", tmp_path, "--only", "\x1b[2J").output)


def test_json_says_the_same_in_other_characters() -> None:
    page = f"<title>{ATTACKS['one-byte control']}{ATTACKS['turned around']}</title>".encode()
    (value,) = objects(run("read", "-", "--no-render", "--json", given=page))
    assert value["title"] == ATTACKS["one-byte control"] + ATTACKS["turned around"]


def test_terminal_that_knows_ascii_only_gets_escapes(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<meta charset=utf-8><title>Heu d'été 草</title>", encoding="utf-8")
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    with start("read", page, "--no-render", env=environment) as process:
        said, complained = process.communicate(timeout=30)
    assert (process.returncode, complained) == (0, b"")
    assert said.startswith(b"Heu d'\\xe9t\\xe9 \\u8349")


@given(st.text(st.characters()))
def test_safe_text_can_be_written_and_json_read_again(text: str) -> None:
    assert not ORDERS.search(safe(text))
    safe(text).encode()
    written = to_json({"text": text})
    assert json.loads(written) == {"text": text}
    assert not ORDERS.search(written.decode())
