"""Settings of the whole interface: password, tokens, what new sources begin with, storage, backup and restore."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from windrow.errors import RefusedError, UsageError
from windrow.harvest.notification import send
from windrow.store import upkeep
from windrow.store.access import SCOPES, list_tokens, make_token, revoke_token
from windrow.store.moments import now
from windrow.store.restoring import restore
from windrow.web.beginnings import find_beginnings, save_beginnings
from windrow.web.drafts import lines_of
from windrow.web.passwords import find_password, prove, set_password
from windrow.web.screen import View, go
from windrow.web.trust import check_restored

if TYPE_CHECKING:
    from windrow.web.screen import Call

HEADING = "Settings"
A_CHUNK = 1024 * 1024


def overview(call: Call, *, token: str = "", error: str = "") -> View:
    """Show all settings; ``token`` is one that was just made, and is shown this once."""
    with call.desk.store.reading() as connection:
        data: dict[str, Any] = {
            "tokens": list_tokens(connection),
            "beginnings": find_beginnings(connection).public,
        }
    data |= {"storage": upkeep.describe(call.desk.store), "scopes": SCOPES, "token": token}
    data |= {"is_fixed": call.desk.password is not None, "can_restore": call.desk.store.is_sqlite}
    return View("settings.html", HEADING, data, 422 if error else 200, error)


def change_password(call: Call) -> View | Response:
    """Set another password, once the old one was shown to be known."""
    desk = call.desk
    if desk.password is not None:
        return overview(call, error="The password comes from WINDROW_WEB_PASSWORD. Change it there, and start anew.")
    hashed = find_password(desk.store)
    if hashed is not None and not prove(desk.attempts, "password", call.who, hashed, call.text("old")):
        return overview(call, error="That is not the old password. Nothing was changed.")
    try:
        set_password(desk.store, call.text("new"))
    except UsageError as error:
        return overview(call, error=str(error))
    return go("login", done="password")


def add_token(call: Call) -> View:
    """Make a token, and show it once."""
    try:
        with call.desk.store.writing() as connection:
            secret = make_token(connection, call.text("name"), call.texts("scope"))
    except UsageError as error:
        return overview(call, error=str(error))
    return overview(call, token=secret)


def drop_token(call: Call) -> Response:
    """Make a token worthless."""
    with call.desk.store.writing() as connection:
        revoke_token(connection, int(call.param("number")))
    return go("settings", done="revoked")


def keep_beginnings(call: Call) -> View | Response:
    """Keep what new sources begin with."""
    try:
        with call.desk.store.writing() as connection:
            save_beginnings(connection, call.text("rate"), call.text("concurrency"), lines_of(call.text("send")))
    except (UsageError, RefusedError) as error:
        return overview(call, error=str(error))
    return go("settings", done="saved")


def try_sending(call: Call) -> View | Response:
    """Send a message to the addresses that new sources begin with."""
    call.desk.attempts.count("sending", call.who, 6, 60.0)
    with call.desk.store.reading() as connection:
        addresses = find_beginnings(connection).send
    if not addresses:
        return overview(call, error="There is no address to send to yet. Save one first.")
    body = "This is a test. Warnings of sources would come here."
    send(addresses, "Windrow: test", body, allow_private=call.desk.reach.allow_private)
    return go("settings", done="sent")


def give_backup(call: Call) -> Response:
    """Give a copy of the store as a file."""
    call.desk.attempts.count("backup", call.who, 6, 60.0)
    ending = "db" if call.desk.store.is_sqlite else "dump"
    with tempfile.NamedTemporaryFile(prefix="windrow-", suffix=f".{ending}", delete=False) as file:
        path = Path(file.name)
    try:
        upkeep.back_up(call.desk.store, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    name = f"windrow-{now()[:10]}.{ending}"
    dropping = BackgroundTask(path.unlink, missing_ok=True)
    return FileResponse(path, filename=name, media_type="application/octet-stream", background=dropping)


def restore_backup(call: Call) -> View | Response:
    """Take the place of the store's content with that of a copy, which is looked at first."""
    call.desk.attempts.count("restore", call.who, 3, 60.0)
    upload, path = call.file("file"), call.desk.store.path
    if upload is None or path is None:
        return overview(call, error="Choose a file that was downloaded here as a backup.")
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", suffix=".restore") as file:
        while chunk := upload.file.read(A_CHUNK):
            file.write(chunk)
        file.flush()
        try:
            check = partial(check_restored, allow_private=call.desk.reach.allow_private)
            restore(call.desk.store, Path(file.name), check)
        except (UsageError, RefusedError) as error:
            return overview(call, error=str(error))
    return go("settings", done="restored")
