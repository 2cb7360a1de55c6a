from __future__ import annotations

import json
from pathlib import Path

import pytest

from windrow.toplist.language import NAMES, load_language
from windrow.toplist.promise import find_location, read_promise

LIKELY = 0.6
DOUBTFUL = json.loads((Path(__file__).parent / "titles.json").read_text("utf-8"))
"""Titles that the classifier is in doubt about, with the probability that it states: each weight moves one of them."""
PROMISES = [
    # the examples of the paper
    ("Top 10 automobile brands in India", 10, "brands"),
    ("Top 15 android apps of 2013", 15, "apps"),
    ("Five most popular social networking sites", 5, "sites"),
    ("Top 10 banks in world", 10, "banks"),
    ("20 tallest buildings in China", 20, "buildings"),
    ("5 most expensive watches in the world", 5, "watches"),
    ("Top 10 NBA players who could be successful general managers", 10, "players"),
    # what the rules alone do not see
    ("12 Orchard Tools You Need To Know", 12, "Tools"),
    ("Planting a hedge: 7 steps to a green fence", 7, "steps"),
    ("35+ Best Apple Recipes for Autumn", 35, "Recipes"),
    ("A Four-Step Guide to Pruning", 4, "Step"),
    ("The Twenty Best Pears", 20, "Pears"),
    ("Twenty-Five Pears You Can Grow", 25, "Pears"),
    ("A Twenty-Two-Step Guide to Grafting", 22, "Step"),
    ("Top-10 Apples for Pies", 10, "Apples"),
    ("OrchardDB Top 250 apples", 250, "apples"),
    ("5-10 Best Apples for Cider", 5, "Apples"),
    ("Five to Ten Tips for Pruning", 5, "Tips"),
]
NO_PROMISES = [
    "簡単15分！失敗しない温泉たまごの作り方",
    "2시간 반 만에 끝난 회의",
    "用30天学会种苹果",
    "Area 51",
    "10 Downing Street",
    "QuietComfort 35 II",
    "Hire the top 3% of gardeners",
    "Best espresso machines under $500",
    "Best pears of 2025",
    'Cast Iron Skillet 12" with lid',
    "Windows 7 keyboard shortcuts",
    "10 days in Japan",
    "A 24-week plan for your garden",
    "My village is in the top 10 of the county",
    "7 of the top 10 books of the year are by women",
    "Chapter 11. Indexes",
    "What to plant this week (May 21-27)",
    "Growers beat pickers 2-3",
    "Top 10,000 apples",
    "Pruning apple trees",
]
OTHER_LANGUAGES = [
    ("Die zehn besten Apfelsorten für den Garten", 10),
    ("Les dix meilleures pommes pour la tarte", 10),
    ("Las cinco mejores manzanas para tu jardín", 5),
    ("As cinco melhores maçãs para o seu jardim", 5),
    ("Le cinque migliori mele per il giardino", 5),
]


@pytest.mark.parametrize(("title", "k", "head"), PROMISES)
def test_promises_are_read(title: str, k: int, head: str) -> None:
    promise = read_promise(title)
    assert promise is not None
    assert (promise.k, promise.head) == (k, head)
    assert promise.score >= LIKELY


@pytest.mark.parametrize("title", NO_PROMISES)
def test_other_numbers_promise_nothing(title: str) -> None:
    promise = read_promise(title)
    assert promise is None or promise.score < LIKELY


@pytest.mark.parametrize(("title", "k"), OTHER_LANGUAGES)
def test_other_languages_are_data(title: str, k: int) -> None:
    promise = read_promise(title)
    assert promise is not None
    assert promise.k == k
    assert promise.score >= LIKELY


def test_at_least_so_many() -> None:
    promises = [read_promise(title) for title in ("35+ Best Pears", "5 to 10 Best Pears", "35 Best Pears")]
    assert [promise and promise.more for promise in promises] == [True, True, False]


def test_the_year_of_the_list_is_the_one_after_its_number() -> None:
    promise = read_promise("The best pear of 2024 and 5 apples to plant in 2025")
    assert promise is not None
    assert promise.time == "2025"


def test_parts_of_a_promise() -> None:
    promise = read_promise("The 5 Most Beautiful Types of Cider Apples in June 2024")
    assert promise is not None
    assert promise.criterion == "Most Beautiful"
    assert promise.concept == "Types of Cider Apples"
    assert promise.time == "June 2024"


@pytest.mark.parametrize("name", NAMES)
def test_every_language_loads(name: str) -> None:
    language = load_language(name)
    assert language.numbers
    assert language.superlatives
    assert all(word == word.lower() for word in language.boundaries)


@pytest.mark.parametrize(
    ("title", "place"),
    [
        ("Top 10 pears in Spain", "Spain"),
        ("Top 10 pears in the World", "World"),
        ("The best pears in the world", "world"),
        ("Top 10 U.S. orchards", "U.S."),
        ("21 Orchards in San Francisco (2024)", "San Francisco"),
        ("Top 10 pears", ""),
        ("10 pears to plant in Spring", ""),
        ("10 things in spain", ""),
    ],
)
def test_places(title: str, place: str) -> None:
    assert find_location(title, load_language("en")) == place


@pytest.mark.parametrize(("title", "probability"), DOUBTFUL.items())
def test_doubtful_titles_stay_as_doubtful(title: str, probability: float) -> None:
    promise = read_promise(title)
    assert promise is not None
    assert promise.score == pytest.approx(probability, abs=0.05)


@pytest.mark.parametrize("title", ["苗木の選び方で大切な5分野", "おすすめのりんご10選", "사과 요리 7가지"])
def test_what_is_counted_right_after_the_number_is_promised_in_any_script(title: str) -> None:
    promise = read_promise(title)
    assert promise is not None
    assert promise.score >= LIKELY
