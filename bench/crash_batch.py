"""Kills the processes of a batch at random moments, with poison among the pages, and compares with an undisturbed run.

    make crash-batch               # 12 kills of workers and 4 of the whole, on one machine
    make crash-batch KILLS=40
    python bench/crash_batch.py --spark    # besides: a standalone cluster of two workers, one killed in the middle

The files must be the same byte for byte, and every record counted once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "batch"))

import archives
import poison
from cluster import end_machine, running_cluster, spark_environment

KILLS = int(os.environ.get("KILLS", "12"))
KINDS = ("CRASH", "EXIT", "HANG", "MEMORY", "FAULT")
WINDROW = (sys.executable, "-m", "windrow")
LIMITS = ("--seconds", "5", "--memory", "300")


def write_archives(folder: Path, count: int) -> list[Path]:
    """Write three archives, with poison in each and a damaged record in the last."""
    paths = []
    for number in range(3):
        records = [page_record(f"sort-{number}-{each}") for each in range(count)]
        for place, kind in enumerate(KINDS):
            body = archives.page(f"poison {kind}", f"POISON-{kind}")
            records.insert((place + 1) * count // 7, archives.response(f"poison-{number}-{kind}", body=body))
        data = bytearray(archives.pack(records))
        if number == 2:  # noqa: PLR2004 - the last
            data[len(data) // 2 : len(data) // 2 + 8] = bytes(8)
        path = folder / f"{number}.warc.gz"
        path.write_bytes(data)
        paths.append(path)
    return paths


def page_record(name: str) -> bytes:
    """Return a page of some length that does not compress to nothing, so that there are several shards."""
    words = " ".join(str(number) for number in random.Random(name).choices(range(100_000), k=2_000))  # noqa: S311
    return archives.response(name, body=archives.page(name, words))


def command(paths: list[Path], out: Path, *more: str) -> list[str]:
    """Return the command of a batch."""
    return [*WINDROW, "batch", *map(str, paths), "-o", str(out), "--read", "title,tables", *LIMITS, "--json", *more]


def finish(words: list[str], environment: dict[str, str]) -> dict[str, object]:
    """Run a command to its end, and return what it printed."""
    done = subprocess.run(words, env=environment, check=True, capture_output=True)  # noqa: S603 - our own command
    found: dict[str, object] = json.loads(done.stdout)
    del found["seconds"]
    return found


def disturb(words: list[str], environment: dict[str, str], out: Path, kills: int) -> dict[str, int]:
    """Kill workers of a batch, and now and then the command itself, until so many are killed or it is done."""
    chance, counts = random.Random(7), {"worker": 0, "driver": 0}  # noqa: S311 - no secret
    while sum(counts.values()) < kills:
        driver = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
        while driver.poll() is None and sum(counts.values()) < kills:
            time.sleep(chance.uniform(0.5, 2.5))
            with suppress(psutil.Error, IndexError):
                if chance.random() < 1 / 4 and (out / "manifest.json").exists():
                    driver.kill()
                    counts["driver"] += 1
                else:
                    chance.choice(psutil.Process(driver.pid).children()).kill()
                    counts["worker"] += 1
        if driver.poll() == 0:
            break
        driver.kill()
        driver.wait()
    return counts


def compare(name: str, out: Path, calm: Path, found: dict[str, object], expected: dict[str, object]) -> bool:
    """Print whether a run gave what the undisturbed one gave."""
    same = archives.contents(out) == archives.contents(calm) and found == expected
    print(f"{'ok  ' if same else 'MISS'} {name}: {len(archives.contents(out))} files, {found}")
    return same


def main() -> None:
    """Run once undisturbed, then with kills."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=1500)
    parser.add_argument("--spark", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="windrow-crash-") as name:
        folder = Path(name)
        (folder / "site").mkdir()
        (folder / "site/sitecustomize.py").write_text(poison.PROGRAM)
        environment = os.environ | {"PYTHONPATH": str(folder / "site"), "WINDROW_TEST_POISON": "1"}
        paths = write_archives(folder, chosen.records)
        began = time.monotonic()
        calm = finish(command(paths, folder / "calm", "--workers", "2"), environment)
        print(f"undisturbed: {time.monotonic() - began:.0f} s, {calm}")
        words = command(paths, folder / "killed", "--workers", "2")
        counts = disturb(words, environment, folder / "killed", KILLS)
        good = compare(f"{counts}", folder / "killed", folder / "calm", finish(words, environment), calm)
        if chosen.spark:
            good &= on_cluster(paths, folder, environment, calm)
    sys.exit(not good)


def on_cluster(paths: list[Path], folder: Path, environment: dict[str, str], calm: dict[str, object]) -> bool:
    """Run on a standalone cluster of two workers on loopback, one of which is killed in the middle."""
    environment = spark_environment(environment)
    out = folder / "spark"
    # The plan must be that of one machine, or the files are others.
    shutil.copytree(folder / "calm", out)
    manifest = json.loads((out / "manifest.json").read_text())
    for shard in manifest["shards"]:
        del shard["report"]
    (out / "manifest.json").write_text(json.dumps(manifest | {"state": "running"}))
    for path in out.rglob("*.parquet"):
        path.unlink()
    with running_cluster(folder / "cluster", environment) as cluster:
        batch = command(paths, out, "--engine", "spark", "--master", cluster.url)
        driver = subprocess.Popen(batch, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603
        while driver.poll() is None and not list(out.glob("pages/*.parquet")):
            time.sleep(0.2)
        end_machine(cluster.machines[1])
        found = json.loads(driver.communicate()[0])
    del found["seconds"]
    return compare("a worker of the cluster killed", out, folder / "calm", found, calm)


if __name__ == "__main__":
    main()
