"""Logging in and out."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from windrow.errors import WindrowError
from windrow.store.access import SESSION, end_session, open_session
from windrow.web.attempts import TooOftenError
from windrow.web.gate import COOKIE
from windrow.web.passwords import find_password, prove
from windrow.web.problems import sentence_of, status_of
from windrow.web.screen import View
from windrow.web.templating import render

if TYPE_CHECKING:
    from starlette.requests import Request

    from windrow.web.desk import Desk
    from windrow.web.screen import Call

HEADING = "Log in"
WRONG = "That is not the password."
NOT_SET = "No password has been set. Start `windrow web` on a terminal, or set WINDROW_WEB_PASSWORD."


async def ask(request: Request) -> Response:
    """Ask for the password; the link that is opened at the start needs none."""
    desk: Desk = request.app.state.desk
    once, where = request.query_params.get("once", ""), safe_next(request.query_params.get("next", ""))
    if once and desk.once and hmac.compare_digest(once.encode(), desk.once.encode()):
        desk.once = ""
        return await run_in_threadpool(_let_in, desk, where)
    if request.state.caller.is_person:
        return RedirectResponse(where, 303)
    return _form(request, where)


async def check(request: Request) -> Response:
    """Look at the password, slowly after failures."""
    desk: Desk = request.app.state.desk
    async with request.form(max_fields=8, max_files=0) as form:
        where, password = safe_next(str(form.get("next", ""))), str(form.get("password", ""))
    who = request.client.host if request.client else ""
    try:
        good = await run_in_threadpool(_is_good, desk, who, password)
    except WindrowError as error:
        answer = _form(request, where, sentence_of(error), status_of(error))
        if isinstance(error, TooOftenError):
            answer.headers["retry-after"] = str(error.seconds)
        return answer
    if not good:
        return _form(request, where, WRONG, 403)
    return await run_in_threadpool(_let_in, desk, where)


def _is_good(desk: Desk, who: str, password: str) -> bool:
    return prove(desk.attempts, "login", who, desk.password or find_password(desk.store), password)


def _let_in(desk: Desk, where: str) -> Response:
    with desk.store.writing() as connection:
        secret = open_session(connection)
    answer = RedirectResponse(where, 303)
    longest = round(SESSION.total_seconds())
    answer.set_cookie(COOKIE, secret, max_age=longest, httponly=True, samesite="strict", path="/")
    return answer


def _form(request: Request, where: str, error: str = "", status: int = 200) -> Response:
    view = View("login.html", HEADING, {"next": where}, status, error)
    return HTMLResponse(render(request, view), status)


def leave(call: Call) -> Response:
    """End the session."""
    with call.desk.store.writing() as connection:
        end_session(connection, call.caller.secret)
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return answer


def safe_next(where: str) -> str:
    """Return an address to lead on to that is surely ours; browsers read a backslash as a slash."""
    is_ours = (
        where.startswith("/") and not where.startswith(("//", "/\\")) and where.isprintable() and "\\" not in where
    )
    return where if is_ours else "/"
