"""Every request passes the gate: host, origin, session or token, size; and what comes back is harmless."""

from __future__ import annotations

import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from interface import PASSWORD, Interface, csrf, serving
from starlette.testclient import TestClient

from windrow.store import open_store
from windrow.store.access import make_token
from windrow.web.application import make_application
from windrow.web.desk import Desk, Reach
from windrow.web.gate import COOKIE, LARGER, decode_path
from windrow.web.passwords import hash_password
from windrow.web.screens import ROUTES
from windrow.web.screens.login import safe_next

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("gate"), "--no-schedule") as interface:
        yield interface


@pytest.mark.parametrize("host", ["evil.example", "localhost", "localhost:1", "127.0.0.1:80", "", "localhost.evil:1"])
def test_a_request_for_another_host_is_refused(served: Interface, host: str) -> None:
    with served.client() as client:
        assert client.get("/", headers={"Host": host}).status_code == 421


def test_a_request_with_two_hosts_is_refused(served: Interface) -> None:
    port = int(served.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\n\r\n".encode())
        assert connection.recv(100).split()[1] in {b"400", b"421"}


@pytest.mark.parametrize("target", ["http://evil.example/login", "*"])
def test_a_target_that_is_no_path_is_refused(served: Interface, target: str) -> None:
    port = int(served.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert connection.recv(100).split()[1] == b"400"


def test_whoever_is_not_logged_in_is_led_to_the_log_in(served: Interface) -> None:
    with served.client(logged_in=False) as client:
        answer = client.get("/warnings?state=all")
        assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=%2Fwarnings%3Fstate%3Dall")
        for path in ("/sources.json", "/api/v1/sources", "/mcp"):
            refused = client.get(path)
            assert refused.status_code == 401
            assert refused.headers["content-type"] == "application/problem+json"


def test_every_address_but_the_public_ones_needs_somebody(served: Interface) -> None:
    with served.client(logged_in=False) as client:
        for route in ROUTES:
            path = route.path.replace("{", "").replace("}", "").replace(":number", "")
            if path != "/login":
                method = "POST" if route.methods == {"POST"} else "GET"
                assert client.request(method, path).status_code in {303, 401}, path


def test_every_form_is_looked_at(served: Interface) -> None:
    unguarded = [route.path for route in ROUTES if "POST" in (route.methods or ()) and not _takes_token(route.endpoint)]
    assert unguarded == ["/login"]
    with served.client() as client:
        for token in ("", "0" * 64, "é"):
            assert client.post("/logout", data={"csrf": token}).status_code == 403
        assert client.get("/").status_code == 200
        assert client.post("/logout", data={"csrf": csrf(client)}).status_code == 303
        assert client.get("/").status_code == 303


def _takes_token(endpoint: object) -> bool:
    return bool(getattr(endpoint, "windrow_form", False))


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
def test_a_change_that_another_site_sends_is_refused(served: Interface, headers: dict[str, str]) -> None:
    with served.client() as client:
        assert client.post("/logout", data={"csrf": csrf(client)}, headers=headers).status_code == 403


def test_a_session_changes_things_through_the_api_from_our_pages_only(served: Interface) -> None:
    with served.client() as client:
        cookies = dict(client.cookies)
        page = {"Sec-Fetch-Site": "same-origin"}
        for path in ("/api/v1/sources/nope/pause", "/mcp"):
            with httpx.Client(base_url=served.url, cookies=cookies, timeout=60) as bare:
                assert bare.post(path).status_code == 403
                assert bare.post(path, headers={"Sec-Fetch-Site": "none"}).status_code == 403
                assert bare.post(path, headers=page).status_code != 403
                assert bare.post(path, headers={"Origin": served.url}).status_code != 403
        with served.open_store() as store, store.writing() as connection:
            token = make_token(connection, "writer", ["write"])
        answer = httpx.post(f"{served.url}/api/v1/sources/nope/pause", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 404


@pytest.mark.parametrize("digits", [19, 25, 5000])
def test_no_number_is_too_long(served: Interface, digits: int) -> None:
    number = "9" * digits
    with served.client() as client:
        token = csrf(client)
        for path in (
            f"/sources/x/runs/{number}",
            f"/sources/x/records/{number}.json",
            f"/sources/x/records/{number}/where/y",
            f"/sources/x/captures/{number}/picture",
            f"/sources/new?list={number}",
            f"/read/x/tables/{number}.csv",
        ):
            assert client.get(path).status_code < 500, path
        for path in (f"/warnings/{number}/resolve", f"/settings/tokens/{number}/revoke"):
            assert client.post(path, data={"csrf": token}).status_code == 404, path
        for task in ("list-x", f"list-{number}", "list-", "list--1"):
            form = {"csrf": token, "do": task, "address": "http://127.0.0.1:1/", "at-1": f"{number}-{number}"}
            assert client.post("/sources/new", data=form).status_code < 500, task


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":' * 100_000,
        b"[" * 500_000,
        b'{"html": "\xff"}',
        b'{"html": "\\ud800"}',
        b'{"html": NaN}',
        b"\x00",
        b"1" * 9000,
    ],
    ids=["deep", "open", "not UTF-8", "half a character", "no number", "nothing", "long"],
)
def test_no_json_is_a_fault(served: Interface, body: bytes) -> None:
    with served.client() as client:
        for path in ("/api/v1/read", "/api/v1/learn", "/api/v1/try"):
            answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in {400, 422}, answer.text
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    "filled",
    [
        {"schedule": "0 0 30 2 *"},
        {"schedule": f"{'9' * 5000} hours"},
        {"schedule": "@daily", "zone": "../../etc/passwd"},
        {"schedule": "@daily", "zone": "/etc/passwd"},
        {"schedule": "@daily", "zone": "a\0b"},
        {"do": "try", "tries": "http://127.0.0.1:1/{1..999999999}"},
        {"do": "toml", "toml": "a=" + "[" * 100_000},
        {"do": "drop-²"},
    ],
    ids=str,
)
def test_nothing_that_is_filled_in_is_a_fault(served: Interface, filled: dict[str, str]) -> None:
    with served.client() as client:
        form = {"csrf": csrf(client), "do": "runs", "address": "http://127.0.0.1:1/", "label-1": "a", "text-1": "b"}
        answer = client.post("/sources/new", data={**form, **filled})
        assert answer.status_code < 500, answer.text
        assert "root:" not in answer.text


