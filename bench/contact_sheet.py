"""Draws the pages that the tests of each reader have, with what was read on them, as one sheet of small pictures.

make pictures

Each page is laid out, read and drawn by our own overlay; below it stand its name and what was read, which is printed
as well. An older Windrow draws the same pages where its sources are on the path, so that two runs tell what changed:

PYTHONPATH=../older/src python bench/contact_sheet.py --most 999 --into before
"""

from __future__ import annotations

import argparse
import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyascii import anyascii
from PIL import Image, ImageDraw, ImageFont

import windrow
from windrow.overlay import draw
from windrow.readers.registry import page_to_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
ROOMS = {"title": "title", "toplist": "toplist", "regions": "region", "tables": "table"}
"""The readers, and the rooms of their tests."""
URL = "https://quality.example/list"
VIEWPORT = (560, 420)
TILE = (280, 190)
"""A tile in pixels: a page at half its size, and two lines below it."""
LINES = 30
MOST = 40
COLUMNS = 5
PAPER, INK, EDGE = (250, 250, 250), (40, 40, 40), (190, 190, 190)
FONT_SIZE, LONGEST = 11, 46
QUALITY = 30
"""Of WebP: words can be read, and a sheet stays small."""


def main() -> None:
    """Draw the sheets of the readers that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*ROOMS], action="append", dest="readers")
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help="pages of each reader, evenly chosen")
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "pictures", metavar="DIR")
    choices = parser.parse_args()
    choices.into.mkdir(parents=True, exist_ok=True)
    with windrow.Loader(windrow.Options(viewport=VIEWPORT, screenshot=True)) as loader:
        for reader in choices.readers or ROOMS:
            tiles = [_to_tile(*each) for each in _read_pages(loader, reader, choices.most)]
            path = choices.into / f"{ROOMS[reader]}-pages.webp"
            _arrange(tiles).save(path, "WEBP", quality=QUALITY, method=6)
            print(f"{path}: {len(tiles)} pages, {path.stat().st_size // 1000} kB")


def _read_pages(loader: windrow.Loader, reader: str, most: int) -> Iterator[tuple[Image.Image, str, str]]:
    """Yield the picture of each page, its name and what was read."""
    folders = sorted((ROOT / "tests" / ROOMS[reader] / "quality").iterdir())
    count = min(most, len(folders))
    for folder in (folders[number * len(folders) // count] for number in range(count)):
        expected = json.loads((folder / "expected.json").read_text("utf-8"))
        url = expected.get("url", URL) if isinstance(expected, dict) else URL
        page = loader.parse((folder / "page.html").read_bytes(), url=url, charset="utf-8", render=True)
        said = _tell(page.read(reader))
        print(f"{reader} {folder.name}: {said}")
        drawn = draw(page.screenshot or b"", page_to_marks(page, {reader: {}}))
        yield Image.open(io.BytesIO(drawn)).convert("RGB"), folder.name, said


def _tell(found: Any) -> str:  # noqa: ANN401 - whatever the reader gives
    """Return in a line what was read, the best of it first."""
    if found is None or found == []:
        return "nothing"
    best = found[0] if isinstance(found, list) else found
    more = f", and {len(found) - 1} more" if isinstance(found, list) and len(found) > 1 else ""
    return f"{' '.join(str(best).split()) if isinstance(best, windrow.Title) else _count(best)}{more}"


def _count(result: Any) -> str:  # noqa: ANN401 - any with rows
    rows = [{name: str(value) for name, value in row.items()} for row in result.to_dicts()]
    names = ", ".join(rows[0]) if rows else ""
    first = " | ".join(rows[0].values()) if rows else ""
    return " ".join(f"{len(rows)} × {names}: {first}".split())


def _to_tile(picture: Image.Image, name: str, said: str) -> Image.Image:
    tile = Image.new("RGB", TILE, PAPER)
    room = (TILE[0], TILE[1] - LINES)
    shown = picture.crop((0, 0, min(picture.width, 2 * room[0]), min(picture.height, 2 * room[1])))
    tile.paste(shown.resize((shown.width // 2, shown.height // 2), Image.Resampling.LANCZOS), (0, 0))
    pen, font = ImageDraw.Draw(tile), ImageFont.load_default(FONT_SIZE)
    for number, words in enumerate((name, anyascii(said))):
        short = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
        pen.text((4, room[1] + 2 + number * (FONT_SIZE + 3)), short, fill=INK, font=font)
    pen.rectangle((0, 0, TILE[0] - 1, TILE[1] - 1), outline=EDGE)
    return tile


def _arrange(tiles: list[Image.Image]) -> Image.Image:
    rows = math.ceil(len(tiles) / COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * TILE[0], rows * TILE[1]), PAPER)
    for number, tile in enumerate(tiles):
        sheet.paste(tile, (number % COLUMNS * TILE[0], number // COLUMNS * TILE[1]))
    return sheet


if __name__ == "__main__":
    main()
