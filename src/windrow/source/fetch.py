"""Our own HTTP client: one page, through the guard, within its limits of time and bytes."""

from __future__ import annotations

import functools
import logging
import ssl
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

import ada_url
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from windrow.errors import LimitError, SourceError, WindrowError
from windrow.source.content_codings import decoded
from windrow.source.guard import DEFAULT_PORTS, Guard, shown_url, without_credentials
from windrow.source.http_errors import connection_error, status_error
from windrow.source.relay import DEADLINE_HEADER
from windrow.source.request_headers import RequestHeaders
from windrow.source.sniffing import find_charset
from windrow.source.validators import Validators

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from urllib3.response import BaseHTTPResponse

    from windrow.options import Options
    from windrow.source.proxy import GuardProxy

logger = logging.getLogger(__name__)

MAX_REDIRECTS = 20
LONGEST_SECONDS = 86_400.0  # what sockets can wait has an end; an infinite limit has not
_BLOCK_BYTES = 64 * 1024
_CLOCK_SLACK = 0.02  # the proxy's clock and ours are read at different moments
_PARTIAL, _NOT_MODIFIED, _ERROR = 206, 304, 400
_REDIRECTS = {301, 302, 303, 307, 308}


@dataclass(frozen=True)
class Answer:
    """What a server sent, decompressed."""

    url: str
    """The address after all redirects, without credentials."""
    status: int
    headers: Mapping[str, str]
    """By names in lower case; what was sent several times is joined by commas."""
    body: bytes = field(repr=False)
    charset: str | None
    """The label that the server put on the text, as it is."""
    cut: str = ""
    """Why the body ends before its end, as a sentence; empty if it is whole."""
    redirects: tuple[str, ...] = ()
    """The addresses that led there, without credentials."""

    @property
    def validators(self) -> Validators | None:
        """What to ask with next time whether the page has changed; None where the server gave nothing for it."""
        return Validators.of_headers(self.headers, self.url)


class _LateError(Exception):
    """The time is up."""


def fetch(
    url: str,
    options: Options,
    proxy: GuardProxy,
    *,
    validators: Validators | None = None,
    permit: Callable[[str], None] | None = None,
) -> Answer:
    """Get a page or anything else by its address, through the guard's proxy.

    Where a limit is reached after some of the body was read, the answer says so in ``cut``. Asked with ``validators``,
    a page that has not changed since is an answer with status 304 and without a body.

    ``permit`` is called with each address, redirects included, before anything is sent to it. It may wait, which does
    not count as the page's time, or raise: then nothing is sent.
    """
    return _Trip(url, options, proxy, validators, permit).go()


