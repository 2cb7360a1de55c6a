"""Whether the word under the pointer is the one that a person sees there, on real pages.

make bench-pointing

A page is laid out by us, and opened once more in a browser that is started as ours is, without network and scripts both
times. At random points within words, the browser says which word it drew there; ours is looked up as the page of the
interface does it, in the boxes that it is sent. Pages that came out otherwise the second time, in another height, are
left out and counted.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import numpy as np
from data import titled_pages, verdict
from playwright.sync_api import sync_playwright

import windrow
from windrow.loader import Loader
from windrow.nodes.words import PageWords
from windrow.options import Options
from windrow.render.executable import find_browser
from windrow.render.process import FLAGS
from windrow.web.pages import picture_size
from windrow.web.screens.pictures import pack_words

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from windrow.page import Page

PAGES, POINTS, SEED = 60, 60, 7
WANTED = 0.99
OURS = [each for each in FLAGS if "proxy" not in each and "resolver" not in each]
"""What the browser is started with; with Playwright's own options letters have another width."""
SCRIPT = re.compile(r"<script\b.*?</script\s*>", re.IGNORECASE | re.DOTALL)
SAMPLE = """([points, seed]) => {
    let state = seed;
    const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const found of node.data.matchAll(/[^ \\t\\n\\r\\f\\u2e80-\\u9fff]{2,}/g))
            words.push([node, found.index, found[0]]);
    const picked = [];
    for (let tries = 0; tries < 40 * points && picked.length < points && words.length; tries++) {
        const [node, at, word] = words[Math.floor(random() * words.length)], range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        const box = range.getClientRects()[0];
        if (!box || box.width < 2 || box.height < 4) continue;
        if (getComputedStyle(node.parentElement).textTransform !== "none") continue;
        const x = box.left + box.width * (0.1 + 0.8 * random()), y = box.top + box.height * (0.2 + 0.6 * random());
        window.scrollTo(0, 0);
        const place = [x + window.scrollX, y + window.scrollY];
        window.scrollTo(0, Math.max(0, y - 300));
        const seen = document.elementFromPoint(x, place[1] - window.scrollY);
        const caret = document.caretRangeFromPoint(x, place[1] - window.scrollY);
        if (seen && seen === node.parentElement && caret && caret.startContainer === node
            && caret.startOffset >= at && caret.startOffset <= at + word.length) picked.push([...place, word]);
    }
    window.scrollTo(0, 0);
    return [picked, document.documentElement.scrollHeight];
}"""


def main() -> None:
    """Ask for points on a sample of pages, and print how often ours is the word."""
    right = asked = skipped = 0
    with Loader(Options(screenshot=True, words=True)) as loader, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=[*OURS, "--no-sandbox"], ignore_default_args=True
        )
        for number, each in enumerate(titled_pages(PAGES)[:PAGES], 1):
            html = SCRIPT.sub("", each.html.decode("utf-8", "replace"))
            try:
                page = loader.parse(html, url=each.url, render=True)
            except windrow.WindrowError:
                skipped += 1
                continue
            points, height = sample(browser, html, number)
            if page.screenshot is None or abs(picture_size(page.screenshot)[1] - max(height, 800)) > 1:
                skipped += 1
                continue
            good = sum(word_at(page, x, y) == word for x, y, word in points)
            right, asked = right + good, asked + len(points)
            print(f"\r{number} pages, {right:,} of {asked:,}", end="", file=sys.stderr, flush=True)
        browser.close()
    print(f"\n{asked:,} points, {skipped} pages left out")
    verdict("the word under the pointer is right", right / max(1, asked), WANTED)


def sample(browser: Browser, html: str, seed: int) -> tuple[list[tuple[float, float, str]], int]:
    """Return points with the words that a browser drew there, and the height of the page."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    tab = context.new_page()
    tab.route("**/*", lambda route: route.abort())
    tab.set_content(html, wait_until="domcontentloaded")
    tab.wait_for_timeout(300)
    points, height = tab.evaluate(SAMPLE, [POINTS, seed + SEED])
    context.close()
    return [(x, y, word) for x, y, word in points], int(height)


def word_at(page: Page, x: float, y: float) -> str:
    """Return the word that the page of the interface would take at a point."""
    numbers = np.frombuffer(pack_words(page), "<u2").reshape(-1, 6).astype(np.int64)
    start = np.cumsum(numbers[:, 0])
    left, top = numbers[:, 2], numbers[:, 3]
    box = np.stack([left, top, left + numbers[:, 4], top + numbers[:, 5]], axis=1).astype(np.float32)
    ends = start + numbers[:, 1]
    found = PageWords(start.astype(np.int32), ends.astype(np.int32), box).at(x, y)
    wide = page.text.encode("utf-16-le")
    return "" if found is None else wide[2 * start[found] : 2 * ends[found]].decode("utf-16-le", "replace")


if __name__ == "__main__":
    main()
