"""Long jobs end well: at the first Ctrl-C or SIGTERM they are asked to."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """Set an event at the first Ctrl-C or SIGTERM; the second Ctrl-C ends at once."""
    stop = threading.Event()

    def ask(number: int, _: object) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
