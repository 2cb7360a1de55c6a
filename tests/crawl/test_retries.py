from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Server, response

import windrow
from windrow.crawl.retries import PARAMETERS, find_delay, is_blocked, is_worth_retrying
from windrow.errors import (
    BrowserError,
    EmptyError,
    LimitError,
    NotHtmlError,
    RefusedError,
    RobotsError,
    SourceError,
    StatusError,
    TooLargeError,
    UnreachableError,
    WindrowError,
)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        *((StatusError("", status), True) for status in (408, 425, 429, 500, 502, 503, 504, 520, 522, 524)),
        *((StatusError("", status), False) for status in (400, 401, 403, 404, 405, 410, 418, 451, 501, 505, 511)),
        *((kind(""), True) for kind in (UnreachableError, EmptyError, LimitError, BrowserError)),
        *(
            (kind(""), False)
            for kind in (SourceError, NotHtmlError, RefusedError, RobotsError, WindrowError, TooLargeError)
        ),
    ],
)
def test_what_is_worth_another_try(error: WindrowError, *, expected: bool) -> None:
    assert is_worth_retrying(error) is expected


BROKEN = {
    "length": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<p>Hay",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>Hay",
    "packed": response(b"\x1f\x8b\x08\0\0\0\0\0\0\xff", "Content-Encoding: gzip"),
    "head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "nothing": b"",
    "busy": response(b"", status="503 Busy"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_answers_are_errors_that_are_tried_again(name: str) -> None:
    with Server(BROKEN[name]) as server, pytest.raises(WindrowError) as caught:
        windrow.load(server.url, render=False, options=windrow.Options(allow_private=True))
    assert is_worth_retrying(caught.value)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        *((StatusError("", status), True) for status in (401, 403, 407, 429, 451)),
        *((StatusError("", status), False) for status in (404, 410, 500, 503)),
        (UnreachableError(""), False),
    ],
)
def test_who_is_not_let_in(error: WindrowError, *, expected: bool) -> None:
    assert is_blocked(error) is expected


@given(st.integers(1, 1000), st.none() | st.floats(0, 86_400), st.text())
def test_a_delay_is_bounded_and_the_same_again(attempt: int, retry_after: float | None, seed: str) -> None:
    delay = find_delay(attempt, retry_after, seed)
    assert delay == find_delay(attempt, retry_after, seed)
    assert (retry_after or 0) <= delay <= (retry_after or 0) + PARAMETERS.longest


def test_delays_grow_and_are_spread_out() -> None:
    spread = [[find_delay(attempt, None, str(seed)) for seed in range(500)] for attempt in (1, 2, 3, 4, 20)]
    for delays, longest in zip(spread, (1, 2, 4, 8, PARAMETERS.longest), strict=True):
        assert max(delays) <= longest
        assert statistics.mean(delays) == pytest.approx(longest / 2, rel=0.1)


def test_the_server_s_wish_is_not_undercut_and_not_answered_by_all_at_once() -> None:
    delays = {find_delay(1, 60, str(seed)) for seed in range(50)}
    assert len(delays) == 50
    assert all(60 <= delay <= 61 for delay in delays)
