from __future__ import annotations

import time

import orchard
import pytest

import windrow
from windrow.crawl.addresses import identity
from windrow.crawl.links import find_details, find_items, find_next, find_records
from windrow.crawl.promises import find_promised
from windrow.crawl.retries import is_worth_retrying
from windrow.errors import TooLargeError

SITE = "https://orchard.example"
LIST = f"{SITE}/list?p=2"


def page(body: str, url: str = LIST, head: str = "") -> windrow.Page:
    return windrow.parse(f"<!doctype html><html><head><title>Fruit</title>{head}</head><body>{body}", url=url)


def links(*places: str) -> str:
    return "".join(f'<a href="{place}">{place}</a> ' for place in places)


def paths(found: tuple[str, ...]) -> list[str]:
    return [url.removeprefix(SITE) for url in found]


def test_links_that_are_like_a_glob() -> None:
    body = links("/p/1", "/p/2?utm_source=x", "/about", "/p/1#part", "p/node.js", "/p/2")
    found = find_details(page(body), "/p/*")
    assert paths(found.addresses) == ["/p/1", "/p/2?utm_source=x", "/p/node.js"]
    assert found.passed.counts == {"unlike": 1}
    assert found.note == ""
    assert "like /x/*" in find_details(page(body), "/x/*").note


def test_links_that_are_not_followed_are_counted() -> None:
    body = (
        links(
            "mailto:hay@orchard.example", "tel:+4912345", "javascript:void(0)", "file:///etc/passwd", "data:text/html,x"
        )
        + links(
            "https://other.example/p/1", "http://169.254.169.254/p/2", "/p/picture.JPG", "/p/a.pdf?x=1", LIST, "#top"
        )
        + '<a href="/p/1" rel="external NoFollow">1</a><a href="/p/2" download>2</a><a href="/p/3">3</a>'
        + '<a href="/p/4" rel="nofollow"><img src="4.png"></a><a href="/p/4">4</a>'
    )
    found = find_details(page(body), "*")
    assert paths(found.addresses) == ["/p/3", "/p/4"]
    assert found.passed.counts == {"scheme": 4, "elsewhere": 2, "download": 3, "itself": 1, "nofollow": 1}
    assert f"1 marked nofollow (such as {SITE}/p/1)" in str(found.passed)


def test_a_glob_with_a_host_asks_for_that_host() -> None:
    body = links("https://shop.example/p/1", "/p/2", "http://shop.example/p/3")
    assert find_details(page(body), "https://shop.example/p/*").addresses == ("https://shop.example/p/1",)


def test_a_page_without_an_address_has_links_to_anywhere() -> None:
    bare = windrow.parse(links("https://a.example/p/1", "https://b.example/p/2", "/p/3"))
    assert find_details(bare, "/p/*").addresses == ("https://a.example/p/1", "https://b.example/p/2")


def test_a_page_s_base_counts() -> None:
    assert find_details(page(links("1"), head='<base href="/p/">'), "/p/*").addresses == (f"{SITE}/p/1",)


def menu(*places: str) -> str:
    return "".join(f'<li><a href="{place}">The section {place} of the shop</a></li>' for place in places)


SECTIONS = [f"/m/{n}" for n in range(30)]


def search(results: list[str], **around: str) -> windrow.Page:
    return windrow.parse(orchard.search(results, **around), url=LIST)


def test_the_records_of_the_main_list() -> None:
    found = find_records(search([orchard.result(name) for name in orchard.FRUIT]))
    assert paths(found.addresses) == [f"/r/{name.lower()}" for name in orchard.FRUIT]
    assert found.note == ""
    assert find_details(search([orchard.result(name) for name in orchard.FRUIT])) == found


@pytest.mark.parametrize(
    "bar",
    [
        f"<nav><ul>{menu(*SECTIONS)}</ul></nav>",
        f"<div role='navigation'><ul>{menu(*SECTIONS[:3])}</ul></div>",
        f"<div class='main-menu'><ul>{menu(*SECTIONS[:3])}</ul></div>",
        f"<div><ul>{menu('/', *SECTIONS)}</ul></div>",
        f"<div><ul>{menu(*SECTIONS, LIST)}</ul></div>",
    ],
)
def test_a_menu_is_not_the_list(bar: str) -> None:
    only = find_records(page(f"{bar}<p>{'Nothing was found, so look for something else. ' * 20}</p>"))
    assert only.addresses == ()
    assert "a menu" in only.note or "no list" in only.note
    assert "follow.detail" in only.note
    pears = "".join(f'<div><h3><a href="/p/{n}">Pear {n}</a></h3><p>Sweet, {n}.50 €</p></div>' for n in range(4))
    found = find_records(page(f"{bar}<main>{pears}</main>"))
    assert paths(found.addresses) == ["/p/0", "/p/1", "/p/2", "/p/3"]


