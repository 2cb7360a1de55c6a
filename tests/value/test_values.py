from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from windrow.value import Conventions, DateOrder, DecimalSeparator, is_conventional, read_value
from windrow.value.dates import find_date_order

KNOWN = [
    ("12", "number", 12, ""),
    ("1,234", "number", 1234, ""),
    ("1,234.56", "number", 1234.56, ""),
    ("1.234,56", "number", 1234.56, ""),
    ("1 234,5", "number", 1234.5, ""),
    ("1'234'567", "number", 1234567, ""),
    ("12,34,567", "number", 1234567, ""),
    ("−3.5", "number", -3.5, ""),
    ("(5)", "number", -5, ""),
    (".5", "number", 0.5, ""),
    ("1,956[4]", "number", 1956, ""),
    ("45.5 %", "percent", 45.5, "%"),
    ("3‰", "percent", 3, "‰"),
    ("$12.50", "money", 12.5, "$"),
    ("-$3", "money", -3, "$"),
    ("1.234,50 €", "money", 1234.5, "€"),
    ("USD 10", "money", 10, "USD"),
    ("1,200円", "money", 1200, "円"),
    ("£2.5 million", "money", 2_500_000, "£"),
    ("£1.001 million", "money", 1_001_000, "£"),
    ("$830 †", "money", 830, "$"),
    ("120 kg", "number", 120, "kg"),
    ("96 km²", "number", 96, "km²"),
    ("2021-03-04", "date", date(2021, 3, 4), ""),
    ("4.3.2021", "date", date(2021, 3, 4), ""),
    ("12 March 2021", "date", date(2021, 3, 12), ""),
    ("Mar 12, 2021", "date", date(2021, 3, 12), ""),
    ("3. März 2021", "date", date(2021, 3, 3), ""),
    ("25/12/2020", "date", date(2020, 12, 25), ""),
    ("04/03/2021", "date", None, ""),
    ("1:02:03", "duration", timedelta(hours=1, minutes=2, seconds=3), ""),
    ("3:45.5", "duration", timedelta(minutes=3, seconds=45.5), ""),
    ("1 h 20 min", "duration", timedelta(minutes=80), ""),
    ("90 min", "duration", timedelta(minutes=90), ""),
    ("15,000,000 weeks", "duration", timedelta(weeks=15_000_000), ""),
    ("16,000,000 weeks", "text", None, ""),
    ("999999999999 weeks", "text", None, ""),
    ("", "empty", None, ""),
    ("Graz", "text", None, ""),
    ("12:30", "text", None, ""),
    ("Area 51", "text", None, ""),
    ("192.168.0.1", "text", None, ""),
    ("31.2.2021", "text", None, ""),
    ("5-3", "text", None, ""),
    ("1.234", "number", 1.234, ""),
    ("0,123", "number", 0.123, ""),
    ("0.123", "number", 0.123, ""),
    ("012,345", "number", None, ""),
    ("4.5 out of 5", "rating", 4.5, "/5"),
    ("Rp 62.000", "money", 62000, "Rp"),
    ("Rp 62.000,-", "money", 62000, "Rp"),
    ("(12.500 Ft)", "money", -12500, "Ft"),
    ("Rp 62,5", "money", 62.5, "Rp"),
    ("€ 62.000", "money", None, "€"),
    ("0,123,456", "text", None, ""),
    ("€ 1.234", "money", None, "€"),
    ("-1.234 €", "money", None, "€"),
    ("$1,234", "money", 1234, "$"),
    ("$1.234 million", "money", 1_234_000, "$"),
    ("Sun, 3 May 2020", "date", date(2020, 5, 3), ""),
    ("Sonntag, 3. Mai 2020", "date", date(2020, 5, 3), ""),
    ("Chapter 3 May 2020", "text", None, ""),
]


@pytest.mark.parametrize(("text", "kind", "value", "unit"), KNOWN, ids=[known[0] or "empty" for known in KNOWN])
def test_known_texts(text: str, kind: str, value: object, unit: str) -> None:
    found = read_value(text)
    assert (found.kind, found.value, found.unit) == (kind, value, unit)


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("12 Maret 2024", "id", date(2024, 3, 12)),
        ("12 марта 2024", "ru", date(2024, 3, 12)),
        ("5. syyskuuta 2020", "fi", date(2020, 9, 5)),
        ("2024年3月12日", "", date(2024, 3, 12)),
    ],
)
def test_months_are_known_in_the_language_of_the_page(text: str, language: str, day: date) -> None:
    assert read_value(text, Conventions(language=language)).value == day


