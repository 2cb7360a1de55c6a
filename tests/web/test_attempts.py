"""Guessing passwords is slow, however many guesses come together."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from windrow.web import passwords
from windrow.web.attempts import FREE_FAILURES, LONGEST_WAIT, Attempts, TooOftenError
from windrow.web.passwords import IN_LINE, prove


def test_a_crowd_of_guesses_is_slowed_down_like_one_after_the_other() -> None:
    attempts, barrier = Attempts(), threading.Barrier(20)

    def guess(_: int) -> bool:
        barrier.wait()
        try:
            attempts.begin("login", "a")
        except TooOftenError:
            return False
        return True

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(guess, range(20))) == FREE_FAILURES
    attempts.begin("login", "b")
    attempts.succeed("login", "a")
    attempts.begin("login", "a")


def test_nobody_is_locked_out_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts, now = Attempts(), 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for _ in range(60):
        attempts.begin("login", "a")
        now += LONGEST_WAIT
    attempts.begin("login", "a")
    with pytest.raises(TooOftenError) as caught:
        attempts.begin("login", "a")
    assert caught.value.seconds == LONGEST_WAIT <= 30


def test_a_line_for_passwords_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts, go_on, inside = Attempts(), threading.Event(), threading.Semaphore(0)

    def look(_: str, __: str) -> bool:
        inside.release()
        return go_on.wait(30)

    monkeypatch.setattr(passwords, "is_password", look)
    with ThreadPoolExecutor(IN_LINE) as pool:
        some = [pool.submit(prove, attempts, "login", str(number), "hash", "word") for number in range(IN_LINE)]
        for _ in some:
            assert inside.acquire(timeout=30)
        with pytest.raises(TooOftenError, match="Too many passwords"):
            prove(attempts, "login", "late", "hash", "word")
        go_on.set()
        assert all(each.result() for each in some)
    assert prove(attempts, "login", "late", "hash", "word")
    assert not prove(attempts, "login", "late", None, "word")
