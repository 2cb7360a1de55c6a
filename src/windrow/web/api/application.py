"""The application of the API: its endpoints, its errors as problems, and the OpenAPI document."""

from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as StarletteScope

from windrow.errors import WindrowError
from windrow.store.access import Scope
from windrow.web.api import changes, collections, exports, pages, records, runs, sources, verdicts, warnings, wrappers
from windrow.web.api.answers import Problem
from windrow.web.api.endpoint import JSON, Asking, Endpoint, give
from windrow.web.api.once import Deeds
from windrow.web.desk import Desk
from windrow.web.gate import PREFIX
from windrow.web.problems import FAULT, MEDIA_TYPE, problem, problem_of

MODULES = (pages, sources, wrappers, runs, records, changes, warnings, collections, verdicts, exports)
DOCUMENT = "/openapi.json"
ABOUT = (
    "What the command and the pages can do. Errors are application/problem+json with a sentence; lists have a cursor "
    "`next` and a Link header; changes name the version that they change in If-Match."
)
MOST_NAMED = 5
"""Mistakes of a request that are named in the sentence; all of them stand beside it."""


def describe(call: Asking) -> Response:
    """Give this document."""
    return give(call.request.app.openapi())


ENDPOINTS: list[Endpoint] = [
    Endpoint("GET", DOCUMENT, describe, "read", dict[str, Any]),
    *(endpoint for module in MODULES for endpoint in module.ENDPOINTS),
]


def scope_of(method: str, path: str) -> Scope:
    """Return the scope that a token needs; whoever may read is told where there is nothing at an address."""
    found = (endpoint for endpoint in ENDPOINTS if endpoint.method == method and endpoint.pattern.match(path))
    return next((endpoint.scope for endpoint in found), "read")


def make_api(desk: Desk) -> FastAPI:
    """Return the application that is mounted under the prefix."""
    api = FastAPI(
        title="Windrow",
        version=version("windrow"),
        description=ABOUT,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={
            HTTPException: _refused,
            RequestValidationError: _misunderstood,
            WindrowError: _failed,
            Exception: _faulty,
        },
    )
    api.state.desk, api.state.deeds = desk, Deeds()
    for endpoint in ENDPOINTS:
        _add(api, endpoint)
    api.add_middleware(Negotiation)
    api.openapi = lambda: _document(api)  # type: ignore[method-assign] # as FastAPI's manual does it
    return api


def _add(api: FastAPI, endpoint: Endpoint) -> None:
    is_json = JSON in endpoint.media and endpoint.status != 204  # noqa: PLR2004 - nothing is given
    api.add_api_route(
        endpoint.path,
        endpoint.handler,
        methods=[endpoint.method],
        status_code=endpoint.status,
        response_model=endpoint.answer,
        response_class=JSONResponse if is_json else Response,
        responses=endpoint.responses,
        operation_id=endpoint.name,
        summary=endpoint.summary,
        tags=[endpoint.handler.__module__.rpartition(".")[2]],
        openapi_extra={"x-scope": endpoint.scope},
    )


def _document(api: FastAPI) -> dict[str, Any]:
    """Return the document, made once, with what FastAPI does not know: problems and how one is known."""
    if api.openapi_schema is None:
        found = get_openapi(
            title=api.title,
            version=api.version,
            openapi_version="3.1.0",
            description=api.description,
            routes=api.routes,
            servers=[{"url": PREFIX}],
        )
        parts = found.setdefault("components", {})
        parts.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
        parts["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer", "description": "Made in the settings, with scopes."},
            "session": {"type": "apiKey", "in": "cookie", "name": "windrow", "description": "Of somebody logged in."},
        }
        found["security"] = [{"token": []}, {"session": []}]
        for methods in found["paths"].values():
            for operation in methods.values():
                _require_match(operation)
        api.openapi_schema = found
    return api.openapi_schema


def _require_match(operation: dict[str, Any]) -> None:
    """Say that a change needs If-Match, where nothing else can stand for it."""
    named = {each["name"]: each for each in operation.get("parameters", ())}
    if "if-match" in named and "if-none-match" not in named:
        named["if-match"]["required"] = True


class Negotiation:
    """Refuses what is at no endpoint, a body that is no JSON, and a request that takes nothing of what could be given.

    It fails closed: what FastAPI would answer beside the endpoints is never reached.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the endpoints."""
        self._app = app

    async def __call__(self, scope: StarletteScope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        answer = _refuse(Headers(scope=scope), scope["method"], scope["path"]) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)


def _refuse(headers: Headers, method: str, path: str) -> Response | None:
    found = [each for each in ENDPOINTS if each.pattern.match(path)]
    if not found:
        return problem(404, f"There is nothing at this address. {PREFIX}{DOCUMENT} says what there is.")
    offered = [form for endpoint in found if endpoint.method == method for form in endpoint.media]
    if not offered:
        allowed = ", ".join(sorted({endpoint.method for endpoint in found}))
        answer = problem(405, f"This address is used with {allowed}.")
        answer.headers["allow"] = allowed
        return answer
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if method in {"POST", "PUT", "PATCH"} and has_body:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            return problem(415, f"Send JSON with Content-Type: {JSON}; this is {kind or 'of no type'}.")
    if not _takes(headers.get("accept", "*/*"), [*offered, MEDIA_TYPE]):
        return problem(406, f"This address gives {' or '.join(offered)}. Ask for that in Accept, or leave it out.")
    return None


def _takes(accepted: str, offered: list[str]) -> bool:
    """Whether one of some forms is accepted; a weight of nought takes it out."""
    for part in accepted.split(","):
        form, *parameters = (word.strip().lower() for word in part.split(";"))
        if any(word.replace(" ", "") in {"q=0", "q=0.0", "q=0.00", "q=0.000"} for word in parameters):
            continue
        kind = form.partition("/")[0]
        if form in {"*/*", ""} or any(form in {each, f"{each.partition('/')[0]}/*"} for each in offered if kind):
            return True
    return False


async def _refused(_: Request, error: HTTPException) -> Response:
    if error.status_code == HTTPStatus.BAD_REQUEST:
        return problem(400, "The body is no JSON that can be read. Send valid JSON in UTF-8, nested less deeply.")
    return problem(error.status_code, str(error.detail))


async def _misunderstood(_: Request, error: RequestValidationError) -> Response:
    """Name what is wrong with a request."""
    wrong = [
        {"where": ".".join(str(part) for part in each["loc"]), "what": str(each["msg"])} for each in error.errors()
    ]
    named = "; ".join(f"{each['where']}: {each['what']}" for each in wrong[:MOST_NAMED])
    return problem(422, f"The request is not understood. {named}.", kind="usage", errors=wrong)


async def _failed(_: Request, error: WindrowError) -> Response:
    return problem_of(error)


async def _faulty(_: Request, __: Exception) -> Response:
    """Say that the fault is ours; the gate writes down what it is."""
    return problem(500, FAULT)
