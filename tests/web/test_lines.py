"""JSON lines: whole whatever texts hold, and sent while they are read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from windrow.web.screen import A_CHUNK, to_lines

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_a_line_holds_whatever_a_page_showed() -> None:
    things = [{"text": "a\nb"}, {"text": "half \ud83d of a character"}, {"text": "nul \0"}, {"number": 2**70}]
    lines = b"".join(to_lines(things)).splitlines()
    assert [json.loads(line) for line in lines] == things
    assert not list(to_lines([]))


def test_lines_are_sent_before_all_is_read() -> None:
    read = 0

    def things() -> Iterator[dict[str, str]]:
        nonlocal read
        for _ in range(10):
            read += 1
            yield {"text": "x" * (A_CHUNK // 2)}

    chunks = to_lines(things())
    assert next(chunks).count(b"\n") == read == 2
    assert sum(chunk.count(b"\n") for chunk in chunks) == read - 2 == 8
