"""The command with a browser: pictures, live pages, sessions."""

from __future__ import annotations

import io
import json
import stat
from typing import TYPE_CHECKING

import pytest
from command import ORCHARD, objects, run, serving
from PIL import Image

import windrow
from windrow.overlay import PALETTE

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

pytestmark = pytest.mark.browser

LOGIN = b"""<!doctype html><title>Door</title><script>
localStorage.setItem('name', 'Quill'); document.cookie = 'seen=1; path=/';
</script><p>Welcome"""
INSIDE = b"""<!doctype html><title>Inside</title><p id=hello></p><script>
document.getElementById('hello').textContent = 'Hello ' + localStorage.getItem('name');
</script><p>%s"""


def farm(request: BaseHTTPRequestHandler) -> tuple[bytes, dict[str, str]]:
    if request.path == "/login":
        return LOGIN, {"Set-Cookie": "key=secret; HttpOnly; Path=/"}
    if request.path == "/late":
        script = b"setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>Late hay</p>'), 900)"
        return b"<!doctype html><title>Late</title><body><script>" + script + b"</script>", {}
    known = "key=secret" in request.headers.get("Cookie", "")
    return INSIDE % (b"You are known" if known else b"Who are you?"), {}


def test_page_is_laid_out_by_default() -> None:
    result = run("read", ORCHARD)
    assert result.exit_code == 0
    assert "laid out at 1280 x 1024" in " ".join(result.stdout.split())
    (value,) = objects(run("read", ORCHARD, "--json", "--only", "structure", "--viewport", "500x400"))
    assert value["structure"]["rendered"] is True
    assert value["structure"]["counts"]["headings"] == 7


def test_standard_input_is_laid_out_too() -> None:
    (value,) = objects(run("read", "-", "--json", given=b"<p>seen<p style='opacity:0;display:none'>unseen"))
    assert value["text"] == "seen"


def test_picture_has_the_page_s_size_and_frames_at_the_boxes(tmp_path: Path) -> None:
    target = tmp_path / "orchard.png"
    result = run("read", ORCHARD, "--only", "structure", "--picture", target, "-o", tmp_path / "orchard.windrow")
    assert (result.exit_code, result.output) == (0, "")
    page = windrow.load(tmp_path / "orchard.windrow")
    assert page.screenshot is not None
    assert page.nodes.layout is not None
    plain = Image.open(io.BytesIO(page.screenshot))
    drawn = Image.open(target)
    assert (drawn.format, drawn.width) == ("PNG", plain.width)
    assert drawn.height > plain.height
    for tag, color in (("h1", PALETTE[0]), ("table", PALETTE[1])):
        left, top, right, bottom = page.nodes.layout.box[page.nodes.tag.where(tag)[0]].tolist()
        for x, y in ((left - 1, (top + bottom) / 2), (right + 1, (top + bottom) / 2), ((left + right) / 2, bottom + 1)):
            assert drawn.convert("RGB").getpixel((int(x), int(y))) == color


def test_picture_of_a_kept_page_needs_a_kept_picture(tmp_path: Path) -> None:
    kept, target = tmp_path / "kept.windrow", tmp_path / "again.png"
    assert run("read", ORCHARD, "-o", kept).exit_code == 0
    result = run("read", kept, "--picture", target)
    assert result.exit_code == 3
    assert "without its picture" in result.stderr
    assert not target.exists()
    assert run("read", ORCHARD, "-o", kept, "--picture", tmp_path / "first.png").exit_code == 0
    assert run("read", kept, "--picture", target).exit_code == 0
    assert target.read_bytes() == (tmp_path / "first.png").read_bytes()


def test_live_page_is_guarded_and_waited_for() -> None:
    with serving(farm) as url:
        assert run("read", f"{url}late").exit_code == 4
        result = run("read", f"{url}late", "--allow-private", "--json", "--wait-for", "#late")
        assert result.exit_code == 0
        assert objects(result)[0]["text"] == "Late hay"
        result = run("read", f"{url}late", "--allow-private", "--json", "--wait-for-text", "Straw", "--seconds", "4")
        assert result.exit_code == 5
        value = objects(result)[0]
        assert value["title"] == "Late hay"
        assert "Straw" in value["cut"]


def test_password_in_an_address_is_not_repeated() -> None:
    with serving(farm) as url:
        address = url.replace("http://", "http://me:hunter2@")
        for words in ((), ("--json",)):
            result = run("read", address, "--allow-private", *words)
            assert result.exit_code == 0
            assert "hunter2" not in result.output


def test_selector_that_is_none_is_wrong_use() -> None:
    with serving(farm) as url:
        result = run("read", url, "--allow-private", "--wait-for", "p[")
        assert result.exit_code == 2
        assert "selector" in result.stderr


def test_session_of_a_login_is_used_by_read(tmp_path: Path) -> None:
    session = tmp_path / "session.json"
    with serving(farm) as url:
        result = run("login", f"{url}login", "-o", session, "--headless", "--allow-private", given=b"\n")
        assert result.exit_code == 0
        assert "2 cookies and the storage of 1 site" in result.stderr
        assert "secret" not in result.output
        assert stat.S_IMODE(session.stat().st_mode) == 0o600
        kept = json.loads(session.read_bytes())
        assert kept["storage"] == {url.rstrip("/"): {"name": "Quill"}}
        for words, texts in (
            ((), "Hello null\nWho are you?"),
            (("--session", str(session)), "Hello Quill\nYou are known"),
        ):
            (value,) = objects(run("read", url, "--allow-private", "--json", *words))
            assert value["text"] == texts


def test_login_is_guarded(tmp_path: Path) -> None:
    with serving(farm) as url:
        result = run("login", f"{url}login", "-o", tmp_path / "session.json", "--headless", given=b"\n")
    assert result.exit_code == 4
    assert not (tmp_path / "session.json").exists()


def test_extract_starts_one_browser_for_all_its_pages(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.html" for name in ("pears", "plums", "figs")]
    for file in files:
        file.write_text(f"<main><h1>{file.stem.title()}</h1><p>From the orchard</p></main>", encoding="utf-8")
    wrapper = tmp_path / "wrapper.json"
    assert run("learn", files[0], "--want", "name=Pears", "-o", wrapper).exit_code == 0
    result = run("-v", "extract", wrapper, *files, "--json")
    assert [value["values"]["name"] for value in objects(result)] == [["Pears"], ["Plums"], ["Figs"]]
    assert result.stderr.count("started the browser") == 1
    assert result.stderr.count("ended the browser") == 1
