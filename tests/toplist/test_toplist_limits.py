"""Where the decisions of the top-k reader turn: what is just inside of a limit, and what is just beyond."""

from __future__ import annotations

import pytest

import windrow
from windrow.toplist.candidates import Candidate, find_candidates
from windrow.toplist.content import read_attributes
from windrow.toplist.language import load_language
from windrow.toplist.lines import Lines, read_lines
from windrow.toplist.measurements import Measurements, measure_candidates
from windrow.toplist.names import read_names
from windrow.toplist.numbering import find_runs, read_label
from windrow.toplist.promise import Promise, find_promise, read_promise
from windrow.toplist.ranker import find_overlapping
from windrow.toplist.tokens import find_mentions, split_tokens

ENGLISH = load_language("en")
STORY = "A fine old apple that keeps until spring and bakes well. "


def lines_of(html: str) -> Lines:
    return read_lines(windrow.parse(html).nodes, ENGLISH)


def name_of(text: str) -> str:
    return read_names(lines_of(f"<p>{text}</p>"), [0])[0]


def toplist_of(title: str, body: str) -> windrow.TopList:
    found = windrow.parse(f"<title>{title}</title><h1>{title}</h1><p>{STORY}</p>{body}").toplist()
    assert found is not None
    return found


# ---- names and attributes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "cut"), [(110, True), (111, False)])
def test_what_stands_before_a_colon_is_a_name_unless_it_is_long(length: int, cut: bool) -> None:  # noqa: FBT001
    lead = "a" * length
    assert (name_of(f"{lead}: what it is") == lead) == cut


@pytest.mark.parametrize(("length", "cut"), [(110, False), (111, True)])
def test_of_a_paragraph_the_first_sentence_is_the_name(length: int, cut: bool) -> None:  # noqa: FBT001
    text = "Prune in winter. " + "A" * (length - 17)
    assert name_of(text) == ("Prune in winter." if cut else text)


@pytest.mark.parametrize(("words", "count"), [("one two three four", 1), ("one two three four five", 0)])
def test_the_name_of_an_attribute_has_few_words(words: str, count: int) -> None:
    assert len(read_attributes("Boskoop", "Boskoop", [f"{words}: value"], [])) == count
    assert len(read_attributes("Boskoop", "Boskoop", [f"{words}:", "value"], [])) == count


@pytest.mark.parametrize(("blanks", "count"), [(32, 1), (34, 0)])
def test_the_name_of_an_attribute_ends_early(blanks: int, count: int) -> None:
    assert len(read_attributes("Boskoop", "Boskoop", [f"Harvest{' ' * blanks}: May"], [])) == count


@pytest.mark.parametrize(("before", "count"), [(5, 1), (6, 0)])
def test_a_price_stands_near_the_name(before: int, count: int) -> None:
    assert len(read_attributes("Boskoop", "Boskoop", [*["Sour."] * before, "It costs $5 a kilo."], [])) == count


@pytest.mark.parametrize(("length", "count"), [(60, 1), (61, 0)])
def test_a_long_value_that_one_item_names_is_a_sentence(length: int, count: int) -> None:
    body = "".join(f"<h2>{at}. Apple {'ABC'[at]}</h2><p>{STORY}</p>" for at in range(1, 3))
    found = toplist_of("The 3 Best Apples", f"{body}<h2>3. Gala</h2><p>Note: {'a' * length}</p><p>{STORY}</p>")
    assert len(found.items[2].attributes) == count


def test_the_last_item_ends_where_its_like_would() -> None:
    first = "".join(f"<h2>{at}. {name}</h2>" + f"<p>{STORY}</p>" * 3 for at, name in enumerate(("Gala", "Elstar"), 1))
    found = toplist_of("The 3 Best Apples", f"{first}<h2>3. Topaz</h2>" + f"<p>{STORY}</p>" * 9)
    assert [item.text.count("\n") + 1 for item in found.items] == [3, 3, 6]


# ---- numbers -------------------------------------------------------------------------------------------------------


