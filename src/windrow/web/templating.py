"""Templates: everything that they show is text, and what they lack is a fault of ours."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

if TYPE_CHECKING:
    from starlette.requests import Request

    from windrow.web.screen import View

HERE = Path(__file__).parent
STATIC = HERE / "static"
COMMAND = re.compile(r"`windrow [^`]*`")
SENTENCES = re.compile(r"(?<=[.!?]) +")
DONE = {
    "saved": "Saved.",
    "with-browser": "Saved. Its pages need a browser, and are read with one.",
    "without-browser": "Saved. Everything that was learned is there without a browser, so that none is used.",
    "removed": "Removed.",
    "started": "The run has begun.",
    "stopping": "The run ends after the page that is under way.",
    "paused": "Paused. It is not read until it is resumed.",
    "resumed": "Resumed.",
    "acknowledged": "Acknowledged.",
    "resolved": "Resolved.",
    "sent": "Sent. See whether it arrived.",
    "password": "The password was changed, and everybody else is logged out.",
    "revoked": "The token is worthless now.",
    "restored": "The store was restored. What it was before is kept beside it.",
    "accepted": "Accepted. The next run takes things as they are.",
    "heal-accepted": "Accepted. What was healed stays in use, and its warning is resolved.",
    "undone": "The version before is in use again.",
}
"""What a screen begins with after something was done, by the word in its address."""


def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"moment": moment, "number": number, "texts": texts, "segment": segment, "clip": clip}
    found.filters |= {"spoken": spoken, "cell": cell}
    found.globals |= {"static": static}
    return found


def render(request: Request, view: View) -> str:
    """Return a screen as HTML."""
    caller = request.state.caller
    return (
        _templates()
        .get_template(view.template)
        .render(
            {**view.data, **view.shown},
            heading=view.heading,
            error=view.error,
            done=DONE.get(request.query_params.get("done", ""), ""),
            csrf=Markup(f'<input type="hidden" name="csrf" value="{caller.csrf}">'),  # noqa: S704 - hexadecimal digits
            logged_in=caller.is_person,
            here=request.url.path,
            now=datetime.now(UTC),
        )
    )


@lru_cache(maxsize=1)
def _templates() -> Environment:
    return _environment()


@lru_cache
def static(name: str) -> str:
    """Return the address of a file of ours, which changes when the file does."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"


@lru_cache
def moment(text: str | None) -> Markup:
    """Show a moment as people read it, with the exact one for programs."""
    if not text:
        return Markup("–")
    return Markup('<time datetime="{}">{} UTC</time>').format(text, text[:16].replace("T", " "))


def number(value: float | None) -> str:
    """Show a number with its thousands parted."""
    return "–" if value is None else f"{value:,}"


def texts(value: Any) -> str:  # noqa: ANN401 - a text, several, or none
    """Show the texts of a value on one line."""
    if value is None:
        return "–"
    return " | ".join(map(str, value)) if isinstance(value, list) else str(value)


def segment(text: object) -> str:
    """Write something as one part of a path."""
    return quote(str(text), safe="")


def spoken(text: str) -> str:
    """Leave out the sentences that name commands: on a page, buttons do what they say."""
    marked = COMMAND.sub(lambda found: found.group().replace(".", "\0"), text)
    left = [each for each in SENTENCES.split(marked) if not COMMAND.search(each)]
    return " ".join(left) if left else text


def cell(value: Any) -> str:  # noqa: ANN401 - a text, several, or none
    """Show the texts of a value in a table."""
    return clip(texts(value))


def clip(text: str, most: int = 120) -> str:
    """Cut a long text, and say that it was cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
