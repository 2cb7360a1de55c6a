"""What worker processes are asked to do in tests; they import it, as they would a module of the caller's."""

from __future__ import annotations

import logging
import os
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windrow import Outcome


def text_and_process(outcome: Outcome) -> tuple[str, int]:
    """Return the page's text, or the kind of the error, and who read it."""
    if outcome.page is None:
        return (outcome.error.kind if outcome.error else ""), os.getpid()
    return outcome.page.text, os.getpid()


def obey(outcome: Outcome) -> str:
    """Do what the page says; return its text, or the error's."""
    text = outcome.page.text if outcome.page else str(outcome.error)
    if text == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if text == "leave":
        os._exit(3)
    if text == "hang":
        time.sleep(60)
    if text.startswith("sleep"):
        time.sleep(float(text.split()[1]))
    if text == "fail":
        raise ZeroDivisionError("as told")
    return text


def log(outcome: Outcome) -> str:
    """Log an exception; return the page's text."""
    try:
        int("hay")
    except ValueError:
        logging.getLogger("windrow.jobs").exception("failed")
    return outcome.page.text if outcome.page else ""


def describe(outcome: Outcome) -> Outcome:
    """Return the outcome itself, without its page."""
    return outcome.without_page()


def unpicklable(_: Outcome) -> object:
    """Return what can't be sent."""
    return lambda: None
