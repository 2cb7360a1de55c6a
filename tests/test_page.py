from __future__ import annotations

import copy
import errno
import io
import json
import os
import pickle
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest

import windrow
from windrow import pagefile
from windrow.errors import LimitError
from windrow.nodes import Layout, Lines, Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Damage: TypeAlias = Callable[[dict[str, bytes], dict[str, Any]], object]

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


def test_settings_of_a_reader() -> None:
    page = windrow.parse(HTML)
    assert page.read("title") is page.read("title", method="best")
    assert page.read("title") is page.title()
    for name, settings in (("title", {"foo": 1}), ("text", {"name": "x"}), ("regions", {"page": "x"})):
        with pytest.raises(windrow.UsageError, match="has no setting"):
            page.read(name, **settings)
    for value in (["a"], 5):
        with pytest.raises(windrow.UsageError, match="'method' of the reader 'title' is a text"):
            page.read("title", method=value)


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


def laid_out(html: str = HTML) -> windrow.Page:
    """Return a page with boxes, as if a browser had been there."""
    page = windrow.parse(html)
    count = len(page.nodes)
    lines = page.nodes.tag.codes[:0].copy()
    layout = Layout(
        box=np.zeros((count, 4), np.float32),
        font_size=np.zeros(count, np.float32),
        font_weight=np.zeros(count, np.int16),
        color=np.zeros((count, 4), np.uint8),
        background=np.zeros((count, 4), np.uint8),
        display=Words.of(["block"] * count),
        position=Words(np.full(count, -1, np.int32), []),
        preserved=np.zeros(count, bool),
        visible=np.ones(count, bool),
        lines=Lines(lines, lines.copy(), lines.copy(), np.zeros((0, 4), np.float32)),
        sources={1: "https://example.org/pear.png"},
        viewport=(800, 600),
    )
    return replace(page, nodes=replace(page.nodes, layout=layout))


