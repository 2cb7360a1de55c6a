"""Whole batches: every record counted once, the output read by those who read Parquet, and going on."""

from __future__ import annotations

import gzip
import json
import sys
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from archives import DATE, Here, contents, digest, http, pack, page, record, response, rows, run_batch

import windrow
from windrow.batch import elsewhere, shard
from windrow.batch.batch import Batch
from windrow.batch.inputs import find_inputs
from windrow.batch.job import Job, RecordLimits
from windrow.batch.local import LocalEngine
from windrow.batch.output import Output
from windrow.batch.response import Response, parse_response
from windrow.batch.shard import Range, Shard, Span, find_mismatches, plan_shards
from windrow.batch.unit import Place
from windrow.batch.walk import Walk
from windrow.errors import SourceError, UsageError
from windrow.extras import library

if TYPE_CHECKING:
    from pathlib import Path

SITE = "https://quillfold.example"
BODY = page("amber")
REFERS = (f"WARC-Refers-To-Target-URI: {SITE}/amber", "WARC-Refers-To-Date: 2026-03-01T10:00:00Z")
ODD: list[tuple[bytes, str]] = [
    (record("", b"software: by hand\r\n", kind="warcinfo"), "warcinfo"),
    (record(f"{SITE}/amber", b"GET / HTTP/1.1\r\n\r\n", kind="request", number="request"), "request"),
    (response("amber"), ""),
    (record(f"{SITE}/amber", b"fetchTimeMs: 5\r\n", kind="metadata", number="metadata"), "metadata"),
    (record(f"<{SITE}/brackets>", http(BODY)), ""),
    (record(f"{SITE}/coded", http(gzip.compress(BODY), "Content-Type: text/html", "Content-Encoding: gzip")), ""),
    (
        record(
            f"{SITE}/latin", http("<title>Äpfel</title>".encode("latin-1"), "Content-Type: text/html; charset=latin1")
        ),
        "",
    ),
    (record(f"{SITE}/untyped", http(BODY, "Server: none")), ""),
    (record(f"{SITE}/typed-twice", http(BODY, "Content-Type: text/html", "Content-Type: text/html;charset=utf-8")), ""),
    (record(f"{SITE}/old", http(BODY, "Location: /amber", status="301 Moved")), "redirect"),
    (record(f"{SITE}/gone", http(BODY, "Content-Type: text/html", status="404 Not Found")), "status"),
    (record(f"{SITE}/logo", http(b"\x89PNG\r\n\x1a\n" + bytes(40), "Content-Type: text/html")), "not-html"),
    (record(f"{SITE}/feed", http(b'{"a": 1}', "Content-Type: application/json")), "not-html"),
    (record(f"{SITE}/empty", http(b"", "Content-Type: text/html")), "empty"),
    (record("dns:quillfold.example", b"20260301 quillfold.example", number="dns"), "not-http"),
    (record(f"{SITE}/cut", http(BODY), "WARC-Truncated: length"), "truncated"),
    (record(f"{SITE}/piece", http(BODY), "WARC-Segment-Number: 1"), "truncated"),
    (record(f"{SITE}/film", http(b"moov", "Content-Type: video/mp4"), "WARC-Truncated: length"), "not-html"),
    (record(f"{SITE}/photo", http(b"\xff\xd8\xff", "Content-Type: image/jpeg", "Content-Length: 99")), "not-html"),
    (record(f"{SITE}/unchanged", http(b"", "Content-Type: text/html", status="304 Not Modified")), "status"),
    (record(f"{SITE}/torn", http(BODY, "Content-Type: text/html", "Content-Length: 9999")), "truncated"),
    (
        record(f"{SITE}/coding", http(gzip.compress(BODY)[:-30], "Content-Type: text/html", "Content-Encoding: gzip")),
        "truncated",
    ),
    (record(f"{SITE}/amber", http(b"", "Content-Type: text/html"), *REFERS, kind="revisit", number="again"), ""),
    (record(f"{SITE}/lost", b"", "WARC-Payload-Digest: sha1:NOTHERE", kind="revisit"), "revisit"),
    (record(f"{SITE}/strange", http(BODY), kind="remark"), "unknown-type"),
    (record(f"{SITE}/file", BODY, kind="resource"), "resource"),
    (record(f"{SITE}/text", b"Amber", kind="conversion"), "conversion"),
]


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "odd.warc.gz"
    path.write_bytes(pack(each for each, _ in ODD) + gzip.compress(response("medlar"))[:-200])
    return path


