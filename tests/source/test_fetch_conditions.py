from __future__ import annotations

import time
from email.utils import formatdate

import pytest
from loopback import PAGE, Server, redirect, response

from windrow.errors import RefusedError, RobotsError, SourceError, StatusError
from windrow.options import Limits, Options
from windrow.source.fetch import Answer, fetch
from windrow.source.guard import Guard
from windrow.source.http_errors import MOST_RETRY_AFTER, find_retry_after
from windrow.source.proxy import GuardProxy
from windrow.source.validators import LONGEST, Validators

NOON = "Thu, 01 Jan 2026 12:00:00 GMT"
LATER = "Thu, 01 Jan 2026 12:02:00 GMT"
NOT_MODIFIED = b'HTTP/1.1 304 Not Modified\r\nETag: "2"\r\n\r\n'


def get(url: str, **asked: object) -> Answer:
    with GuardProxy(Guard(allow_private=True)) as proxy:
        return fetch(url, Options(allow_private=True, limits=Limits(seconds=5)), proxy, **asked)  # type: ignore[arg-type]


def asked_with(request: bytes) -> list[str]:
    return [line for line in request.decode().split("\r\n") if line.startswith("If-")]


def test_validators_ask_whether_the_page_has_changed() -> None:
    first = response(PAGE, 'ETag: W/"1"', f"Last-Modified: {NOON}")
    with Server(first, NOT_MODIFIED, first) as server:
        answer = get(server.url)
        assert answer.validators == Validators('W/"1"', NOON, server.url)
        unchanged = get(f"{server.url}#part", validators=answer.validators)
        assert (unchanged.status, unchanged.body, unchanged.cut) == (304, b"", "")
        assert unchanged.validators == Validators('"2"', "", f"{server.url}#part")
        assert get(server.url, validators=answer.validators).body == PAGE
    assert asked_with(server.requests[0]) == []
    assert asked_with(server.requests[1]) == ['If-None-Match: W/"1"', f"If-Modified-Since: {NOON}"]


def test_validators_go_to_the_address_that_gave_them_and_to_no_other() -> None:
    # The page that redirected then has one of its own now: asked with the date of the other, it would be "unchanged".
    with Server(redirect("/b"), response(PAGE, f"Last-Modified: {NOON}"), redirect("/b"), NOT_MODIFIED) as server:
        answer = get(server.url)
        assert get(server.url, validators=answer.validators).status == 304
    assert [asked_with(request) for request in server.requests[2:]] == [[], [f"If-Modified-Since: {NOON}"]]
    with Server() as other, Server(redirect(other.url)) as first:
        get(first.url, validators=Validators('"1"'))
    assert [asked_with(server.requests[0]) for server in (first, other)] == [['If-None-Match: "1"'], []]


def test_an_answer_without_validators() -> None:
    with Server(response(PAGE, f"ETag: {'x' * (LONGEST + 1)}")) as server:
        assert get(server.url).validators is None


@pytest.mark.parametrize("value", ['"a"\r\nX: y', '"\0"', "x" * (LONGEST + 1)])
def test_validators_cannot_smuggle(value: str) -> None:
    with Server() as server:
        get(server.url, validators=Validators(value, value))
    assert asked_with(server.requests[0]) == []
    assert b"X: y" not in server.requests[0]


def test_permit_is_asked_before_every_request() -> None:
    asked: list[tuple[str, int]] = []
    with Server(redirect("/b"), response()) as server:
        get(server.url.replace("//", "//user:s3cret@"), permit=lambda url: asked.append((url, server.connections)))
        assert asked == [(server.url, 0), (f"{server.url}b", 1)]


def test_nothing_is_sent_where_permit_raises() -> None:
    def permit(url: str) -> None:
        if url.endswith("/closed"):
            raise RobotsError("The site asks not to fetch it.")

    with Server(redirect("/closed"), response()) as server:
        with pytest.raises(RobotsError) as caught:
            get(server.url, permit=permit)
        assert server.connections == 1
    assert (caught.value.url, caught.value.redirects) == (f"{server.url}closed", (server.url,))


def test_time_spent_in_permit_is_not_the_page_s() -> None:
    with Server() as server, GuardProxy(Guard(allow_private=True)) as proxy:
        options = Options(allow_private=True, limits=Limits(seconds=0.5))
        assert fetch(server.url, options, proxy, permit=lambda _: time.sleep(0.7)).body == PAGE


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"retry-after": "120"}, 120),
        ({"retry-after": " 0 "}, 0),
        ({"retry-after": LATER, "date": NOON}, 120),
        ({"retry-after": NOON, "date": LATER}, 0),
        ({"retry-after": "9" * 5000}, MOST_RETRY_AFTER),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, MOST_RETRY_AFTER),
        ({"retry-after": "Thursday, 01-Jan-26 12:02:00 GMT", "date": NOON}, 120),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "1.5"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Thu, 99 Jan 2026 12:00:00 GMT"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_how_long_a_server_wants_to_be_left_alone(fields: dict[str, str], expected: float | None) -> None:
    assert find_retry_after(fields) == expected


def test_a_date_without_the_server_s_own_clock_counts_from_ours() -> None:
    found = find_retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert found is not None
    assert 55 < found <= 60


def test_an_error_keeps_its_place_and_the_wish_of_the_server() -> None:
    busy = response(b"", "Retry-After: 7", status="503 Busy")
    with Server(redirect("/b"), busy) as server, pytest.raises(StatusError) as caught:
        get(server.url)
    error = caught.value
    assert (error.status, error.retry_after) == (503, 7)
    assert (error.url, error.redirects) == (f"{server.url}b", (server.url,))


def test_a_refused_redirect_and_endless_ones_keep_their_place() -> None:
    with Server(redirect("http://169.254.169.254/")) as server, pytest.raises(RefusedError) as refused:
        get(server.url)
    assert (refused.value.url, refused.value.redirects) == (server.url, ())
    with Server(redirect("/again")) as server, pytest.raises(SourceError) as endless:
        get(server.url)
    assert len(endless.value.redirects) == 21


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/gzip", "application/octet-stream"])
def test_any_type_of_content_is_an_answer(kind: str) -> None:
    lines = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08"
    with Server(lines.encode("latin-1")) as server:
        assert get(server.url).body == b"\x1f\x8b\x08"
