"""Which pages are wanted: by one test, whoever asks; and which of several copies is read."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from archives import digest, http, pack, page, record, response, rows, run_batch

from windrow.batch.contents import read_pages
from windrow.batch.inputs import find_inputs
from windrow.batch.job import Filters, Job
from windrow.batch.shard import plan_shards
from windrow.options import Limits, Options

if TYPE_CHECKING:
    from pathlib import Path

SITE = "https://quillfold.example"
BODY = page("amber")
DIGEST = f"WARC-Payload-Digest: {digest(BODY)}"
HTML = "Content-Type: text/html"


def copy(name: str, *headers: str, http_headers: tuple[str, ...] = (HTML,), body: bytes = BODY) -> bytes:
    """Return one of several records with the same digest."""
    return record(f"{SITE}/{name}", http(body, *http_headers), DIGEST, *headers)


PACKED = gzip.compress(BODY)
POOR_COPIES = {
    "cut by the archive": copy("poor", "WARC-Truncated: length"),
    "cut by the connection": copy("poor", http_headers=(HTML, f"Content-Length: {len(BODY) + 99}")),
    "not in its coding": copy("poor", http_headers=(HTML, "Content-Encoding: gzip"), body=PACKED[:-20]),
    "not as its digest says": copy("poor", f"WARC-Block-Digest: {digest(b'another')}"),
    "of another type": copy("poor", http_headers=("Content-Type: text/plain",)),
    "at another host": record("https://other.example/poor", http(BODY, HTML), DIGEST),
    "in another language by its server": b"",
}


@pytest.mark.parametrize("case", POOR_COPIES)
def test_a_copy_that_is_not_read_does_not_stand_for_one_that_can_be(case: str, tmp_path: Path) -> None:
    german = b"<title>amber</title><p>Birnen aus eigener Baumschule."
    body = german if "language" in case else BODY
    poor = POOR_COPIES[case] if body is BODY else copy("poor", http_headers=(HTML, "Content-Language: fr"), body=body)
    whole = [copy(name, http_headers=(HTML, "Content-Language: de"), body=body) for name in ("whole", "again")]
    records = [poor, *whole]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(records))
    filters = Filters(hosts=("quillfold.example",), languages=("de",) if body is german else ())
    counts = run_batch([path], tmp_path / "out", dedup=True, verify=True, filters=filters)
    assert [row["url"] for row in rows(tmp_path / "out", "pages")] == [f"{SITE}/whole"]
    assert counts.skipped["duplicate"] == 1


def test_copies_are_told_whatever_type_their_servers_call_them(tmp_path: Path) -> None:
    octets = ("Content-Type: application/octet-stream",)
    records = [copy("one", http_headers=octets), copy("two", http_headers=octets), copy("three")]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(records))
    counts = run_batch([path], tmp_path / "out", dedup=True)
    assert (counts.read, dict(counts.skipped)) == (1, {"duplicate": 2})


def test_what_is_no_page_is_no_copy_of_one(tmp_path: Path) -> None:
    logo = b"\x89PNG\r\n\x1a\n" + bytes(40)
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(record(f"{SITE}/{name}", http(logo, HTML)) for name in ("one", "two")))
    assert dict(run_batch([path], tmp_path / "out", dedup=True).skipped) == {"not-html": 2}


def test_a_revisit_of_a_page_that_was_left_out_is_read_once(tmp_path: Path) -> None:
    refers = ("WARC-Refers-To-Target-URI: https://other.example/", "WARC-Refers-To-Date: 2026-03-01T10:00:00Z")
    head = http(b"", HTML)
    records = [
        record("https://other.example/", http(BODY), DIGEST),
        *(record(f"{SITE}/{name}", head, DIGEST, *refers, kind="revisit") for name in ("one", "two")),
    ]
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(records))
    counts = run_batch([path], tmp_path / "out", dedup=True, filters=Filters(hosts=("quillfold.example",)))
    assert [row["url"] for row in rows(tmp_path / "out", "pages")] == [f"{SITE}/one"]
    assert dict(counts.skipped) == {"host": 1, "duplicate": 1}
    counts = run_batch([path], tmp_path / "out2", dedup=True)
    assert (counts.read, dict(counts.skipped)) == (1, {"duplicate": 2})


@pytest.mark.parametrize("compress", [pack, b"".join])
def test_what_is_too_large_is_told_by_its_head(compress: type[bytes], tmp_path: Path) -> None:
    large = bytes(300_000)
    records = [
        record(f"{SITE}/film", http(large, "Content-Type: video/mp4")),
        record(f"{SITE}/moved", http(large, HTML, status="301 Moved")),
        record(f"{SITE}/page", http(large, HTML)),
        record(f"{SITE}/notes", large, kind="metadata"),
        response("amber"),
    ]
    path = tmp_path / "x.warc"
    path.write_bytes(compress(records))  # type: ignore[arg-type]
    counts = run_batch([path], tmp_path / "out", options=Options(limits=Limits(bytes=100_000)))
    assert counts.read == 1
    assert dict(counts.failed) == {"too-large": 1}
    assert dict(counts.skipped) == {"not-html": 1, "redirect": 1, "metadata": 1}


def test_jobs_of_ones_own_get_the_pages_that_a_batch_reads(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    records = [*filter(None, POOR_COPIES.values()), copy("untyped", http_headers=("Server: none",))]
    records += [record(f"{SITE}/words", http(b"Just words, without a tag.", HTML)), response("russet")]
    path.write_bytes(pack(records))
    run_batch([path], tmp_path / "out")
    (shard,) = plan_shards(find_inputs([str(path)]), 1)
    given = [row[:4] for row in read_pages(shard, Job(readers=("title",)))]
    read = [tuple(row[name] for name in ("file", "offset", "part", "url")) for row in rows(tmp_path / "out", "pages")]
    assert given == read