def test_every_record_of_an_odd_archive_has_its_reason(odd: Path, tmp_path: Path) -> None:
    counts = run_batch([odd], tmp_path / "out", readers=("title", "tables"))
    found = {(row["url"], row["type"]): row["reason"] for row in rows(tmp_path / "out", "rejects")}
    expected = [reason for _, reason in ODD if reason]
    assert sorted(found.values()) == sorted([*expected, "truncated"])
    assert counts.records == len(ODD) + 1
    assert counts.responses == sum(b"WARC-Type: response" in each for each, _ in ODD) + 1
    assert counts.read == counts.html == 7
    details = {row["url"].rpartition("/")[2]: row["detail"] for row in rows(tmp_path / "out", "rejects")}
    assert details["logo"] == "The page is a PNG image, not a web page."  # which is no use to tell to fetch again
    assert details["coding"] == f"{SITE}/coding is not the gzip data that it claims to be: it breaks off."
    assert {row["url"]: row["title"] for row in rows(tmp_path / "out", "pages")} == {
        f"{SITE}/amber": "amber",
        f"{SITE}/brackets": "amber",
        f"{SITE}/coded": "amber",
        f"{SITE}/latin": "Äpfel",
        f"{SITE}/untyped": "amber",
        f"{SITE}/typed-twice": "amber",
    }


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "yesterday"])
def test_a_time_that_cannot_be_is_none(date: str, tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack([response("amber").replace(DATE.encode(), date.encode()), response("russet")]))
    assert run_batch([path], tmp_path / "out").read == 2
    assert [row["time"] is None for row in rows(tmp_path / "out", "pages")] == [True, False]


def test_a_fault_over_one_record_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(content: bytes) -> Response:
        if b"amber" in content:
            raise OverflowError("a fault of ours")
        return parse_response(content)

    monkeypatch.setattr("windrow.batch.selection.parse_response", parse)
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack([response("amber"), response("russet")]))
    counts = run_batch([path], tmp_path / "out")
    assert (counts.read, counts.failed) == (1, {"fault": 1})
    assert [row["detail"] for row in rows(tmp_path / "out", "rejects")] == ["OverflowError: a fault of ours"]


def test_a_revisit_has_its_own_place_and_the_page_of_its_original(odd: Path, tmp_path: Path) -> None:
    run_batch([odd], tmp_path / "out")
    first, again = [row for row in rows(tmp_path / "out", "pages") if row["url"] == f"{SITE}/amber"]
    assert again["title"] == first["title"]
    assert (again["original_offset"], again["record_id"]) == (first["offset"], "<urn:uuid:again>")
    assert again["offset"] > first["offset"]
    assert again["sha256"] == first["sha256"]


def test_cells_have_text_type_value_and_xpath(odd: Path, tmp_path: Path) -> None:
    run_batch([odd], tmp_path / "out", readers=("tables",))
    table = rows(tmp_path / "out", "tables")[0]
    live = windrow.parse(BODY, url=f"{SITE}/amber").tables()[0]
    assert [cell["text"] for cell in table["cells"]] == [cell.text for cell in live.cells]
    price = next(cell for cell in table["cells"] if cell["text"] == "28.00 €")
    assert (price["type"], price["number"], price["unit"], price["fits"]) == ("money", 28.0, "€", True)
    assert price["xpath"] == "/html/body/table/tbody/tr[2]/td[2]"
    assert [column["name"] for column in table["columns"]] == ["Sort", "Price"]