def npy(array: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def rewrite(path: Path, change: Damage) -> None:
    """Write a saved page anew after a change to its parts and to its JSON."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(parts["page.json"])
    change(parts, about)
    if "page.json" in parts:
        parts["page.json"] = json.dumps(about).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def column(name: str, change: Callable[[NDArray[Any]], Any]) -> Damage:
    def damage(parts: dict[str, bytes], _: dict[str, Any]) -> None:
        parts[f"{name}.npy"] = npy(np.asarray(change(np.load(io.BytesIO(parts[f"{name}.npy"])))))

    return damage


def field(change: Callable[[dict[str, Any]], object]) -> Damage:
    return lambda _, about: change(about)


def with_first(array: NDArray[Any], *values: float) -> NDArray[Any]:
    array = array.copy()
    array[: len(values)] = values
    return array


DAMAGES: dict[str, Damage] = {
    "no json": lambda parts, _: parts.pop("page.json"),
    "no columns": lambda parts, _: parts.pop("kind.npy"),
    "no nodes": column("kind", lambda kind: kind[:0]),
    "another format": field(lambda about: about.update(format=99)),
    "short column": column("parent", lambda parent: parent[:-1]),
    "float parents": column("parent", lambda parent: parent.astype(np.float32)),
    "wide parents": column("parent", lambda parent: parent.astype(np.int64)),
    "objects": lambda parts, _: parts.update({"parent.npy": npy(np.zeros(3, "V4"))}),
    "parent ahead": column("parent", lambda parent: np.where(parent == parent.max(), 10**6, parent)),
    "parent of the document": column("parent", lambda parent: with_first(parent, 0)),
    "two documents": column("parent", lambda parent: with_first(parent, -1, -1)),
    "not in document order": column("parent", lambda parent: with_first(parent, -1, 0, 0, 1, 1, 2)),
    "unknown kind": column("kind", lambda kind: with_first(kind, 9, 2)),
    "no document": column("kind", lambda kind: with_first(kind, 1)),
    "tag of no word": column("tag", lambda tag: with_first(tag, 99)),
    "display of no word": column("display", lambda display: with_first(display, 1)),
    "position of no word": column("position", lambda position: with_first(position, -2)),
    "flat boxes": column("box", lambda box: box[:, 0]),
    "narrow colors": column("color", lambda color: color[:, :3]),
    "lines of no node": lambda parts, _: parts.update(
        {f"line_{name}.npy": npy(np.full(1, 9999, np.int32)) for name in ("node", "start", "length")}
        | {"line_box.npy": npy(np.zeros((1, 4), np.float32))}
    ),
    "lines of unlike length": column("line_start", lambda _: np.zeros(2, np.int32)),
    "no text": field(lambda about: about.update(html=5)),
    "numbers for text": field(lambda about: about.update(text=[1] * len(about["text"]))),
    "a word for texts": field(lambda about: about.update(text="x" * len(about["text"]))),
    "numbers for attributes": field(lambda about: about.update(attributes=[1] * len(about["attributes"]))),
    "numbers in attributes": field(lambda about: about["attributes"][1].update(href=5)),
    "numbers for tags": field(lambda about: about.update(tags=[1] * len(about["tags"]))),
    "a word for a status": field(lambda about: about["provenance"].update(status="200")),
    "a number for a time": field(lambda about: about["provenance"].update(fetched=5)),
    "a time of no zone": field(lambda about: about["provenance"].update(fetched="2026-01-01T00:00:00")),
    "a word for a viewport": field(lambda about: about["provenance"].update(viewport="12")),
    "numbers for redirects": field(lambda about: about["provenance"].update(redirects=[1])),
    "a number for a digest": field(lambda about: about["provenance"].update(sha256=5)),
    "no provenance": field(lambda about: about.pop("provenance")),
    "numbers for warnings": field(lambda about: about.update(warnings=[1])),
    "warnings of no kind": field(lambda about: about.update(warnings=[{"kind": "hay", "text": "x"}])),
    "another layout": field(lambda about: about.update(layout=[])),
    "flat viewport": field(lambda about: about["layout"].update(viewport=[0, 5])),
    "picture of no node": field(lambda about: about["layout"].update(sources={"99999": "x"})),
    "no picture": lambda parts, _: parts.update({"screenshot.png": b"GIF89a"}),
}


@pytest.mark.parametrize("damage", [*DAMAGES])
def test_a_damaged_file_is_a_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "page.windrow"
    laid_out().save(path)
    rewrite(path, DAMAGES[damage])
    with pytest.raises(windrow.errors.SourceError, match="not a page that Windrow saved"):
        windrow.load(path)


def test_the_size_that_a_column_claims_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "page.windrow"
    laid_out().save(path)

    def claim(parts: dict[str, bytes], _: dict[str, Any]) -> None:
        claimed = re.sub(rb"\(\d+, 4\), } {14}", b"(10000000000000, 4), } ", parts["box.npy"])
        assert claimed != parts["box.npy"]
        parts["box.npy"] = claimed

    rewrite(path, claim)
    assert same(windrow.load(path), laid_out())


def test_a_file_of_another_kind_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "page.windrow"
    for content in (b"", b"PK but not really", b"<p>hay", windrow.parse(HTML).html.encode() * 100):
        path.write_bytes(content)
        with pytest.raises(windrow.errors.SourceError, match="not a page that Windrow saved"):
            windrow.load(path)
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("kind.npy", b"\0" * 1000)
        with pytest.raises(windrow.errors.SourceError, match="not a page that Windrow saved"):
            windrow.load(path)
    path.unlink()
    path.mkdir()
    os.mkfifo(tmp_path / "pipe.windrow")
    for special in (path, tmp_path / "pipe.windrow"):
        with pytest.raises(windrow.errors.SourceError, match="not an ordinary file"):
            windrow.load(special)
    path.rmdir()
    with pytest.raises(windrow.errors.SourceError, match="There is no file"):
        windrow.load(path)


def test_flipped_bytes_are_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "page.windrow"
    laid_out().save(path)
    whole = path.read_bytes()
    random = Random(1)  # noqa: S311 - the same flips every time
    for round_ in range(600):
        content = bytearray(whole)
        for _ in range(1 + round_ % 3):
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        path.write_bytes(content if round_ % 10 else content[: random.randrange(len(content))])
        try:
            windrow.load(path)
        except windrow.errors.SourceError as error:
            assert str(error).startswith(str(path))  # noqa: PT017 - some flips do no harm


def test_a_saved_page_keeps_to_the_limits(tmp_path: Path) -> None:
    path = tmp_path / "page.windrow"
    page = windrow.parse(HTML)
    page.save(path)
    exact = windrow.Limits(nodes=len(page.nodes), bytes=len(page.html))
    assert same(windrow.load(path, options=windrow.Options(limits=exact)), page)
    with pytest.raises(LimitError, match="nodes, more than the 5"):
        windrow.load(path, options=windrow.Options(limits=windrow.Limits(nodes=5)))
    with pytest.raises(LimitError, match="more than 99 bytes"):
        windrow.load(path, options=windrow.Options(limits=windrow.Limits(bytes=99)))


def test_a_name_that_is_no_utf8_is_saved(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.html"))
    path.write_text(HTML, encoding="utf-8")
    page = windrow.load(path, render=False)
    page.save(tmp_path / "page.windrow")
    assert windrow.load(tmp_path / "page.windrow").source == str(tmp_path / "caf\N{REPLACEMENT CHARACTER}.html")


def test_a_page_goes_between_processes() -> None:
    for page in (windrow.parse(HTML, url="https://example.org/"), laid_out()):
        again = pickle.loads(pickle.dumps(page))  # noqa: S301 - what was pickled a moment ago
        assert same(again, page)
        assert again.rendered == page.rendered
        assert same(copy.deepcopy(page), page)


def test_nothing_of_a_page_can_be_written_to() -> None:
    nodes = laid_out().nodes
    layout = nodes.layout
    assert layout is not None
    arrays: list[NDArray[Any]] = [
        nodes.kind,
        nodes.parent,
        nodes.depth,
        nodes.end,
        nodes.children(0),
        nodes.spans.start,
        nodes.spans.end,
    ]
    arrays += [
        value for part in (layout, layout.lines) for value in vars(part).values() if isinstance(value, np.ndarray)
    ]
    assert len(arrays) == 18
    assert [array.flags.writeable for array in arrays] == [False] * len(arrays)
    assert isinstance(nodes.text, tuple)
    with pytest.raises(TypeError):
        layout.sources[1] = "x"  # type: ignore[index]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.windrow"
    windrow.parse("<p>old").save(path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(windrow.errors.SourceError, match="No space left"):
        windrow.parse("<p>new").save(path)
    assert windrow.load(path).text == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["page.windrow"]


def test_saving_onto_a_folder_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "page.windrow").mkdir()
    with pytest.raises(windrow.errors.SourceError, match="Is a directory"):
        windrow.parse("<p>x").save(tmp_path / "page.windrow")
    assert [file.name for file in tmp_path.iterdir()] == ["page.windrow"]


def test_a_missing_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(windrow.errors.SourceError, match="could not be written"):
        windrow.parse("<p>x").save(tmp_path / "no" / "page.windrow")


def test_repr_says_what_it_is() -> None:
    assert repr(windrow.parse("<p>x")) == "<Page memory (6 nodes, structure only)>"
