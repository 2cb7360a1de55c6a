"""The quality gate: every folder holds a page, its address, and the title that a reader would give it."""

from __future__ import annotations

import json
from pathlib import Path

import windrow

CASES = sorted((Path(__file__).parent / "quality").iterdir())


def test_every_page_gets_its_title() -> None:
    wrong = []
    for case in CASES:
        expected = json.loads((case / "expected.json").read_text("utf-8"))
        title = windrow.parse((case / "page.html").read_bytes(), url=expected["url"]).title().text
        if title != expected["title"]:
            wrong.append(f"{case.name}: {title!r} instead of {expected['title']!r}")
    assert not wrong, f"{len(wrong)} of {len(CASES)} pages got another title\n" + "\n".join(wrong)