def test_pandas_duckdb_and_polars_read_the_output(odd: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    counts = run_batch([odd], out, readers=("title", "tables", "regions", "toplist", "text", "structure"))
    assert len(pd.read_parquet(out / "pages")) == counts.read
    assert pl.read_parquet(out / "pages/*.parquet").height == counts.read
    with duckdb.connect() as connection:
        found = connection.execute(
            f"SELECT p.title, c.unnest.text, c.unnest.number FROM '{out}/tables/*.parquet' t "  # noqa: S608 - a folder of ours
            f"JOIN '{out}/pages/*.parquet' p USING (file, \"offset\", part, url), UNNEST(t.cells) c "
            "WHERE c.unnest.type = 'money' ORDER BY ALL"
        ).fetchall()
    assert found[0] == ("amber", "28.00 €", 28.0)
    cells = pl.read_parquet(out / "tables/*.parquet").select("cells").explode("cells").unnest("cells")
    assert {"Amber", "Russet"} <= set(cells["text"])
    for table in ("regions", "toplist", "text", "structure", "title", "rejects"):
        assert pd.read_parquet(out / table) is not None
    schema = {json.loads((out / "manifest.json").read_text())["schema"]}
    assert schema == {2}


def test_a_wrapper_gives_values_with_their_places(tmp_path: Path) -> None:
    names = ("amber", "russet", "costard")
    pages = [windrow.parse(page(name), url=f"{SITE}/{name}") for name in names]
    wrapper = windrow.learn(pages[0], {"name": "amber"})
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(response(name) for name in names))
    run_batch([path], tmp_path / "out", readers=(), wrapper=wrapper.to_json())
    found = {row["url"]: (row["label"], row["text"], row["xpath"]) for row in rows(tmp_path / "out", "values")}
    for each in pages:
        taken = wrapper.extract(each)
        assert found[each.url] == ("name", taken.located["name"][0].text, taken.paths["name"][0])
    assert {row["kind"] for row in rows(tmp_path / "out", "pages")} == {"page"}


ITEMS = """<html lang=en><body><ul class=l><li class=i><a href=/rake>Rake</a> <b class=p>£12.50</b></li>
<li class=i><a href=/fork>Fork</a> <b class=p>£9.00</b></li><li class=i><a href=/hoe>Hoe</a> <b class=p>£7.00</b></li>
<li class=i><a href=/axe>Axe</a> <b>£6.00</b></li></ul></body></html>"""


def test_a_value_of_a_list_has_its_own_confidence_and_the_link_of_its_row(tmp_path: Path) -> None:
    live = windrow.parse(ITEMS, url=f"{SITE}/items")
    wrapper = windrow.learn(live, [{"name": "Rake", "price": "£12.50"}, {"name": "Fork", "price": "£9.00"}])
    found = wrapper.extract(live)
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack([record(f"{SITE}/items", http(ITEMS.encode()))]))
    run_batch([path], tmp_path / "out", readers=(), wrapper=wrapper.to_json())
    given = {(row["label"], row["text"]): row for row in rows(tmp_path / "out", "values")}
    assert {key: row["confidence"] for key, row in given.items()} == {
        (label, each.text): each.confidence for label, values in found.located.items() for each in values
    }
    assert given["price", "£9.00"]["link"] == f"{SITE}/fork" == found.links[1]


@pytest.mark.parametrize(
    ("settings", "read", "reason"),
    [
        ({"urls": ("https://quillfold.example/a?b*",)}, 1, "url"),
        ({"urls": ("*/[ar]*",)}, 0, "url"),
        ({"hosts": ("other.example",)}, 0, "host"),
        ({"urls": ("*/amber",)}, 1, "url"),
        ({"languages": ("de",)}, 0, "language"),
        ({"keyword": "nursery"}, 2, ""),
        ({"keyword": "plums"}, 0, "keyword"),
        ({"mimes": ("text/plain",)}, 0, "mime"),
    ],
)
def test_filters_count_what_they_leave_out(settings: dict[str, Any], read: int, reason: str, tmp_path: Path) -> None:
    from windrow.batch.job import Filters  # noqa: PLC0415 - with the settings

    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack([response("amber"), response("russet")]))
    counts = run_batch([path], tmp_path / "out", filters=Filters(**settings))
    assert (counts.read, dict(counts.skipped)) == (read, {reason: 2 - read} if reason else {})


