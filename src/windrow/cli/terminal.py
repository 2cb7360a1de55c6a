"""What may be written to a terminal: text of pages is data, and a terminal takes some characters for orders."""

from __future__ import annotations

import json
import re
import sys
from io import BytesIO
from typing import TYPE_CHECKING, TextIO

from windrow.result import to_pieces

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from windrow.result import Plain

# Control characters of both sets but for tab and line feed, marks that turn the direction of text around, line ends
# that only some programs know, and halves of surrogate pairs.
_ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_ORDERS_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def safe(text: str) -> str:
    r"""Return a text with whatever a terminal would obey instead of showing it escaped, as in ``\x1b``."""
    return _ORDERS.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)


def shown(text: str, style: str = "") -> Text:
    """Return page text that is safe for the terminal; what looks like markup stays what it is."""
    from rich.text import Text  # noqa: PLC0415 - takes a while, which most commands do without

    return Text(safe(text), style=style)


def counted(number: int, what: str) -> str:
    """Return a number of things in words, one or several."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def to_json(value: Plain, *, indent: int | None = None) -> bytes:
    """Return JSON in UTF-8, on one line unless asked otherwise, with the same characters escaped."""
    if indent is not None:
        return _escape(json.dumps(value, ensure_ascii=False, indent=indent))
    written = BytesIO()
    for piece in to_pieces(value):
        written.write(_escape(piece))
    return written.getvalue()


def _escape(piece: str) -> bytes:
    # They occur within strings only, where JSON takes the escape for the character itself.
    return _ORDERS_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", piece).encode()


def say(sentence: str) -> None:
    """Write a sentence that is not a result to standard error."""
    # Written to the stream of the moment: while a progress bar stands, that one writes above the bar.
    if sys.stderr is not None:
        sys.stderr.write(f"{safe(sentence)}\n")
        sys.stderr.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a person looks at a stream, which may also be closed."""
    return stream is not None and stream.isatty()


def prepare_streams() -> None:
    """Let characters that the terminal's encoding does not have be written out, not end the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def standard_output() -> Console:
    """Return the console for results: no markup, no emoji codes, no guessed highlights."""
    from rich.console import Console  # noqa: PLC0415 - as above

    return Console(markup=False, emoji=False, highlight=False)


def standard_error() -> Console:
    """Return the console for everything else."""
    from rich.console import Console  # noqa: PLC0415 - as above

    return Console(stderr=True, markup=False, emoji=False, highlight=False)
