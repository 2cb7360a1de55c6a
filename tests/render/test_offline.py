"""Pages from memory and from a folder: their own files, and nothing else in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from stage import Canaries

import windrow
from windrow.errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser

SQUARE = "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{0}'/>"


@pytest.fixture(autouse=True, scope="module")
def _closed() -> Iterator[None]:
    yield
    windrow.close()


@pytest.fixture
def canaries() -> Iterator[Canaries]:
    canaries = Canaries()
    yield canaries
    canaries.close()


def save(folder: Path, **files: str) -> Path:
    """Write files, with ``__`` for the dot before the extension and for slashes; give the page's path."""
    for name, content in files.items():
        path = folder / name.replace("___", "/").replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return folder / "page.html"


def lay_out(html: str) -> windrow.Page:
    return windrow.parse(html, render=True)


def size(page: windrow.Page, tag: str) -> tuple[float, float]:
    """Return width and height of the first element of a kind."""
    layout = page.nodes.layout
    assert layout is not None
    left, top, right, bottom = layout.box[page.nodes.tag.where(tag)[0]].tolist()
    return right - left, bottom - top


def font_size(page: windrow.Page, tag: str) -> float:
    layout = page.nodes.layout
    assert layout is not None
    return float(layout.font_size[page.nodes.tag.where(tag)[0]])


def test_style_sheets_and_pictures_of_the_folder(tmp_path: Path) -> None:
    path = save(
        tmp_path,
        page__html="<link rel=stylesheet href='page_files/a%20sheet.css?v=3'><p>Hay</p><img src=./page_files/a.svg>",
        page_files___b__css="p{font-size:40px}",
        page_files___a__svg=SQUARE.format(77),
    )
    (tmp_path / "page_files" / "a sheet.css").write_text("@import 'b.css';", "utf-8")
    page = windrow.load(path)
    assert font_size(page, "p") == 40
    assert size(page, "img") == (77, 77)


def test_nothing_from_above_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    (tmp_path / "secret.css").write_text("p{font-size:99px}", "utf-8")
    (tmp_path / "secret.html").write_text("<p>SECRET</p>", "utf-8")
    inner.mkdir()
    (inner / "link.css").symlink_to(tmp_path / "secret.css")
    (inner / "folder").symlink_to(tmp_path)
    absolute = (tmp_path / "secret.css").as_uri()
    links = (
        "../secret.css",
        "%2e%2e/secret.css",
        "..%2fsecret.css",
        "link.css",
        "folder/secret.css",
        absolute,
        absolute[7:],
    )
    sheets = "".join(f"<link rel=stylesheet href='{link}'>" for link in links)
    frames = (
        "<iframe src='../secret.html'></iframe><iframe src='folder/secret.html'></iframe><iframe"
        f" src='{(tmp_path / 'secret.html').as_uri()}'></iframe>"
    )
    page = windrow.load(save(inner, page__html=f"{sheets}<p>Hay</p>{frames}"))
    assert font_size(page, "p") == 16
    assert page.text == "Hay"


def test_nothing_from_the_network(tmp_path: Path, canaries: Canaries) -> None:
    there = canaries.targets.http
    markup = (
        f"<base href='{there}/'><link rel=stylesheet href=a.css><link rel=preconnect href={there}><img"
        " src=b.png><iframe src=c></iframe><p>Hay</p><style>@import"
        f" '{there}/d';p{{background:url({there}/e)}}</style><meta http-equiv=refresh content='0;url={there}'>"
    )
    assert windrow.load(save(tmp_path, page__html=markup)).text == "Hay"
    assert lay_out(markup).text == "Hay"
    assert canaries.caught == []


def test_page_from_memory_has_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.css").write_text("p{font-size:99px}", "utf-8")
    monkeypatch.chdir(tmp_path)
    page = lay_out("<link rel=stylesheet href=a.css><link rel=stylesheet href=/a.css><p>Hay</p>")
    assert font_size(page, "p") == 16


def test_scripts_are_off_and_noscript_is_hidden() -> None:
    page = lay_out(
        "<p onclick=x>Hay</p><noscript><p>No script</p></noscript><script>document.body.append('ran')</script>"
        "<img src=x: onerror=\"document.body.append('ran')\"><svg onload=\"document.body.append('ran')\"></svg>"
        "<iframe srcdoc=\"<script>document.write('ran')</script>\"></iframe>"
        "<iframe src=\"data:text/html,<script>document.write('ran')</script>\"></iframe>"
        "<iframe src=\"javascript:document.write('ran')\"></iframe><body onload=\"document.body.append('ran')\">"
    )
    assert page.text == "Hay"


