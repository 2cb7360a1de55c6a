from __future__ import annotations

import pytest

import windrow

BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<img src="pear.jpg">', "pear.jpg"),
        ('<img src="pear.jpg" data-src="large.jpg">', "pear.jpg"),
        ('<img data-src="pear.jpg">', "pear.jpg"),
        (f'<img src="{BLANK}" data-lazy-src="pear.jpg">', "pear.jpg"),
        ('<img src="/static/placeholder.png" data-original="pear.jpg">', "pear.jpg"),
        ('<img src="/assets/lazy-blank.svg?v=2" data-src="pear.jpg">', "pear.jpg"),
        ('<img src="/blank/pear.jpg" data-src="other.jpg">', "/blank/pear.jpg"),
        (f'<img src="{BLANK}" data-src="pear_{{width}}x.jpg" srcset="pear_1x.jpg">', "pear_1x.jpg"),
        ('<img srcset="small.jpg 320w, pear.jpg 1280w, middle.jpg 640w">', "pear.jpg"),
        ('<img data-srcset="a,b.jpg 1x, pear,c.jpg 2.5x">', "pear,c.jpg"),
        (f'<picture><source srcset="pear.webp 2x, small.webp"><img src="{BLANK}"></picture>', "pear.webp"),
        (f'<img src="{BLANK}">', BLANK),
        (f'<img src="{BLANK}" data-src="{BLANK}">', BLANK),
        ('<video poster="pear.jpg"></video>', "pear.jpg"),
        ('<svg><image href="pear.svg"></image></svg>', "pear.svg"),
    ],
)
def test_the_picture_that_will_be_shown_is_found(markup: str, expected: str) -> None:
    assert list(windrow.parse(markup).nodes.images.values()) == [expected]


@pytest.mark.parametrize("markup", ["<img>", '<img alt="pear" src="">', '<script src="pear.js"></script>'])
def test_what_shows_no_picture_has_no_address(markup: str) -> None:
    assert not windrow.parse(markup).nodes.images


def test_pictures_are_listed_in_document_order() -> None:
    nodes = windrow.parse('<video poster="a.jpg"></video><img data-src="b.jpg"><img src="c.jpg">').nodes
    assert list(nodes.images.values()) == ["a.jpg", "b.jpg", "c.jpg"]
    assert list(nodes.images) == sorted(nodes.images)


def test_every_reader_gives_the_same_picture() -> None:
    rows = "".join(
        f'<tr><td><img src="{BLANK}" data-src="/{name}.jpg"></td><td>{name}</td><td>{number} kg</td></tr>'
        for number, name in enumerate(("Quince", "Medlar", "Damson", "Mulberry"), 3)
    )
    page = windrow.parse(f"<table><tr><th>Photo<th>Fruit<th>Crop</tr>{rows}</table>", url="https://example.org/")
    assert next(image for image in page.images if image) == "https://example.org/Quince.jpg"
    cells = [cell for cell in page.tables()[0].cells if cell.images]
    assert [cell.images for cell in cells][:1] == [("https://example.org/Quince.jpg",)]
    assert "https://example.org/Quince.jpg" in page.regions()[0].records[0].fields.values()
