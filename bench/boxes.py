"""Are the boxes right? A sample of elements beside ``getBoundingClientRect`` in a separately driven browser.

    WINDROW_BENCH_DATA=… python bench/boxes.py

Fifty saved pages are laid out by Windrow from their folders. The same pages are then opened by Playwright, with the
same files and no others, scripts off in effect; there every element of the document is listed with its tag and box. No
element may be lost or added, and a sample of elements must have the same box within a pixel.
"""

from __future__ import annotations

import mimetypes
import random
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import numpy as np
from data import record_pages, verdict
from playwright.sync_api import Page as Tab
from playwright.sync_api import Route, sync_playwright

import windrow
from windrow.nodes import Kind
from windrow.render.charset import decode
from windrow.render.executable import find_browser
from windrow.render.offline import WITH_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

PAGES, SAMPLE, TOLERANCE = 50, 2000, 1.0
ORIGIN = "https://boxes.invalid/"
LIST = """() => { const rows = []; for (const one of document.querySelectorAll('*')) {
const box = one.getBoundingClientRect();
rows.push([one.localName, box.left + scrollX, box.top + scrollY, box.right + scrollX, box.bottom + scrollY]); }
return rows; }"""


def list_elements(tab: Tab, path: Path, html: str) -> list[list[Any]]:
    """Open a saved page in the other browser and list its elements."""

    def answer(route: Route) -> None:
        url = route.request.url
        file = path.parent / unquote(url.removeprefix(ORIGIN).partition("?")[0])
        if url == ORIGIN + quote(path.name):
            route.fulfill(
                body=html, headers={"content-type": "text/html; charset=utf-8", "content-security-policy": WITH_FOLDER}
            )
        elif url.startswith(ORIGIN) and file.is_file():
            route.fulfill(
                body=file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            )
        else:
            route.abort()

    tab.route("**/*", answer)
    tab.goto(ORIGIN + quote(path.name), wait_until="load")
    rows: list[list[Any]] = tab.evaluate(LIST)
    tab.unroute_all()
    return rows


def own_elements(path: Path) -> list[tuple[str, np.ndarray[Any, Any]]]:
    """Lay the page out ourselves and list the elements of its own document, frames left out."""
    page = windrow.load(path)
    nodes, layout = page.nodes, page.nodes.layout
    if layout is None:
        sys.exit("The page was not laid out.")
    in_frame = nodes.inside((nodes.kind == Kind.DOCUMENT) & (nodes.parent >= 0))
    elements = np.flatnonzero((nodes.kind == Kind.ELEMENT) & ~in_frame).tolist()
    boxes = np.nan_to_num(layout.box)
    return [(nodes.tag[node].rpartition(":")[2], boxes[node]) for node in elements]


def main() -> int:
    """Compare and print."""
    every = record_pages()
    chosen = every[:: max(1, len(every) // PAGES)][:PAGES]
    draw, lost, near, far = random.Random(7), 0, 0, []  # noqa: S311 - a sample, not a secret
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(find_browser()), args=["--hide-scrollbars", "--font-render-hinting=none"]
        )
        tab = browser.new_context(viewport={"width": 1280, "height": 1024}).new_page()
        for name, path, charset in chosen:
            html = decode(path.read_bytes(), charset).text
            theirs, ours = list_elements(tab, path, html), own_elements(path)
            tags_differ = [row[0] for row in theirs] != [tag for tag, _ in ours]
            lost += abs(len(theirs) - len(ours)) or int(tags_differ)
            if tags_differ:
                print(f"{name}: {len(theirs)} elements there, {len(ours)} here")
                continue
            for place in draw.sample(range(len(theirs)), min(SAMPLE // PAGES, len(theirs))):
                distance = float(np.abs(np.array(theirs[place][1:]) - ours[place][1]).max())
                near += distance <= TOLERANCE
                if distance > TOLERANCE:
                    far.append((name, theirs[place], ours[place][1].tolist()))
        browser.close()
    windrow.close()
    for line in far[:10]:
        print("  apart:", *line)
    print(f"{len(chosen)} pages, {near + len(far)} elements")
    reached = [
        verdict("elements lost or added", lost, 0, most=True),
        verdict("boxes within a pixel", near / max(1, near + len(far)), 1.0),
    ]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