def test_the_order_of_day_and_month_is_told() -> None:
    assert read_value("3/4/2024", Conventions(order="day first")).value == date(2024, 4, 3)
    assert read_value("3/4/2024", Conventions(order="month first")).value == date(2024, 3, 4)
    assert find_date_order(["3/4/2024", "25/4/2024"]) == "day first"
    assert find_date_order(["3/4/2024", "4/25/2024"]) == "month first"
    assert find_date_order(["25/4/2024", "4/25/2024"]) == "mixed"


@pytest.mark.parametrize("text", ["-", "–", "n/a", "k. A."])
def test_marks_for_what_is_missing_are_no_words(text: str) -> None:
    assert read_value(text).kind == "missing"


def test_durations_are_written_with_a_separator_too() -> None:
    assert read_value("1.500 Stunden", Conventions(separator=",")).value == timedelta(hours=1500)
    assert read_value("1,5 h", Conventions(separator=",")).value == timedelta(hours=1.5)


def test_the_time_of_day_is_kept() -> None:
    found = read_value("2024-04-03 12:30")
    assert (found.kind, found.value) == ("datetime", datetime(2024, 4, 3, 12, 30))  # noqa: DTZ001 - the page names no zone
    aware = read_value("2024-04-03T12:30:00+02:00").value
    assert isinstance(aware, datetime)
    assert aware.utcoffset() == timedelta(hours=2)
    assert read_value("2024-04-03 25:30").kind == "text"


def test_versions_are_no_dates() -> None:
    assert read_value("3.11.10").kind == "text"
    assert read_value("03.11.10").value == date(2010, 11, 3)
    assert read_value("3.11.10", Conventions(order="day first")).value == date(2010, 11, 3)


def test_zeros_in_front_count() -> None:
    assert read_value("00417").value is None


@given(st.text(max_size=80))
def test_nothing_fails(text: str) -> None:
    found = read_value(text)
    assert (found.kind in ("text", "empty", "missing")) <= (found.value is None)


@given(st.integers(-(10**12), 10**12))
def test_integers_read_back(number: int) -> None:
    assert read_value(f"{number:,}").value == number
    assert read_value(str(number)).value == number


@given(st.integers(-(10**9), 10**9), st.integers(0, 99))
def test_amounts_read_back_in_both_ways(whole: int, cents: int) -> None:
    english = f"{whole:,}.{cents:02d}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert read_value(english).value == read_value(german).value == float(f"{whole}.{cents:02d}")


@given(st.dates(min_value=date(1000, 1, 1)))
def test_dates_read_back(day: date) -> None:
    assert read_value(day.isoformat()).value == day
    assert read_value(f"{day.day}.{day.month}.{day.year:04d}").value == day
    assert read_value(f"{day.day} {day:%B} {day.year:04d}").value == day


@given(st.text(alphabet="0123456789.,'- ()%$€:/hmin", max_size=20))
def test_figures_never_fail(text: str) -> None:
    read_value(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Item 1917", "text"),
        ("3 March 1917", "date"),
        ("12 kg", "number"),
        ("12 m2", "number"),
        ("5\u0661 €", "money"),
        ("m²", "text"),
        ("7 [a]", "number"),
        ("7 %", "percent"),
        ("EUR 7", "money"),
        ("7 EUR", "money"),
    ],
)
def test_what_a_text_ends_with_rules_out_only_what_it_can_not_be(text: str, kind: str) -> None:
    assert read_value(text).kind == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [("$459.99 –", "money"), ("$459.99 -", "money"), ("3D", "text"), ("3 d", "duration"), ("2h", "duration")],
)
def test_a_dash_behind_an_amount_and_a_large_letter_behind_a_figure(text: str, kind: str) -> None:
    assert read_value(text).kind == kind


@given(
    st.text("0123 45/-.,ayMi€%h'[]", max_size=14),
    st.sampled_from([".", ",", None]),
    st.sampled_from(["day first", "month first", None]),
)
@example("12 Mai 2020", ",", "day first")
@example("3 kesäkuu 2020", None, None)
def test_conventions_have_no_say_in_other_texts(
    text: str, separator: DecimalSeparator | None, order: DateOrder | None
) -> None:
    if not is_conventional(text):
        assert read_value(text, Conventions(separator, order, "fi")) == read_value(text)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("1.234", True),
        ("3/4/2024", True),
        ("3-4-24", True),
        ("3 toukokuu 2020", True),
        ("2020", False),
        ("Pear 17", False),
        ("4 kg", False),
    ],
)
def test_what_conventions_are_about(text: str, is_one: bool) -> None:  # noqa: FBT001 - a case
    assert is_conventional(text) == is_one
