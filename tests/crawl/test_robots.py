from __future__ import annotations

import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Server, redirect, response

from windrow.crawl.robots import (
    PARAMETERS,
    Robots,
    read_robots,
    robots_of_answer,
    robots_of_error,
    robots_of_status,
    robots_url,
)
from windrow.errors import RefusedError, RobotsError, StatusError, WindrowError
from windrow.options import Options
from windrow.source.fetch import Answer, fetch
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy

SITE = "https://farm.example"


def rules(*lines: str, agent: str = "windrow") -> Robots:
    return read_robots("\n".join([f"User-agent: {agent}", *lines]).encode())


def allows(robots: Robots, path: str) -> bool:
    return robots.allows(f"{SITE}{path}")


SIMPLE = b"""
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""
"""RFC 9309, 5.1."""


@pytest.mark.parametrize(
    ("token", "allowed", "disallowed"),
    [
        ("windrow", ["/", "/publications/", "/a.gif.html"], ["/a.gif", "/example/page.html"]),
        ("foobot", ["/example/page.html", "/example/allowed.gif"], ["/", "/example/other.html"]),
        ("barbot", ["/", "/a.gif", "/example/"], ["/example/page.html"]),
        ("bazbot", ["/", "/a.gif"], ["/example/page.html"]),
        ("quxbot", ["/", "/a.gif", "/example/page.html"], []),
    ],
)
def test_the_standard_s_simple_example(token: str, allowed: list[str], disallowed: list[str]) -> None:
    robots = read_robots(SIMPLE, token)
    assert [path for path in allowed if not allows(robots, path)] == []
    assert [path for path in disallowed if allows(robots, path)] == []


def test_the_standard_s_longest_match() -> None:
    robots = read_robots(b"User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif", "foobot")
    assert allows(robots, "/example/page/")
    assert not allows(robots, "/example/page/disallowed.gif")


def test_the_standard_s_merged_groups() -> None:
    body = b"user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz\n"
    robots = read_robots(body, "examplebot")
    assert [allows(robots, path) for path in ("/foo", "/bar", "/baz", "/")] == [False, False, False, True]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/a%3cd.html", "/a%3Cd.html"),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
        ("/path/foo-%24", "/path/foo-$"),
        ("/a?b=c%2fd", "/a?b=c/d"),
    ],
)
def test_the_standard_s_escapes(pattern: str, path: str) -> None:
    assert not allows(rules(f"Disallow: {pattern}"), path)


def test_an_escaped_slash_in_a_path_is_no_slash() -> None:
    assert allows(rules("Disallow: /a/b"), "/a%2Fb")


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("/fish", "/fish /fish.html /fish/salmon.html /fishheads /fish.php?id=x", "/Fish.asp /catfish /?id=fish"),
        ("/fish*", "/fish /fish.html /fish.php?id=x", "/Fish.asp /catfish"),
        ("/fish/", "/fish/ /fish/?id=x /fish/salmon.htm", "/fish /fish.html /animals/fish/"),
        ("/*.php", "/index.php /filename.php /folder/a.php?x=1 /a.php/b /a.php5", "/ /windows.PHP"),
        ("/*.php$", "/filename.php /folder/filename.php", "/a.php?x /a.php/ /a.php5 /windows.PHP"),
        ("/fish*.php", "/fish.php /fishheads/catfish.php?x=1", "/Fish.PHP"),
        ("/$", "/", "/page.html /?x"),
        ("*", "/ /a", ""),
        ("/", "/ /a?b", ""),
        ("/a?", "/a? /a?b", "/a /ab"),
        ("private/", "", "/private/ /"),
    ],
)
def test_patterns_as_search_engines_document_them(pattern: str, matching: str, other: str) -> None:
    robots = rules(f"Disallow: {pattern}")
    assert [path for path in matching.split() if allows(robots, path)] == []
    assert [path for path in other.split() if not allows(robots, path)] == []


@pytest.mark.parametrize(
    ("allow", "disallow", "path", "expected"),
    [
        ("/p", "/", "/page", True),
        ("/folder", "/folder", "/folder/page", True),
        ("/page", "/*.htm", "/page.htm", False),
        ("/page", "/*.ph", "/page.php5", True),
        ("/$", "/", "/", True),
        ("/$", "/", "/page.htm", False),
        ("/index.html", "/", "/index.html", True),
        ("/index.html", "/", "/", False),
    ],
)
def test_the_longest_rule_decides(allow: str, disallow: str, path: str, *, expected: bool) -> None:
    for lines in ([f"Allow: {allow}", f"Disallow: {disallow}"], [f"Disallow: {disallow}", f"Allow: {allow}"]):
        assert allows(rules(*lines), path) is expected


@pytest.mark.parametrize(
    ("agent", "ours"),
    [
        ("windrow", True),
        ("WINDROW", True),
        ("Windrow/1.0", True),
        ("Windrow 1.0 (+https://windrow.example)", True),
        ("*", True),
        ("* # everybody", True),
        ("wind", False),
        ("windrow-news", False),
        ("windrows", False),
        ("my windrow", False),
        ("", False),
        ("*bot", False),
    ],
)
def test_whose_group_it_is(agent: str, ours: bool) -> None:  # noqa: FBT001 - a column of the table
    assert allows(rules("Disallow: /", agent=agent), "/x") is not ours


def test_a_group_of_one_s_own_is_the_only_one() -> None:
    robots = read_robots(b"User-agent: *\nDisallow: /\nCrawl-delay: 9\nUser-agent: windrow\nDisallow: /a\n")
    assert allows(robots, "/b")
    assert robots.delay is None
    assert allows(read_robots(b"User-agent: *\nDisallow: /\nUser-agent: windrow\nDisallow:\n"), "/b")


def test_other_records_do_not_break_groups_apart() -> None:
    between = (b"Sitemap: https://farm.example/s.xml", b"Host: farm.example", b"nonsense", b"Clean-param: x", b"")
    for line in between:
        robots = read_robots(b"User-agent: windrow\n" + line + b"\nUser-agent: other\nDisallow: /a\n")
        assert not allows(robots, "/a")
    assert allows(read_robots(b"User-agent: *\nCrawl-delay: 2\n\nUser-agent: other\nDisallow: /\n"), "/a")


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /a",
        "\ufeffUser-agent: *\nDisallow: /a".encode("utf-16-le"),
        b"User-agent: *\rDisallow: /a\r",
        b"User-agent: *\r\nDisallow: /a\r\n",
        b" \tuser-AGENT :\t* \n DISALLOW : /a \t# why\n",
        b"User-agent *\nDisallow /a\n",
        b"User agent: *\nDissallow: /a\n",
        b"# a\xe4 in Latin-1\nUser-agent: *\nDisallow: /a\n",
        b"User-agent: *\nDisallow: /a\x0bb\nDisallow: /a\n",
    ],
)
def test_files_as_they_are(body: bytes) -> None:
    robots = read_robots(body)
    assert [allows(robots, path) for path in ("/a", "/b")] == [False, True]


def test_paths_in_other_encodings() -> None:
    assert not allows(read_robots("User-agent: *\nDisallow: /ä".encode("latin-1")), "/%E4")
    assert not allows(read_robots("User-agent: *\nDisallow: /ä".encode()), "/ä")


def test_rules_before_any_group_and_files_that_are_pages() -> None:
    for body in (b"Disallow: /", b"<!doctype html><title>Not found</title><p>Disallow: /</p>", b"\0" * 1000, b""):
        assert allows(read_robots(body), "/a")


def test_what_is_beyond_the_limit_is_ignored_at_the_end_of_a_line() -> None:
    head = b"User-agent: *\nDisallow: /a\n"
    filler = b"#" * (PARAMETERS.most_bytes - len(head) - 10) + b"\n"
    robots = read_robots(head + filler + b"Disallow: /b/only-this\nDisallow: /c\n")
    assert [allows(robots, path) for path in ("/a", "/b", "/c")] == [False, True, True]
    assert allows(read_robots(b"User-agent: *\nDisallow: /" + b"x" * PARAMETERS.most_bytes), "/x")


def test_delays_and_sitemaps() -> None:
    robots = rules(
        "Crawl-delay: 1.5", "Sitemap: https://farm.example/a.xml", "Sitemap:", "Crawl-Delay: 3", "Disallow: /"
    )
    assert robots.delay == 3
    assert robots.sitemaps == ("https://farm.example/a.xml",)
    for value, expected in (("-1", None), ("nan", None), ("inf", None), ("soon", None), ("1e300", 86_400), ("0", 0)):
        assert rules(f"Crawl-delay: {value}").delay == expected


def test_robots_txt_itself_may_always_be_fetched() -> None:
    assert allows(rules("Disallow: /"), "/robots.txt")
    assert allows(robots_of_status(503), "/robots.txt")
    assert not allows(rules("Disallow: /"), "/a/robots.txt")
    assert robots_url("https://user:pass@farm.example:8443/a?b#c") == "https://farm.example:8443/robots.txt"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        *((status, "rules") for status in (200, 204)),
        *((status, "free") for status in (400, 401, 403, 404, 410)),
        *((status, "closed") for status in (301, 429, 500, 503, None)),
    ],
)
def test_what_follows_from_the_status(status: int | None, expected: str) -> None:
    robots = robots_of_status(status, b"User-agent: *\nDisallow: /a")
    found = {(False, True): "rules", (True, True): "free", (False, False): "closed"}
    assert found[allows(robots, "/a"), allows(robots, "/b")] == expected
    assert bool(robots.closed) is (expected == "closed")


def test_a_refusal_is_a_sentence() -> None:
    with pytest.raises(RobotsError, match=r"farm.example/a was not fetched. The robots.txt of its host asks not"):
        rules("Disallow: /").require(f"{SITE}/a")
    with pytest.raises(RobotsError, match=r"answered with status 503"):
        robots_of_status(503).require(f"{SITE}/a")
    rules("Disallow: /b").require(f"{SITE}/a")


LINES = st.lists(
    st.builds(
        "{}: {}".format,
        st.sampled_from(["User-agent", "Allow", "Disallow", "Crawl-delay", "Sitemap", "Other"]),
        st.text(st.sampled_from("/ab*$%7e.?#ä1 windrow"), max_size=10),
    ),
    max_size=12,
)


@given(LINES, st.text(st.sampled_from("/ab$.?1"), max_size=8))
def test_the_text_that_is_kept_says_the_same(lines: list[str], path: str) -> None:
    robots = read_robots("\n".join(lines).encode())
    again = read_robots(robots.text.encode())
    assert again == robots
    assert allows(again, f"/{path}") is allows(robots, f"/{path}")
    assert pickle.loads(pickle.dumps(robots)) == robots  # noqa: S301 - what was pickled a moment ago


@given(st.binary(max_size=200), st.text(max_size=20))
def test_nothing_is_too_broken(body: bytes, path: str) -> None:
    allows(read_robots(body), f"/{path}")


def test_hostile_patterns_take_no_time() -> None:
    started = time.process_time()
    robots = rules(*[f"Disallow: /{'*a' * 100}{n}$" for n in range(2000)])
    assert allows(robots, f"/{'a' * 10_000}")
    assert time.process_time() - started < 3


def ask(url: str) -> Answer:
    with GuardProxy(Guard(allow_private=True)) as proxy:
        return fetch(url, Options(allow_private=True), proxy)


def judge(server: Server) -> Robots:
    try:
        return robots_of_answer(ask(robots_url(server.url)))
    except WindrowError as error:
        return robots_of_error(error)


FILE = response(b"User-agent: *\nDisallow: /a")


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([FILE], (False, True)),
        ([redirect("/r")] * 5 + [FILE], (False, True)),
        ([redirect("/r")] * 6 + [FILE], (True, True)),
        ([redirect("/r")], (True, True)),  # for ever
        ([response(b"")], (True, True)),
        ([response(b"", status="404 Not Found")], (True, True)),
        ([response(b"", status="503 Busy")], (False, False)),
        ([response(b"", "Retry-After: 9", status="429 Slow down")], (False, False)),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *\n"], (False, False)),
        ([b""], (False, False)),
    ],
)
def test_what_a_server_answers(answers: list[bytes], expected: tuple[bool, bool]) -> None:
    with Server(*answers) as server:
        robots = judge(server)
    assert (allows(robots, "/a"), allows(robots, "/b")) == expected


def test_a_file_that_does_not_come_to_its_end_closes_the_host() -> None:
    answer = Answer(f"{SITE}/robots.txt", 200, {}, b"User-agent: *\n", None, cut="It took too long.")
    assert robots_of_answer(answer).closed
    long = b"User-agent: *\nDisallow: /a\n" + b"#\n" * PARAMETERS.most_bytes
    answer = Answer(f"{SITE}/robots.txt", 200, {}, long, None, cut="It is too long.")
    assert [allows(robots_of_answer(answer), path) for path in ("/a", "/b")] == [False, True]


@pytest.mark.parametrize(
    "place", ["http://169.254.169.254/robots.txt", "file:///etc/passwd", "http://[fd00:ec2::254]/"]
)
def test_a_redirect_to_a_private_address_is_refused_and_closes_the_host(place: str) -> None:
    with Server(redirect(place)) as server:
        with pytest.raises(RefusedError) as caught:
            ask(robots_url(server.url))
        assert server.connections == 1
    robots = robots_of_error(caught.value)
    assert robots.closed
    assert not allows(robots, "/a")


def test_a_status_after_many_redirects_is_still_that_status() -> None:
    error = StatusError("It answered with status 503.", 503)
    error.redirects = ("https://farm.example/",) * 9
    assert robots_of_error(error).closed
