"""The application: screens, files of ours and the API behind the gate."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from windrow.web.api.late import LateApi
from windrow.web.gate import API, MCP, Gate, TooLargeError
from windrow.web.mcp import Models
from windrow.web.problems import FAULT, problem
from windrow.web.screen import error_page
from windrow.web.screens import ROUTES
from windrow.web.templating import STATIC

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from windrow.web.desk import Desk

A_YEAR = "public, max-age=31536000, immutable"
FILES = frozenset(path.name for path in STATIC.iterdir()) if STATIC.is_dir() else frozenset()


def make_application(desk: Desk) -> Gate:
    """Return the application for a desk, which it closes at its end; nothing of it stands before the gate."""
    api, models = LateApi(desk), Models(desk)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            async with models.serving():
                yield
        finally:
            await run_in_threadpool(desk.close)

    routes = [
        Route("/health", health, methods=["GET"]),
        Route("/static/{name}", serve_file, methods=["GET"]),
        api.route,
        models.route,
        *ROUTES,
    ]
    handlers: dict[Any, Any] = {404: not_there, 405: not_that_way, TooLargeError: too_large}
    handlers |= {HTTPException: not_understood, Exception: at_fault}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    app.state.desk = desk
    return Gate(app, desk, api.scope_of)


async def health(_: Request) -> Response:
    """Say that we are ready."""
    return PlainTextResponse("ready\n")


async def serve_file(request: Request) -> Response:
    """Give a file of ours."""
    name = request.path_params["name"]
    if name not in FILES:
        return PlainTextResponse("There is no such file.\n", 404)
    return FileResponse(STATIC / name, headers={"cache-control": A_YEAR})


async def not_there(request: Request, _: Exception) -> Response:
    """Say that there is nothing at an address."""
    return _complain(request, 404, "There is nothing at this address. The front page leads to everything.")


async def not_that_way(request: Request, error: Exception) -> Response:
    """Say that an address is not used that way."""
    answer = _complain(request, 405, "This address can't be used in that way.")
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


async def too_large(request: Request, error: Exception) -> Response:
    """Refuse what is too large."""
    return _complain(request, 413, str(getattr(error, "detail", error)))


async def not_understood(request: Request, error: Exception) -> Response:
    """Refuse what can't be read, as a form with too much in it."""
    status, detail = getattr(error, "status_code", 400), getattr(error, "detail", error)
    return _complain(request, status, f"What was sent could not be read: {detail} Go back, and send less or otherwise.")


async def at_fault(request: Request, _: Exception) -> Response:
    """Say that the fault is ours; the gate writes down what it is."""
    return _complain(request, 500, FAULT)


def _complain(request: Request, status: int, sentence: str) -> Response:
    path = request.scope["path"]
    if path.startswith((API, MCP)) or path.endswith(".json") or not request.state.caller.is_person:
        return problem(status, sentence)
    return error_page(request, status, sentence)
