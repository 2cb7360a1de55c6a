"""Batches that go on: what may have changed in between, and what is refused; and how little is looked at twice."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from archives import digest, http, pack, page, record, response, run_batch

from windrow.batch.output import Output
from windrow.errors import SourceError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

SITE = "https://quillfold.example"


def test_marks_are_read_a_few_times_however_many_shards_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = f"WARC-Payload-Digest: {digest(page('amber'))}"
    for number in range(6):
        revisit = record(f"{SITE}/{number}", http(b""), again, kind="revisit")
        (tmp_path / f"{number}.warc.gz").write_bytes(pack([response("amber"), revisit]))
    monkeypatch.setattr("windrow.batch.shard.SMALLEST", 1)
    monkeypatch.setattr("windrow.batch.shard.SHARDS_PER_WORKER", 6)
    calls: list[Output] = []
    reports = Output.reports

    def counted(output: Output) -> object:
        calls.append(output)
        return reports(output)

    monkeypatch.setattr(Output, "reports", counted)
    assert run_batch([tmp_path / "*.warc.gz"], tmp_path / "out").read == 12
    assert len(calls) <= 3


def test_an_archive_that_was_changed_is_noticed_whatever_its_size(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(response("amber"))
    run_batch([path], tmp_path / "out")
    path.write_bytes(response("umber"))
    os.utime(path, ns=(0, 1))
    with pytest.raises(UsageError, match=r"x\.warc was changed since"):
        run_batch([path], tmp_path / "out")
    path.write_bytes(response("amber") + response("russet"))
    with pytest.raises(UsageError, match=r"x\.warc has [\d,]+ bytes now, and had "):
        run_batch([path], tmp_path / "out", may_grow=True)


def test_the_archive_of_an_index_row_is_watched_too(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(response("amber"))
    row = {"filename": "x.warc", "offset": 0, "length": path.stat().st_size}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    assert run_batch([tmp_path / "rows.jsonl"], tmp_path / "out").read == 1
    os.utime(path, ns=(0, 1))
    with pytest.raises(UsageError, match="was changed since"):
        run_batch([tmp_path / "rows.jsonl"], tmp_path / "out")
    path.unlink()
    assert run_batch([tmp_path / "rows.jsonl"], tmp_path / "out").read == 1  # as it was when it was read


def test_what_is_not_in_the_input_any_more_is_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.warc").write_bytes(response(name))
    run_batch([tmp_path / "*.warc"], tmp_path / "out")
    with pytest.raises(UsageError, match=r"b\.warc was read before"):
        run_batch([tmp_path / "a.warc"], tmp_path / "out", may_grow=True)


def test_another_version_goes_on_only_where_somebody_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, out = tmp_path / "x.warc", tmp_path / "out"
    path.write_bytes(response("amber"))
    run_batch([path], out)
    manifest = out / "manifest.json"
    finished = manifest.read_text()
    monkeypatch.setattr("windrow.batch.batch.version", lambda _: "99")
    assert run_batch([path], out).read == 1  # which reads nothing
    plain: dict[str, Any] = json.loads(finished)
    manifest.write_text(json.dumps(plain | {"state": "running"}))
    with pytest.raises(UsageError, match="this is 99"):
        run_batch([path], out)
    assert run_batch([path], out, may_grow=True).read == 1
    now = json.loads(manifest.read_text())
    assert (now["windrow"], now["earlier"]) == ("99", [plain["windrow"]])


def test_a_folder_with_something_else_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_bytes(response("amber"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other/letter.txt").touch()
    with pytest.raises(UsageError, match=r"something else .*letter\.txt"):
        run_batch([tmp_path / "x.warc"], tmp_path / "other")
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("data", [b"", pack([])])
def test_an_archive_without_records_gives_tables_without_rows(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.warc.gz").write_bytes(data)
    assert run_batch([tmp_path / "x.warc.gz"], tmp_path / "out").records == 0
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT count(*) FROM '{tmp_path}/out/pages/*.parquet'").fetchone() == (0,)  # noqa: S608 - a folder of ours


def test_lines_of_a_manifest_may_be_remarks_and_patterns(tmp_path: Path) -> None:
    for name in ("a", "b", "[c]"):
        (tmp_path / f"{name}.warc").write_bytes(response(name))
    (tmp_path / "warc.paths").write_text("# of this morning\n?.warc\n\n[c].warc\n")
    assert run_batch([tmp_path / "warc.paths"], tmp_path / "out").read == 3
    (tmp_path / "none.paths").write_text("z*.warc\n")
    with pytest.raises(SourceError, match="No file matches"):
        run_batch([tmp_path / "none.paths"], tmp_path / "out2")


def test_manifests_that_name_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("two.txt\n")
    (tmp_path / "two.txt").write_text("one.txt\n")
    with pytest.raises(UsageError, match="names itself"):
        run_batch([tmp_path / "one.txt"], tmp_path / "out")