def test_duplicates_are_read_once_across_files(tmp_path: Path) -> None:
    for number in (1, 2):
        again = record(f"{SITE}/copy{number}", http(BODY), f"WARC-Payload-Digest: {digest(BODY)}")
        logo = record(f"{SITE}/logo{number}", http(b"\x89PNG\r\n\x1a\n" + bytes(40), "Content-Type: image/png"))
        (tmp_path / f"{number}.warc.gz").write_bytes(pack([response("amber"), response("russet"), again, logo]))
    counts = run_batch(sorted(tmp_path.glob("*.warc.gz")), tmp_path / "out", dedup=True)
    assert (counts.read, counts.html, dict(counts.skipped)) == (2, 6, {"duplicate": 4, "not-html": 2})


def test_digests_are_checked_on_request(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    content = http(BODY)
    path.write_bytes(
        record(f"{SITE}/good", content, f"WARC-Block-Digest: {digest(content)}")
        + record(f"{SITE}/bad", content.replace(b"Amber", b"Umber"), f"WARC-Block-Digest: {digest(content)}")
    )
    assert dict(run_batch([path], tmp_path / "out", verify=True).failed) == {"digest": 1}


def test_manifests_indexes_and_folders_are_input(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    names = ("amber", "russet")
    members = [gzip.compress(response(name), mtime=0) for name in names]
    (tmp_path / "crawl/x.warc.gz").write_bytes(b"".join(members))
    (tmp_path / "warc.paths.gz").write_bytes(gzip.compress(b"crawl/x.warc.gz\n"))
    row = {"filename": "crawl/x.warc.gz", "offset": str(len(members[0])), "length": str(len(members[1]))}
    beyond = row | {"offset": "999999"}
    lines = [
        f"example,quillfold)/ 20260301100000 {json.dumps(each)}" for each in (row, beyond, row | {"filename": "no"})
    ]
    (tmp_path / "index.cdxj").write_text("\n".join(["!meta 1", *lines]))
    columns = {"warc_filename": [row["filename"]], "warc_record_offset": [0], "warc_record_length": [len(members[0])]}
    pd.DataFrame(columns).to_parquet(tmp_path / "index.parquet")
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved/medlar.html").write_bytes(page("medlar"))
    (tmp_path / "saved/none.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    titles = {}
    for number, name in enumerate(("warc.paths.gz", "index.cdxj", "index.parquet", "saved", "crawl/*.warc.gz")):
        counts = run_batch([tmp_path / name], tmp_path / f"out{number}")
        titles[name] = sorted(row["title"] for row in rows(tmp_path / f"out{number}", "pages"))
        if name == "index.cdxj":
            assert dict(counts.failed) == {"missing": 2}
    assert titles == {
        "warc.paths.gz": ["amber", "russet"],
        "index.cdxj": ["russet"],
        "index.parquet": ["amber"],
        "saved": ["medlar"],
        "crawl/*.warc.gz": ["amber", "russet"],
    }


@pytest.mark.parametrize("row", [(None, 0, 9), ("x.warc", None, 9), ("x.warc", 0, None), ("x.warc", -1, 9)])
def test_a_row_of_an_index_that_names_no_record_is_told(row: tuple[Any, ...], tmp_path: Path) -> None:
    names = ("warc_filename", "warc_record_offset", "warc_record_length")
    whole = ("x.warc", 0, 9)
    columns = {name: list(values) for name, *values in zip(names, whole, row, strict=True)}
    pl.DataFrame(columns).write_parquet(tmp_path / "index.parquet")
    with pytest.raises(UsageError, match="Row 2 of "):
        find_inputs([str(tmp_path / "index.parquet")])


def test_what_is_named_twice_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    members = [gzip.compress(response(name), mtime=0) for name in ("amber", "russet")]
    (tmp_path / "x.warc.gz").write_bytes(b"".join(members))
    row = {"filename": "x.warc.gz", "offset": len(members[0]), "length": len(members[1])}
    (tmp_path / "index.cdxj").write_text(2 * f"key 2026 {json.dumps(row)}\n")
    assert run_batch(["index.cdxj"], tmp_path / "rows", base=".").read == 1
    assert run_batch([tmp_path, "*.gz", "index.cdxj", "./x.warc.gz"], tmp_path / "out", base=".").read == 2


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_bytes(BODY)
    with pytest.raises(SourceError, match="another place"):
        run_batch([tmp_path / "x.html"], tmp_path / "x.html" / "out")


def test_what_lies_elsewhere_is_opened_by_fsspec(tmp_path: Path) -> None:
    members = [gzip.compress(response(name), mtime=0) for name in ("amber", "russet")]
    (tmp_path / "x.warc.gz").write_bytes(b"".join(members))
    row = {"filename": "x.warc.gz", "offset": len(members[0]), "length": len(members[1])}
    (tmp_path / "index.cdxj").write_text(f"key 2026 {json.dumps(row)}\n")
    assert run_batch([f"file://{tmp_path}/x.warc.gz"], tmp_path / "out").read == 2
    assert run_batch([tmp_path / "index.cdxj"], tmp_path / "out2", base=f"file://{tmp_path}").read == 1


def test_patterns_folders_and_saved_pages_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "in/deep").mkdir(parents=True)
    (tmp_path / "in/x.warc.gz").write_bytes(pack([response("amber")]))
    (tmp_path / "in/deep/y.warc.gz").write_bytes(pack([response("russet")]))
    (tmp_path / "in/saved.html.gz").write_bytes(gzip.compress(BODY))
    (tmp_path / "in/notes").touch()
    assert run_batch([f"file://{tmp_path}/in/**/*.warc.gz"], tmp_path / "out").read == 2
    assert run_batch([f"file://{tmp_path}/in"], tmp_path / "out2").read == 3


def test_pages_of_an_archive_elsewhere_are_not_laid_out(tmp_path: Path) -> None:
    (tmp_path / "x.warc.gz").write_bytes(pack([response("amber")]))
    with pytest.raises(UsageError, match="Fetch it first"):
        run_batch([f"file://{tmp_path}/x.warc.gz"], tmp_path / "out", render=True)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("file:///nowhere/x.warc.gz", "no such file"),
        ("file:///nowhere/*.warc.gz", "No file matches"),
        ("strange://x.warc.gz", "strange"),
    ],
)
def test_what_cannot_be_reached_is_told_in_a_sentence(name: str, why: str) -> None:
    with pytest.raises(SourceError, match=why):
        find_inputs([name])


