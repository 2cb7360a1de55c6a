from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.crawl.patterns import PARAMETERS, expand, matches
from windrow.errors import UsageError

SITE = "https://farm.example"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("/a", ["/a"]),
        ("/{1..3}", ["/1", "/2", "/3"]),
        ("/{08..11}", ["/08", "/09", "/10", "/11"]),
        ("/{1..010..5}", ["/001", "/006"]),
        ("/{3..1}", ["/3", "/2", "/1"]),
        ("/{0..2}", ["/0", "/1", "/2"]),
        ("/{1..10..4}", ["/1", "/5", "/9"]),
        ("/{1..2..0}", ["/1", "/2"]),
        ("/{hay,straw,}", ["/hay", "/straw", "/"]),
        ("/{a,b}/{1..2}", ["/a/1", "/a/2", "/b/1", "/b/2"]),
        ("/{a,a}", ["/a"]),
        ("/%7B1..3%7D", ["/%7B1..3%7D"]),
    ],
)
def test_patterns_stand_for_addresses(pattern: str, expected: list[str]) -> None:
    assert expand(SITE + pattern) == [SITE + path for path in expected]


@pytest.mark.parametrize("pattern", ["{id}", "{}", "{1..}", "{1..x}", "{", "}", "{1..{2,3}}", "{a..c}", "{-1..3}"])
def test_patterns_that_are_not_understood(pattern: str) -> None:
    with pytest.raises(UsageError, match=r"\{1\.\.20\}"):
        expand(f"{SITE}/{pattern}")


@pytest.mark.parametrize("pattern", ["{1..999999999999}", "{1..9999}{1..9999}", "{a,b}" * 40, "{1..100001}"])
def test_too_many_addresses_are_a_sentence_at_once(pattern: str) -> None:
    started = time.process_time()
    with pytest.raises(UsageError, match="sitemap or a file"):
        expand(f"{SITE}/{pattern}")
    assert time.process_time() - started < 1


def test_as_many_as_may_be() -> None:
    assert len(expand(f"{SITE}/{{1..{PARAMETERS.most}}}")) == PARAMETERS.most


@pytest.mark.parametrize(
    ("url", "glob", "expected"),
    [
        ("/p/1", "*/p/*", True),
        ("/de/p/1", "*/p/*", True),
        ("/de/p/1", "/p/*", False),
        ("/p/1", "p/*", True),
        ("/p/", "/p/*", True),
        ("/p", "/p/*", False),
        ("/p/1/edit", "/p/*/edit", True),
        ("/p/edit", "/p/*/edit", False),
        ("/p/1.html", "/p/*.html", True),
        ("/p/1.html?x=1", "/p/*.html", True),
        ("/p/1.html#x", "/p/*.html", True),
        ("/p?id=1", "/p", True),
        ("/p?id=1", "/p?id=*", True),
        ("/p?id=1&x", "/p?id=*", True),
        ("/p", "/p?id=*", False),
        ("/q?id=1", "/p?id=*", False),
        ("/p/%7ehay", "/p/~*", True),
        ("/p/ä", "/p/%C3%A4", True),
        ("/p/[1]", "/p/[1]", True),
        ("/P/1", "/p/*", False),
        ("/p/1", "https://farm.example/p/*", True),
        ("/p/1", "https://other.example/p/*", False),
        ("/p/1", "https://*/p/*", True),
        ("/anything", "*", True),
        ("/ab", "/ab*b", False),
        ("/aab", "/a**b", True),
    ],
)
def test_globs(url: str, glob: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    assert matches(SITE + url, glob) is expected


def test_what_is_no_address_matches_nothing() -> None:
    assert not matches("nonsense", "*")


def test_globs_take_no_time() -> None:
    started = time.process_time()
    assert not matches(f"{SITE}/{'a' * 30_000}", "*a" * 500 + "*b*")
    assert matches(f"{SITE}/{'a' * 30_000}", "*a" * 500 + "*")
    assert time.process_time() - started < 1


@given(st.text("ab*", max_size=8), st.text("ab", max_size=8))
def test_globs_are_what_a_regular_expression_would_be(glob: str, text: str) -> None:
    import re  # noqa: PLC0415 - the slow way, to compare with

    expected = re.fullmatch(re.escape(f"/{glob}").replace(r"\*", ".*"), f"/{text}") is not None
    assert matches(f"{SITE}/{text}", f"/{glob}") is expected
