"""Sends one message by apprise. Runs as a process of its own, with the guard's proxy as its only way out by HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

import apprise

from windrow.errors import WindrowError
from windrow.source.guard import Guard

MAIL_PORT = 25
ATTEMPTS = 2
"""How often an address is tried."""


def main() -> None:
    """Read a message from standard input, and write what came of each address to standard output."""
    logging.disable(logging.CRITICAL)  # apprise logs addresses with what opens doors in them
    message = json.load(sys.stdin)
    guard = Guard(allow_private=bool(message["allow_private"]))
    json.dump([_send(url, message, guard) for url in message["urls"]], sys.stdout)


def _send(url: str, message: dict[str, Any], guard: Guard) -> str:
    plugin = apprise.Apprise.instantiate(url, suppress_exceptions=True)
    if plugin is None:
        return "unknown"
    mail_host = getattr(plugin, "smtp_host", None)
    if mail_host:
        try:
            asyncio.run(guard.addresses(str(mail_host), int(plugin.port or MAIL_PORT)))
        except WindrowError:
            return "refused"
    elif not hasattr(sys.modules[type(plugin).__module__], "requests"):
        return "unknown"  # speaks something else than HTTP, which the guard does not see
    sender = apprise.Apprise()
    sender.add(plugin)
    # What pages say is text: services that send HTML would else take it for markup.
    said = {"title": message["title"], "body": message["body"], "body_format": apprise.NotifyFormat.TEXT}
    return "sent" if any(sender.notify(**said) for _ in range(ATTEMPTS)) else "failed"


if __name__ == "__main__":
    main()
