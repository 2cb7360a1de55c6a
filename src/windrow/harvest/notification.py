"""Telling people: warnings by mail, chat or webhook, through apprise, in a process that has no way out but the guard.

Apprise opens connections of its own. So it runs in a child whose HTTP goes through the guard's proxy, and mail only to
servers that the guard lets us reach. What opens doors, the addresses themselves, shows in no log and no sentence.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from windrow.errors import RefusedError, SourceError, WindrowError
from windrow.harvest.secret_values import resolve_secret
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy
from windrow.store.warnings import mark_sent, unsent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.harvest.settings import SourceSettings
    from windrow.store import Store

SECONDS = 60.0
PROXIES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
NOT_PASSED_ON = (*PROXIES, "no_proxy", "NO_PROXY")


def send_warnings(store: Store, source_id: int, settings: SourceSettings) -> str:
    """Tell people of the warnings of a source that they were not told of; return a sentence where that failed."""
    if not settings.warn.send:
        return ""
    with store.reading() as connection:
        rows = unsent(connection, source_id, settings.warn.least)
    if not rows:
        return ""
    title = f"Windrow: {settings.name} ({', '.join(sorted({row.kind for row in rows}))})"
    body = "\n\n".join(f"{row.severity}: {row.text}" for row in rows)
    complaint = ""
    try:
        send(settings.warn.send, title, body, allow_private=settings.network.allow_private)
    except NotReachedError as error:
        complaint = str(error)
        if not error.reached:
            return complaint
    except WindrowError as error:
        return str(error)
    # Whoever was reached is not told again because of those who were not.
    with store.writing() as connection:
        mark_sent(connection, [row.id for row in rows])
    return complaint


class NotReachedError(SourceError):
    """Some addresses were not reached, maybe none of them."""

    def __init__(self, message: str, reached: int) -> None:
        """Keep how many were."""
        super().__init__(message)
        self.reached = reached


def send(addresses: Sequence[str], title: str, body: str, *, allow_private: bool = False) -> None:
    """Send a message to addresses as apprise writes them; ``NotReachedError`` says how many it did not reach."""
    guard = Guard(allow_private=allow_private)
    proxy = GuardProxy(guard)
    environment = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    environment |= dict.fromkeys(PROXIES[:4], f"http://{proxy.address}")
    message = {"urls": [resolve_secret(each) for each in addresses], "title": title, "body": body}
    message["allow_private"] = allow_private  # type: ignore[assignment] # JSON of several types
    try:
        done = subprocess.run(
            [sys.executable, "-m", "windrow.harvest.messenger"],
            input=json.dumps(message).encode(),
            env=environment,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        outcome = json.loads(done.stdout) if done.returncode == 0 else None
    except subprocess.TimeoutExpired:
        raise SourceError(f"The message was not sent within {SECONDS:g} seconds. Check the addresses.") from None
    except ValueError:
        outcome = None
    finally:
        proxy.close()
    if outcome is None:
        raise SourceError("The message could not be sent: the process that sends it failed. Check the addresses.")
    reached = outcome.count("sent")
    if "refused" in outcome and not reached:
        raise RefusedError("A mail server of warn.send is private. Set network.allow_private where it is your own.")
    if reached < len(outcome):
        private = "" if allow_private else " Private addresses are refused; set network.allow_private for your own."
        unknown = outcome.count("unknown")
        kind = f" {unknown} are of a kind that Windrow does not send to; use mail or HTTP services." if unknown else ""
        missed = len(outcome) - reached
        raise NotReachedError(
            f"{missed} of {len(outcome)} addresses of warn.send could not be reached.{kind}{private}", reached
        )
