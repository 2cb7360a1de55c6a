"""The password: argon2, one hash at a time, slow after failures."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from windrow.errors import UsageError
from windrow.store.access import end_sessions
from windrow.store.preferences import get_preference, set_preference
from windrow.web.attempts import TooOftenError

if TYPE_CHECKING:
    from windrow.store import Store
    from windrow.web.attempts import Attempts

SHORTEST = 8
LONGEST = 1024
PREFERENCE = "password"
_hasher = PasswordHasher()
_one_at_a_time = threading.Lock()
"""A hash takes 64 MiB and a quarter of a second; a crowd that guesses must not take all of the memory."""
IN_LINE = 3
"""Passwords that are looked at or wait for it; each keeps one of the threads that answer everybody."""
_places = threading.BoundedSemaphore(IN_LINE)


def hash_password(password: str) -> str:
    """Return the hash of a password, once it is long enough to be one."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(f"A password has {SHORTEST} to {LONGEST:,} characters. Choose another.")
    with _one_at_a_time:
        return _hasher.hash(password)


def is_password(hashed: str, password: str) -> bool:
    """Whether a password is the one that was hashed."""
    if len(password) > LONGEST:
        return False
    with _one_at_a_time:
        try:
            return _hasher.verify(hashed, password)
        except (VerifyMismatchError, InvalidHashError):
            return False


def prove(attempts: Attempts, what: str, who: str, hashed: str | None, password: str) -> bool:
    """Whether somebody knows the password; ``TooOftenError`` after failures, and where too many ask at once."""
    if not _places.acquire(blocking=False):
        raise TooOftenError(1.0, "Too many passwords are being looked at.")
    try:
        attempts.begin(what, who)
        is_known = hashed is not None and is_password(hashed, password)
    finally:
        _places.release()
    if is_known:
        attempts.succeed(what, who)
    return is_known


def find_password(store: Store) -> str | None:
    """Return the hash of the password that was set; None where none was."""
    with store.reading() as connection:
        found: str | None = get_preference(connection, PREFERENCE)
        return found


def set_password(store: Store, password: str) -> None:
    """Keep a password, and end all sessions."""
    hashed = hash_password(password)
    with store.writing() as connection:
        set_preference(connection, PREFERENCE, hashed)
        end_sessions(connection)