def test_scripts_of_the_folder_do_not_run(tmp_path: Path) -> None:
    page = save(tmp_path, page__html="<p>Hay</p><script src=a.js></script>", a__js="document.body.append('ran')")
    assert windrow.load(page).text == "Hay"


@pytest.mark.parametrize(
    "target", ["", ";url=about:blank", ";url=other.html", ";url=javascript:1", ";url=data:text/html,x"]
)
def test_refresh_is_ignored(tmp_path: Path, target: str) -> None:
    page = save(
        tmp_path, page__html=f"<meta http-equiv=refresh content='0{target}'><p>Hay</p>", other__html="<p>Other</p>"
    )
    for _ in range(3):
        assert windrow.load(page).text == "Hay"


def test_policy_of_one_page_does_not_reach_the_next() -> None:
    strict = (
        "<meta http-equiv=Content-Security-Policy content=\"style-src 'none'; img-src"
        " 'none'\"><style>p{font-size:40px}</style><p>Hay"
    )
    assert font_size(lay_out(strict), "p") == 16
    assert font_size(lay_out("<style>p{font-size:40px}</style><p>Hay"), "p") == 40


def test_frame_is_loaded_after_a_page_with_a_picture() -> None:
    windrow.parse("<p>pears</p>", render=True, options=windrow.Options(screenshot=True))
    page = windrow.parse('<iframe srcdoc="<p>apples"></iframe>', render=True)
    assert "apples" in page.text


def test_files_of_one_page_are_not_those_of_the_next(tmp_path: Path) -> None:
    def saved(name: str, pixels: int) -> Path:
        markup = "<link rel=stylesheet href=a.css><p>Hay</p><img src=a.svg>"
        return save(
            tmp_path / name, page__html=markup, a__css=f"p{{font-size:{pixels}px}}", a__svg=SQUARE.format(pixels)
        )

    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    for name, pixels in (("one", 30), ("two", 50), ("one", 70)):
        page = windrow.load(saved(name, pixels))
        assert font_size(page, "p") == pixels
        assert size(page, "img") == (pixels, pixels)


def test_frames_of_the_folder_are_in_place(tmp_path: Path) -> None:
    frame = "border:5px solid;padding:7px;margin:0;display:block;width:300px;height:100px"
    page = windrow.load(
        save(
            tmp_path,
            page__html=(
                f"<body style='margin:0'><p style='margin:0;height:50px'>Before</p><iframe style='{frame}'"
                " src=a.html></iframe><p>After</p>"
            ),
            a__html=(
                "<body style='margin:11px'><p style='margin:0;width:200px'>Inside</p><iframe src=page.html></iframe>"
            ),
        )
    )
    assert page.text == "Before\nInside\nAfter"
    layout = page.nodes.layout
    assert layout is not None
    inside = page.nodes.tag.where("p")[1]
    left, top, right, _ = layout.box[inside].tolist()
    assert (left, top, right) == (5 + 7 + 11, 50 + 5 + 7 + 11, 5 + 7 + 11 + 200)


def test_what_a_page_keeps_is_not_there_for_the_next() -> None:
    first = lay_out("<title>One</title><input value=a autofocus><p id=x style='color:red'>One</p>")
    second = lay_out("<p>Two</p>")
    assert (first.text, second.text) == ("One", "Two")
    assert second.title("tag").text == ""


def test_page_that_takes_too_long_is_read_without_boxes() -> None:
    hard = "<p>Hay</p><div style='display:flex;flex-wrap:wrap'>" + "<i>x</i>" * 100_000 + "</div>"
    with pytest.raises(LimitError) as caught:
        windrow.parse(hard, render=True, options=windrow.Options(limits=windrow.Limits(seconds=1.5)))
    part = caught.value.page
    assert part is not None
    assert part.cut
    assert not part.rendered
    assert part.text.startswith("Hay")
    assert lay_out("<p>Next</p>").text == "Next"


def test_same_page_gives_the_same_boxes() -> None:
    markup = "<h1>Hay</h1><table><tr><td>a<td>b</table><ul><li>c</ul>"
    one, two = lay_out(markup), lay_out(markup)
    assert one.nodes.layout is not None
    assert two.nodes.layout is not None
    assert np.array_equal(one.nodes.layout.box, two.nodes.layout.box, equal_nan=True)