def test_a_library_that_is_missing_ends_the_batch_and_counts_no_record_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "fsspec.implementations.http", raising=False)
    row = {"filename": "x.warc.gz", "offset": 0, "length": 9}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    with pytest.raises(UsageError, match=r"aiohttp.*Install it with pip"):
        run_batch([tmp_path / "rows.jsonl"], tmp_path / "out", base="http://127.0.0.1:9")


@dataclass
class _Far:
    """A server of files; what it does with a request for a part is up to the test."""

    data: bytes
    size: int | None
    gives_parts: bool
    error: Exception | None = None
    asked: list[int] = field(default_factory=list)

    def install(self) -> None:
        far = self

        class Files(library("fsspec").AbstractFileSystem):  # type: ignore[misc] # its type is unknown here
            protocol = "far"
            cachable = False

            def info(self, path: str, **_: object) -> dict[str, Any]:
                if far.error is not None:
                    raise far.error
                return {"name": path, "size": far.size, "type": "file"}

            def cat_file(self, *_: object, **__: object) -> bytes:
                return far.data

            def _open(self, path: str, mode: str = "rb", **named: Any) -> Any:  # noqa: ANN401 - a file
                return OneFile(self, path, mode, **named)

        class OneFile(library("fsspec.spec").AbstractBufferedFile):  # type: ignore[misc] # the same
            def _fetch_range(self, start: int, end: int) -> bytes:
                far.asked.append(end - start)
                return far.data[start:end] if far.gives_parts else far.data

        library("fsspec").register_implementation("far", Files, clobber=True)


