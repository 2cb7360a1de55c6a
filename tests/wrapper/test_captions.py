"""What a page calls a value by where it stands: another name is another field's, and the learned one is looked for."""

from __future__ import annotations

import time

import pytest

import windrow
from windrow.wrapper.captions import INNERMOST, captions_of
from windrow.wrapper.misplacement import find_name
from windrow.wrapper.page_features import features_of
from windrow.wrapper.result import Located

ONE, TWO, THREE = (f"https://barn.example/{number}" for number in (1, 2, 3))


def parse(body: str, url: str) -> windrow.Page:
    return windrow.parse(f"<!DOCTYPE html><html><body><main>{body}</main></body></html>", url=url)


def read(wrapper: windrow.Wrapper, body: str, url: str = THREE) -> dict[str, list[str]]:
    kept = windrow.Wrapper.from_json(wrapper.to_json())
    assert kept.extract(parse(body, url)).values == wrapper.extract(parse(body, url)).values
    return wrapper.extract(parse(body, url)).values


def pairs(name: str, rows: dict[str, str], cell: str = "td") -> str:
    body = "".join(f"<tr><{cell}>{key}</{cell}><td>{value}</td></tr>" for key, value in rows.items())
    return f"<h1>{name}</h1><table>{body}</table>"


def headed(name: str, row: dict[str, str]) -> str:
    names, values = (
        "".join(f"<{tag}>{text}</{tag}>" for text in texts) for tag, texts in (("th", row), ("td", row.values()))
    )
    return f"<h1>{name}</h1><table><tr>{names}</tr><tr>{values}</tr></table>"


def sections(name: str, parts: dict[str, dict[str, str]]) -> str:
    body = "".join(
        f"<tr><th colspan=2>{part}</th></tr>"
        + "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in rows.items())
        for part, rows in parts.items()
    )
    return f"<h1>{name}</h1><table>{body}</table>"


@pytest.mark.parametrize("cell", ["td", "th"])
@pytest.mark.parametrize("count", [1, 2])
def test_the_row_of_another_name_is_another_field(cell: str, count: int) -> None:
    rows = [
        {"Height": "30 cm", "Width": "40 cm", "Colour": "red"},
        {"Height": "31 cm", "Width": "44 cm", "Colour": "tan"},
    ]
    examples = [
        (parse(pairs(name, row, cell), url), {key.lower(): value for key, value in row.items()})
        for name, row, url in zip(("Rake", "Fork"), rows, (ONE, TWO), strict=True)
    ]
    wrapper = windrow.learn(examples[:count])
    got = read(wrapper, pairs("Hoe", {"Height": "31 cm", "Length": "5 cm", "Colour": "blue"}, cell))
    assert got == {"height": ["31 cm"], "width": [], "colour": ["blue"]}
    got = read(wrapper, pairs("Hoe", {"Colour": "blue", "Width:": "5 cm"}, cell))
    assert got == {"height": [], "width": ["5 cm"], "colour": ["blue"]}


def test_what_varies_in_the_first_cell_is_no_name() -> None:
    page = "<h1>{}</h1><table><tr><td>{}</td><td>{}</td></tr></table>"
    wrapper = windrow.learn(parse(page.format("Hay", "Ada Rake", "£5.00"), ONE), {"price": "£5.00"})
    assert read(wrapper, page.format("Oats", "Ben Fork", "£6.00")) == {"price": ["£6.00"]}


@pytest.mark.parametrize("count", [1, 2])
def test_a_cell_is_named_by_the_header_of_its_column(count: int) -> None:
    rows = [{"Height": "30", "Width": "40", "Depth": "50"}, {"Height": "33", "Width": "44", "Depth": "55"}]
    examples = [
        (parse(headed(name, row), url), {key.lower(): value for key, value in row.items()})
        for name, row, url in zip(("Rake", "Fork"), rows, (ONE, TWO), strict=True)
    ]
    wrapper = windrow.learn(examples[:count])
    got = read(wrapper, headed("Hoe", {"Width": "41", "Height": "31", "Depth": "51"}))
    assert got == {"height": ["31"], "width": ["41"], "depth": ["51"]}
    got = read(wrapper, headed("Hoe", {"Height": "31", "Depth": "51"}))
    assert got == {"height": ["31"], "width": [], "depth": ["51"]}
    got = read(wrapper, headed("Hoe", {"Height": "", "Width": "41", "Depth": "51"}))
    assert got == {"height": [], "width": ["41"], "depth": ["51"]}


