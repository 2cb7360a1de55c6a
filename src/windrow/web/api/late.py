"""The API, loaded with the first request for it: a server whose pages alone are used does without its library."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.routing import Mount

from windrow.web.gate import PREFIX

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import Receive, Send
    from starlette.types import Scope as RequestScope

    from windrow.store.access import Scope
    from windrow.web.desk import Desk


class LateApi:
    """Answers programs, and says what their tokens need."""

    def __init__(self, desk: Desk) -> None:
        """Load nothing yet."""
        self._desk = desk
        self._made: FastAPI | None = None
        self._making = threading.Lock()
        self.route = Mount(PREFIX, self)

    async def __call__(self, scope: RequestScope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        api = await run_in_threadpool(self._make) if self._made is None else self._made
        await api(scope, receive, send)

    async def scope_of(self, method: str, path: str) -> Scope:
        """Return the scope that a token needs for a method and an address."""
        if self._made is None:
            await run_in_threadpool(self._make)
        from windrow.web.api.application import scope_of  # noqa: PLC0415 - loaded by now

        return scope_of(method, path)

    def _make(self) -> FastAPI:
        from windrow.web.api.application import make_api  # noqa: PLC0415 - it takes a fifth of all memory

        with self._making:
            if self._made is None:
                self._made = make_api(self._desk)
            return self._made
