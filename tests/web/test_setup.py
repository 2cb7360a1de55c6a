"""Setting a source up in a real browser: by pasting, by pointing, by keyboard alone, and without JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from interface import log_in, serving
from nursery import File, Server, Site, grow, values_of

import windrow
from windrow.store.captures import list_captures
from windrow.store.sources import find_wrapper, get_source
from windrow.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interface import Interface
    from playwright.sync_api import Browser, Locator
    from playwright.sync_api import Page as Tab

LABELS = ("sku", "name", "price", "grower")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with serving(tmp_path_factory.mktemp("setup"), "--no-schedule") as served:
        yield served


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(Site(trees=grow(24))) as server:
        yield server


def field(tab: Tab, number: int) -> Locator:
    return tab.get_by_role("group", name=f"Field {number}", exact=True)


def load(tab: Tab, desk: Interface, url: str) -> None:
    tab.goto(f"{desk.url}/sources/new")
    tab.get_by_role("textbox", name="Address", exact=True).fill(url)
    tab.get_by_role("button", name="Load page").click()
    tab.get_by_role("textbox", name="Text of the page").wait_for()


def kept(desk: Interface, name: str) -> tuple[dict[str, object], Wrapper]:
    with desk.open_store() as store, store.reading() as connection:
        source = get_source(connection, name)
        row = find_wrapper(connection, source.id)
        assert row is not None
        assert [each.kind for each in list_captures(connection, source.id)] == ["learned"]
        return dict(source.settings), Wrapper.from_json(row.body)


@pytest.mark.browser
def test_by_pasting(tab: Tab, desk: Interface, site: Server) -> None:
    tree = site.site.trees[1]
    values = values_of(tree, "en")
    log_in(tab, desk)
    load(tab, desk, f"{site.url}/p/{tree.sku}")
    assert tab.get_by_role("img", name="Picture of the page").is_visible()
    for number, label in enumerate(LABELS, 1):
        if number > 1:
            tab.get_by_role("button", name="Add field").click()
        field(tab, number).get_by_role("textbox", name="Label", exact=True).fill(label)
        field(tab, number).get_by_role("textbox", name="Text", exact=True).fill(values[label])
    tab.get_by_role("button", name="Preview").click()
    preview = tab.get_by_role("table", name="Preview")
    for label in LABELS:
        assert values[label] in preview.inner_text()
    tab.get_by_role("radio", name="Pages linked from a list").check()
    tab.get_by_role("textbox", name="Addresses", exact=True).fill(f"{site.url}/list")
    tab.get_by_role("checkbox", name="Follow the next page").check()
    tab.get_by_role("button", name="Try", exact=True).click()
    others = tab.get_by_role("table", name="Other pages")
    assert values_of(site.site.trees[3], "en")["price"] in others.inner_text()
    tab.get_by_role("textbox", name="Source name").fill("pasted")
    tab.get_by_role("combobox", name="Key").select_option("sku")
    tab.get_by_role("textbox", name="Schedule").fill("6 hours")
    tab.get_by_role("button", name="Show the next runs").click()
    assert tab.get_by_role("list", name="Next runs").get_by_role("listitem").count() == 5
    tab.get_by_role("button", name="Save source").click()
    tab.wait_for_url("**/sources/pasted*")
    settings, wrapper = kept(desk, "pasted")
    assert settings["read"] == {"wrapper": "pasted.json", "key": ["sku"]}
    assert settings["follow"] == {"list": "region"}
    assert settings["schedule"] == {"every": "6 hours"}
    assert settings["keep"] == {"pages": True}
    assert wrapper.labels == list(LABELS)


def drag(tab: Tab, site: Server, path: str, words: str) -> None:
    """Drag over words of the picture, whose places are known from the page itself."""
    # The page as a person's own browser shows it, in a window of the same size.
    beside = tab.context.new_page()
    beside.goto(f"{site.url}{path}")
    box = beside.evaluate(
        """wanted => {
            const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
            for (let node = all.nextNode(); node; node = all.nextNode()) {
                const at = node.data.indexOf(wanted);
                if (at < 0) continue;
                range.setStart(node, at);
                range.setEnd(node, at + wanted.length);
                const {left, top, right, bottom} = range.getBoundingClientRect();
                return [left, top, right, bottom];
            }
        }""",
        words,
    )
    beside.close()
    picture = tab.get_by_role("img", name="Picture of the page")
    picture.scroll_into_view_if_needed()
    corner = picture.bounding_box()
    assert corner is not None
    left, top, right, bottom = (each * corner["width"] / 1280 for each in box)  # narrow windows shrink the picture
    y = corner["y"] + (top + bottom) / 2
    tab.mouse.move(corner["x"] + left + 1, y)
    tab.mouse.down()
    tab.mouse.move(corner["x"] + (left + right) / 2, y, steps=4)
    tab.mouse.move(corner["x"] + right - 1, y, steps=4)
    tab.mouse.up()


@pytest.mark.browser
def test_by_pointing(tab: Tab, desk: Interface, site: Server) -> None:
    tree = site.site.trees[2]
    values = values_of(tree, "en")
    log_in(tab, desk)
    load(tab, desk, f"{site.url}/p/{tree.sku}")
    for number, label in enumerate(LABELS, 1):
        if number > 1:
            tab.get_by_role("button", name="Add field").click()
            field(tab, number).wait_for()
        field(tab, number).get_by_role("textbox", name="Label", exact=True).fill(label)
        drag(tab, site, f"/p/{tree.sku}", values[label])
        tab.get_by_text(f"Selected: {values[label]}").wait_for()
        tab.get_by_role("button", name="Use selection").click()
        assert field(tab, number).get_by_role("textbox", name="Text", exact=True).input_value() == values[label]
    marks = tab.get_by_role("list", name="Marks")
    assert marks.get_by_role("img", name="grower").is_visible()
    # The grower stands on the page twice; that it was pointed at decides.
    tab.get_by_role("button", name="Preview").click()
    assert values["grower"] in tab.get_by_role("table", name="Preview").inner_text()
    assert not tab.get_by_text("places. Which is meant?").count()
    tab.get_by_role("textbox", name="Source name").fill("pointed")
    tab.get_by_role("button", name="Save source").click()
    tab.wait_for_url("**/sources/pointed*")
    settings, wrapper = kept(desk, "pointed")
    assert settings["start"] == [f"{site.url}/p/{tree.sku}"]
    assert [len(rule.values[0]) for rules in wrapper.rules.values() for rule in rules] == [1, 1, 1, 1]


@pytest.mark.browser
def test_by_keyboard_alone(tab: Tab, desk: Interface, site: Server) -> None:
    tree = site.site.trees[3]
    values = values_of(tree, "en")
    log_in(tab, desk)
    tab.goto(f"{desk.url}/sources/new")

    def reach(role: str, name: str, number: int = 0) -> None:
        found = (field(tab, number) if number else tab).get_by_role(role, name=name, exact=True)  # type: ignore[arg-type] # one of its words
        for _ in range(120):
            if found.count() and found.first.evaluate("each => each === document.activeElement"):
                return
            tab.keyboard.press("Tab")
        raise AssertionError(f"the {role} {name} can't be reached with the keyboard")

    reach("textbox", "Address")
    tab.keyboard.type(f"{site.url}/p/{tree.sku}")
    tab.keyboard.press("Enter")
    tab.get_by_role("textbox", name="Text of the page").wait_for()
    # The keyboard goes on behind what was loaded, not before the navigation.
    tab.keyboard.press("Tab")
    assert tab.get_by_role("region", name="Page", exact=True).evaluate("each => each === document.activeElement")
    reach("textbox", "Label", 1)
    tab.keyboard.type("name")
    # Select the name in the text of the page, and take it over.
    tab.keyboard.press("Shift+Tab")
    reach_back = tab.get_by_role("textbox", name="Text of the page")
    for _ in range(40):
        if reach_back.evaluate("each => each === document.activeElement"):
            break
        tab.keyboard.press("Shift+Tab")
    lines = reach_back.input_value().splitlines()
    tab.keyboard.press("Control+Home")
    for _ in range(lines.index(values["name"])):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Home")
    tab.keyboard.press("Shift+End")
    reach("button", "Use selection")
    tab.keyboard.press("Enter")
    assert field(tab, 1).get_by_role("textbox", name="Text", exact=True).input_value() == values["name"]
    reach("button", "Preview")
    tab.keyboard.press("Enter")
    tab.get_by_role("table", name="Preview").wait_for()
    reach("textbox", "Source name")
    tab.keyboard.press("Control+A")
    tab.keyboard.type("keyed")
    reach("button", "Save source")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/sources/keyed*")
    assert kept(desk, "keyed")[1].labels == ["name"]


@pytest.mark.browser
@pytest.mark.parametrize("way", ["pasted", "dragged"])
def test_the_region_of_interest_says_which_of_two_is_meant(
    tab: Tab, desk: Interface, site: Server, way: Literal["pasted", "dragged"]
) -> None:
    site.site.files["/twice"] = File("<h1>Pear</h1><p>Seller: Ada</p><p>Grower: Ada</p><p>Drawer: Ada</p>")
    log_in(tab, desk)
    load(tab, desk, f"{site.url}/twice")
    region = tab.get_by_role("textbox", name="Region of interest")
    if way == "pasted":
        region.fill("Grower: Ada")
    else:
        region.click()
        drag(tab, site, "/twice", "Grower: Ada")
        tab.get_by_text("Selected: Grower: Ada").wait_for()
        tab.wait_for_function("() => document.getElementById('region').value === 'Grower: Ada'")
    field(tab, 1).get_by_role("textbox", name="Label", exact=True).fill("person")
    field(tab, 1).get_by_role("textbox", name="Text", exact=True).fill("Ada")
    tab.get_by_role("textbox", name="Source name").fill(f"region-{way}")
    tab.get_by_role("button", name="Save source").click()
    tab.wait_for_url(f"**/sources/region-{way}*")
    other = windrow.parse(
        "<h1>Plum</h1><p>Seller: Bob</p><p>Grower: Eve</p><p>Drawer: Zoe</p>", url=f"{site.url}/other"
    )
    assert kept(desk, f"region-{way}")[1].extract(other).values == {"person": ["Eve"]}


@pytest.mark.browser
def test_a_region_that_decides_leaves_nothing_to_ask(tab: Tab, desk: Interface, site: Server) -> None:
    site.site.files["/thrice"] = File(
        "<h1>Pear</h1><p>Seller: <a href='/ada'>Ada</a></p><p>Grower: <a href='/ada-2'>Ada</a></p><p>Drawer: Ada</p>"
    )
    log_in(tab, desk)
    load(tab, desk, f"{site.url}/thrice")
    field(tab, 1).get_by_role("textbox", name="Label", exact=True).fill("person")
    field(tab, 1).get_by_role("textbox", name="Text", exact=True).fill("Ada")
    marks = tab.get_by_role("list", name="Marks").get_by_role("img", name="person")
    tab.get_by_role("button", name="Preview").click()
    asked = tab.get_by_text("places. Which is meant?")
    asked.wait_for()
    assert marks.count() == 2
    tab.get_by_role("textbox", name="Region of interest").fill("Grower: Ada")
    tab.get_by_role("combobox", name="Take").select_option("Link")
    tab.get_by_role("button", name="Preview").click()
    tab.get_by_role("table", name="Preview").get_by_text("/ada-2").wait_for()
    assert asked.count() == 0
    assert marks.count() == 1
    # So do the frames while one types.
    text = field(tab, 1).get_by_role("textbox", name="Text", exact=True)
    text.fill("Ad")
    text.fill("Ada")
    tab.wait_for_function("() => document.querySelectorAll('.sheet [data-field=\"1\"]').length === 1")


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_a_list_is_chosen_by_its_frame(engine: Browser, desk: Interface, site: Server, scripts: bool) -> None:  # noqa: FBT001 - a parameter
    context = engine.new_context(java_script_enabled=scripts, viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    log_in(tab, desk)
    load(tab, desk, f"{site.url}/list")
    frame = tab.get_by_role("list", name="Marks").get_by_role("listitem").first
    name = frame.get_by_text("List 1:")
    if scripts:
        assert [each["id"] for each in Axe().run(tab).response["violations"]] == []
        # What is within is pointed at as ever.
        drag(tab, site, "/list", site.site.trees[0].name)
        tab.get_by_text(f"Selected: {site.site.trees[0].name}").wait_for()
        box = frame.get_by_role("img", name="List 1").bounding_box()
        assert box is not None
        tab.mouse.click(box["x"] - 2, box["y"] + 60)
    else:
        name.click()
    tab.get_by_role("table", name="Preview").wait_for()
    assert tab.get_by_text("Every row of the list is a record.").is_visible()
    assert name.count() == 0
    context.close()


@pytest.mark.browser
def test_without_javascript(engine: Browser, desk: Interface, site: Server) -> None:
    tree = site.site.trees[4]
    values = values_of(tree, "en")
    context = engine.new_context(java_script_enabled=False)
    tab = context.new_page()
    log_in(tab, desk)
    load(tab, desk, f"{site.url}/p/{tree.sku}")
    assert not tab.get_by_role("button", name="Use selection").is_visible()
    field(tab, 1).get_by_role("textbox", name="Label", exact=True).fill("name")
    field(tab, 1).get_by_role("textbox", name="Text", exact=True).fill(values["name"])
    tab.get_by_role("button", name="Add field").click()
    field(tab, 2).get_by_role("textbox", name="Label", exact=True).fill("grower")
    field(tab, 2).get_by_role("textbox", name="Text", exact=True).fill(values["grower"])
    tab.get_by_role("button", name="Preview").click()
    assert values["grower"] in tab.get_by_role("table", name="Preview").inner_text()
    tab.get_by_role("textbox", name="Schedule").fill("30 2 * * 1-5")
    tab.get_by_role("textbox", name="Source name").fill("plain")
    tab.get_by_role("button", name="Save source").click()
    tab.wait_for_url("**/sources/plain*")
    assert kept(desk, "plain")[0]["schedule"] == {"cron": "30 2 * * 1-5"}
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_form(tab: Tab, desk: Interface, site: Server, scheme: Literal["light", "dark"]) -> None:
    tree = site.site.trees[5]
    log_in(tab, desk)
    tab.emulate_media(color_scheme=scheme)
    load(tab, desk, f"{site.url}/p/{tree.sku}")
    field(tab, 1).get_by_role("textbox", name="Label", exact=True).fill("grower")
    field(tab, 1).get_by_role("textbox", name="Text", exact=True).fill(tree.grower)
    tab.get_by_role("textbox", name="Other pages to try").fill(f"/p/{site.site.trees[6].sku}")
    tab.get_by_role("button", name="Try", exact=True).click()
    tab.get_by_role("table", name="Other pages").wait_for()
    for width in (320, 1280):
        tab.set_viewport_size({"width": width, "height": 900})
        assert [each["id"] for each in Axe().run(tab).response["violations"]] == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        beyond = "node => node.scrollWidth - node.clientWidth"
        assert tab.get_by_role("region", name="Page", exact=True).evaluate(beyond) == 0
        drag(tab, site, f"/p/{tree.sku}", tree.name)
        tab.get_by_text(f"Selected: {tree.name}", exact=True).wait_for()
    assert len(tab.content()) < 100_000