@pytest.mark.parametrize("length", [0, 400])
@pytest.mark.parametrize("is_size_known", [True, False])
def test_a_server_that_gives_no_parts_of_files_does_not_give_the_first_record_for_each(
    length: int, *, is_size_known: bool
) -> None:
    members = [pack([response(name)]) for name in ("amber", "russet")]
    data = b"".join(members)
    _Far(data, len(data) if is_size_known else None, gives_parts=False).install()
    start = len(members[0])
    row = Range("row" if length else "revisit", "far://x.warc.gz", start, start + length)
    with pytest.raises(UsageError, match="Fetch the file first"):
        list(Walk(Shard("0", (row,)), lambda _, length: length).units(Place(0, 0)))


def test_of_a_file_elsewhere_no_more_is_read_than_its_record() -> None:
    members = [pack([response(name)]) for name in ("amber", "russet", "medlar")]
    far = _Far(b"".join(members), sum(map(len, members)), gives_parts=True)
    far.install()
    start, end = len(members[0]), len(members[0] + members[1])
    ranges = (Range("row", "far://x.warc.gz", start, end), Range("revisit", "far://x.warc.gz", end, end))
    found = [unit.url for _, unit in Walk(Shard("0", ranges), lambda _, length: length).units(Place(0, 0))]
    assert found == [f"{SITE}/russet", f"{SITE}/medlar"]
    assert far.asked == [len(members[1]), len(members[2])]


@pytest.mark.parametrize("error", [PermissionError("no credentials"), ConnectionError("busy")])
def test_rows_of_a_place_that_refuses_are_read_when_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    data = pack([response("amber")])
    far = _Far(data, len(data), gives_parts=True, error=error)
    far.install()
    monkeypatch.setattr(elsewhere, "PAUSES", (0, 0, 0))
    (tmp_path / "rows.jsonl").write_text(json.dumps({"filename": "x.warc.gz", "offset": 0, "length": len(data)}))
    found = find_inputs([str(tmp_path / "rows.jsonl")], "far://store")
    batch = Batch(Job(readers=("title",)), found, Output(tmp_path / "out"), Here())
    with pytest.raises(SourceError, match=rf"far://store/x\.warc\.gz could not be read: {error}"):
        batch.run()
    far.error = FileNotFoundError("x.warc.gz")
    assert dict(run_batch([tmp_path / "rows.jsonl"], tmp_path / "gone", base="far://store").failed) == {"missing": 1}
    far.error = None
    assert batch.run().read == 1


def test_what_refuses_now_and_then_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.warc.gz").write_bytes(pack([response("amber")]))
    refused = FileNotFoundError("https://store.example/x.warc.gz")
    refused.__cause__ = TimeoutError("too many requests")  # as fsspec tells it
    answers = [refused, ConnectionError("gone"), None]

    def open_now_and_then(name: str) -> Any:  # noqa: ANN401 - a file
        with elsewhere.told(name):
            if (error := answers.pop(0)) is not None:
                raise error
        return (tmp_path / "x.warc.gz").open("rb")

    monkeypatch.setattr(elsewhere, "open_elsewhere", open_now_and_then)
    monkeypatch.setattr(elsewhere, "PAUSES", (0, 0, 0))
    assert run_batch([f"file://{tmp_path}/x.warc.gz"], tmp_path / "out").read == 1
    assert not answers


def test_an_archive_that_vanishes_is_named_and_the_batch_goes_on_when_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack([response("amber")]))
    batch = Batch(Job(readers=("title",)), find_inputs([str(path)]), Output(tmp_path / "out"), Here())
    path.rename(tmp_path / "away")
    with pytest.raises(SourceError, match=r"x\.warc\.gz could not be read: there is no such file"):
        batch.run()
    (tmp_path / "away").rename(path)
    assert batch.run().read == 1


def test_an_archive_that_stays_away_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{number}.warc.gz" for number in range(4)]
    for number, path in enumerate(paths):
        path.write_bytes(pack([response(f"amber-{number}-{each}") for each in range(3)]))
    monkeypatch.setattr(shard, "SMALLEST", max(path.stat().st_size for path in paths))  # a shard each
    engine = LocalEngine(1, RecordLimits(), lambda _: None, threading.Event())
    batch = Batch(Job(readers=("title",)), find_inputs(map(str, paths)), Output(tmp_path / "out"), engine)
    for number in (0, 2):
        paths[number].rename(tmp_path / f"away-{number}")
    with pytest.raises(SourceError, match=r"(?s)0\.warc\.gz could not be read.*2\.warc\.gz could not be read"):
        batch.run()
    assert len(list((tmp_path / "out" / "pages").glob("*.parquet"))) == 2
    for number in (0, 2):
        (tmp_path / f"away-{number}").rename(paths[number])
    assert batch.run().read == 12


