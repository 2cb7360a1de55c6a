"""An endpoint of the API: its address, the scope that a token needs for it, and everything that it may answer.

Endpoints are listed, not decorated, so that the gate and the document know the same ones, and none lacks a scope.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Path, Request
from pydantic import AfterValidator
from starlette.responses import Response
from starlette.routing import compile_path

from windrow.store.access import Scope
from windrow.web.gate import PREFIX, SLASH
from windrow.web.problems import MEDIA_TYPE
from windrow.web.screen import Call, address, json_response

JSON = "application/json"
JSON_LINES = "application/jsonl"
EVENTS = "text/event-stream"
EVERYWHERE = (400, 401, 403, 406, 421, 422)
"""Problems that any request may meet; the first ones at the gate."""
OF_BODIES = (413, 415)


@dataclass(frozen=True)
class Endpoint:
    """What is done at an address, and what comes of it."""

    method: str
    path: str
    handler: Callable[..., Response]
    scope: Scope
    answer: Any = None
    """The model of what it gives, for the document."""
    status: int = 200
    media: tuple[str, ...] = (JSON,)
    """The forms that it can give; a request that takes none of them is refused."""
    problems: tuple[int, ...] = ()
    """Problems of its own."""
    gives: tuple[str, ...] = ()
    """Headers of its answer."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What its address looks like."""
        return compile_path(PREFIX + self.path)[0]

    @property
    def name(self) -> str:
        """What the document calls it: nothing else is done by the same name."""
        return f"{self.handler.__module__.rpartition('.')[2]}_{self.handler.__name__}"

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return (self.handler.__doc__ or "").partition("\n")[0].rstrip(".")

    @property
    def responses(self) -> dict[int | str, dict[str, Any]]:
        """Everything that it may answer, as the document says it."""
        statuses = {*EVERYWHERE, *self.problems, *(OF_BODIES if self.method not in {"GET", "DELETE"} else ())}
        statuses |= {404} if "{" in self.path else set()
        problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
        found: dict[int | str, dict[str, Any]] = {
            status: {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: problem}}
            for status in sorted(statuses)
        }
        good: dict[str, Any] = {"description": HTTPStatus(self.status).phrase}
        if forms := [form for form in self.media if form != JSON]:
            good["content"] = {form: {"schema": {"type": "object" if form == EVENTS else "string"}} for form in forms}
        if self.gives:
            good["headers"] = {
                name: {"schema": {"type": "string"}, "description": HEADERS[name]} for name in self.gives
            }
        return {self.status: good, **found}


HEADERS = {
    "ETag": "The version of what is given; say it in If-Match to change just that.",
    "Link": 'The next page, as rel="next"; there is none on the last.',
    "Location": "Where what was made is.",
}
"""What the headers of answers say."""


def find_call(request: Request) -> Call:
    """Return a request as all handlers see it."""
    return Call(request.app.state.desk, request, request.state.caller)


def _with_slashes(text: str) -> str:
    return text.replace(SLASH, "/")


Asking = Annotated[Call, Depends(find_call)]
Name = Annotated[str, Path(description="A name, escaped as a part of an address."), AfterValidator(_with_slashes)]
Number = Annotated[int, Path(ge=1, le=2**62, description="A number that was given out here.")]


def give(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with JSON."""
    answer = json_response(data, status)
    answer.headers.update(headers or {})
    return answer


def place_of(*parts: object) -> str:
    """Return the address of something in the API."""
    return PREFIX + address(*parts)


def link_next(call: Call, **changed: object) -> dict[str, str]:
    """Return the header that names the next page of a list: the same address with some other parameters."""
    parameters = [(name, text) for name, text in call.request.query_params.multi_items() if name not in changed]
    query = urlencode([*parameters, *((name, str(value)) for name, value in changed.items())])
    path = call.request.scope["raw_path"].decode("ascii", "replace").partition("?")[0]
    return {"Link": f'<{path}?{query}>; rel="next"'}
