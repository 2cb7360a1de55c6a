from __future__ import annotations

import errno
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest

import windrow
from windrow import pagefile

if TYPE_CHECKING:
    from pathlib import Path

HTML = """<!doctype html><title>Apples &amp; pears</title><base href="/shop/"><body><h1>Fruit</h1>
<p>From <a href="apples?x=1#y">apples</a>, <a href="#top">top</a>, <a href="javascript:void(0)">no</a>,
<a href="https://[bad">bad</a>, <a href="mailto:a@example.org">mail</a> <img src="../pear.png"><img></p>"""


def test_links_and_images_are_absolute() -> None:
    page = windrow.parse(HTML, url="https://example.org/a/b.html")
    assert page.base_url == "https://example.org/shop/"
    assert [link for link in page.links if link] == ["https://example.org/shop/apples?x=1#y", "mailto:a@example.org"]
    assert [image for image in page.images if image] == ["https://example.org/pear.png"]
    (first, *_) = page.nodes.tag.where("a").tolist()
    assert page.link(first) == "https://example.org/shop/apples?x=1#y"
    assert page.image(first) is None


def test_without_an_address_only_absolute_links_are_known() -> None:
    page = windrow.parse("<a href=x>a</a><a href=http://example.org/y>b</a>")
    assert [link for link in page.links if link] == ["http://example.org/y"]


def test_links_that_are_scripts_in_disguise() -> None:
    page = windrow.parse(
        '<a href="java\tscript:alert(1)">a</a><a href="\x01javascript:x">b</a>', url="https://example.org/"
    )
    assert not any(page.links)


def test_a_template_has_no_say_in_the_base() -> None:
    page = windrow.parse("<template><base href=/t/></template><a href=x>a</a>", url="https://example.org/p/")
    assert page.base_url == "https://example.org/p/"


@pytest.mark.browser
def test_links_in_frames_start_from_the_frame(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "in.html").write_text("<base href=deep/><a href=b.html>b</a>", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("TOPSECRET", encoding="utf-8")
    html = "<a href=a.html>a</a><iframe src=sub/in.html></iframe><iframe src=secret.txt></iframe>"
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    page = windrow.load(tmp_path / "page.html", url="https://example.org/x/page.html")
    links = [link for link in page.links if link]
    assert links == ["https://example.org/x/a.html", "https://example.org/x/sub/deep/b.html"]
    assert page.base_url == "https://example.org/x/page.html"
    assert "TOPSECRET" not in page.text


def test_title_tag() -> None:
    assert windrow.parse(HTML).title(method="tag").text == "Apples & pears"
    none = windrow.parse("<p>x").title(method="tag")
    assert not none.text
    assert none.reason
    with pytest.raises(windrow.UsageError, match="no title method"):
        windrow.parse(HTML).title(method="guess")


def same(one: windrow.Page, other: windrow.Page) -> bool:
    columns = ("kind", "parent", "depth", "end", "visible")
    return (
        all(np.array_equal(getattr(one.nodes, name), getattr(other.nodes, name)) for name in columns)
        and one.nodes.tag.to_list() == other.nodes.tag.to_list()
        and list(one.nodes.text) == list(other.nodes.text)
        and [dict(one.nodes.attributes[n]) for n in range(len(one.nodes))]
        == [dict(other.nodes.attributes[n]) for n in range(len(other.nodes))]
        and (one.source, one.url, one.html, one.text, one.links)
        == (other.source, other.url, other.html, other.text, other.links)
    )


def test_a_saved_page_gives_the_same_results(tmp_path: Path) -> None:
    page = windrow.parse(HTML, url="https://example.org/")
    page.save(tmp_path / "page.windrow")
    assert same(windrow.load(tmp_path / "page.windrow"), page)


@pytest.mark.browser
def test_a_saved_rendered_page_gives_the_same_results(tmp_path: Path) -> None:
    options = windrow.Options(screenshot=True)
    page = windrow.parse(HTML, url="https://example.org/", render=True, options=options)
    page.save(tmp_path / "page.windrow")
    again = windrow.load(tmp_path / "page.windrow")
    assert same(again, page)
    assert again.screenshot == page.screenshot
    assert page.nodes.layout is not None
    assert again.nodes.layout is not None
    for name in pagefile.ARRAYS:
        assert np.array_equal(
            getattr(again.nodes.layout, name), getattr(page.nodes.layout, name), equal_nan=name == "box"
        )
    assert again.nodes.layout.display.to_list() == page.nodes.layout.display.to_list()
    assert np.array_equal(again.nodes.layout.lines.box, page.nodes.layout.lines.box)


@pytest.mark.parametrize("damage", ["not a zip", "no json", "wrong format", "short column", "parent ahead"])
def test_a_damaged_file_is_a_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "page.windrow"
    windrow.parse(HTML).save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    if damage == "no json":
        del parts["page.json"]
    elif damage == "wrong format":
        parts["page.json"] = parts["page.json"].replace(b'"format":1', b'"format":99')
    elif damage == "short column":
        parts["parent.npy"] = parts["kind.npy"][:150]
    elif damage == "parent ahead":
        parts["parent.npy"] = parts["parent.npy"][:-4] + (10**6).to_bytes(4, "little")
    if damage == "not a zip":
        path.write_bytes(b"PK but not really")
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in parts.items():
                archive.writestr(name, data)
    with pytest.raises(windrow.SourceError, match="no page that Windrow saved"):
        windrow.load(path)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.windrow"
    windrow.parse("<p>old").save(path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pagefile, "_pack", full)
    with pytest.raises(windrow.SourceError, match="No space left"):
        windrow.parse("<p>new").save(path)
    assert windrow.load(path).text == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["page.windrow"]


def test_a_missing_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(windrow.SourceError, match="could not be written"):
        windrow.parse("<p>x").save(tmp_path / "no" / "page.windrow")


def test_repr_says_what_it_is() -> None:
    assert repr(windrow.parse("<p>x")) == "<Page memory (6 nodes, structure only)>"
