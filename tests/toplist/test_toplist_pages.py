from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import windrow
from windrow.readers.registry import page_to_marks, page_to_plain
from windrow.result import Members, gather
from windrow.toplist.promise import find_promise

APPLES = ["Boskoop", "Cox Orange", "Elstar", "Gala", "Jonagold"]
SECONDS = 3.0
STORY = (
    "A fine old apple that keeps until spring, bakes well, and asks for little more than sun and some room to grow. "
)


def page_of(title: str, body: str) -> windrow.Page:
    html = (
        f"<!doctype html><html lang=en><title>{title} | The Orchard</title><body><nav><ul><li>Home<li>Shop</ul></nav>"
    )
    return windrow.parse(f"{html}<main><h1>{title}</h1><p>{STORY}</p>{body}</main>", url="https://orchard.example/a/")


def sections(names: list[str], tag: str = "h2", form: str = "{rank}. {name}") -> str:
    return "".join(
        f"<{tag}>{form.format(rank=rank, name=name)}</{tag}><p>{STORY}{name} ripens in its own week.</p>"
        for rank, name in enumerate(names, 1)
    )


def names_of(page: windrow.Page) -> list[str]:
    found = page.toplist()
    assert found is not None, page.toplist_verdict().reason
    return [item.name for item in found.items]


@pytest.mark.parametrize("form", ["{rank}. {name}", "#{rank} {name}", "{name}", "Tip {rank}: {name}"])
def test_headings(form: str) -> None:
    page = page_of("The 5 Best Apples for Pies", sections(APPLES, form=form) + "<h2>Conclusion</h2><p>Bake.</p>")
    assert names_of(page) == APPLES
    assert page.toplist_verdict().is_topk


def test_countdown_is_turned_around() -> None:
    body = "".join(f"<h2>{5 - at}. {name}</h2><p>{STORY}</p>" for at, name in enumerate(APPLES))
    found = page_of("Top 5 Apples of All Time", body).toplist()
    assert found is not None
    assert [(item.rank, item.name) for item in found.items] == [(5 - at, n) for at, n in enumerate(APPLES)][::-1]
    assert found.time == "of all time"


def test_bonus_and_conclusion_are_no_items() -> None:
    more = f"<h2>6. Bonus: Quince</h2><p>{STORY}</p><h2>7. Conclusion</h2><p>{STORY}</p>"
    assert names_of(page_of("5 Apples Every Orchard Needs", sections(APPLES) + more)) == APPLES


def test_an_empty_heading_is_no_item() -> None:
    blank = sections(APPLES, form="{name}").replace("<h2>Gala", "<h2>&nbsp;</h2><h2>Gala")
    assert names_of(page_of("The 5 Best Apples for Pies", blank)) == APPLES
    found = page_of("The 6 Best Apples for Pies", blank).toplist()
    assert found is None or "" not in [item.name for item in found.items]


def test_a_number_that_only_one_name_begins_with_belongs_to_it() -> None:
    games = ["Catan", "7 Wonders", "Azul", "Cascadia", "Wingspan"]
    assert names_of(page_of("The 5 Best Board Games", sections(games, form="{name}"))) == games
    assert names_of(page_of("The 5 Best Board Games", sections(games))) == games


def test_a_number_in_an_element_of_its_own_is_no_part_of_the_name() -> None:
    body = sections(APPLES, form="<span class=badge>{rank}</span><span>{name}</span>")
    assert names_of(page_of("The 5 Best Apples for Pies", body)) == APPLES
    phones = ["Fairphone", "<b>5</b>G Pro", "Nova", "Pixel", "Xperia"]
    found = names_of(page_of("The 5 Best Phones", sections(phones, form="{name}")))
    assert found == ["Fairphone", "5G Pro", "Nova", "Pixel", "Xperia"]


def test_bold_leads_of_list_items() -> None:
    body = "".join(f"<li><strong>{name}.</strong> {STORY}" for name in APPLES)
    assert names_of(page_of("5 Best Apples for Cider", f"<ol>{body}</ol>")) == [f"{name}." for name in APPLES]


def test_table_columns_become_attributes() -> None:
    rows = "".join(f"<tr><td>{rank}<td>{name}<td>{rank * 3} kg" for rank, name in enumerate(APPLES, 1))
    found = page_of("Top 5 Apples by Yield", f"<table><tr><th>Rank<th>Apple<th>Yield{rows}</table>").toplist()
    assert found is not None
    assert [item.name for item in found.items] == APPLES
    assert found.items[1].attributes["Yield"] == "6 kg"