def test_a_label_begins_its_line() -> None:
    tip = frozenset({"tip"})
    assert read_label("Recommendation 3: Gala", tip) is None
    assert read_label("   Tip" + " " * 25 + "3: Gala", tip) is not None
    assert read_label("   Tip" + " " * 26 + "3: Gala", tip) is None


def test_a_run_bears_one_missing_number() -> None:
    assert [0, 1, 2] in find_runs(list(enumerate([1, 2, 4])))
    assert [0, 1, 2] not in find_runs(list(enumerate([1, 2, 5])))
    assert find_runs([(0, 1)]) == []


@pytest.mark.parametrize(("title", "k"), [("1 apple", 0), ("2 apples", 2), ("500 apples", 500), ("501 apples", 0)])
def test_counts_that_a_page_would_show(title: str, k: int) -> None:
    assert sum(mention.k for mention in find_mentions(title, split_tokens(title, ENGLISH), ENGLISH)) == k


def test_tens_and_units_are_one_number() -> None:
    words = {"twenty-two": 22, "ninety": None, "thirty nine": 39, "nineteen five": 19}
    for title, k in words.items():
        found = find_mentions(title, split_tokens(title, ENGLISH), ENGLISH)
        assert (found[0].k if found else None) == k


# ---- titles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "score"),
    [("10 days in the orchard", 0.1), ("7 Oaks", 0.45), ("A Four-Step Guide to Pruning", 0.9)],
)
def test_rules_hold_the_model(title: str, score: float) -> None:
    promise = read_promise(title)
    assert promise is not None
    assert promise.score <= score + 1e-9 if score < 0.9 else promise.score >= score


@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("The 5 Best Sports Car Brands", "Brands"),
        ("The 5 Best Cars That Money Buys", "Cars"),
        ("The 5 Best Cars We Ever Drove", "Cars"),
        ("5 red green blue white black brown grey pink gold long thin pears", "pears"),
        ("5 red green blue white black brown grey pink gold long thin wide pears", "wide"),
    ],
)
def test_what_is_counted_stands_near_the_number(title: str, head: str) -> None:
    promise = read_promise(title)
    assert promise is not None
    assert promise.head == head


def test_what_the_things_are_of_is_part_of_the_concept() -> None:
    promise = read_promise("10 types of one two three four five six seven eight nine ten")
    assert promise is not None
    assert promise.concept == "types of one two three four five six seven eight"


def test_only_the_first_headings_and_previews_are_titles() -> None:
    other, promise = "<h1>Apples</h1>", "<h1>The 5 Best Apples</h1>"
    assert find_promise(windrow.parse(other * 2 + promise).nodes, str) is not None
    assert find_promise(windrow.parse(other * 3 + promise).nodes, str) is None
    other, promise = (f"<meta property=og:title content='{text}'>" for text in ("Apples", "The 5 Best Apples"))
    assert find_promise(windrow.parse(other * 2 + promise).nodes, str) is not None
    assert find_promise(windrow.parse(other * 3 + promise).nodes, str) is None


# ---- candidates ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "count", "found"),
    [
        (10, 6, True),
        (10, 5, False),
        (10, 16, True),
        (10, 17, False),
        (49, 29, False),
        (50, 10, True),
        (50, 4, False),
        (2, 2, True),
    ],
)
def test_lists_are_about_as_long_as_promised(k: int, count: int, found: bool) -> None:  # noqa: FBT001
    lines = lines_of("<ul>" + "".join(f"<li>Apple {at}" for at in range(count)) + "</ul>")
    assert any(len(each) == count for each in find_candidates(lines, k)) == found


def measure(html: str, k: int = 4) -> Measurements:
    lines = lines_of(html)
    return measure_candidates(lines, find_candidates(lines, k), Promise(k, 1.0, "title"))


@pytest.mark.parametrize(("names", "count"), [("Gala Elstar Topaz Idared Idared", 1), ("Gala Topaz Elstar Elstar", 0)])
def test_candidates_name_different_things(names: str, count: int) -> None:
    measured = measure("<ul>" + "".join(f"<li>{name}</li>" for name in names.split()) + "</ul>")
    assert any(len(each) == len(names.split()) for each in measured.candidates) == bool(count)