def test_a_plain_list_of_links_is_a_list() -> None:
    found = find_records(page(f"<main><h1>Sections</h1><ul>{menu(*SECTIONS)}</ul></main>"))
    assert paths(found.addresses) == SECTIONS


def test_a_list_that_was_not_read_whole_leads_nowhere() -> None:
    items = "".join(f"<li><a href=/{n}>Tree {n}</a></li>" for n in range(500))
    options = windrow.Options(limits=windrow.Limits(nodes=1600))
    page = windrow.parse(f"<ul class=results>{items}</ul>", url="https://o.example/", options=options)
    with pytest.raises(TooLargeError, match=r"340 more records than the 160 .* its sitemap or feed") as caught:
        find_records(page)
    assert not is_worth_retrying(caught.value)
    assert "--max-nodes" not in str(caught.value)


def test_a_list_without_links_gives_none() -> None:
    body = "".join(f"<li><b>Pear {n}</b> <i>{n}.00 €</i> <span>ripe in September</span></li>" for n in range(9))
    found = find_records(page(f"<main><ul>{body}</ul></main>"))
    assert found.addresses == ()
    assert "do not lead to pages" in found.note
    assert "shows no list" in find_records(page("<p>Hay</p>")).note


def test_records_that_lead_elsewhere_or_are_not_to_be_followed() -> None:
    def result(name: str, place: str, rel: str = "") -> str:
        return f'<li><h3><a href="{place}" rel="{rel}">{name}</a></h3><p>{name} is a fruit of the orchard.</p></li>'

    away = [result(name, f"https://other.example/{name}") for name in orchard.FRUIT]
    found = find_records(page(f"<main><ul>{''.join(away)}</ul></main>"))
    assert found.addresses == ()
    assert found.passed.counts == {"elsewhere": len(orchard.FRUIT)}
    mixed = [result(name, f"/{name}", "nofollow" if n == 0 else "") for n, name in enumerate(orchard.FRUIT)]
    found = find_records(page(f"<main><ul>{''.join(mixed)}</ul></main>"))
    assert paths(found.addresses) == [f"/{name}" for name in orchard.FRUIT[1:]]
    assert found.passed.counts == {"nofollow": 1}


PAGERS = [
    '<a href="?p=1">Previous</a> <a href="?p=3">Next</a>',
    '<a href="?p=1">1</a> <span>2</span> <a href="?p=3">3</a>',
    '<a href="?p=1">1</a> <a href="?p=2">2</a> <a href="?p=3">3</a>',
    '<a href="?p=1">1</a> <a href="/2" aria-current="page">2</a> <a href="?p=3">3</a>',
    '<a href="?p=3" rel="nofollow next">more</a>',
    '<a href="?p=1">‹</a> <a href="?p=3">›</a>',
    *(
        f'<a href="?p=3">{word}</a>'
        for word in (
            "Nächste Seite »|Page suivante|Página siguiente|Próxima página|Pagina successiva|Volgende pagina|"
            "Nästa sida|Seuraava sivu|Następna strona|Další|Következő oldal|Επόμενη|Sonraki sayfa|Trang sau|Berikutnya|"
            "Следующая|Наступна сторінка|التالي|הבא|अगला|ถัดไป|次のページ|次へ|下一页|下頁|다음 페이지"
        ).split("|")
    ),
]


@pytest.mark.parametrize("pager", PAGERS)
def test_the_next_page(pager: str) -> None:
    body = f"<ul>{''.join(orchard.result(name) for name in orchard.FRUIT)}</ul><div>{pager}</div>"
    assert find_next(page(body), set()) == f"{SITE}/list?p=3"
    assert find_next(page(body), {identity(f"{SITE}/list?p=3")}) is None


@pytest.mark.parametrize("url", ["?p=2#top", "?p=2&utm_source=a", "?p=2"])
def test_the_next_number_whatever_else_is_in_the_address(url: str) -> None:
    numbers = " ".join(f'<a href="?p={number}">{number}</a>' for number in range(1, 6))
    body = f"<ul>{''.join(orchard.result(name) for name in orchard.FRUIT)}</ul><div>{numbers}</div>"
    assert find_next(page(body, url=f"{SITE}/list{url}"), set()) == f"{SITE}/list?p=3"


