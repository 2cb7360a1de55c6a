"""TTA by its paper: the examples of its text and its Table 4 are here, with addresses where the paper gives none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow
from windrow.title.address import read_address
from windrow.title.tta import Segment, cut, find_segments, find_tta_title, normalise, score_popularity, score_position

MARKET = "https://www.s-kanava.fi/toimipaikka/s-market-kausala/511787202"


def page_of(title: str, url: str, *, body: str = "", head: str = "") -> windrow.Page:
    return windrow.parse(f"<title>{title}</title>{head}{body}", url=url)


def test_link_of_the_paper() -> None:
    segments = [Segment("S-market Kausala"), Segment("S-kanava")]
    score_position(segments, read_address(MARKET))
    assert [segment.position for segment in segments] == [pytest.approx(1.5), pytest.approx(1.0)]


def test_link_decides_for_the_place() -> None:
    title = page_of("S-market Kausala | S-kanava", MARKET).title("tta")
    assert title.text == "S-market Kausala"
    assert title.candidates[0].terms == {"S1": 0.1, "S2": 0.0, "S3": 1.0}
    assert title.candidates[0].compared["S3"] == "path s-market-kausala: 1.50"


def test_foreign_letters_are_found_in_the_link() -> None:
    title = page_of("Etusivu | Silmäasema", "https://www.silmaasema.fi/").title("tta")
    assert title.text == "Silmäasema"
    assert title.candidates[0].compared["S3"] == "host silmaasema: 1.00"


def test_table_4_case_1_correct_title() -> None:
    title = page_of(
        "3 Weeds Hotel | Unique Pub | Bars | Restaurant | Party Venue | Inner West Sydney",
        "http://www.3weeds.example/",
        head='<meta name="keywords" content="Hotel , Pub, Bar, Restaurant, Dining">',
        body="<h1>3 Weeds Hotel</h1>",
    ).title("tta")
    assert title.text == "3 Weeds Hotel"
    assert "Dining" not in [candidate.text for candidate in title.candidates]


def test_table_4_case_2_short_title() -> None:
    title = page_of(
        "Irish Channel - Restaurant & Pub 500 H St NW DC (202) 216-0046", "http://irishchannel.example/"
    ).title("tta")
    assert title.text == "Irish Channel"


def test_table_4_case_3_long_title() -> None:
    tag = (
        "Secret Garden Bed & Breakfast (formerly Whitegates Guest House), near Keynsham, Bristol: Rooms, Prices and "
        "Guest Information"
    )
    title = page_of(tag, "http://www.secretgarden.example/").title("tta")
    assert title.text == "Secret Garden Bed & Breakfast (formerly Whitegates Guest House)"


def test_table_4_case_4_no_title() -> None:
    tag = "Hot Tubs, hot tub hire, swimming pools, Bristol, Gloucester"
    title = page_of(tag, "http://www.riopool.example/", body="<h1>Heated swimming pools</h1>").title("tta")
    assert title.text == "swimming pools"


def test_table_4_case_5_incorrect_title() -> None:
    tag = "Home | Prepared Food | Swansea | Slice and Dice | UK"
    body = "<h1>Fresh in Swansea</h1><h2>Swansea</h2><h3>Swansea</h3>"
    assert page_of(tag, "http://www.chips.example/", body=body).title("tta").text == "Swansea"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Joensuu Keskusta | Intersport - Sport to the people",
            ["Joensuu Keskusta", "Intersport", "Sport to the people"],
        ),
        ("S-market Kausala", ["S-market Kausala"]),
        ("A – B / C . D : E, F", ["A", "B", "C", "D", "E", "F"]),
        ("A :: B » C « D > E < F", ["A", "B", "C", "D", "E", "F"]),
        ("News: today- tomorrow", ["News", "today", "tomorrow"]),
        ("Here! Now? @home #1 *", ["Here Now home 1"]),
        ("Tom & Jerry's (bar)", ["Tom & Jerry's (bar)"]),
        ("", []),
    ],
)
def test_segments(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


def test_placement_counts_once_and_the_first_spelling_stays() -> None:
    head = '<meta property="og:title" content="one | two"><meta name="title" content="three | ONE">'
    title = page_of("Zero | One | Last", "", head=head).title("tta")
    terms = {candidate.text: candidate.terms["S1"] for candidate in title.candidates}
    assert terms == {"Zero": 0.1, "One": 0.1, "Last": 0.1, "three": 0.1, "two": 0.1}


def test_headings_count_whole_words_by_weight() -> None:
    body = "<h1>Rye bread</h1><h2>Rye and RYE</h2><h6>ryegrass</h6>"
    title = page_of("Rye | Oats", "", body=body).title("tta")
    assert title.text == "Rye"
    assert title.candidates[0].compared["S2"] == "h1 × 1, h2 × 2"


def test_keywords_only_without_a_title_tag() -> None:
    html = '<meta name="keywords" content="Bowling, Sauna"><meta property="og:title" content="Other">'
    title = windrow.parse(html, url="https://sauna.example/").title("tta")
    assert [candidate.text for candidate in title.candidates] == ["Sauna", "Bowling"]


def test_no_tags_no_title() -> None:
    title = windrow.parse("<h1>Alone</h1>").title("tta")
    assert title.text == ""
    assert title.reason


def test_criteria_can_be_left_out() -> None:
    nodes = page_of("Oats | Rye", "https://rye.example/", body="<h1>Oats</h1>").nodes
    assert find_tta_title(nodes, "https://rye.example/", (2,)).text == "Oats"
    assert find_tta_title(nodes, "https://rye.example/", (3,)).text == "Rye"


@given(st.lists(st.floats(0, 100), min_size=1))
def test_normalised_values_lie_between_0_and_1(values: list[float]) -> None:
    scaled = normalise(values)
    assert all(0 <= value <= 1 for value in scaled)
    assert (max(scaled) == 1) == (max(values) > min(values))


@pytest.mark.parametrize("level", range(1, 7))
def test_heading_counts_by_its_level(level: int) -> None:
    page = windrow.parse(f"<title>Rye | Oats</title><h{level}>Rye</h{level}>")
    segments = find_segments(page.nodes)
    score_popularity(segments, page.nodes)
    assert [segment.popularity for segment in segments] == [7 - level, 0]
