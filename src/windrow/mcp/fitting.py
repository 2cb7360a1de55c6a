"""Answers that fit: at most so many bytes, with a cursor for the rest; models have little room, and pay for it."""

from collections.abc import Sequence
from typing import Any

import orjson
from mcp_types import CallToolResult, TextContent

from windrow.errors import UsageError
from windrow.mcp.answers import Answer, Part

MOST_BYTES = 30_000
ROOM = 28_000
"""What the items of an answer may take; the rest is for what stands around them."""
LONGEST_PLACE = 9
"""Digits of a cursor that is a place in a list."""
SHORTEST = 20
"""Characters that a text keeps, however little room there is."""


def size_of(plain: object) -> int:
    """Return how many bytes something takes as JSON."""
    return len(orjson.dumps(plain, option=orjson.OPT_NON_STR_KEYS))


def take(items: Sequence[Answer], start: int, room: int = ROOM) -> tuple[int, int | None]:
    """Return where a part of a list ends that begins at ``start`` and fits, and where the next begins."""
    used, end = 0, start
    for item in items[start:]:
        used += size_of(item.model_dump(mode="json")) + 1
        if used > room and end > start:
            break
        end += 1
    return end, end if end < len(items) else None


def to_result(answer: Part) -> CallToolResult:
    """Return an answer as MCP carries it; what is too long even alone is cut, and that is said."""
    plain, longest, most = answer.model_dump(mode="json"), 8000, 1000
    while size_of(plain) > MOST_BYTES and (longest > SHORTEST or most > 1):
        plain = _cut(answer.model_dump(mode="json"), longest, most)
        plain["cut"] = True
        longest, most = max(SHORTEST, longest // 2), max(1, most // 2)
    text = orjson.dumps(plain).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=plain)


def _cut(value: Any, longest: int, most: int) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return plain values whose texts and lists are not longer than that; addresses and cursors stay whole."""
    if isinstance(value, str):
        return value if len(value) <= longest else f"{value[:longest]}…"
    if isinstance(value, list):
        return [_cut(each, longest, most) for each in value[:most]]
    if isinstance(value, dict):
        whole = ("next", "url", "wrapper")
        return {name: each if name in whole else _cut(each, longest, most) for name, each in value.items()}
    return value


def to_place(after: str) -> int:
    """Return the place in a list that a cursor means."""
    if after and (not after.isdecimal() or len(after) > LONGEST_PLACE):
        raise UsageError(f"{after!r} is no cursor. Give back the `next` of the part before, or nothing.")
    return int(after or 0)
