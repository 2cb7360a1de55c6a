from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.crawl.addresses import identity, is_same_site, learn_ignored
from windrow.crawl.canonical import canonical_of, own_address

SITE = "https://farm.example"


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("HTTPS://FARM.example:443/a", "https://farm.example/a"),
        ("https://farm.example", "https://farm.example/"),
        ("https://farm.example/x/../a/./b", "https://farm.example/a/b"),
        ("https://farm.example/a#part", "https://farm.example/a"),
        ("https://farm.example/a?", "https://farm.example/a"),
        ("https://farm.example/a?&b=1&", "https://farm.example/a?b=1"),
        ("https://farm.example/%7ehay/%c3%a4", "https://farm.example/~hay/ä"),
        ("https://farm.example/a?q=%7e", "https://farm.example/a?q=~"),
        ("https://farm.example/a?utm_source=x&id=1&gclid=2", "https://farm.example/a?id=1"),
        ("https://farm.example/a?UTM_Source=x", "https://farm.example/a"),
        ("https://farm.example/a;jsessionid=0A1B?id=1", "https://farm.example/a?id=1"),
        ("https://user:s3cret@farm.example/a", "https://farm.example/a"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ],
)
def test_two_spellings_of_one_address(url: str, other: str) -> None:
    assert identity(url) == identity(other)
    assert "s3cret" not in identity(url)


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("https://farm.example/a", "https://farm.example/A"),
        ("https://farm.example/a", "https://farm.example/a/"),
        ("https://farm.example/a", "http://farm.example/a"),
        ("https://farm.example/a%2Fb", "https://farm.example/a/b"),
        ("https://farm.example/#!/a", "https://farm.example/#!/b"),
        ("https://farm.example/?a=1&b=2", "https://farm.example/?b=2&a=1"),
        ("https://farm.example/?ref=1", "https://farm.example/?ref=2"),
        ("https://farm.example/?12&34", "https://farm.example/?34&12"),
        ("https://farm.example:8080/", "https://farm.example/"),
        ("nonsense", "other nonsense"),
    ],
)
def test_addresses_that_may_be_two_pages(url: str, other: str) -> None:
    assert identity(url) != identity(other)


ADDRESSES = st.builds(
    lambda path, query, part: f"https://farm.example/{path}?{query}#{part}",
    *[st.text(st.sampled_from("ab/%7eE2.&=?+ ä!;"), max_size=12)] * 3,
)


@given(ADDRESSES)
def test_an_identity_is_its_own(url: str) -> None:
    assert identity(identity(url)) == identity(url)


def test_names_that_are_left_out() -> None:
    assert identity("https://farm.example/?sid=1&id=2", frozenset({"sid"})) == "https://farm.example/?id=2"
    assert identity("https://farm.example/?s%69d=1", frozenset({"sid"})) == "https://farm.example/"


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://farm.example/x", True),
        ("http://www.farm.example/", True),
        ("https://farm.example:8443/", False),
        ("https://shop.farm.example/", False),
        ("https://farm.example.evil.example/", False),
        ("https://evilfarm.example/", False),
        ("file://farm.example/", False),
        ("mailto:hay@farm.example", False),
        ("nonsense", False),
    ],
)
def test_one_site(url: str, same: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_same_site(url, SITE) is same


def test_sessions_are_learned_from_two_addresses_with_one_key() -> None:
    pages = {
        f"{SITE}/show?id=1&sid=A": "hay",
        f"{SITE}/show?id=1&sid=B": "hay",
        f"{SITE}/show?id=2&sid=C": "straw",
        f"{SITE}/show?id=3&sid=D": "oats",
    }
    assert learn_ignored(pages) == {"sid"}


def test_a_parameter_that_only_one_of_two_addresses_has_is_learned() -> None:
    pages = {f"{SITE}/show?id=1": "hay", f"{SITE}/show?id=1&from=list": "hay", f"{SITE}/show?id=2": "straw"}
    assert learn_ignored(pages) == {"from"}


@pytest.mark.parametrize(
    "pages",
    [
        {"?id=1": "hay", "?id=2": "hay", "?id=3": "straw"},  # a record that is listed twice
        {"?id=1": "hay", "?id=2": "hay"},  # nothing says that it is not
        {"?id=1&sid=A": "hay", "?id=7&sid=A": "hay", "?id=7&sid=C": "hay", "?id=2&sid=B": "straw"},
        {"?id=1": "hay", "?id=2": "straw"},
        {"?id=1": "hay"},
        {},
    ],
)
def test_what_tells_records_apart_is_not_learned(pages: dict[str, str]) -> None:
    assert learn_ignored({f"{SITE}/show{query}": key for query, key in pages.items()}) == frozenset()


def test_learning_takes_little_time() -> None:
    pages = {f"{SITE}/show?id={n}&sid={n * 7919}&page={n % 5}": str(n // 2) for n in range(5000)}
    pages[f"{SITE}/?{'&'.join(f'p{n}=1' for n in range(10_000))}"] = "hostile"
    started = time.process_time()
    learn_ignored(pages)
    assert time.process_time() - started < 5


def claim(head: str, url: str = f"{SITE}/p/1?ref=x") -> str | None:
    return canonical_of(windrow.parse(f"<html><head>{head}</head><body><p>Hay", url=url))


def test_a_claim_of_the_page() -> None:
    assert claim('<link rel="Canonical" href=" /p/1 ">') == f"{SITE}/p/1"
    assert claim(f'<base href="{SITE}/p/"><link rel=canonical href=1>') == f"{SITE}/p/1"
    assert claim('<link rel=canonical href="/p/1"><link rel=canonical href="/p/1">') == f"{SITE}/p/1"
    assert claim('<link rel=canonical href="/">', f"{SITE}/?utm_source=x") == f"{SITE}/"


@pytest.mark.parametrize(
    "head",
    [
        "",
        "<link rel=canonical>",
        '<link rel=canonical href="">',
        '<link rel=canonical href="/">',
        '<link rel=canonical href="https://other.example/p/1">',
        '<link rel=canonical href="http://[/">',
        '<link rel=canonical href="file:///etc/passwd">',
        '<link rel=canonical href="/p/1"><link rel=canonical href="/p/2">',
        '<meta property="og:url" content="/p/1">',
        '<link rel=alternate href="/p/1">',
    ],
)
def test_claims_that_are_not_believed(head: str) -> None:
    assert claim(head) is None


def test_a_page_without_an_address_claims_nothing() -> None:
    page = windrow.parse(f'<link rel=canonical href="{SITE}/p/1"><p>Hay')
    assert canonical_of(page) is None


@pytest.mark.parametrize(
    ("url", "claim", "expected"),
    [
        ("/p/1?utm_source=x", "/p/1", "/p/1"),
        ("/hay/lamp", "/lamp", "/lamp"),
        ("/straw/lamp/", "/lamp", "/lamp"),
        ("/p/2", "/p/1", "/p/2"),
        ("/p/2", "/p/", "/p/2"),
        ("/show?id=1", "/show", "/show?id=1"),
        ("/show?id=1", "/lamp", "/show?id=1"),
        ("/hay/show?id=1", "/show?id=1", "/show?id=1"),
    ],
)
def test_the_address_of_a_record(url: str, claim: str, expected: str) -> None:
    page = windrow.parse(f'<head><link rel=canonical href="{claim}"></head><p>Hay', url=f"{SITE}{url}")
    assert own_address(page, f"{SITE}{url}") == f"{SITE}{expected}"