@pytest.mark.parametrize("query", ["search=%ff", "sort=%00", "is.%00=x", "cursor=%ff", "least.x=nan", "least.x=1e999"])
def test_no_question_is_a_fault(served: Interface, query: str) -> None:
    with served.client() as client:
        assert client.get(f"/sources/x/records?{query}").status_code < 500


def test_a_form_with_too_much_in_it_is_refused_on_a_page(served: Interface) -> None:
    with served.client() as client:
        files = {"csrf": (None, "x" * (1024 * 1024 + 1))}
        answer = client.post("/settings/restore", files=files)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert answer.headers["content-type"].startswith("text/html")


def test_a_backup_that_is_announced_as_too_large_is_refused_unread(served: Interface) -> None:
    port = int(served.url.rpartition(":")[2])
    with served.client() as client:
        head = (
            f"POST /settings/restore HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Cookie: {COOKIE}={client.cookies[COOKIE]}\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n"
            f"Content-Length: {LARGER['/settings/restore'] + 1}\r\n\r\n"
        )
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(head.encode())
        assert connection.recv(100).split()[1] == b"413"


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_backup_that_is_too_large_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_announced: bool
) -> None:
    monkeypatch.setitem(LARGER, "/settings/restore", 50_000)
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.db"\r\n\r\n'
    body = [head, *(b"x" * 10_000 for _ in range(6)), b"\r\n--x--\r\n"]
    path = tmp_path / "windrow.db"
    with open_store(path) as store:
        application = make_application(Desk(store, str(path), password=hash_password(PASSWORD)))
        with TestClient(application, base_url="http://127.0.0.1:8765", follow_redirects=False) as client:
            assert client.post("/login", data={"password": PASSWORD}).status_code == 303
            answer = client.post(
                "/settings/restore",
                content=b"".join(body) if is_announced else iter(body),
                headers={"Content-Type": "multipart/form-data; boundary=x"},
            )
            assert answer.status_code == 413
            assert "50,000 bytes" in answer.text
            assert client.get("/settings.json").status_code == 200
    assert not list(tmp_path.glob("*restore*"))
    assert not list(tmp_path.glob("*before*"))


