"""Requests that are sent again: what was made once with an Idempotency-Key is not made twice."""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Header
from pydantic import BaseModel
from starlette.responses import Response

from windrow.errors import BusyError, UsageError
from windrow.web.screen import Call

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="A word of the sender's own; sent again within a day, the first answer is given once more.",
        examples=["9f2c"],
    ),
]
A_DAY = 86_400.0
MOST_KEPT = 10_000
MOST_BYTES = 64 * 1024
"""Longer answers are not kept; what is made here is told in less."""


@dataclass
class _Deed:
    digest: bytes
    begun: float
    answer: Response | None = None


class Deeds:
    """What was done lately, by whom and under which key."""

    def __init__(self) -> None:
        """Know of nothing."""
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[int, str, str], _Deed] = OrderedDict()

    def once(self, call: Call, key: str | None, body: BaseModel, do: Callable[[], Response]) -> Response:
        """Do something, or give the answer of the time before."""
        if key is None:
            return do()
        who = call.caller.access.id if call.caller.access else 0
        name = who, str(call.request.scope["path"]), key
        digest = hashlib.sha256(body.model_dump_json().encode("utf-8", "replace")).digest()
        if (answer := self._begin(name, digest)) is not None:
            return answer
        try:
            answer = do()
        except BaseException:
            self._end(name, None)
            raise
        self._end(name, answer)
        return answer

    def _begin(self, name: tuple[int, str, str], digest: bytes) -> Response | None:
        with self._lock:
            now = time.monotonic()
            while self._known and next(iter(self._known.values())).begun < now - A_DAY:
                self._known.popitem(last=False)
            known = self._known.get(name)
            if known is None:
                self._known[name] = _Deed(digest, now)
                while len(self._known) > MOST_KEPT:
                    self._known.popitem(last=False)
                return None
            if known.digest != digest:
                raise UsageError("This Idempotency-Key was used for another request. Choose a new one.")
            if known.answer is None:
                raise BusyError("A request with this Idempotency-Key is under way. Wait for its answer.")
            return known.answer

    def _end(self, name: tuple[int, str, str], answer: Response | None) -> None:
        with self._lock:
            if answer is None or len(answer.body) > MOST_BYTES:
                self._known.pop(name, None)
            elif name in self._known:
                self._known[name].answer = answer
