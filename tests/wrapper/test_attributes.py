"""Values that a page holds without displaying them: addresses and attributes."""

from __future__ import annotations

from typing import Any

import pytest

import windrow

STAGE = """<body><div class="top"><a href="/">Stage</a></div><article><h1>{}</h1><p>by {}</p>
<time datetime="{}"></time><meta itemprop="sku" content="{}"></article><p>Stage Ltd</p></body>"""
ONE, TWO = "https://stage.example/1", "https://stage.example/2"
FIRST = windrow.parse(STAGE.format("Gamelan", "Ada Rake", "2024-05-01", "AB-1"), url=ONE)
SECOND = windrow.parse(STAGE.format("Wayang", "Ben Fork", "2025-06-02", "CD-2"), url=TWO)


@pytest.mark.parametrize(
    ("pasted", "values"),
    [
        ({"day": "2024-05-01"}, {"day": ["2025-06-02"]}),
        ({"sku": "AB-1"}, {"sku": ["CD-2"]}),
        ({"day": "2024-05-01", "sku": "AB-1"}, {"day": ["2025-06-02"], "sku": ["CD-2"]}),
    ],
)
def test_attributes_are_learned_without_a_text(pasted: dict[str, str], values: dict[str, list[str]]) -> None:
    wrapper = windrow.learn(FIRST, pasted)
    assert wrapper.extract(SECOND).values == values
    assert windrow.Wrapper.from_json(wrapper.to_json()).extract(SECOND).values == values


def test_a_page_is_checked_by_attributes_alone() -> None:
    wrapper = windrow.learn(FIRST, {"day": "2024-05-01"})
    assert wrapper.check(FIRST).kind == "same"
    assert wrapper.check(SECOND).kind == "content"
    other_day = STAGE.format("Gamelan", "Ada Rake", "2026-01-01", "AB-1")
    assert wrapper.check(windrow.parse(other_day, url=ONE)).kind == "content"
    wrapped = STAGE.format("Gamelan", "Ada Rake", "2024-05-01", "AB-1").replace("<time", "<section><time")
    changed = wrapper.check(windrow.parse(wrapped.replace("</time>", "</time></section>"), url=ONE))
    assert (changed.kind, changed.affected) == ("template", False)
    for method in ("total", "bars", "delta"):
        assert not wrapper.check(FIRST, method=method).changed


def test_a_text_that_was_displayed_is_not_looked_for_in_attributes() -> None:
    page = '<body><div><a title="Gamelan">Next</a></div>{}<div><h1>{}</h1></div><p>Stage Ltd</p></body>'
    wrapper = windrow.learn(windrow.parse(page.format("", "Gamelan"), url=ONE), {"title": "Gamelan"})
    changed = wrapper.check(windrow.parse(page.format("<div>New</div>", "Wayang"), url=ONE))
    assert (changed.kind, changed.case) == ("template", "upper")
    assert wrapper.check(windrow.parse(page.format("", "Wayang"), url=ONE), method="total").kind == "gone"


def test_a_wrapper_of_attributes_alone_is_healed() -> None:
    dressed = (
        STAGE.replace("article", "main")
        .replace("<time", "<section class=when><time")
        .replace("</time>", "</time></section>")
    )
    wrapper = windrow.learn(FIRST, {"day": "2024-05-01"})
    healed = wrapper.heal(windrow.parse(dressed.format("Gamelan", "Ada Rake", "2024-05-01", "AB-1"), url=ONE))
    other = windrow.parse(dressed.format("Wayang", "Ben Fork", "2025-06-02", "CD-2"), url=TWO)
    assert healed.extract(other).values == {"day": ["2025-06-02"]}


ROWS = "".join(
    f'<li><a href="/{name.lower()}">{name}</a> <time datetime="2024-0{month}-01"></time></li>'
    for month, name in enumerate(("Rake", "Fork", "Hoe"), 1)
)
LIST = windrow.parse(f"<body><ul id='tools'>{ROWS}</ul></body>", url="https://tools.example/all")


@pytest.mark.parametrize("start", ["/", "https://tools.example/"])
def test_a_link_of_a_row_may_be_pasted_as_it_stands_in_the_page(start: str) -> None:
    rows = [{"name": name, "page": f"{start}{name.lower()}"} for name in ("Rake", "Fork")]
    wrapper = windrow.learn(LIST, rows)
    assert wrapper.extract(LIST).rows[2] == {"name": ["Hoe"], "page": ["https://tools.example/hoe"]}
    assert wrapper.examples[0].values["page"] == ("https://tools.example/rake", "https://tools.example/fork")
    banner = windrow.parse(f"<body><p>New</p><ul id='tools'>{ROWS}</ul></body>", url="https://tools.example/all")
    assert not wrapper.check(banner).affected


def test_an_attribute_is_a_field_of_a_row() -> None:
    wrapper = windrow.learn(LIST, [{"name": "Rake", "day": "2024-01-01"}, {"name": "Fork", "day": "2024-02-01"}])
    assert wrapper.extract(LIST).rows[2] == {"name": ["Hoe"], "day": ["2024-03-01"]}
    again = windrow.Wrapper.from_json(wrapper.to_json())
    assert again.extract(LIST).rows == wrapper.extract(LIST).rows


def test_a_path_is_no_page() -> None:
    wrapper, path = windrow.learn(FIRST, {"title": "Gamelan"}), "stage.html"
    given: Any = path
    for call in (
        lambda: windrow.learn(given, {"title": "Gamelan"}),
        lambda: windrow.learn([(given, {"title": "Gamelan"})]),
        lambda: wrapper.extract(given),
        lambda: wrapper.check(given),
        lambda: wrapper.heal(given),
        lambda: wrapper.heal([given]),
    ):
        with pytest.raises(windrow.UsageError, match=r"'stage\.html' is no page\. Load it first: windrow\.load"):
            call()
    with pytest.raises(windrow.UsageError, match="A value of type bytes is no page"):
        wrapper.extract(given.encode())