def test_input_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"nothing of the kind")
    (tmp_path / "bad.cdxj").write_text("a line without a row\n")
    for name, error in (
        ("none.warc", SourceError),
        ("x.bin", UsageError),
        ("bad.cdxj", UsageError),
        ("*.w", SourceError),
    ):
        with pytest.raises(error):
            find_inputs([str(tmp_path / name)])


def test_the_same_command_goes_on_and_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack([response("amber")]))
    first = run_batch([path], tmp_path / "out")
    assert run_batch([path], tmp_path / "out") == first
    with pytest.raises(UsageError, match="another batch"):
        run_batch([path], tmp_path / "out", readers=("tables",))
    (tmp_path / "y.warc.gz").write_bytes(pack([response("russet")]))
    both = [path, tmp_path / "y.warc.gz"]
    with pytest.raises(UsageError, match="--resume"):
        run_batch(both, tmp_path / "out")
    before = contents(tmp_path / "out")
    assert run_batch(both, tmp_path / "out", may_grow=True).read == 2
    assert before.items() <= contents(tmp_path / "out").items()
    (tmp_path / "other").mkdir()
    (tmp_path / "other/thing").touch()
    with pytest.raises(UsageError, match="something else"):
        run_batch([path], tmp_path / "other")


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "x.warc.gz").write_bytes(pack([response("amber")]))
    (tmp_path / "out").mkdir()
    (tmp_path / "out/.windrow-0123456789abcdef").touch()  # of the manifest
    assert run_batch([tmp_path / "x.warc.gz"], tmp_path / "out").read == 1
    assert [path.name for path in (tmp_path / "out").rglob(".windrow-*")] == [".windrow-lock"]


def test_large_files_are_split_and_small_ones_joined(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"{number}.warc").write_bytes(bytes(3 << 20))
    (tmp_path / "large.warc").write_bytes(bytes(40 << 20))
    shards = plan_shards(find_inputs([str(tmp_path / "*.warc")]), workers=1)
    assert [len(shard.ranges) for shard in shards] == [4, 2, 1, 1, 1]
    assert sum(shard.size for shard in shards) == 58 << 20
    assert [Shard.from_dict(shard.to_dict()) for shard in shards] == shards


def test_a_part_that_began_within_a_record_is_read_again_from_its_true_start(tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_bytes(bytes(64 << 20))
    shards = plan_shards(find_inputs([str(tmp_path / "x.warc")]), workers=1)
    spans: dict[str, list[Span | None]] = {
        shard.name: [Span(shard.ranges[0].start, shard.ranges[0].end)] for shard in shards
    }
    assert find_mismatches(shards, spans) == []
    spans[shards[0].name] = [Span(0, shards[0].ranges[0].end + 99)]
    (wrong,) = find_mismatches(shards, spans)
    assert (wrong.name, wrong.ranges[0].start, wrong.ranges[0].is_exact) == (
        shards[1].name,
        shards[0].ranges[0].end + 99,
        True,
    )


def test_records_that_are_left_out_are_a_warning_of_their_page(tmp_path: Path) -> None:
    items = "".join(f"<li><a href=/{n}>Tree {n}</a></li>" for n in range(500))
    archive = tmp_path / "long.warc.gz"
    archive.write_bytes(pack([response("long", body=f"<!doctype html><ul class=results>{items}</ul>".encode())]))
    options = windrow.Options(limits=windrow.Limits(nodes=1600))
    run_batch([archive], tmp_path / "out", readers=("regions",), options=options)
    [row] = rows(tmp_path / "out", "pages")
    text = "A list has 340 more records than the 160 that were read."
    assert row["warnings"] == [{"kind": "left-out", "text": text}]
