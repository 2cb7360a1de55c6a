"""Request headers, and whom they are sent to: the user's own headers and credentials go to one origin only."""

from __future__ import annotations

import base64
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING
from urllib.parse import unquote
from urllib.request import Request

from urllib3 import HTTPHeaderDict

from windrow.source.content_codings import ACCEPTED
from windrow.source.session import empty_jar, read_session

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

    import ada_url
    from urllib3.response import BaseHTTPResponse

    from windrow.options import Options
    from windrow.source.validators import Validators

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def default_user_agent() -> str:
    """Return the user agent that Windrow sends by default."""
    try:
        return f"Windrow/{version('windrow')}"
    except PackageNotFoundError:
        return "Windrow"


class RequestHeaders:
    """The headers of one page's requests, from the first address through all redirects."""

    def __init__(self, first: ada_url.URL, options: Options, validators: Validators | None = None) -> None:
        """Prepare the headers for an address that was asked for with these options."""
        self._first = first
        self._origin = first.origin
        self._validators = validators
        self._login = _basic(first)
        self._options = options
        self._jar: CookieJar = read_session(options.session).cookiejar() if options.session else empty_jar()

    def for_url(self, url: ada_url.URL) -> HTTPHeaderDict:
        """Return the headers for one request."""
        options = self._options
        headers = HTTPHeaderDict(
            {
                "Host": url.host,
                "User-Agent": options.user_agent or default_user_agent(),
                "Accept": ACCEPT,
                "Accept-Language": options.language,
                "Accept-Encoding": ACCEPTED,
                "Connection": "close",
            }
        )
        at_home = url.origin == self._origin
        login = _basic(url) or (self._login if at_home else "")
        if login:
            headers["Authorization"] = login
        cookies = _cookie_request(url)
        self._jar.add_cookie_header(cookies)
        if cookies.has_header("Cookie"):
            headers["Cookie"] = str(cookies.get_header("Cookie"))
        for name, value in options.headers.items() if at_home else ():
            headers[name] = value
        headers.update(self.conditions(url))
        return headers

    def conditions(self, url: ada_url.URL) -> dict[str, str]:
        """Return those of the headers for one request that make it conditional."""
        return self._validators.conditions(url, self._first) if self._validators else {}

    def keep_cookies(self, response: BaseHTTPResponse, url: ada_url.URL) -> None:
        """Keep the cookies of a response for the requests that follow."""
        # The jar asks the response for info() and that for get_all(), both of which urllib3 provides for it.
        self._jar.extract_cookies(response, _cookie_request(url))  # type: ignore[arg-type]


def _basic(url: ada_url.URL) -> str:
    if not url.username and not url.password:
        return ""
    pair = f"{unquote(url.username)}:{unquote(url.password)}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"


def _cookie_request(url: ada_url.URL) -> Request:
    return Request(url.href)  # noqa: S310 - never opened; the jar takes the address from it, which the guard has checked
