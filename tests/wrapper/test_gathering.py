from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime

import openpyxl

import windrow
from windrow.wrapper import Gathered, PageReading

TOOL = '<html lang="{}"><h1>{}</h1><dl><dt>Price:</dt><dd>{}</dd></dl></html>'
FETCHED = "2026-11-03T09:30:00+00:00"
NO_FIELDS: dict[str, windrow.Field] = {}


def tool(name: str, price: str, language: str = "de") -> windrow.Page:
    return windrow.parse(TOOL.format(language, name, price), url=f"https://tools.example/{name}")


def gather(*pages: windrow.Page, fields: dict[str, windrow.Field] = NO_FIELDS, label: str = "price") -> Gathered:
    wrapper = windrow.learn(tool("Axt", "5,00 €"), {"name": "Axt", label: "5,00 €"}, fields=fields)
    return Gathered(
        tuple(PageReading(f"{n}.html", page.url, FETCHED, wrapper.extract(page)) for n, page in enumerate(pages))
    )


def test_rows_of_all_pages_are_typed_together() -> None:
    found = gather(tool("Beil", "1.250 €"), tool("Säge", "9,50 €"))
    assert found.to_dicts(typed=True)[0] == {
        "source": "0.html",
        "url": "https://tools.example/Beil",
        "fetched": datetime(2026, 11, 3, 9, 30, tzinfo=UTC),
        "name": "Beil",
        "price": 1250,
    }
    assert [column.kind for column in found.data.columns] == ["text", "text", "datetime", "text", "money"]
    assert repr(found) == "<Gathered 2 rows of 2 pages (name, price)>"


def test_a_page_without_values_has_no_row_but_a_record() -> None:
    found = gather(windrow.parse("<p>Nothing"), tool("Beil", "12,50 €"))
    assert [row["name"] for row in found.to_dicts()] == ["Beil"]
    empty, full = found.records()
    assert (empty[0]["values"], empty[0]["typed"], empty[0]["missing"]) == (
        {"name": None, "price": None}, {}, ["name", "price"],
    )  # fmt: skip
    assert (full[0]["values"]["price"], full[0]["typed"]) == ("12,50 €", {"price": 12.5})


def test_a_label_with_several_values_is_a_list_in_every_record() -> None:
    fields = {"price": windrow.Field(several=True), "name": windrow.Field(several=False)}
    record = gather(tool("Beil", "12,50 €"), fields=fields).records()[0][0]
    assert (record["values"], record["typed"]) == ({"name": "Beil", "price": ["12,50 €"]}, {"price": [12.5]})


def test_what_does_not_fit_among_all_pages_is_named() -> None:
    found = gather(tool("Beil", "Rest"), tool("Säge", "9,50 €"), fields={"price": windrow.Field(type="money")})
    assert found.misfits == {"price": ["Rest"]}
    assert found.records()[0][0]["typed"] == {}


def test_a_label_keeps_its_name_beside_the_address_of_the_page() -> None:
    assert gather(tool("Beil", "2 €"), label="url").columns == ["source", "url (2)", "fetched", "name", "url"]


def test_pages_in_several_languages_are_read_in_none() -> None:
    found = gather(tool("Beil", "1.250 €"), tool("Saw", "€ 1.250", "en"), fields={"price": windrow.Field(type="money")})
    assert found.misfits == {"price": ["1.250 €", "€ 1.250"]}


def test_each_row_of_a_list_says_where_it_leads() -> None:
    items = "".join(f"<li><a href='/{name}'>{name}</a><b>{price}</b></li>" for name, price in (("Rake", 1), ("Hoe", 2)))
    page = windrow.parse(f"<ul id=tools>{items}</ul>", url="https://a.example/")
    found = windrow.learn(page, [{"name": "Rake", "price": "1"}, {"name": "Hoe", "price": "2"}]).extract(page)
    gathered = Gathered((PageReading("a.html", page.url, "", found),))
    assert gathered.columns == ["source", "url", "fetched", "link", "name", "price"]
    assert [row["link"] for row in gathered.to_dicts()] == ["https://a.example/Rake", "https://a.example/Hoe"]
    assert [row["link"] for row in gathered.records()[0]] == ["https://a.example/Rake", "https://a.example/Hoe"]


def sheet_of(gathered: Gathered) -> dict[str, object]:
    names, row = openpyxl.load_workbook(io.BytesIO(gathered.to_xlsx()))["gathered"].iter_rows(values_only=True)
    return dict(zip(map(str, names), row, strict=True))


def test_a_sheet_says_once_when_a_page_was_fetched_as_a_date() -> None:
    found = gather(tool("Beil", "2 €"), label="fetched")
    assert sheet_of(found) == {
        "source": "0.html",
        "url": "https://tools.example/Beil",
        "fetched (2)": datetime(2026, 11, 3, 9, 30),  # noqa: DTZ001 - a sheet knows no zones
        "name": "Beil",
        "fetched": 2,
        "fetched (text)": "2 €",
    }
    unknown = Gathered((replace(gather(tool("Beil", "2 €")).pages[0], fetched=""),))
    assert sheet_of(unknown)["fetched"] is None
