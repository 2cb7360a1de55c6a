"""The tools for language models over HTTP, at one address: each request by itself, behind the gate like all others."""

from __future__ import annotations

from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from windrow.errors import RefusedError
from windrow.web.gate import MCP
from windrow.web.problems import problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import TaskGroup, TaskStatus
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import Receive, Send
    from starlette.types import Scope as RequestScope

    from windrow.store.access import Scope
    from windrow.web.desk import Desk


class Models:
    """Answers language models; the library for that takes memory, so that it is loaded with the first request."""

    def __init__(self, desk: Desk) -> None:
        """Start nothing yet."""
        self._desk = desk
        self._group: TaskGroup | None = None
        self._manager: StreamableHTTPSessionManager | None = None
        self.route = Route(MCP, self, methods=["POST"])

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Be ready for requests until the block ends."""
        self._starting = anyio.Lock()
        async with anyio.create_task_group() as group:
            self._group = group
            yield
            group.cancel_scope.cancel()

    async def __call__(self, scope: RequestScope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if find_spec("mcp") is None:
            missing = problem(404, "Tools for language models are not installed here: pip install 'windrow[mcp]'.")
            await missing(scope, receive, send)
            return
        async with self._starting:
            if self._manager is None and self._group is not None:
                self._manager = await self._group.start(self._run)
        if self._manager is not None:
            await self._manager.handle_request(scope, receive, send)

    async def _run(self, *, task_status: TaskStatus[StreamableHTTPSessionManager]) -> None:
        manager = await run_in_threadpool(self._make)
        async with manager.run():
            task_status.started(manager)
            await anyio.sleep_forever()

    def _make(self) -> StreamableHTTPSessionManager:
        from windrow.mcp.server import make_http, make_server  # noqa: PLC0415 - an extra
        from windrow.mcp.workplace import Workplace  # noqa: PLC0415 - as above

        desk = self._desk
        return make_http(make_server(Workplace(desk.store, desk.loading, desk.reach.allow_private, self._permit)))

    def _permit(self, request: object, scope: Scope, pages: int) -> None:
        """Refuse what a token was not made for, and too many pages at once."""
        state, client = getattr(request, "state", None), getattr(request, "client", None)
        access = getattr(getattr(state, "caller", None), "access", None)
        if access is None or scope not in access.scopes:
            raise RefusedError(f"This tool needs a token with the scope {scope}.")
        self._desk.count_loads(client.host if client else "", pages)