class _Trip:
    """One address with all its redirects, under one deadline."""

    def __init__(
        self,
        url: str,
        options: Options,
        proxy: GuardProxy,
        validators: Validators | None,
        permit: Callable[[str], None] | None,
    ) -> None:
        self._options = options
        self._deadline = time.monotonic() + min(options.limits.seconds, LONGEST_SECONDS)
        self._guard = Guard(allow_private=options.allow_private)
        self._first = ada_url.URL(self._guard.check_url(url))
        self._headers = RequestHeaders(self._first, options, validators)
        self._proxy = proxy
        self._permit = permit

    def go(self) -> Answer:
        url = self._first
        passed: list[str] = []
        try:
            for _ in range(MAX_REDIRECTS + 1):
                self._wait_for_permit(url)
                with self._exchange(url) as response:
                    self._headers.keep_cookies(response, url)
                    location = response.headers.get("location") if response.status in _REDIRECTS else None
                    logger.info("%s answered with status %d", shown_url(url.href), response.status)
                    if not location:
                        return replace(self._read(url, response), redirects=tuple(passed))
                target = self._follow(url, location)
                passed.append(without_credentials(url.href))
                url = target
                logger.info("redirected to %s", shown_url(url.href))
            raise SourceError(
                f"{shown_url(self._first.href)} redirects more than {MAX_REDIRECTS} times. "
                "The site may need cookies or a login."
            )
        except WindrowError as error:
            error.url, error.redirects = without_credentials(url.href), tuple(passed)
            raise

    def _wait_for_permit(self, url: ada_url.URL) -> None:
        if self._permit is not None:
            began = time.monotonic()
            self._permit(without_credentials(url.href))
            self._deadline += time.monotonic() - began

    def _follow(self, url: ada_url.URL, location: str) -> ada_url.URL:
        # The header arrives as Latin-1, but what servers put there beyond ASCII is UTF-8.
        target = location.encode("latin-1").decode("utf-8", "replace")
        try:
            joined = ada_url.URL(target, base=url.href)
        except ValueError:
            raise SourceError(
                f"{shown_url(url.href)} redirects to something that is not an address. The site is broken."
            ) from None
        if not joined.hash:
            joined.hash = url.hash
        return ada_url.URL(self._guard.check_url(joined.href))

    @contextmanager
    def _exchange(self, url: ada_url.URL) -> Iterator[BaseHTTPResponse]:
        """Send the request for one address and give the answer, with its body still unread."""
        connection = self._connection(url)
        try:
            try:
                connection.request(
                    "GET", f"{url.pathname}{url.search}", headers=self._headers.for_url(url), preload_content=False
                )
                response = connection.getresponse()
            except (OSError, HTTPException, HTTPError) as error:
                self._explain(error, url)
            with response:
                yield response
        finally:
            connection.close()

    def _connection(self, url: ada_url.URL) -> HTTPConnection:
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise self._too_late(url)
        host, port = self._proxy.address.split(":")
        timeout = remaining + _CLOCK_SLACK
        connection = (
            HTTPSConnection(host, int(port), timeout=timeout, ssl_context=_tls_context())
            if url.protocol == "https:"
            else HTTPConnection(host, int(port), timeout=timeout)
        )
        # A timeout of ours starts anew with every byte. The proxy's does not, so slow drips cannot outlast it.
        connection.set_tunnel(url.hostname, _port(url), headers={DEADLINE_HEADER: str(remaining)})
        return connection

    def _explain(self, error: Exception, url: ada_url.URL) -> NoReturn:
        if self._is_late():
            raise self._too_late(url) from None
        failure = self._proxy.failure(url.hostname, _port(url))
        raise failure or connection_error(error, url.host) from None

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline - _CLOCK_SLACK

    def _require_time(self) -> None:
        if self._is_late():
            raise _LateError

    def _too_late(self, url: ada_url.URL) -> LimitError:
        seconds = self._options.limits.seconds
        return LimitError(
            f"{shown_url(url.href)} did not answer within {seconds:g} seconds. "
            "Try again, or raise the limit (--seconds, Limits.seconds)."
        )

    def _read(self, url: ada_url.URL, response: BaseHTTPResponse) -> Answer:
        shown = shown_url(url.href)
        headers = {name.lower(): ", ".join(response.headers.getlist(name)) for name in response.headers}
        if response.status >= _ERROR:
            raise status_error(response.status, shown, headers)
        if response.status == _PARTIAL:
            raise SourceError(f"{shown} answered with a part of the page only. The site is broken.")
        if response.status == _NOT_MODIFIED and not self._headers.conditions(url):
            raise SourceError(f"{shown} says that it has not changed, but nobody asked that. The site is broken.")
        body, cut = self._read_body(url, response)
        return Answer(
            url=without_credentials(url.href),
            status=response.status,
            headers=MappingProxyType(headers),
            body=body,
            charset=find_charset(headers.get("content-type", "")),
            cut=cut,
        )

    def _read_body(self, url: ada_url.URL, response: BaseHTTPResponse) -> tuple[bytes, str]:
        limits = self._options.limits
        shown = shown_url(url.href)
        body = bytearray()
        coding = response.headers.get("content-encoding", "")
        try:
            for block in decoded(self._raw_blocks(url, response), coding, shown):
                body += block
                if len(body) > limits.bytes:
                    del body[limits.bytes :]
                    logger.warning("%s reached the limit of %d bytes", shown, limits.bytes)
                    cut = f"{shown} is longer than {limits.bytes:,} bytes, so the rest was left out. "
                    return bytes(body), cut + "Raise the limit (--max-bytes, Limits.bytes)."
                self._require_time()
        except _LateError:
            if not body:
                raise self._too_late(url) from None
            logger.warning("%s reached the limit of %g seconds", shown, limits.seconds)
            cut = f"{shown} took longer than {limits.seconds:g} seconds, so the rest was left out. "
            return bytes(body), cut + "Raise the limit (--seconds, Limits.seconds)."
        return bytes(body), ""

    def _raw_blocks(self, url: ada_url.URL, response: BaseHTTPResponse) -> Iterator[bytes]:
        try:
            while block := response.read1(_BLOCK_BYTES, decode_content=False):
                yield block
                self._require_time()
        except (OSError, HTTPException, HTTPError) as error:
            if self._is_late():
                raise _LateError from None
            raise connection_error(error, url.host) from None


def _port(url: ada_url.URL) -> int:
    return int(url.port or DEFAULT_PORTS[url.protocol])


@functools.cache
def _tls_context() -> ssl.SSLContext:
    # Reading the certificates of the system takes longer than many a page.
    return ssl.create_default_context()
