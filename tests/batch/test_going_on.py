"""Batches that go on: what may have changed in between, and what is refused; and how little is looked at twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archives import digest, http, pack, page, record, response, run_batch

from windrow.batch.output import Output

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

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
