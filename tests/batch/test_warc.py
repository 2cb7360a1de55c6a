"""Records of an archive, each once, whatever is damaged between them."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from archives import http, pack, record, response
from backports import zstd

from windrow.batch.warc import open_archive

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.batch.unit import Headers, Unit

NAMES = ["amber", "russet", "costard", "pearmain", "codlin", "medlar"]


def filler(name: str) -> bytes:
    """Return a body that does not compress to nothing."""
    return "".join(random.Random(name).choices("abcdefghij <>", k=3000)).encode()  # noqa: S311 - no secret


RECORDS = [response(name, body=filler(name)) for name in NAMES]
MEMBERS = [gzip.compress(each, mtime=0) for each in RECORDS]
WHOLE = [(name, "") for name in NAMES]


def read_all(path: Path, data: bytes) -> list[Unit]:
    path.write_bytes(data)
    with open_archive(path) as archive:
        return [] if archive is None else list(archive.read(0, archive.size, lambda _, length: length))


def told(units: list[Unit]) -> list[tuple[str, str]]:
    return [(unit.url.rpartition("/")[2], unit.reason) for unit in units]


def third(data: bytes) -> bytes:
    return b"".join([*MEMBERS[:2], data, *MEMBERS[3:]])


def flipped(place: int) -> bytes:
    data = bytearray(MEMBERS[2])
    data[place : place + 4] = bytes(255 - byte for byte in data[place : place + 4])
    return third(bytes(data))


LOST = [*WHOLE[:2], ("", "damaged"), *WHOLE[3:]]
NAMED = [*WHOLE[:2], ("costard", "damaged"), *WHOLE[3:]]
SHORT = [*WHOLE[:2], ("costard", "truncated"), *WHOLE[3:]]
FRAMES = [zstd.compress(each, options={zstd.CompressionParameter.checksum_flag: 1}) for each in RECORDS]
QUOTING = b"<title>How archives look</title><pre>" + response("quoted") + b"</pre>"
SHORT_MEMBER = gzip.compress(response("costard"), mtime=0)
BROKEN = {
    "wrong checksum of a short member": (third(SHORT_MEMBER[:-8] + b"beef" + SHORT_MEMBER[-4:]), NAMED),
    "flipped near the end of a short member": (third(SHORT_MEMBER[:-16] + b"beef" + SHORT_MEMBER[-12:]), NAMED),
    "plain, damaged where it quotes a record": (
        b"".join([*RECORDS[:2], response("costard", body=QUOTING, length=120), *RECORDS[3:]]),
        NAMED,
    ),
    "all in one member, damaged where it quotes a record": (
        gzip.compress(b"".join([*RECORDS[:2], response("costard", body=QUOTING, length=120), *RECORDS[3:]])),
        NAMED,
    ),
    "plain, quoting a record": (
        b"".join([*RECORDS[:2], response("costard", body=QUOTING), *RECORDS[3:]]),
        WHOLE,
    ),
    "whole": (b"".join(MEMBERS), WHOLE),
    "flipped in the middle": (flipped(900), NAMED),
    "wrong checksum": (flipped(len(MEMBERS[2]) - 8), NAMED),
    "no magic": (flipped(0), LOST),
    "cut in the middle of the file": (third(MEMBERS[2][:-400]), NAMED),
    "cut at the end": (b"".join(MEMBERS)[:-400], [*WHOLE[:5], ("medlar", "truncated")]),
    "cut in the last head": (b"".join(MEMBERS[:5]) + MEMBERS[5][:30], [*WHOLE[:5], ("", "truncated")]),
    "cut in the last checksum": (b"".join(MEMBERS)[:-3], WHOLE),
    "something between": (third(MEMBERS[2] + b"something else" * 9), [*WHOLE[:3], ("", "damaged"), *WHOLE[3:]]),
    "zeros between": (third(MEMBERS[2] + bytes(512)), [*WHOLE[:3], ("", "damaged"), *WHOLE[3:]]),
    "empty member": (third(MEMBERS[2] + gzip.compress(b"")), WHOLE),
    "length too small": (third(gzip.compress(response("costard", body=filler("costard"), length=99))), NAMED),
    "length too large": (third(gzip.compress(response("costard", body=filler("costard"), length=9999))), SHORT),
    "length over the next record": (
        third(gzip.compress(response("costard", body=filler("costard"), length=len(RECORDS[3]) + 3060))),
        SHORT,
    ),
    "no length": (third(gzip.compress(RECORDS[2].replace(b"Content-Length", b"Content-Size"))), NAMED),
    "line feeds only": (third(gzip.compress(RECORDS[2].replace(b"\r\n", b"\n"))), SHORT),
    "no record": (third(gzip.compress(b"this is no record\r\n" * 20)), LOST),
    "two in a member": (third(gzip.compress(RECORDS[2] + RECORDS[0])), [*WHOLE[:3], WHOLE[0], *WHOLE[3:]]),
    "all in one member": (gzip.compress(b"".join(RECORDS)), WHOLE),
    "all in one member, length too small": (
        gzip.compress(b"".join([*RECORDS[:2], response("costard", body=filler("costard"), length=99), *RECORDS[3:]])),
        NAMED,
    ),
    "all in one member, length over the next record": (
        gzip.compress(b"".join([*RECORDS[:2], response("costard", body=filler("costard"), length=4000), *RECORDS[3:]])),
        NAMED,
    ),
    "all in one member, length over all others": (
        gzip.compress(
            b"".join([*RECORDS[:2], response("costard", body=filler("costard"), length=99999), *RECORDS[3:]])
        ),
        SHORT,
    ),
    "a long head": (
        third(gzip.compress(response("costard", "X-Long: " + "a" * 40_000, body=filler("costard")))),
        WHOLE,
    ),
    "a folded line": (third(gzip.compress(response("costard", "X-Long: a\r\n  b", body=filler("costard")))), WHOLE),
    "no type": (third(gzip.compress(RECORDS[2].replace(b"WARC-Type", b"Some-Type"))), WHOLE),
    "plain": (b"".join(RECORDS), WHOLE),
    "plain, length too small": (
        b"".join([*RECORDS[:2], response("costard", body=filler("costard"), length=99), *RECORDS[3:]]),
        NAMED,
    ),
    "plain, length too large": (
        b"".join([*RECORDS[:2], response("costard", body=filler("costard"), length=4000), *RECORDS[3:]]),
        NAMED,
    ),
    "plain, something between": (
        b"".join([*RECORDS[:3], b"something else" * 9, *RECORDS[3:]]),
        [*WHOLE[:3], ("", "damaged"), *WHOLE[3:]],
    ),
    "plain, a head that runs into the next": (
        b"".join([*RECORDS[:2], RECORDS[2][:150] + b"?" * (len(RECORDS[2]) - 150), *RECORDS[3:]]),
        LOST,
    ),
    "plain, an early version behind something else": (
        b"".join([*RECORDS[:2], b"something else", RECORDS[2].replace(b"WARC/1.0", b"WARC/0.18"), *RECORDS[3:]]),
        [*WHOLE[:2], ("", "damaged"), *WHOLE[2:]],
    ),
    "plain, cut": (b"".join(RECORDS)[:-400], [*WHOLE[:5], ("medlar", "truncated")]),
    "Zstandard": (b"".join(map(zstd.compress, RECORDS)), WHOLE),
    "Zstandard, all in one frame, length too small": (
        zstd.compress(b"".join([*RECORDS[:2], response("costard", body=filler("costard"), length=99), *RECORDS[3:]])),
        NAMED,
    ),
    "Zstandard, wrong checksum": (
        b"".join([*FRAMES[:2], FRAMES[2][:-1] + bytes([255 - FRAMES[2][-1]]), *FRAMES[3:]]),
        NAMED,
    ),
    "Zstandard, cut": (b"".join(map(zstd.compress, RECORDS))[:-400], [*WHOLE[:5], ("", "truncated")]),
    "empty": (b"", []),
}


@pytest.mark.parametrize("case", BROKEN)
def test_every_record_is_found_once(case: str, tmp_path: Path) -> None:
    data, expected = BROKEN[case]
    assert told(read_all(tmp_path / "x.warc", data)) == expected


@pytest.mark.parametrize("case", [case for case in BROKEN if case != "empty"])
def test_parts_of_a_file_give_what_the_whole_gives(case: str, tmp_path: Path) -> None:
    units = read_all(tmp_path / "x.warc", BROKEN[case][0])
    with open_archive(tmp_path / "x.warc") as archive:
        assert archive is not None
        for cut in range(1, archive.size, 1234):
            first, reached = drain(archive.read(0, cut, lambda _, length: length))
            # Where a record seems to begin elsewhere, the part is read again from where the one before it ends.
            second, _ = drain(archive.read(reached, archive.size, lambda _, length: length))
            assert [*first, *second] == units


def drain(reading: Callable[..., object] | object) -> tuple[list[Unit], int]:
    found: list[Unit] = []
    while True:
        try:
            found.append(next(reading))  # type: ignore[call-overload]
        except StopIteration as end:
            return found, end.value


def test_random_damage_loses_no_record_that_it_does_not_touch(tmp_path: Path) -> None:
    whole = b"".join(MEMBERS)
    starts = [sum(map(len, MEMBERS[:number])) for number in range(len(MEMBERS))]
    for seed in range(60):
        chance = random.Random(seed)  # noqa: S311 - no secret
        place, size = chance.randrange(len(whole)), chance.choice([1, 3, 40])
        data = bytearray(whole)
        data[place : place + size] = chance.randbytes(len(data[place : place + size]))
        touched = {
            number
            for number, start in enumerate(starts)
            if start < place + size and place < start + len(MEMBERS[number])
        }
        units = told(read_all(tmp_path / "x.warc.gz", bytes(data)))
        sound = [name for name, reason in units if not reason]
        assert [name for number, name in enumerate(NAMES) if number not in touched] == [
            name for name in sound if NAMES.index(name) not in touched
        ]
        assert len(units) == len(NAMES), seed


def ask_for_responses(headers: Headers, length: int) -> int | None:
    return length if dict(headers)[b"WARC-Type"] == b"response" else None


def test_what_nobody_wants_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(
        pack([record("https://a.example/", http(b"x" * 9000), kind=kind) for kind in ("request", "response")])
    )
    with open_archive(path) as archive:
        assert archive is not None
        units = list(archive.read(0, archive.size, ask_for_responses))
    assert [unit.content is None for unit in units] == [True, False]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="says what is mapped")
def test_what_was_read_of_a_file_does_not_stay_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(gzip.compress(response("amber", body=random.Random(1).randbytes(200_000)), mtime=0) * 150)  # noqa: S311 - no secret
    with open_archive(path) as archive:
        assert archive is not None
        before = most = mapped_bytes()
        for _ in archive.read(0, archive.size, lambda *_: None):
            most = max(most, mapped_bytes())
        assert most - before < archive.size / 3


def mapped_bytes() -> int:
    """Return the bytes of files that this process has in its memory."""
    found = re.search(r"^RssFile:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found is not None
    return 1024 * int(found[1])
