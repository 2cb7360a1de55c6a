"""From a request to a screen: what a handler is given, what it returns, and how that becomes HTML or its JSON twin."""

from __future__ import annotations

import hmac
import importlib
import json
import logging
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import FormData, UploadFile
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from windrow.errors import WindrowError
from windrow.store.sources import find_source
from windrow.web.attempts import TooOftenError
from windrow.web.gate import MOST_DIGITS, SLASH, Caller
from windrow.web.problems import FAULT, MissingError, problem, problem_of, sentence_of, status_of
from windrow.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from starlette.requests import Request

    from windrow.store.sources import SourceRow
    from windrow.web.desk import Desk

logger = logging.getLogger(__name__)

MOST_FIELDS = 2000
A_CHUNK = 2**18
"""Bytes of a long answer that are sent together."""
CSRF = "csrf"
FORM = "windrow_form"
"""The attribute of handlers that take a form, by which a test finds those that would not look at its token."""


class NumberConvertor(IntegerConvertor):
    """Numbers in paths, as ``{name:number}``; there is nothing at those that no database knows."""

    regex = f"[0-9]{{1,{MOST_DIGITS}}}"


register_url_convertor("number", NumberConvertor())


def to_number(text: str) -> int | None:
    """Return the number that somebody wrote; None where it is none, or longer than any that is meant."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


@dataclass(frozen=True)
class View:
    """What a screen shows: its template, its heading, and the data that its JSON twin gives as they are."""

    template: str
    heading: str
    data: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    error: str = ""
    """What went wrong, as a sentence."""
    shown: Mapping[str, Any] = field(default_factory=dict)
    """What only the page needs: words, links, choices."""


Answer: TypeAlias = "View | Response"


@dataclass(frozen=True)
class Call:
    """A request as handlers see it."""

    desk: Desk
    request: Request
    caller: Caller
    form: FormData = field(default_factory=FormData)

    def param(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name]).replace(SLASH, "/")

    def query(self, name: str, default: str = "") -> str:
        """Return a text of the query; the first where there are several."""
        return self.request.query_params.get(name, default)

    def text(self, name: str, default: str = "") -> str:
        """Return a text of the form."""
        value = self.form.get(name, default)
        return value if isinstance(value, str) else default

    def texts(self, name: str) -> list[str]:
        """Return all texts of the form with one name."""
        return [value for value in self.form.getlist(name) if isinstance(value, str)]

    def file(self, name: str) -> UploadFile | None:
        """Return a file of the form, if one was chosen."""
        value = self.form.get(name)
        return value if isinstance(value, UploadFile) and value.filename else None

    def source(self, name: str | None = None) -> SourceRow:
        """Return the source that the path names; ``MissingError`` where there is none."""
        wanted = self.param("source") if name is None else name
        with self.desk.store.reading() as connection:
            found = find_source(connection, wanted)
        if found is None:
            raise MissingError(f"There is no source {wanted!r}. The front page lists those that there are.")
        return found

    @property
    def who(self) -> str:
        """The address of who sent it, for counting."""
        return self.request.client.host if self.request.client else ""


def show(path: str, handler: str, *, twin: str | None = None) -> list[Route]:
    """Return the routes of a screen: its page, and the same data as JSON at its address with ``.json``."""
    return [give(twin or f"{path}.json", handler, as_json=True), give(path, handler)]


def give(path: str, handler: str, *, as_json: bool = False) -> Route:
    """Return the route of something that is only looked at."""

    async def answer(request: Request) -> Response:
        return await _answer(request, handler, FormData(), as_json=as_json)

    return Route(path, answer, methods=["GET"], name=handler)


def act(path: str, handler: str) -> Route:
    """Return the route of a form, whose token is looked at before anything else."""

    async def submit(request: Request) -> Response:
        caller: Caller = request.state.caller
        async with request.form(max_fields=MOST_FIELDS, max_files=1) as form:
            given = form.get(CSRF)
            if not (
                isinstance(given, str) and caller.csrf and hmac.compare_digest(given.encode(), caller.csrf.encode())
            ):
                return error_page(request, 403, "This form is out of date. Go back, load the page again, and repeat.")
            return await _answer(request, handler, form)

    setattr(submit, FORM, True)
    return Route(path, submit, methods=["POST"], name=handler)


def respond(path: str, handler: str, *, method: str = "GET") -> Route:
    """Return the route of a handler that takes the request itself, and answers as it likes."""

    async def answer(request: Request) -> Response:
        response: Response = await (await run_in_threadpool(find_handler, handler))(request)
        return response

    return Route(path, answer, methods=[method], name=handler)


@cache
def find_handler(name: str) -> Any:  # noqa: ANN401 - some take a call, others a request
    """Return the handler of a name, ``module.function`` of the screens.

    What reads pages takes more memory than everything else that a server needs: it waits until somebody wants it.
    """
    module, _, function = name.partition(".")
    return getattr(importlib.import_module(f"windrow.web.screens.{module}"), function)


async def _answer(request: Request, handler: str, form: FormData, *, as_json: bool = False) -> Response:
    call = Call(request.app.state.desk, request, request.state.caller, form)
    try:
        return await run_in_threadpool(lambda: _to_response(request, find_handler(handler)(call), as_json=as_json))
    except WindrowError as error:
        if as_json:
            return problem_of(error)
        found = error_page(request, status_of(error), sentence_of(error))
        if isinstance(error, TooOftenError):
            found.headers["retry-after"] = str(error.seconds)
        return found
    except Exception:
        logger.exception("failed on %s", request.url.path)
        return problem(500, FAULT) if as_json else error_page(request, 500, FAULT)


def _to_response(request: Request, answer: Answer, *, as_json: bool) -> Response:
    if isinstance(answer, Response):
        return answer
    if as_json:
        return json_response({"heading": answer.heading, **answer.data}, answer.status)
    return HTMLResponse(render(request, answer), answer.status)


def error_page(request: Request, status: int, sentence: str) -> Response:
    """Say on a page what went wrong."""
    view = View("error.html", "That did not work", {}, status, sentence)
    return HTMLResponse(render(request, view), status)


def json_response(data: object, status: int = 200) -> Response:
    """Answer with JSON, whatever our results are made of."""
    return Response(to_json(data), status, media_type="application/json")


def to_json(data: object) -> bytes:
    """Return JSON on one line, whatever our results are made of; halves of characters are escaped."""
    try:
        return orjson.dumps(data, _plain, orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS)
    except TypeError:
        return json.dumps(data, default=_plain).encode()


def to_lines(things: Iterable[object]) -> Iterator[bytes]:
    """Yield things as JSON lines, many at a time; each is written as soon as it is read, and need not be kept.

    That costs half of reading some hundred first: what is written is still near, and the next takes its room.
    """
    lines, size = list[bytes](), 0
    for thing in things:
        lines.append(to_json(thing) + b"\n")
        size += len(lines[-1])
        if size >= A_CHUNK:
            yield b"".join(lines)
            lines, size = [], 0
    if lines:
        yield b"".join(lines)


def _plain(value: object) -> object:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


def go(*parts: str, done: str = "") -> Response:
    """Lead on to another screen, by the parts of its path; ``done`` names the sentence that it begins with."""
    return RedirectResponse(address(*parts) + (f"?done={done}" if done else ""), 303)


def address(*parts: object) -> str:
    """Return the path of a screen from its parts, each of which may hold anything."""
    return "/" + "/".join(quote(str(part), safe="") for part in parts)