def test_attributes_link_and_image() -> None:
    films = "".join(
        f'<h2>{rank}. {name}</h2><img src="{rank}.jpg"><p>Director: Ada {name}</p><p>Cast:</p><p>Three pickers</p>'
        f'<p>{STORY} It cost $55 million. <a href="/films/{rank}">More</a></p>'
        for rank, name in enumerate(
            ["Harvest (1999) by Jo Reed", "Windfall (2004) by Al Penn", "Graft (2011) by Cy Orr"], 1
        )
    )
    found = page_of("The 3 Best Films About Orchards", films).toplist()
    assert found is not None
    first = found.items[0]
    assert first.attributes["Director"].startswith("Ada")
    assert first.attributes["Cast"] == "Three pickers"
    assert (first.attributes["by"], first.attributes["year"]) == ("Jo Reed", "1999")
    assert first.url == "https://orchard.example/films/1"
    assert first.image == "https://orchard.example/a/1.jpg"
    assert "fine old apple" in first.text
    assert found.criterion == "Best"
    assert found.concept == "Films"


def test_a_price_that_the_page_names_is_given_once() -> None:
    found = page_of("The 5 Best Apples", sections(APPLES).replace("<p>", "<p>Price: $5</p><p>")).toplist()
    assert found is not None
    assert found.items[0].attributes == {"Price": "$5"}


def test_numbers_in_a_line_of_their_own() -> None:
    body = "".join(f"<div><span>{r}</span><h3>{n}</h3><p>{STORY}</p></div>" for r, n in enumerate(APPLES, 1))
    assert names_of(page_of("5 Apples to Plant Now", body)) == APPLES


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("How to plant an apple tree", sections(APPLES)),
        ("10 days in the orchard", sections(APPLES * 2)),
        ("Top 40 Apples: Send us your vote", f"<p>{STORY}</p>"),
    ],
)
def test_other_pages_say_why(title: str, body: str) -> None:
    page = page_of(title, body)
    assert page.toplist() is None
    assert not page.toplist_verdict().is_topk
    assert page.toplist_verdict().reason.endswith(".")


def test_titles_that_disagree_are_settled_by_the_title_reader() -> None:
    title = "The 5 Best Apples for Pies"
    more = "<h2>6. Quince</h2><p>A pear that is none.</p>"
    html = page_of(title, sections(APPLES) + more).html.replace(
        f"<title>{title}", "<title>The 6 Best Apples and a Quince"
    )
    found = windrow.parse(html).toplist()
    assert found is not None
    assert (found.k, found.title) == (5, title)


def test_another_title_may_say_the_time() -> None:
    html = page_of("The 5 Best Apples", sections(APPLES)).html.replace(
        "</title>", "</title><meta property=og:title content='The 5 Best Apples in Spain 2024'>"
    )
    found = windrow.parse(html).toplist()
    assert found is not None
    assert (found.title, found.time, found.location) == ("The 5 Best Apples", "2024", "Spain")


def test_no_list_stands_out() -> None:
    lists = "".join(
        f"<ul><li>{name} {at}</li><li>Old {name} {at}</li><li>New {name} {at}</li></ul>"
        for at, name in enumerate(APPLES)
    )
    page = page_of("The 3 Best Apples", lists)
    assert page.toplist() is None
    assert "stands out" in page.toplist_verdict().reason


@pytest.mark.parametrize(
    "title", ["Top 5-10 Apples", "5 to 10 Apples to Grow", "5+ Apples to Grow", "The 2+ Best Apples"]
)
def test_a_part_of_a_count_is_no_list(title: str) -> None:
    names = [f"{name} {kind}" for name in APPLES for kind in ("Red", "Gold")]
    found = page_of(title, sections(names)).toplist()
    assert found is None or len(found) == len(names)


def test_first_part_of_a_long_ranking() -> None:
    names = [*(f"Apple of {chr(65 + at)}land" for at in range(11)), "12 Angry Pickers"]
    body = "".join(f"<div><span>{rank}.</span><h3>{name}</h3></div>" for rank, name in enumerate(names, 1))
    found = page_of("The Top 100 Orchard Films", body).toplist()
    assert found is not None
    assert (found.k, [item.rank for item in found.items]) == (100, list(range(1, 13)))
    assert found.items[-1].name == "12 Angry Pickers"


