"""Results taken from a thread, so that the person's Ctrl-C is answered at once and not when a page is done."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

Item = TypeVar("Item")

_END = object()
POLL_SECONDS = 1.0


class _Raised:
    def __init__(self, error: BaseException) -> None:
        self.error = error


def in_background(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the same items, made one ahead by a thread that does not outlive the program."""
    made: queue.Queue[object] = queue.Queue(maxsize=1)
    wanted = threading.Event()
    wanted.set()

    def put(item: object) -> bool:
        while wanted.is_set():
            try:
                made.put(item, timeout=POLL_SECONDS)
            except queue.Full:
                continue
            return True
        return False

    def make() -> None:
        try:
            for item in items:
                if not put(item):
                    return
            put(_END)
        except BaseException as error:  # noqa: BLE001 - raised again where the items are taken
            put(_Raised(error))

    threading.Thread(target=make, name="windrow-reading", daemon=True).start()
    try:
        while (item := made.get()) is not _END:
            if isinstance(item, _Raised):
                raise item.error
            yield item  # type: ignore[misc]
    finally:
        wanted.clear()