def test_a_header_over_two_columns_names_the_cells_below_it() -> None:
    page = (
        "<h1>{}</h1><table><thead><tr>{}</tr></thead><tbody><tr><td>{}</td><td>{}</td><td>{}</td></tr></tbody></table>"
    )
    wide, narrow = "<th colspan=2>Size</th><th>Age</th>", "<th>Age</th><th colspan=2>Size</th>"
    wrapper = windrow.learn(parse(page.format("Rake", wide, "30", "40", "7"), ONE), {"age": "7"})
    assert read(wrapper, page.format("Fork", narrow, "8", "31", "41")) == {"age": ["8"]}


def test_headers_that_two_examples_do_not_share_are_no_names() -> None:
    page = "<h1>{0}</h1><table><tr><th>Fact</th><th>{0} tree</th></tr><tr><td>Height</td><td>{1}</td></tr></table>"
    examples = [
        (parse(page.format(name, size), url), {"height": size})
        for name, size, url in (("Oak", "30 m", ONE), ("Ash", "20 m", TWO))
    ]
    assert read(windrow.learn(examples), page.format("Elm", "25 m")) == {"height": ["25 m"]}


def test_the_same_name_in_another_section_is_another_field() -> None:
    both = {"Home": {"City": "Ely", "Phone": "11"}, "Work": {"City": "York", "Phone": "22"}}
    taught = parse(sections("Ada", both), ONE)
    wrapper = windrow.learn(taught, {"home": "Ely", "work": "York", "call": "22"})
    got = read(wrapper, sections("Ben", {"Work": {"City": "Hull", "Phone": "44"}}))
    assert got == {"home": [], "work": ["Hull"], "call": ["44"]}
    got = read(wrapper, sections("Ben", {"Home": {"City": "Bath", "Phone": "33"}}))
    assert got == {"home": ["Bath"], "work": [], "call": []}
    assert read(wrapper, sections("Ada", both), ONE) == {"home": ["Ely"], "work": ["York"], "call": ["22"]}


@pytest.mark.parametrize("count", [1, 2])
def test_what_stands_among_related_things_is_not_the_pages_own(count: int) -> None:
    page = "<h1>{}</h1>{}<div class=more><h2>Related</h2><div class=price>{}</div></div>"
    examples = [
        (parse(page.format(name, f"<div class=price>{price}</div>", other), url), {"name": name, "price": price})
        for name, price, other, url in (("Rake", "£12.50", "£1.11", ONE), ("Fork", "£13.50", "£2.11", TWO))
    ]
    wrapper = windrow.learn(examples[:count])
    assert read(wrapper, page.format("Hoe", "", "£4.44")) == {"name": ["Hoe"], "price": []}
    got = read(wrapper, page.format("Hoe", "<div class=price>£3.00</div>", "£4.44"))
    assert got == {"name": ["Hoe"], "price": ["£3.00"]}


def test_a_list_under_another_heading_is_another_list() -> None:
    page = "<h1>{}</h1><ul>{}</ul><h2>See also</h2><ul><li>Carts</li><li>Barns</li></ul>"
    items = "<li>ash</li><li>long</li><li>green</li>"
    wrapper = windrow.learn(parse(page.format("Rake", items), ONE), {"tags": ["ash", "long", "green"]})
    assert read(wrapper, page.format("Fork", "")) == {"tags": []}
    assert read(wrapper, page.format("Fork", "<li>oak</li><li>old</li>")) == {"tags": ["oak", "old"]}


def test_a_heading_with_the_records_own_name_says_nothing() -> None:
    page = "<h1>{0}</h1><h2>About {0} trees</h2><p>{1}</p><h2>Where {0} grows</h2><p>{2}</p>"
    wrapper = windrow.learn(
        parse(page.format("Oak", "Hard wood", "Hills"), ONE), {"name": "Oak", "wood": "Hard wood", "where": "Hills"}
    )
    got = read(wrapper, page.format("Ash", "Tough wood", "Woods"))
    assert got == {"name": ["Ash"], "wood": ["Tough wood"], "where": ["Woods"]}


HEAD_TABLE = "<h1>{}</h1><table><thead>{}</thead><tbody>{}</tbody></table>"


def cells(*texts: str, cell: str = "td") -> str:
    return f"<tr>{''.join(f'<{cell}>{text}</{cell}>' for text in texts)}</tr>"