def test_many_numbers_cost_little() -> None:
    found = page_of("Top 10 Apples", "".join(f"<p>{at % 13}. Apple {at}</p>" for at in range(20_000)))
    assert found.toplist_verdict().k == 10


def test_many_short_runs_of_numbers_cost_little() -> None:
    page = page_of("The 3 Best Apples", "".join(f"<p>{at % 2 + 1}. Apple {at}</p>" for at in range(12_000)))
    start = time.process_time()
    page.toplist_verdict()
    assert time.process_time() - start < SECONDS


def test_many_headings_and_titles_cost_little() -> None:
    metas = "".join(f"<meta property=og:title content='Top {at % 40 + 2} apples of {at}'>" for at in range(20_000))
    body = "".join(f"<nav>Part {at}</nav><h1>Part {at}</h1>" for at in range(20_000))
    page = windrow.parse(f"{metas}<title>Top 10 Apples</title>{body}")
    start = time.process_time()
    page.toplist_verdict()
    assert time.process_time() - start < SECONDS


def test_a_number_within_another_is_not_the_same_title() -> None:
    nodes = windrow.parse("<meta property=og:title content='15 Best Apples'><h1>5 Best Apples</h1>").nodes
    promise = find_promise(nodes, lambda: "15 Best Apples | Orchard")
    assert promise is not None
    assert promise.k == 15


def test_empty_page() -> None:
    page = windrow.parse("")
    assert page.toplist() is None
    assert not page.toplist_verdict()


def test_exports() -> None:
    found = page_of("The 5 Best Apples for Pies in Spain 2024", sections(APPLES)).toplist()
    assert found is not None
    assert (found.location, found.time) == ("Spain", "2024")
    assert json.loads(found.to_json())["items"][4]["name"] == "Jonagold"
    assert found.to_csv().splitlines()[0].startswith("rank,name,url,image,text")
    assert len(found.to_dicts()) == len(found) == 5
    pandas = pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["name"].tolist() == APPLES
    assert frame.attrs["k"] == 5


def test_same_page_same_list() -> None:
    html = page_of("The 5 Best Apples", sections(APPLES)).html
    assert windrow.parse(html).toplist() == windrow.parse(html).toplist()


@pytest.mark.browser
def test_rendered_page_draws_its_candidates() -> None:
    aside = "<h3>Sun</h3><h3>Rain</h3><h3>Soil</h3><h3>Wind</h3><h3>Frost</h3>"
    html = page_of("The 5 Best Apples for Pies", sections(APPLES) + aside).html
    page = windrow.parse(html, render=True)
    assert names_of(page) == APPLES
    found = page.toplist()
    assert found is not None
    assert found.box is not None
    assert found.box[0] < found.box[2]
    marks = page_to_marks(page, {"toplist": {}})
    assert [mark.label for mark in marks[:5]] == ["1", "2", "3", "4", "5"]
    plain = gather(Members(page_to_plain(page, {"toplist": {}}, keep=True)))
    assert plain["toplist"]["is_topk"] is True


def test_a_list_knows_its_language() -> None:
    body = "".join(f"<h2>{rank}. {name}</h2><p>Preis: 1.234 €</p><p>{STORY}</p>" for rank, name in enumerate(APPLES, 1))
    title = "Die 5 besten Apfelsorten"
    found = windrow.parse(f"<html lang=de><title>{title}</title><h1>{title}</h1>{body}").toplist()
    assert found is not None
    assert found.language == "de"
    assert found.box is None
    assert 0.5 < found.confidence < 1.0


@pytest.mark.browser
def test_what_is_no_list_is_never_framed_like_one() -> None:
    page = windrow.parse((Path(__file__).parent / "quality" / "no-ladder" / "page.html").read_bytes(), render=True)
    assert page.toplist() is None
    assert {mark.style for mark in page_to_marks(page, {"toplist": {}})} == {"dashed"}


def test_what_stands_above_the_name_in_an_items_own_block_is_the_items() -> None:
    html = (Path(__file__).parent / "quality/awards-above-names/page.html").read_text("utf-8")
    top = windrow.parse(html, url="https://boots.example/").toplist()
    assert top is not None
    assert [item.image for item in top.items] == [f"https://boots.example/b{number}.jpg" for number in range(6)]
    awards = ["Best Overall", "Best for Beginners", "Best Value", "Most Comfortable", "Best Grip", "Best for Winter"]
    assert [item.text.split("\n")[0] for item in top.items] == awards
    assert not any(award in item.text for award, item in zip(awards[1:], top.items, strict=False))
