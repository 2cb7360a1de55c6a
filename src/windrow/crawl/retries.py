"""Retries: what is worth another try, when to make it, and which answers mean that we are not wanted.

The time to wait is a function of the page and the attempt, so that it is the same after a restart.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.errors import BrowserError, EmptyError, LimitError, StatusError, TooLargeError, UnreachableError

if TYPE_CHECKING:
    from windrow.errors import WindrowError


@dataclass(frozen=True)
class RetryParameters:
    """How long to wait, in seconds: full jitter over a span that doubles with every attempt; set by principle."""

    first: float = 1.0
    """The longest wait before the second attempt."""
    longest: float = 300.0
    """The longest wait before any; a server's own wish may be longer."""


PARAMETERS = RetryParameters()

_SERVER_ERROR = 500
PASSING = frozenset({408, 421, 425, 429})
"""Client errors that are none of the request's own: a timeout, the wrong connection, too early, too often."""
LASTING = frozenset({501, 505, 506, 508, 510, 511})
"""Server errors that stay: what the server cannot do, a loop, a network that wants a login."""
BLOCKING = frozenset({401, 402, 403, 407, 429, 451, 511})
"""Statuses that say that we, and not everybody, do not get the page."""


def is_worth_retrying(error: WindrowError) -> bool:
    """Whether what went wrong may be mended by another try.

    That is no answer or a broken one, an empty page, a limit of time, a browser that died, and statuses of the moment.
    What is not there, is no page, is too large, was refused by the guard or robots.txt, or cannot be trusted, is final.
    """
    if isinstance(error, StatusError):
        return is_passing(error.status)
    if isinstance(error, TooLargeError):
        return False
    return isinstance(error, UnreachableError | EmptyError | LimitError | BrowserError)


def is_passing(status: int) -> bool:
    """Whether a status may be another one at the next try."""
    return status in PASSING or (status >= _SERVER_ERROR and status not in LASTING)


def is_blocked(error: WindrowError) -> bool:
    """Whether an error that remains after all attempts means that we are not let in, rather than that nothing is there.

    Captchas and logins that come as pages are told by the wrapper, which knows what should stand there.
    """
    return isinstance(error, StatusError) and error.status in BLOCKING


def find_delay(attempt: int, retry_after: float | None, seed: str) -> float:
    """Return how many seconds to wait after the given attempt, the first being 1, before the next one.

    ``retry_after`` is what the server asked for, and never undercut; ``seed`` is what tells this request from others,
    such as its run and address.
    """
    digest = hashlib.sha256(f"{seed}\n{attempt}".encode("utf-8", "surrogatepass")).digest()
    share = int.from_bytes(digest[:8]) / 2**64
    span = min(PARAMETERS.first * 2.0 ** min(attempt - 1, 64), PARAMETERS.longest)
    return (retry_after or 0.0) + share * (PARAMETERS.first if retry_after else span)