def test_a_fault_is_answered_harmlessly_and_written_down(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-schedule") as served, served.client() as client:
        with closing(sqlite3.connect(served.store)) as connection:
            connection.execute("DROP TABLE windrow_warning")
            connection.execute("INSERT INTO windrow_preference (name, value) VALUES ('beginnings', '[\"hay needle\"]')")
            connection.commit()
        for path in ("/settings", "/settings.json", "/warnings"):
            answer = client.get(path)
            assert answer.status_code >= 500, path
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            for word in (str(tmp_path), "windrow_warning", "SELECT", "needle", ".py", "Traceback"):
                assert word not in answer.text, path
        with closing(sqlite3.connect(served.store)) as connection:
            connection.execute("DROP TABLE windrow_access")
            connection.commit()
        answer = client.get("/")
        assert answer.status_code == 503
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.json()["detail"].startswith("The store could not be read or written.")
        assert str(tmp_path) not in answer.text
        said = served.log.read_text("utf-8")
    assert "failed on /settings" in said
    assert "beginnings.py" in said
    assert "no such table: windrow_access" in said
    assert "needle" not in said


def test_the_usual_ports_are_left_out() -> None:
    assert {"localhost", "localhost:80"} <= Reach(port=80).hosts
    assert "localhost" not in Reach(port=8765).hosts
    assert {"barn.example", "barn.example:443"} <= Reach(names=frozenset({"barn.example:443"})).hosts


def test_a_body_is_bounded_whatever_its_head_says(served: Interface) -> None:
    with served.client() as client:
        announced = {"Content-Type": "application/x-www-form-urlencoded"}
        refused = client.post("/logout", content=b"x" * 3_000_000, headers=announced)
        assert refused.status_code == 413
        assert "2,097,152 bytes" in refused.text
        assert refused.headers["content-type"].startswith("text/html"), "a person is told on a page"
        chunks = (b"x" * 100_000 for _ in range(40))
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        assert client.post("/logout", content=chunks, headers=headers).status_code in {400, 413}


def test_answers_carry_what_keeps_them_harmless(served: Interface) -> None:
    with served.client() as client:
        for path in ("/", "/login", "/health", "/nope", "/static/windrow.css", "/settings.json"):
            headers = client.get(path).headers
            assert "unsafe" not in headers["content-security-policy"]
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
        cookie = client.post("/login", data={"password": PASSWORD}).headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie


def test_a_token_opens_the_api_alone_and_only_for_its_scope(served: Interface) -> None:
    with served.open_store() as store, store.writing() as connection:
        token = make_token(connection, "reader", ["read"])
    with served.client(logged_in=False) as client:
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get("/settings", headers=headers).status_code == 403
        assert client.post("/api/v1/sources", headers=headers, json={}).status_code == 403
        assert client.post("/api/v1/sources/x/runs", headers=headers, json={}).status_code == 403
        assert client.get("/api/v1/sources", headers={"Authorization": "Bearer nothing"}).status_code == 401


def test_guessing_the_password_becomes_slow(served: Interface) -> None:
    """On a busy machine a guess may take as long as the wait before it, but the wait doubles each time."""
    with served.client(logged_in=False) as client:
        for number in range(5):
            assert client.post("/login", data={"password": f"guess {number}"}).status_code == 403
        later = (client.post("/login", data={"password": f"guess {number}"}) for number in range(8))
        refused = next(answer for answer in later if answer.status_code != 403)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1


@pytest.mark.parametrize("where", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\\b", "/a\nb", ""])
def test_the_log_in_leads_to_our_own_pages_only(where: str) -> None:
    assert safe_next(where) == "/"
    assert safe_next("/warnings?state=all") == "/warnings?state=all"


def test_a_slash_in_a_name_parts_nothing() -> None:
    assert decode_path(b"/sources/a%2Fb%20c/runs?x=%2F") == "/sources/a\x1fb c/runs"


def test_only_this_machine_can_connect(served: Interface) -> None:
    """The kernel's tables have a line for each socket: address and port in hexadecimal digits, and 0A for listening."""
    ending = f":{int(served.url.rpartition(':')[2]):04X}"
    lines = [line.split() for name in ("tcp", "tcp6") for line in Path("/proc/net", name).read_text().splitlines()]
    listening = [line[1] for line in lines if line[1].endswith(ending) and line[3] == "0A"]
    assert listening == [f"0100007F{ending}"]


def test_another_address_needs_a_password(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match="No password has been set"),
        serving(tmp_path, "--host", "0.0.0.0", environment={"WINDROW_WEB_PASSWORD": ""}),  # noqa: S104 - refused
    ):
        pass
