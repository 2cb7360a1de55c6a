"""Errors for programs: ``application/problem+json`` with our sentence (RFC 9457)."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

from windrow.errors import (
    BusyError,
    HealUncertain,
    LimitError,
    RefusedError,
    RegionGone,
    SourceError,
    StaleError,
    StoreError,
    UsageError,
    WindrowError,
)
from windrow.web.attempts import TooOftenError

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"


FAULT = "Windrow itself failed here. What was stored is safe; the log of `windrow web` says more."


class MissingError(UsageError):
    """What was asked for is not there."""

    kind = "missing"


class ExistsError(UsageError):
    """What was to be made is there already."""

    kind = "exists"


class UnconditionalError(UsageError):
    """A change did not say which version it changes."""

    kind = "unconditional"


STATUSES: dict[type[WindrowError], int] = {
    MissingError: 404,
    ExistsError: 409,
    UnconditionalError: 428,
    StaleError: 412,
    TooOftenError: 429,
    UsageError: 422,
    BusyError: 409,
    RefusedError: 403,
    RegionGone: 409,
    HealUncertain: 409,
    # Another site did not give what it was asked for: no fault of this server, and not of the request's form either.
    LimitError: 424,
    SourceError: 424,
    StoreError: 503,
}


def sentence_of(error: WindrowError) -> str:
    """Return what is said of an error; what is not for everybody's eyes is written down instead."""
    if error.public != str(error):
        logger.error("%s", error)
    return error.public


def status_of(error: WindrowError) -> int:
    """Return the status that an error is answered with."""
    return next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 500)


def problem(status: int, detail: str, **more: Any) -> JSONResponse:  # noqa: ANN401 - whatever JSON can hold
    """Answer with a problem."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    return JSONResponse(body, status, media_type=MEDIA_TYPE)


def problem_of(error: WindrowError) -> JSONResponse:
    """Answer with what an error says."""
    more = {"current": error.current} if isinstance(error, StaleError) and error.current is not None else {}
    answer = problem(status_of(error), sentence_of(error), kind=error.kind, **more)
    if isinstance(error, TooOftenError):
        answer.headers["retry-after"] = str(error.seconds)
    return answer
