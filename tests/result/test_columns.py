"""How columns are decided: from their own texts, from the others of the result, from the page's language."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.result import Column, Source, read_data


def read(*texts: list[str], language: str = "") -> list[list[object]]:
    """Read columns of texts and return their values."""
    columns = [Column(f"c{n}", language=language) for n in range(len(texts))]
    data = read_data(columns, [[[Source(text)] for text in row] for row in zip(*texts, strict=True)])
    return [[cell[0].value for cell in data.column(n)] for n in range(len(texts))]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1.234", "99,90"], [1234, 99.9]),
        (["1.234", "1,000.5"], [1.234, 1000.5]),
        (["291.134", "1.931.593"], [291134, 1931593]),
        (["0,123", "1.234"], [0.123, 1234]),
        (["€ 1.234", "€ 12,50"], [1234, 12.5]),
        (["3/4/2024", "25/4/2024"], [date(2024, 4, 3), date(2024, 4, 25)]),
    ],
)
def test_a_column_tells_how_it_is_written(texts: list[str], values: list[object]) -> None:
    assert read(texts) == [values]


def test_the_other_columns_tell_where_a_column_does_not() -> None:
    assert read(["1.234", "2.000"], ["99,90", "1,50"]) == [[1234, 2000], [99.9, 1.5]]
    assert read(["1/2/2024"], ["25/2/2024"]) == [[date(2024, 2, 1)], [date(2024, 2, 25)]]


def test_the_language_tells_where_no_column_does() -> None:
    assert read(["1.234", "2.000"], language="de") == [[1234, 2000]]
    assert read(["1.234", "2.000"], language="en") == [[1.234, 2.0]]
    assert read(["1.234", "99.90"], language="de") == [[1.234, 99.9]]
    assert read(["1.234"], ["17.4"], language="de") == [[1234], [17.4]]
    assert read(["1/2/2024"], language="und") == [[None]]
    assert read(["1/2/2024"], language="en-GB") == [[date(2024, 2, 1)]]
    assert read(["1/2/2024"], language="en-US") == [[date(2024, 1, 2)]]
    assert read(["1/2/2024"], language="en") == [[None]]


def test_dates_that_contradict_each_other_tell_nothing_of_the_others() -> None:
    mixed = ["13/4/2024", "4/13/2024", "3/4/2024"]
    assert read(mixed, language="de") == [[date(2024, 4, 13), date(2024, 4, 13), None]]
    assert read(mixed, ["3/4/2024", "3/4/2024", "25/4/2024"])[0][2] is None
    assert read(["25/4/2024"] * 3, mixed, ["3/4/2024"] * 3)[2] == [date(2024, 4, 3)] * 3


def decide(*texts: str, heading: str = "c") -> Column:
    return read_data([Column("c")], [[[Source(text)]] for text in texts], [heading]).columns[0]


def test_a_stray_remark_does_not_turn_a_column_into_text() -> None:
    assert decide("$1", "$2", "$3", "$4", "on request").kind == "money"
    assert decide("$1", "$2", "-", "", "n/a").kind == "money"
    assert decide("$1", "$2", "on request").kind == "text"
    assert decide("$1", "€2").kind == "text"


def test_a_value_that_does_not_fit_stays_text_and_says_so() -> None:
    data = read_data([Column("c")], [[[Source(text)]] for text in ("$1", "$2", "$3", "$4", "€5")])
    assert [cell[0].fits for cell in data.column(0)] == [True] * 4 + [False]
    assert data.column(0)[4][0].text == "€5"


def test_a_heading_names_the_unit_of_bare_numbers() -> None:
    assert decide("1", "2", heading="Area (km²)").unit == "km²"
    assert decide("1 kg", "2 kg", heading="Weight (net)").unit == "kg"
    assert decide("red", "blue", heading="Colour (outside)").unit == ""


def test_figures_among_words_tell_nothing() -> None:
    assert read(["€ 1.299", "€ 1.099"], ["iOS 17.4", "Android 14.1"])[0] == [None, None]
    assert read(["1.299 €"], ["iOS 17.4"], language="de")[0] == [1299]


def test_a_unit_is_not_lent_to_a_value_that_does_not_fit() -> None:
    data = read_data([Column("c")], [[[Source(text)]] for text in ("5 kg", "6 kg", "7 kg", "8 kg", "9")])
    last = data.column(0)[4][0]
    assert (last.value, last.unit, last.fits) == (9, "", False)


def test_figures_with_zeros_in_front_make_no_column_of_numbers() -> None:
    assert decide("10115", "01067", "50667", "53111", "89073").kind == "text"


def test_words_are_not_read() -> None:
    data = read_data([Column("name", wordy=True)], [[[Source("1917")]], [[Source("300")]]])
    assert data.columns[0].kind == "text"
    assert data.column(0)[0][0].value is None


def test_fractions_beside_integers_that_would_be_rounded_stay_text() -> None:
    assert decide("1.5", "9007199254740993", "2").kind == "text"


def test_ambiguous_dates_make_no_column_of_dates() -> None:
    assert decide("1/2/2024", "3/4/2024").kind == "text"


@given(st.lists(st.text(max_size=12), min_size=1, max_size=6))
def test_every_text_is_kept_and_nothing_fails(texts: list[str]) -> None:
    data = read_data([Column("c", language="de")], [[[Source(text)]] for text in texts])
    assert [cell[0].text for cell in data.column(0)] == texts
