"""Kills a harvest at random moments, and looks whether anything was lost, doubled or torn.

    make crash                # 200 kills: of the whole group, of the main process, of a child; some twice in a row
    make crash KILLS=20 WINDROW_STORE=postgresql://…

Each round changes the site, begins a harvest, kills it, and lets the next start go on to the end. The store is then
held against the site: every record once, as the site has it. What a reader saw before the kill is there after it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "harvest"))

import nursery

import windrow
from windrow.store import open_store
from windrow.store.history import History
from windrow.store.rows import Rows, Wanted
from windrow.store.runs import list_runs
from windrow.store.sources import find_source, get_source
from windrow.store.views import remove_with_view

if TYPE_CHECKING:
    from collections.abc import Callable

KILLS = int(os.environ.get("KILLS", "200"))
TREES, CONCURRENCY = 60, 2
LEARNED = (1, 3)
"""The places of the trees whose pages are learned."""
TOML = """
[source.orchard]
start = ["{url}/list"]
[source.orchard.follow]
list = "region"
detail = "/p/*"
[source.orchard.read]
wrapper = "orchard.json"
key = ["sku"]
[source.orchard.manners]
rate = 1000
concurrency = {concurrency}
[source.orchard.network]
render = {render}
allow_private = true
"""


@dataclass
class Tally:
    """What was seen over all rounds."""

    kills: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    doubled: int = 0
    torn: int = 0
    vanished: int = 0
    refetched: list[int] = field(default_factory=list)
    recovery: list[float] = field(default_factory=list)
    clean: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Lab:
    """A site, a store, and a harvest that is killed."""

    def __init__(self, folder: Path, server: nursery.Server, *, render: bool) -> None:
        """Learn the site, and import the source."""
        self.server, self.render = server, render
        self.store = os.environ.get("WINDROW_STORE") or str(folder / "windrow.db")
        self.tally = Tally()
        site = server.site
        options = windrow.Options(allow_private=True)
        pages = [
            (f"{server.url}/p/{tree.sku}", nursery.values_of(tree, site.language))
            for tree in (site.trees[place] for place in LEARNED)
        ]
        lessons = [(windrow.load(url, render=render, options=options), values) for url, values in pages]
        (folder / "orchard.json").write_text(windrow.learn(lessons).to_json(), "utf-8")
        toml = TOML.format(url=server.url, concurrency=CONCURRENCY, render=str(render).lower())
        (folder / "orchard.toml").write_text(toml, "utf-8")
        with open_store(self.store) as store, store.reading() as connection:
            known = find_source(connection, "orchard")
        if known is not None:  # of another lab on the same server
            with open_store(self.store) as store:
                remove_with_view(store, known.id)
        self.call("source", "import", str(folder / "orchard.toml"))

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a command in a group of its own."""
        command = [sys.executable, "-m", "windrow", *words, "--store", self.store]
        return subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603 - our own

    def call(self, *words: str) -> str:
        """Run a command to its end."""
        process = self.start(*words)
        out, err = process.communicate(timeout=300)
        if process.returncode:
            self.tally.faults.append(
                f"{' '.join(words)} ended with {process.returncode}: {err.decode()[-300:]} {out.decode()[-300:]}"
            )
        return out.decode()

    def records(self) -> dict[str, dict[str, Any]]:
        """Return what a reader of the store sees."""
        with open_store(self.store) as store, store.reading() as connection:
            rows = list(Rows(connection, get_source(connection, "orchard"), Wanted()))
        found = {str(row.key): {label: text for label, text in row.values.items() if text is not None} for row in rows}
        self.tally.doubled += len(rows) - len(found)
        return found

    def runs(self) -> int:
        """Return how many runs there were."""
        with open_store(self.store) as store, store.reading() as connection:
            return len(list_runs(connection))

    def change_site(self, dice: random.Random) -> None:
        """Change some of the trees, take one away, and plant another."""
        trees = self.server.site.trees
        for place in dice.sample(range(5, len(trees)), len(trees) // 5):
            trees[place] = nursery.changed(trees[place], cents=dice.randrange(900, 24_900))
        del trees[dice.randrange(6, len(trees))]
        number = 1000 + dice.randrange(1_000_000)
        trees.append(nursery.changed(trees[5], sku=f"T-{number}", name=f"Quince Newcomer {number}"))


def kill_group(process: subprocess.Popen[bytes], _: random.Random) -> None:
    """Kill the process and all its children."""
    for child in psutil.Process(process.pid).children(recursive=True):
        child.kill()
    os.killpg(process.pid, signal.SIGKILL)


def kill_main(process: subprocess.Popen[bytes], _: random.Random) -> None:
    """Kill the process alone."""
    process.kill()


def kill_child(process: subprocess.Popen[bytes], dice: random.Random) -> None:
    """Kill one of its children, or itself where it has none yet."""
    children = psutil.Process(process.pid).children(recursive=True)
    (dice.choice(children) if children else process).kill()


WAYS: dict[str, Callable[[subprocess.Popen[bytes], random.Random], None]] = {
    "group": kill_group,
    "main": kill_main,
    "child": kill_child,
}


def round_of(lab: Lab, way: str, seconds: float, dice: random.Random) -> None:
    """Kill a harvest, let the next one go on, and hold the store against the site."""
    lab.change_site(dice)
    asked, known = len(lab.server.requests), lab.runs()
    kills = 2 if dice.random() < 0.15 else 1  # noqa: PLR2004 - some are killed twice in a row
    hit = 0
    for _ in range(kills):
        process = lab.start("harvest", "orchard", "--json")
        time.sleep(dice.random() * seconds)
        seen = lab.records()
        if process.poll() is None:
            with suppress(psutil.NoSuchProcess, ProcessLookupError):  # it may end in this very moment
                WAYS[way](process, dice)
                hit += 1
        process.communicate(timeout=300)
        after = lab.records()
        shown = lab.server.site.truth()
        lab.tally.vanished += sum(key not in after for key in seen if key in shown)
    began = time.monotonic()
    out = lab.call("harvest", "orchard", "--json")
    lab.tally.recovery.append(time.monotonic() - began)
    lab.tally.kills[way] += hit
    report = json.loads(out.splitlines()[-1]) if out else {"state": "nothing", "sentence": ""}
    if report["state"] != "whole":
        lab.tally.faults.append(f"{way}: the run after the kill was {report['state']}: {report['sentence']}")
    truth, found = lab.server.site.truth(), lab.records()
    lab.tally.lost += sum(key not in found for key in truth) + sum(key not in truth for key in found)
    lab.tally.torn += sum(found[key] != truth[key] for key in truth if key in found)
    differing = [key for key in sorted(truth.keys() | found.keys()) if truth.get(key) != found.get(key)]
    lab.tally.faults += [f"{way}: {key} is {found.get(key)}, on the site {truth.get(key)}" for key in differing]
    if lab.runs() > known + 1:
        return  # a run had ended before its process was killed, and the next one was another
    # A browser's visit follows a question whether the page has changed: both are one page.
    questions = [request for request in lab.server.requests[asked:] if "sec-fetch-mode" not in request.headers]
    learned = f"/p/{lab.server.site.trees[LEARNED[0]].sku}"  # which each start looks at
    paths = Counter(request.path for request in questions if request.path.startswith(("/p/", "/list")))
    del paths[learned]
    lab.tally.refetched.append(sum(paths.values()) - len(paths))


def check_history(lab: Lab) -> None:
    """Look whether every record has its beginning once."""
    with open_store(lab.store) as store, store.reading() as connection:
        changes = list(History(connection, get_source(connection, "orchard")).changes())
    added = Counter(str(change.key) for change in changes if change.kind == "added")
    lab.tally.doubled += sum(count - 1 for count in added.values())


def measure(kills: int, *, render: bool, seed: int) -> Tally:
    """Run the rounds of one way to fetch."""
    dice = random.Random(seed)  # noqa: S311 - moments, no secret
    site = nursery.Site(trees=nursery.grow(TREES if not render else 12))
    with tempfile.TemporaryDirectory() as folder, nursery.Server(site) as server:
        lab = Lab(Path(folder), server, render=render)
        for _ in range(3):
            lab.change_site(dice)
            began = time.monotonic()
            lab.call("harvest", "orchard", "--json")
            lab.tally.clean.append(time.monotonic() - began)
        seconds = sorted(lab.tally.clean)[1] * 1.05
        while sum(lab.tally.kills.values()) < kills:
            round_of(lab, dice.choice(list(WAYS)) if render else dice.choice(["group", "main"]), seconds, dice)
            done = sum(lab.tally.kills.values())
            print(f"\r{done} of {kills} kills", end="", file=sys.stderr, flush=True)
            if done % 25 == 0:
                show("so far", lab.tally)
        check_history(lab)
        lab.call("store", "check")
    print(file=sys.stderr)
    return lab.tally


def show(name: str, tally: Tally) -> None:
    """Print the table of one way to fetch."""
    clean, slowest = sorted(tally.clean)[len(tally.clean) // 2], max(tally.recovery)
    ways = ", ".join(f"{count} {way}" for way, count in sorted(tally.kills.items()))
    print(f"{name}: {sum(tally.kills.values())} kills ({ways})")
    print(f"  lost {tally.lost}, doubled {tally.doubled}, torn {tally.torn}, vanished {tally.vanished}")
    print(
        f"  fetched again after a kill: at most {max(tally.refetched, default=0)} pages, {sum(tally.refetched)} in all"
    )
    print(f"  clean run {clean:.1f} s; recovery at most {slowest:.1f} s, {slowest / clean:.1f} x")
    for fault in tally.faults[:5]:
        print(f"  {fault}")
    sys.stdout.flush()


def main() -> None:
    """Kill harvests without a browser, and a tenth with one."""
    rendered = max(1, KILLS // 10)
    show("without a browser", measure(KILLS - rendered, render=False, seed=1))
    show("with a browser", measure(rendered, render=True, seed=2))


if __name__ == "__main__":
    main()