def test_what_the_head_calls_the_next_page() -> None:
    head = '<link rel="next" href=""><link rel="prev" href="?p=1"><link rel="next" href="?p=3">'
    assert find_next(page(links("?p=9"), head=head), set()) == f"{SITE}/list?p=3"


@pytest.mark.parametrize(
    "pager",
    [
        "",
        '<a href="?p=2">Next</a>',
        '<a href="https://other.example/list?p=3">Next</a>',
        '<a href="javascript:next()">Next</a>',
        '<a href="file:///etc/passwd">Next</a>',
        '<a href="?p=1">Previous</a>',
        '<a href="?p=1">1</a> <span>2</span>',
        '<a href="?p=1">Next</a> <a href="/promotion">›</a>',  # the end of the list, and another arrow
    ],
)
def test_never_back_and_never_away(pager: str) -> None:
    assert find_next(page(f"<p>Fruit</p><div>{pager}</div>"), {identity(f"{SITE}/list?p=1")}) is None


def test_pages_are_seen_whatever_their_session_is() -> None:
    found = page('<a href="?p=2&sid=B">Next</a>', url=f"{SITE}/list?p=2&sid=A")
    assert find_next(found, set()) == f"{SITE}/list?p=2&sid=B"
    assert find_next(found, set(), frozenset({"sid"})) is None


PLACES = ("/f/1", "/f/2", "https://other.example/3", "/f/4", "mailto:x@y.example")
TOP = "".join(
    f'<h2>{n}. {name}</h2><p>The {name.lower()} is a fruit. <a href="{place}">Read more</a></p>'
    for n, (name, place) in enumerate(zip(orchard.FRUIT, PLACES, strict=False), 1)
)


def test_the_items_of_a_ranked_list() -> None:
    top = windrow.parse(f"<title>The 5 best fruits</title><h1>The 5 best fruits</h1>{TOP}", url=f"{SITE}/top")
    found = find_items(top)
    assert paths(found.addresses) == ["/f/1", "/f/2", "/f/4"]
    assert found.passed.counts == {"elsewhere": 1}
    assert find_items(top, elsewhere=True).addresses[2] == "https://other.example/3"


def test_a_page_without_a_ranked_list_says_why() -> None:
    found = find_items(page("<p>Hay</p>"))
    assert found.addresses == ()
    assert found.note


def test_links_that_promise_a_table() -> None:
    body = (
        '<a href="/news">News about specifications that were long awaited by all who have bought our cameras before</a>'
        '<a href="/a/specs">More</a><a href="/b">Full specifications</a><a href="/c" title="Technische Daten">i</a>'
        '<a href="/d">Specifications</a><a href="/inspections">Inspections</a><a href="/e">製品の仕様一覧</a>'
        '<a href="https://other.example/specs">Specifications</a><a href="/f.pdf">Data sheet</a>'
    )
    found = find_promised(page(body))
    assert paths(found.addresses) == ["/d", "/b", "/e", "/a/specs", "/c"]
    assert found.passed.counts == {"elsewhere": 1, "download": 1}


def test_words_of_the_user_come_first() -> None:
    body = links("/a") + '<a href="/specs">Specifications</a><a href="/lens">Lens and  RESOLUTION</a>'
    assert paths(find_promised(page(body), ["resolution", " "]).addresses) == ["/lens", "/specs"]
    assert "promises a table" in find_promised(page(links("/a"))).note


def test_promises_in_the_margin_come_last() -> None:
    body = '<nav><a href="/all">Specifications</a></nav><main><h1>Camera</h1><a href="/this">Specifications</a></main>'
    assert paths(find_promised(page(body)).addresses) == ["/this", "/all"]


def test_many_links_take_little_time() -> None:
    body = "".join(f'<li><a href="/p/{n}" title="{"x" * 50}">specs {n}</a> text {n}</li>' for n in range(10_000))
    full = page(f"<ul>{body}</ul><a href='/deep' title='{'specs' * 200_000}'>x</a>")
    full.regions()
    for read in (find_promised, lambda page: find_details(page, "/p/*"), lambda page: find_next(page, set())):
        started = time.process_time()
        read(full)
        assert time.process_time() - started < 5
