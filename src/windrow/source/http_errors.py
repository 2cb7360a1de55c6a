"""HTTP statuses and broken connections as errors, each a sentence."""

from __future__ import annotations

import ssl
import time
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from windrow.errors import SourceError, StatusError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_RETRY_AFTER = 86_400.0
"""The longest time, in seconds, for which a server's wish to be left alone is believed; then one may ask again."""
_SERVER_ERROR = 500
_ADVICE = {
    401: "The page asks for a login. Use a session made with 'windrow login', or put credentials into the address.",
    403: "The server does not let us in. Log in with 'windrow login', or try another user agent or the browser.",
    404: "There is no such page. Check the spelling of the address.",
    407: "A proxy asks for a login. Put name and password into the address of the proxy.",
    408: "The server timed out waiting for the request. Try again later.",
    410: "The page has been taken away for good.",
    429: "That was too much for the server. Wait a while, and ask less often.",
    451: "The page is withheld for legal reasons.",
}


def status_error(status: int, shown: str, headers: Mapping[str, str]) -> StatusError:
    """Return the error for an HTTP status.

    ``shown`` is the address as it may be shown; ``headers`` are those of the response, names in lower case.
    """
    if status >= _SERVER_ERROR:
        advice = "The server is in trouble. Try again later."
    else:
        advice = _ADVICE.get(status, "The server does not accept the request. Check the address.")
    return StatusError(f"{shown} answered with status {status}. {advice}", status, find_retry_after(headers))


def find_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return for how many seconds a response asks to be left alone, or None.

    A date counts from the response's own Date: clocks differ, and only the distance is meant.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdecimal():
        return min(float(value), MOST_RETRY_AFTER)
    until = _read_date(value)
    if until is None:
        return None
    sent = _read_date(headers.get("date", ""))
    return min(max(until - (time.time() if sent is None else sent), 0.0), MOST_RETRY_AFTER)


def _read_date(value: str) -> float | None:
    """Return the moment that an HTTP date names, in seconds since 1970, or None."""
    try:
        moment = parsedate_to_datetime(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def connection_error(error: Exception, host: str) -> SourceError:
    """Return the error for an exchange that failed after the host had been reached."""
    # Imported here, since it takes a while, which pages from archives and browsers do without.
    from urllib3.exceptions import IncompleteRead, ProtocolError, ReadTimeoutError  # noqa: PLC0415
    from urllib3.exceptions import SSLError as ReadSSLError  # noqa: PLC0415

    if isinstance(error, ssl.SSLCertVerificationError):
        return SourceError(
            f"The certificate of {host} does not hold: {error.verify_message}. "
            "Check the address and your clock; if both are right, the site cannot be trusted."
        )
    if isinstance(error, ssl.SSLError | ReadSSLError):
        return SourceError(f"No secure connection to {host} came about. Check whether its address begins with http://.")
    if isinstance(error, IncompleteRead | ProtocolError | ConnectionError):
        return UnreachableError(f"The transfer from {host} broke off. Try again.")
    if isinstance(error, TimeoutError | ReadTimeoutError):
        return UnreachableError(f"{host} stopped answering. Try again later.")
    return SourceError(f"{host} answered with something else than HTTP. Check the address and its port.")
