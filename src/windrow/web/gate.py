"""The one gate that every request passes: whom it was meant for, where it comes from, who sends it, how large it is.

It fails closed: an address that nobody named as public needs a session or a token, whatever handles it. What handles a
request finds in its state who sent it.
"""

from __future__ import annotations

import hmac
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote_to_bytes

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import RedirectResponse

from windrow.errors import WindrowError
from windrow.store.access import SCOPES, Access, find_access, is_use_worth_noting, note_use
from windrow.web.problems import FAULT, problem, problem_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from windrow.web.desk import Desk

logger = logging.getLogger(__name__)

COOKIE = "windrow"
PUBLIC = ("/health", "/login", "/static/")
"""What everybody may ask for: addresses, or beginnings of them that end in a slash."""
API = "/api/"
PREFIX = "/api/v1"
"""Where the API is, in the one version that there is."""
MCP = "/mcp"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_BYTES = 2 * 1024 * 1024
MOST_DIGITS = 18
"""Of numbers that somebody sends; a database knows no longer ones."""
A_PAGE = 20 * 1024 * 1024
LARGER = {
    **dict.fromkeys(("/read", "/api/v1/read", "/api/v1/learn", "/api/v1/try"), A_PAGE),
    "/settings/restore": 4 * 1024**3,
}
"""What may be sent to addresses that take files."""
SLASH = "\x1f"
"""What stands for a slash inside a name: names have no control characters."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True)
class Caller:
    """Who sent a request."""

    access: Access | None = None
    secret: str = ""
    """Of the session; forms prove with it that they are ours."""

    @property
    def is_person(self) -> bool:
        """Whether somebody logged in."""
        return self.access is not None and self.access.kind == "session"

    @property
    def csrf(self) -> str:
        """What every form of this session carries, and no other site can know."""
        return hmac.digest(self.secret.encode(), b"form", "sha256").hex() if self.secret else ""


class Gate:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, desk: Desk, scope_of: Callable[[str, str], Awaitable[str]]) -> None:
        """Stand before an application; ``scope_of`` says what a token needs for a method and an address of the API."""
        self._app, self._desk, self._scope_of = app, desk, scope_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        scope["path"] = decode_path(scope.get("raw_path") or scope["path"].encode())
        answering = _Answering(send)
        try:
            answer = await self._look(scope)
            bounded = _Bounded(receive, scope)
            await (self._app(scope, bounded, answering) if answer is None else answer(scope, receive, answering))
        except ClientDisconnect:
            logger.info("nobody waits any more for %s", scope["path"])
        except Exception as error:
            logger.exception("failed on %s", scope["path"])
            if not answering.has_begun:
                failed = problem_of(error) if isinstance(error, WindrowError) else problem(500, FAULT)
                await failed(scope, receive, answering)

    async def _look(self, scope: Scope) -> Response | None:
        """Return the answer to a request that must not pass; None for one that may."""
        request = HTTPConnection(scope)
        if (answer := self._refuse(request)) is not None:
            return answer
        caller = await self._find_caller(request)
        scope.setdefault("state", {})["caller"] = caller
        return None if is_public(scope["path"]) else await self._check_caller(request, caller)

    def _refuse(self, request: HTTPConnection) -> Response | None:
        """Refuse what is meant for another host, comes from another site, or is too large for a program."""
        if not request.scope["path"].startswith("/"):
            return problem(
                400, "The target of this request is no path. Ask for an address as it stands here: /sources."
            )
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._desk.reach.hosts:
            known = ", ".join(sorted(self._desk.reach.hosts))
            return problem(421, f"This request was meant for another host. Windrow is here as: {known}.")
        if request.scope["method"] not in SAFE and (complaint := self._cross_site(request)):
            return problem(403, complaint)
        path = request.scope["path"]
        if path.startswith((API, MCP)) and _length_of(request.scope) > _most_of(path):
            return problem(413, TooLargeError(_most_of(path)).detail)
        return None

    async def _check_caller(self, request: HTTPConnection, caller: Caller) -> Response | None:
        """Refuse who is not known, a token for something else, and a session that no page of ours uses."""
        path, method = request.scope["path"], request.scope["method"]
        if caller.access is None:
            return _unknown(request)
        if not caller.is_person:
            return await self._check_token(caller.access, path, method)
        if method not in SAFE and path.startswith((API, MCP)) and not _is_from_page(request):
            return problem(403, "Only a page of Windrow's may change something with a session. Send a token instead.")
        return None

    def _cross_site(self, request: HTTPConnection) -> str:
        """Return why a request that changes something does not come from a page of ours; empty where it may."""
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        if site not in {None, "same-origin", "none"}:
            return "A page of another site sent this. Open Windrow itself and do it there."
        if origin is not None and origin.partition("://")[2].lower() not in self._desk.reach.hosts:
            return "A page of another origin sent this. Open Windrow itself and do it there."
        return ""

    async def _check_token(self, access: Access, path: str, method: str) -> Response | None:
        """Tokens are for the API, and only for what they were made for."""
        if not path.startswith(API) and path != MCP:
            return problem(403, "A token opens the API alone. Log in with the password for the pages.")
        needed = await self._scope_of(method, path)
        if needed in access.scopes:
            return None
        has = ", ".join(scope for scope in SCOPES if scope in access.scopes)
        return problem(403, f"This needs a token with the scope {needed}; this one has: {has}.")

    async def _find_caller(self, request: HTTPConnection) -> Caller:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return await run_in_threadpool(self._find, token.strip(), "token")
        secret = request.cookies.get(COOKIE, "")
        return await run_in_threadpool(self._find, secret, "session") if secret else Caller()

    def _find(self, secret: str, kind: str) -> Caller:
        with self._desk.store.reading() as connection:
            access = find_access(connection, secret, "token" if kind == "token" else "session")
        if access is None:
            return Caller()
        if access.kind == "token" and is_use_worth_noting(access):
            with self._desk.store.writing() as connection:
                note_use(connection, access)
        return Caller(access, secret if access.kind == "session" else "")


def _is_from_page(request: HTTPConnection) -> bool:
    """Whether a browser says where a request comes from, which was looked at before; forms have a token for that."""
    return "origin" in request.headers or request.headers.get("sec-fetch-site") == "same-origin"


def is_public(path: str) -> bool:
    """Whether everybody may ask for an address."""
    return any(path == each or (each.endswith("/") and path.startswith(each)) for each in PUBLIC)


def decode_path(raw: bytes) -> str:
    """Return the path of a request; a slash that was escaped is part of a name, and parts nothing."""
    segments = raw.partition(b"?")[0].split(b"/")
    return "/".join(unquote_to_bytes(each).decode("utf-8", "replace").replace("/", SLASH) for each in segments)


def _unknown(request: HTTPConnection) -> Response:
    """Answer somebody who is not known: people are led to the log-in, programs are told."""
    path = request.scope["path"]
    if path.startswith((API, MCP)) or path.endswith(".json") or request.scope["method"] not in SAFE:
        answer = problem(401, "Log in, or send a token: Authorization: Bearer TOKEN. Tokens are made in the settings.")
        answer.headers["www-authenticate"] = "Bearer"
        return answer
    raw = request.scope.get("raw_path") or quote(path).encode()
    asked = quote(raw.partition(b"?")[0].decode("ascii", "replace"), safe="")
    if request.scope["query_string"]:
        asked += quote(f"?{request.scope['query_string'].decode('ascii', 'replace')}", safe="")
    return RedirectResponse(f"/login?next={asked}", 303)


def _length_of(scope: Scope) -> int:
    """Return how many bytes the headers of a request announce."""
    length = Headers(scope=scope).get("content-length", "0")
    return int(length[:MOST_DIGITS]) if length.isdecimal() else 0


def _most_of(path: str) -> int:
    """Return how many bytes may be sent to an address."""
    return LARGER.get(path, MOST_BYTES)


class _Bounded:
    """What is sent to us, up to a number of bytes, whatever its headers say; nothing where they announce more."""

    def __init__(self, receive: Receive, scope: Scope) -> None:
        self._receive, self._left = receive, _most_of(scope["path"])
        self._most, self._announced = self._left, _length_of(scope)

    async def __call__(self) -> Message:
        if self._announced > self._most:
            raise TooLargeError(self._most)
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise TooLargeError(self._most)
        return message


class TooLargeError(HTTPException):
    """More was sent than is taken."""

    def __init__(self, most: int) -> None:
        """Say how much is taken."""
        super().__init__(
            413, f"That is larger than the {most:,} bytes that are taken here. Send a smaller file, or less."
        )


class _Answering:
    """A way to answer that adds what keeps an answer harmless."""

    def __init__(self, send: Send) -> None:
        self._send, self.has_begun = send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            present = {name.lower() for name, _ in message["headers"]}
            more = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in present]
            if b"cache-control" not in present:
                more.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*message["headers"], *more]}
        await self._send(message)
