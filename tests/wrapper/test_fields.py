from __future__ import annotations

from datetime import date

import pytest

import windrow
from windrow.wrapper.result import Located

TICKET = '<html lang="{}"><h1>{}</h1><dl><dt>Price:</dt><dd>{}</dd><dt>Day:</dt><dd>{}</dd></dl></html>'


def ticket(*texts: str, language: str = "id") -> windrow.Page:
    return windrow.parse(TICKET.format(language, *texts), url=f"https://stage.example/{texts[0]}")


def learn(**fields: windrow.Field) -> windrow.Wrapper:
    values = {"name": "Gamelan", "price": "Rp 62.000", "day": "12 Maret 2024"}
    return windrow.learn(ticket(*values.values()), values, fields=fields)


def test_values_are_read_by_their_type_and_the_language_of_the_page() -> None:
    wrapper = learn(price=windrow.Field(type="money"), day=windrow.Field(type="date"))
    found = wrapper.extract(ticket("Wayang", "Rp 75.500", "3 Mei 2025"))
    assert found.to_dicts(typed=True) == [{"name": "Wayang", "price": 75_500, "day": date(2025, 5, 3)}]
    assert found.misfits == {}


def test_a_value_that_does_not_fit_stays_text_and_is_said_to() -> None:
    wrapper = learn(price=windrow.Field(type="money"), name=windrow.Field(type="number"))
    found = wrapper.extract(ticket("Wayang", "Gratis", "3 Mei 2025"))
    assert found.to_dicts(typed=True)[0]["price"] == "Gratis"
    assert found.misfits == {"name": ["Wayang"], "price": ["Gratis"]}


def test_a_label_declared_to_be_text_is_not_typed() -> None:
    wrapper = learn(price=windrow.Field(type="text"))
    assert wrapper.extract(ticket("Wayang", "Rp 75.500", "3 Mei 2025")).to_dicts(typed=True)[0]["price"] == "Rp 75.500"


@pytest.mark.parametrize(
    ("text", "fits"), [("https://stage.example/a", True), ("www.stage.example", True), ("by post", False)]
)
def test_an_address_is_one_or_does_not_fit(text: str, fits: bool) -> None:  # noqa: FBT001 - a parameter of the test
    found = learn(price=windrow.Field(type="address")).extract(ticket("Wayang", text, "3 Mei 2025"))
    assert (found.values["price"], "price" not in found.misfits) == ([text], fits)


def test_a_price_without_its_currency_is_money_all_the_same() -> None:
    found = learn(price=windrow.Field(type="money")).extract(ticket("Wayang", "12,50", "3 Mei 2025"))
    assert (found.to_dicts(typed=True)[0]["price"], found.misfits) == (12.5, {})


def test_a_declared_column_without_any_value_keeps_its_type() -> None:
    wrapper = learn(price=windrow.Field(type="money"), day=windrow.Field(type="date"))
    lacking = '<html lang="id"><h1>Wayang</h1><dl></dl></html>'
    for page in (windrow.parse(lacking, url="https://stage.example/Wayang"), ticket("Wayang", "Gratis", "besok")):
        types = {field.name: str(field.type) for field in wrapper.read(page).to_arrow(typed=True).schema}
        assert (types["price"], types["day"], types["name"]) == ("double", "date32[day]", "string")
    plain = wrapper.read(page).to_arrow(typed=False).schema
    assert {str(field.type) for field in plain} == {"string"}


HERD = "<h1>{}</h1><p class=by>by {}</p>"


def herd(title: str, *names: str) -> windrow.Page:
    names_shown = ", ".join(f"<a>{name}</a>" for name in names)
    return windrow.parse(HERD.format(title, names_shown), url=f"https://herd.example/{title}")


def test_several_values_of_a_label_that_has_one_are_doubtful() -> None:
    examples = [(herd("Hay", "Ada", "Ben"), {"title": "Hay", "by": ["Ada", "Ben"]})]
    page = herd("Owls", "Cleo", "Dora")
    assert windrow.learn(examples).extract(page).values["by"] == ["Cleo", "Dora"]
    found = windrow.learn(examples, fields={"by": windrow.Field(several=False)}).extract(page)
    assert (found.values, found.doubtful, found.missing) == (
        {"title": ["Owls"], "by": []}, {"by": ["Cleo", "Dora"]}, ["by"],
    )  # fmt: skip
    assert (list(found.confidence), found.located["by"]) == (["title"], ())


def test_an_optional_label_that_is_missing_is_no_lack() -> None:
    page = windrow.parse(TICKET.replace("<dt>Price:</dt><dd>{}</dd>", "").format("id", "Wayang", "3 Mei 2025"))
    found = learn(price=windrow.Field(required=False)).extract(page)
    assert (found.missing, found.lacking) == (["price"], [])
    assert learn().extract(page).lacking == ["price"]


def test_an_extraction_with_fields_is_read_back() -> None:
    found = learn(price=windrow.Field(type="money")).extract(ticket("Wayang", "Gratis", "3 Mei 2025"))
    again = windrow.Extraction.from_dict(found.to_dict())
    assert again == found
    assert again.misfits == found.misfits


def test_in_a_list_a_label_that_has_one_value_has_one_in_each_row() -> None:
    def place(text: str, row: int) -> Located:
        return Located(text, 1, "/p", None, 0.9, row=row)

    places = (place("Axe", 1), place("Saw", 2), place("Bow", 2))
    found = windrow.Extraction({"name": ["Axe", "Saw", "Bow"]}, {"name": 0.9}, [], {"name": places})
    fields = {"name": windrow.Field(several=False)}
    by_row = found.with_fields(fields, by_row=True)
    assert (by_row.values, by_row.doubtful, by_row.missing) == ({"name": ["Axe"]}, {"name": ["Saw", "Bow"]}, [])
    assert found.with_fields(fields).values == {"name": []}


def test_one_label_with_several_values_makes_no_records() -> None:
    page = herd("Hay", "Ada", "Ben")
    found = windrow.learn(page, {"title": "Hay", "by": ["Ada", "Ben"]}).extract(page)
    assert (found.rows, found.to_dicts()) == ([], [{"title": "Hay", "by": ["Ada", "Ben"]}])
