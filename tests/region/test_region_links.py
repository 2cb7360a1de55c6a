from __future__ import annotations

from typing import TYPE_CHECKING

import orchard
import pytest

import windrow

if TYPE_CHECKING:
    from windrow.region import Region

URL = "https://orchard.example/list?p=1"


def first(html: str) -> Region:
    return windrow.parse(html, url=URL).regions()[0]


@pytest.mark.parametrize(
    "pager",
    [
        '<a href="?p=0">Previous</a> <a href="?p=2">Next</a>',
        '<a href="?p=2">Next page »</a>',
        '<a rel="next" href="?p=2"><img src="arrow.png" alt=""></a>',
        '<a href="?p=0">‹</a> <a href="?p=2">›</a>',
        '<a class="pager-next" href="?p=2">Show me</a>',
        '<a href="?p=2" aria-label="Next page">+</a>',
        '<span>1</span> <a href="?p=2">2</a> <a href="?p=3">3</a>',
        '<a href="?p=2">Nächste Seite</a>',
        '<a href="?p=2">次へ</a>',
        '<a href="?p=2">Load more</a>',
        '<span>1</span> <a href="?p=2">2</a> <a href="?p=11">»</a>',
        '<span>1</span> <a href="?p=2">2</a> <a href="?p=11">Next 10</a>',
        '<span>1</span> <a href="?p=2">2</a> <a href="?all">Show all</a>',
        '<a class="next" href="?all=1">View all</a> <span>1</span> <a href="?p=2">2</a>',
        '<a class="current" href="?p=01">1</a> <a href="?p=2">2</a> <a href="?p=3">3</a>',
        '<a aria-current="page" href="?p=01">1</a> <a href="?p=2">2</a> <a href="?p=3">3</a>',
        'Page 1 of 31: <a href="?p=2">2</a> <a href="?p=3">3</a> … <a href="?p=31">31</a> <a href="?all">All</a>',
        'Seite 1/31 <a href="?p=2">2</a> <a href="?p=3">3</a> <a href="?p=31">Letzte</a>',
        '<a href="?p=0">0</a> <a href="?p=1">1</a> <a href="?p=2">2</a> <a href="?p=3">3</a>',
    ],
)
def test_the_next_page_is_found(pager: str) -> None:
    html = orchard.search([orchard.result(name) for name in orchard.FRUIT], below=f"<div>{pager}</div>")
    assert first(html).next_url == "https://orchard.example/list?p=2"


def test_the_head_of_a_page_names_the_next_one() -> None:
    html = orchard.search([orchard.result(name) for name in orchard.FRUIT], below='<a href="?p=3">Next</a>')
    assert first(f'<link rel="next" href="?p=2">{html}').next_url == "https://orchard.example/list?p=2"


@pytest.mark.parametrize(
    "below",
    [
        "",
        '<a href="/next-to-us">Shops next to us</a>',
        "<span>1</span> 2 3",
        '<a href="#">Next</a>',
        'Rated 1 of 5 <a href="/r/3">3</a>',
    ],
)
def test_there_is_no_next_page_where_none_is_linked(below: str) -> None:
    html = orchard.search([orchard.result(name) for name in orchard.FRUIT], below=below)
    assert first(html).next_url is None


@pytest.mark.parametrize("top", ["Photo 1 / 5", "Photo 1 / 50", "Part 1 of 3", "Photo 3 of 9", "Step 1 of 4"])
@pytest.mark.parametrize(("current", "following"), [(4, "?p=5"), (6, None)])
def test_the_pager_says_which_page_this_is_whatever_else_is_counted(
    top: str, current: int, following: str | None
) -> None:
    pager = " ".join(f"<b>{n}</b>" if n == current else f'<a href="?p={n}">{n}</a>' for n in range(1, 7))
    html = orchard.search([orchard.result(name) for name in orchard.FRUIT], below=f"<div>{pager}</div>")
    html = html.replace("<body>", f"<body><p>{top}</p>")
    page = windrow.parse(html, url=f"https://orchard.example/list?p={current}")
    assert page.regions()[0].next_url == (following and f"https://orchard.example/list{following}")


def test_a_record_leads_where_its_heading_does() -> None:
    region = first(orchard.SEARCH)
    assert region.records[1].url == "https://orchard.example/r/pear"
    assert first(orchard.SHOP).records[0].url == "https://orchard.example/fruit/apple"


def test_a_record_inside_a_link_leads_there() -> None:
    cards = "".join(
        f'<a class="c" href="/t/{n}"><img src="/{n}.png"><b>{n}</b><p>For {n} jam</p></a>' for n in orchard.FRUIT
    )
    record = first(orchard.page(f"<div>{cards}</div>")).records[0]
    assert record.url == "https://orchard.example/t/Apple"
    assert record.fields["image"] == "https://orchard.example/Apple.png"


def test_other_links_have_columns_of_their_own() -> None:
    region = first(orchard.ROW_PAIRS)
    assert region.records[0].url == "https://orchard.example/t/2"
    assert region.records[0].fields["link_2_url"] == "https://orchard.example/u/2"


def test_mail_and_telephone_are_no_pages() -> None:
    items = [
        f'<li><h3><a href="mailto:{n}@orchard.example">The {n} tree</a></h3><p>Fruit. <a href="/{n}">more</a></p></li>'
        for n in orchard.FRUIT
    ]
    region = first(orchard.page(f'<ul>{"".join(items)}</ul><a rel="next" href="tel:123">Next</a>'))
    assert [record.url for record in region.records] == [f"https://orchard.example/{n}" for n in orchard.FRUIT]
    assert region.next_url is None


AUTHORS = "Anna Bell,Ben Cole,Cy Dunn,Dot East,Eve Ford,Flo Gray,Gus Hart,Hal Inns,Ida Jones,Jo King,Kay Long,Lu Moss"
PLACES = (
    "Harbour Café,Old Mill House,Ada Loft Rooms,Quay Lights Hotel,The Grey Heron,Saltmarsh Cottage,North Lane Inn,"
    "Kite Barn Stay,Lower Ford Lodge,Pine Hollow Camp,River Bend House,Hill Top"
)


@pytest.mark.parametrize(
    "titles",
    [
        ['<a class="title" href="{0}">{1}</a>', '<a class="title new" href="{0}">{1}</a>'],
        ['<a class="title{2}" href="{0}">{1}</a>'.replace("{2}", state) for state in ("", " sale", " sold", " new")],
        ['<a class="t" href="{0}">{1}</a>'] * 11 + ['<a class="t sold" href="{0}">{1}</a>'],
        ['<div><b><a href="{0}">{1}</a></b></div>', '<div><i><a href="{0}">{1}</a></i></div>'],
        [
            f'<div class="cat-{name}"><a href="{{0}}">{{1}}</a></div>'
            for name in ("food", "music", "art", "film", "dance", "talk")
        ],
    ],
)
def test_records_lead_to_their_own_pages_however_their_titles_are_marked(titles: list[str]) -> None:
    items = [
        f"<li>{titles[n % len(titles)].format(f'/p/{n}', name)}"
        f'<p>by <a class="by" href="/u/{n}">{author}</a></p><p>Some words about it that are {n} long</p></li>'
        for n, (name, author) in enumerate(zip(PLACES.split(","), AUTHORS.split(","), strict=True))
    ]
    region = first(orchard.page(f"<ul>{''.join(items)}</ul>"))
    assert [record.url for record in region.records] == [f"https://orchard.example/p/{n}" for n in range(12)]
