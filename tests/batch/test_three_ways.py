"""The same wrapper on an address, on a schedule and on an archive: the same values from the same pages."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from archives import http as answer
from archives import pack, record, rows, run_batch

import windrow
from windrow.harvest.warc import write_warc
from windrow.store.sources import get_source

if TYPE_CHECKING:
    from pathlib import Path

    from fields import Field


def test_an_address_a_schedule_and_an_archive_give_the_same_values(plot: Field, tmp_path: Path) -> None:
    from fields import PRIVATE  # noqa: PLC0415 - with the store

    wrapper = plot.learn()
    plot.add(wrapper, keep={"pages": True})
    assert plot.harvest().state == "whole"
    with plot.store.reading() as connection, (tmp_path / "kept.warc.gz").open("wb") as file:
        write_warc(connection, get_source(connection, "orchard").id, file, lambda: None)
    run_batch([tmp_path / "kept.warc.gz"], tmp_path / "out", readers=("tables",), wrapper=wrapper.to_json())
    archived: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows(tmp_path / "out", "values"):
        archived[row["url"]][row["label"]].append(row["text"])
    stored = plot.records()
    assert len(stored) == 24
    for sku, scheduled in stored.items():
        url = f"{plot.server.url}/p/{sku}"
        live = wrapper.extract(windrow.load(url, render=False, options=PRIVATE))
        expected = {label: texts for label, texts in live.values.items() if texts}
        assert archived[url] == expected
        assert {label: _several(text) for label, text in scheduled.items()} == expected


def _several(text: Any) -> list[str]:  # noqa: ANN401 - a text or several
    return text if isinstance(text, list) else [text]


SITE = "https://quillfold.example"
STYLED = b"""<!doctype html><html><head><link rel=stylesheet href=/css/site.css><title>Trees</title></head>
<body><h1>Trees</h1><p class=secret>Not for your eyes</p><p id=seen>Grown here</p>
<img src=//other.example/x.png></body>"""


@pytest.mark.browser
def test_pages_are_laid_out_with_what_the_archive_holds(tmp_path: Path) -> None:
    css = answer(b".secret { display: none } #seen { width: 321px }", "Content-Type: text/css")
    path = tmp_path / "x.warc.gz"
    path.write_bytes(
        pack(
            [
                record(f"{SITE}/trees", answer(STYLED, "Content-Type: text/html")),
                record(f"{SITE}/css/site.css", css, number="css"),
                record(f"{SITE}/css/late.css", b"", "WARC-Refers-To: <urn:uuid:css>", kind="revisit"),
                record(f"{SITE}/again", answer(STYLED.replace(b"site.css", b"late.css"), "Content-Type: text/html")),
                record(f"{SITE}/plain", answer(STYLED.replace(b"site.css", b"none.css"), "Content-Type: text/html")),
            ]
        )
    )
    counts = run_batch([path], tmp_path / "out", readers=("text",), render=True)
    assert (counts.read, dict(counts.skipped)) == (3, {"not-html": 2})
    texts = {row["url"].rpartition("/")[2]: row["text"] for row in rows(tmp_path / "out", "text")}
    assert "Grown here" in texts["trees"]
    assert "Not for your eyes" not in texts["trees"] + texts["again"]
    assert "Not for your eyes" in texts["plain"]
    pages = {row["url"].rpartition("/")[2]: row for row in rows(tmp_path / "out", "pages")}
    assert all(row["rendered"] for row in pages.values())
    warned = {name: [each["kind"] for each in row["warnings"]] for name, row in pages.items()}
    assert warned == {"trees": [], "again": [], "plain": ["unstyled"]}