@pytest.mark.parametrize(("words", "repeated"), [(14, 1.0), (15, 0.0)])
def test_names_are_said_again(words: int, repeated: float) -> None:
    names = [" ".join([letter * 3] * words) for letter in "abcd"]
    measured = measure("".join(f"<h2>{name}</h2><p>We like {name} most.</p>" for name in names))
    place = next(at for at, each in enumerate(measured.candidates) if each.way == "h2")
    assert measured.columns["repeated"][place] == repeated


@pytest.mark.parametrize(("between", "repeated"), [(594, 1.0), (595, 0.0)])
def test_names_are_said_again_soon(between: int, repeated: float) -> None:
    names = ("Gala", "Boss", "Ruby", "Rose")
    measured = measure("".join(f"<h2>{name}</h2><p>{'x' * between} {name}</p>" for name in names))
    place = next(at for at, each in enumerate(measured.candidates) if each.way == "h2")
    assert measured.columns["repeated"][place] == repeated


def test_descriptions_count_up_to_a_paragraph() -> None:
    for length, described in ((100, 0.25), (400, 1.0), (900, 1.0)):
        measured = measure("".join(f"<h2>Apple {name}</h2><p>{'x' * length}</p>" for name in "ABCD"))
        place = next(at for at, each in enumerate(measured.candidates) if each.way == "h2")
        assert measured.columns["described"][place] == pytest.approx(described)


def test_unevenness_is_measured_against_what_is_usual() -> None:
    measured = measure("<h2>AAAAA</h2><p>x</p><h2>BBBBBBBBBBBBBBB</h2><p>" + "x" * 101 + "</p><h2>DDDDD</h2>", 3)
    place = next(at for at, each in enumerate(measured.candidates) if each.way == "h2")
    assert measured.columns["uneven bodies"][place] == pytest.approx(50 / (51 + 50))
    lengths = (5, 15, 5)
    mean = sum(lengths) / 3
    spread = (sum(length**2 for length in lengths) / 3 - mean**2) ** 0.5
    assert measured.columns["uneven names"][place] == pytest.approx(spread / (10 + mean))


# ---- the choice ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "same"), [(19, 1), (20, 2)])
def test_a_long_list_is_found_although_an_end_is_in_doubt(count: int, same: int) -> None:
    rows = [Candidate(tuple(range(length)), "list", length, (-1, -1)) for length in (count, count - 1)]
    measured = Measurements(rows, {place: f"Apple {place}" for place in range(count)}, {})
    assert len(find_overlapping(measured, 0)) == same


def test_a_title_that_is_hardly_a_promise_is_left_to_the_page() -> None:
    sections = "".join(f"<h3>{name} Oak</h3><p>{STORY}</p>" for name in ("Red", "Holm", "Cork", "White", "Pin", "Burr"))
    assert windrow.parse(f"<title>9 lives</title><h1>9 lives</h1>{sections}").toplist_verdict().k == 9
    assert windrow.parse("<title>10 days in May</title><h1>10 days in May</h1>").toplist_verdict().k is None


def test_a_title_that_is_hardly_a_promise_does_not_disagree() -> None:
    nodes = windrow.parse("<title>7 Oaks</title><h1>The 5 Best Apples</h1>").nodes
    promise = find_promise(nodes, lambda: "7 Oaks")
    assert promise is not None
    assert promise.k == 5


@pytest.mark.parametrize(("title", "k"), [("GLP-8 pears", 0), ("– 8 pears", 8), ("-8 pears", 8), ("A –8 pears", 8)])
def test_a_hyphen_binds_a_number_to_the_word_before(title: str, k: int) -> None:
    assert sum(mention.k for mention in find_mentions(title, split_tokens(title, ENGLISH), ENGLISH)) == k


@pytest.mark.parametrize(
    ("title", "head"), [("5 red: pears", "red"), ("5 (red) pears", "pears"), ("5: pears and plums", "pears")]
)
def test_signs_end_what_is_counted(title: str, head: str) -> None:
    promise = read_promise(title)
    assert promise is not None
    assert promise.head == head