@pytest.mark.parametrize("cell", ["td", "th"])
@pytest.mark.parametrize("more", ["", cells("kg", "£", "£"), cells("", "(1)", "(2)")])
def test_cells_in_the_head_of_a_table_are_headers(cell: str, more: str) -> None:
    def page(name: str, *row: str, first: str, second: str) -> str:
        return HEAD_TABLE.format(name, cells("Item", first, second, cell=cell) + more, cells(*row))

    taught = page("Sale", "Rake", "£4.00", "£5.00", first="Net", second="Gross")
    wrapper = windrow.learn(parse(taught, ONE), {"gross": "£5.00"})
    assert read(wrapper, page("Deal", "Fork", "£7.00", "£6.00", first="Gross", second="Net")) == {"gross": ["£7.00"]}
    assert read(wrapper, page("Deal", "Fork", "£6.00", "£1.00", first="Net", second="Tax")) == {"gross": []}


def test_marked_headers_are_not_hidden_by_other_cells_of_the_head() -> None:
    page = parse(
        HEAD_TABLE.format("Sale", cells("Item", "Net", cell="th") + cells("kind", "each"), cells("Rake", "£4")), ONE
    )
    captions = captions_of(features_of(page.nodes))
    assert [captions.column_of(cell) for cell in page.nodes.tag.where("td").tolist()[2:]] == ["Item", "Net"]


def test_a_name_and_a_figure_in_the_head_of_a_table_are_a_row_of_it() -> None:
    page = parse(HEAD_TABLE.format("Rake", cells("Height", "30 cm"), cells("Width", "40 cm")), ONE)
    captions = captions_of(features_of(page.nodes))
    values = page.nodes.tag.where("td").tolist()[1::2]
    assert [captions.column_of(cell) for cell in values] == ["", ""]
    assert all(map(captions.is_named_in_row, values))


def test_cells_that_reach_far_take_no_time() -> None:
    wrapper = windrow.learn(parse(headed("Rake", {"Item": "Rake", "Net": "£4", "Gross": "£5"}), ONE), {"gross": "£5"})
    rows = f"<tr>{'<td colspan=1000 rowspan=65534>a</td>' * 3}</tr>" * 300
    page = parse(f"<h1>Fork</h1><table>{cells('Item', 'Net', 'Gross', cell='th')}{rows}</table>", TWO)
    begin = time.process_time()
    assert wrapper.extract(page).values == {"gross": []}
    assert time.process_time() - begin < 1


NESTED = """<h1>A</h1><p>x</p><div><h2>B</h2><p>x</p><div><h2>C</h2><p>x</p><h4>D</h4><p>x</p></div><p>x</p></div>
<p>x</p><h3>E</h3><p>x</p><h2>F</h2><p>x</p><table><caption>G</caption><tr><th><h3>H</h3></th></tr>
<tr><th>I</th></tr><tr><td><h5>J</h5><p>x</p></td><td>x</td></tr></table><form><fieldset><legend>K</legend><p>x</p>
</fieldset></form><p>x</p><h1>L</h1><p>x</p>"""


def test_the_headings_over_a_node_are_the_last_open_ones_of_rising_levels() -> None:
    page = parse(NESTED, ONE)
    captions = captions_of(features_of(page.nodes))
    assert len(captions.sections) > len("ABCDEFGHIJ")
    for node in range(len(page.nodes)):
        level, expected = INNERMOST + 1, []
        for section in reversed(captions.sections):
            if section.start <= node < section.end and section.level < level:
                level = section.level
                expected.append(section.code)
        assert captions.chain_of(node) == tuple(expected)
    names = {section.code: captions.features.text_of(section.start) for section in captions.sections}
    chains = ["".join(names[code] for code in captions.chain_of(node)) for node in page.nodes.tag.where("p").tolist()]
    assert chains == ["A", "BA", "CA", "DCA", "BA", "A", "EA", "FA", "JHFA", "KFA", "FA", "L"]


def test_thousands_of_headings_take_no_time() -> None:
    body = "<h1>T</h1>" + "".join(f"<h2>H{number}</h2><p>v{number}</p>" for number in range(8000))
    wrapper = windrow.learn(parse(body, ONE), {"x": "v4000"})
    page = parse(body, TWO)
    begin = time.process_time()
    assert wrapper.extract(page).values == {"x": ["v4000"]}
    assert time.process_time() - begin < 1


def test_the_text_beside_a_value_in_an_attribute_is_not_its_name() -> None:
    page = parse("<p><a href='/tel/5' title='£5.00'>Delivery</a></p><p>Price: £5.00</p>", ONE)
    features = features_of(page.nodes)
    link = int(page.nodes.tag.where("a")[0])
    shown = int(page.nodes.tag.where("p")[1])
    assert find_name(features, Located("£5.00", link, "", None, 1.0)) == ""
    assert find_name(features, Located("£5.00", shown, "", None, 1.0)) == "Price:"
