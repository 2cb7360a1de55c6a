"""Change one decision of a reader at a time, and see whether the tests of its room notice.

    python bench/mutants.py [ROOM…] [--most N] [--seed N]

Three kinds of changes, each sampled to a third of ``--most`` a room, always the same ones for a seed:

weight     a weight or bias in a room's ``weights.json`` set to 0; thresholds and calibrations are never left out
number     a number in a module constant or a default of a class doubled or set to 0; a whole number one more or less
condition  ``<`` turned into ``>=``, ``and`` into ``or``, ``not`` left out

A line that carries ``# not a decision: REASON`` is left alone, and so is an assignment whose first line does. The
changes are made in copies of the tree. Each is tested in a fork of a process that has the libraries loaded, two at a
time; a test that hangs has noticed, too. Every change that nobody noticed is printed; below 80 % the exit status is 1.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from operator import getitem
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Change = tuple[ast.AST, ast.AST]
    """A place in a module's tree, and what to put there."""

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("title", "table", "region", "toplist", "wrapper")
NO_DECISIONS = frozenset({"__init__.py", "result.py", "export.py", "drawing.py"})
"""Modules that hold, write or draw what was decided elsewhere."""
MARK = "# not a decision:"
LEAST = 0.8
AT_ONCE = 2
MOST = 45
"""Changes a room, so that all rooms take about ten minutes on two cores."""
PATIENCE, GRACE = 3.0, 10.0
"""A run that takes this many times what it takes without a change, and these seconds besides, hangs."""
LONGEST = 300.0
"""Seconds that the tests of a room may take without a change."""
MANY = 100
"""Whole numbers from here on are changed as others are: one more or less of so many makes no difference."""
LARGE = 100_000
"""A number beyond this is a multiplier of hashes or a limit against attacks."""
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
PYTEST = ["-x", "-q", "-m", "not browser", "-p", "no:cacheprovider", "-p", "no:xdist"]
PYTEST += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded already


@dataclass(frozen=True)
class Mutant:
    """A file with one decision changed."""

    kind: str
    path: Path
    """Relative to the root."""
    what: str
    make: Callable[[], str]
    """Returns the whole file as changed."""
    always: bool = False


def find_mutants(room: str, most: int, chance: random.Random) -> list[Mutant]:
    """Return the changes to try in a room: a sample of each kind; what a small kind leaves goes to the others."""
    folder = ROOT / "src" / "windrow" / room
    modules = [path for path in sorted(folder.rglob("*.py")) if path.name not in NO_DECISIONS]
    kinds = [
        [mutant for path in sorted(folder.glob("*.json")) for mutant in change_weights(path)],
        [mutant for path in modules for mutant in change_code(path, "number", find_numbers)],
        [mutant for path in modules for mutant in change_code(path, "condition", find_conditions)],
    ]
    chosen: list[Mutant] = []
    for left, found in zip((3, 2, 1), sorted(kinds, key=len), strict=True):
        always = [mutant for mutant in found if mutant.always]
        others = [mutant for mutant in found if not mutant.always]
        share = max((most - len(chosen)) // left - len(always), 0)
        chosen += always + chance.sample(others, min(share, len(others)))
    return chosen


def change_weights(path: Path) -> Iterator[Mutant]:
    """Yield a file of weights with each of its numbers set to 0."""
    plain = json.loads(path.read_bytes())
    if not isinstance(plain, dict) or "values" not in plain:
        return
    for parts, value in find_leaves(plain):
        if value and parts[0] != "head":
            always = parts[0] in ("thresholds", "calibrations")
            what = f"{'.'.join(parts)}: {value} → 0"
            yield Mutant("weight", path.relative_to(ROOT), what, partial(_set_to_zero, path, parts), always)


def find_leaves(plain: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the numbers in nested mappings, each with the keys that lead to it."""
    for key, value in plain.items():
        if isinstance(value, dict):
            yield from (((key, *rest), leaf) for rest, leaf in find_leaves(value))
        elif isinstance(value, int | float):
            yield (key,), value


def _set_to_zero(path: Path, parts: tuple[str, ...]) -> str:
    plain = json.loads(path.read_bytes())
    reduce(getitem, parts[:-1], plain)[parts[-1]] = 0
    return json.dumps(plain)


def change_code(path: Path, kind: str, find: Callable[[ast.Module], Iterator[Change]]) -> Iterator[Mutant]:
    """Yield a module with each of its decisions of one kind changed."""
    source = path.read_text("utf-8")
    tree, left_out = ast.parse(source), set[int]()
    marked = {number for number, line in enumerate(source.splitlines(), 1) if MARK in line}
    for statement in ast.walk(tree):
        if isinstance(statement, ast.stmt) and statement.lineno in marked:
            is_whole = isinstance(statement, ast.Assign | ast.AnnAssign)
            left_out |= set(range(statement.lineno, (statement.end_lineno or 0) + 1)) if is_whole else set()
    for number, (old, new) in enumerate(find(tree)):
        first, last = getattr(old, "lineno", 1), getattr(old, "end_lineno", 1)
        if not (marked | left_out) & set(range(first, last + 1)):
            what = f"{first}: {ast.unparse(old)} → {ast.unparse(new)}"
            yield Mutant(kind, path.relative_to(ROOT), what, partial(_change_one, source, find, number))


def _change_one(source: str, find: Callable[[ast.Module], Iterator[Change]], number: int) -> str:
    tree = ast.parse(source)
    old, new = next(islice(find(tree), number, None))
    for holder in ast.walk(tree):
        for name, value in ast.iter_fields(holder):
            if value is old:
                setattr(holder, name, new)
            elif isinstance(value, list) and any(each is old for each in value):
                setattr(holder, name, [new if each is old else each for each in value])
    return ast.unparse(ast.fix_missing_locations(tree))


def find_numbers(tree: ast.Module) -> Iterator[Change]:
    """Yield the numbers of module constants and of the defaults of classes, each with another in its place."""
    inner = [each for node in tree.body if isinstance(node, ast.ClassDef) for each in node.body]
    turn = 0
    for statement in [*tree.body, *inner]:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        if isinstance(statement.value, ast.Call) and ast.unparse(statement.value.func) == "range":
            continue  # names for numbers that are given out in turn
        for node in ast.walk(statement.value):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGE:
                small = isinstance(value, int) and abs(value) < MANY
                others = (value + 1, value - 1) if small else (type(value)(0), value * 2)
                turn += 1
                yield node, ast.Constant(others[turn % 2] if value else 1)


def find_conditions(tree: ast.Module) -> Iterator[Change]:
    """Yield comparisons, conjunctions and negations, each turned into its opposite."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in OPPOSITE:
            yield node, ast.Compare(node.left, [OPPOSITE[type(node.ops[0])](), *node.ops[1:]], node.comparators)
        elif isinstance(node, ast.BoolOp):
            yield node, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, node.operand


class Bench:
    """A copy of the tree in which one change at a time is tested."""

    def __init__(self, folder: Path) -> None:
        """Copy the tree; what git does not know stays behind."""
        self.folder = folder
        self.mutant: Mutant | None = None
        self.process = 0
        self.deadline = 0.0
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, folder / name)
        compileall.compile_dir(folder / "src", quiet=1)

    def start(self, room: str, mutant: Mutant | None, limit: float) -> None:
        """Begin the room's tests in a process of their own."""
        self.mutant, self.deadline = mutant, time.monotonic() + limit
        if mutant:
            (self.folder / mutant.path).write_text(mutant.make(), "utf-8")
        self.process = os.fork()
        if not self.process:
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDWR), 1)
            os.dup2(1, 2)
            os.chdir(self.folder)
            sys.path.insert(0, str(self.folder / "src"))
            os.environ["PYTHONPATH"] = sys.path[0]
            status = 2
            with contextlib.suppress(BaseException):
                status = int(pytest.main([*find_tests(self.folder, room), *PYTEST]))
            os._exit(status)

    def finish(self) -> int | None:
        """Return the exit status of the tests, 2 for those that hang; None while they run."""
        ended, status = os.waitpid(self.process, os.WNOHANG)
        if not ended and time.monotonic() < self.deadline:
            return None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process, signal.SIGKILL)
        if not ended:
            os.waitpid(self.process, 0)
        if self.mutant:
            shutil.copyfile(ROOT / self.mutant.path, self.folder / self.mutant.path)
        self.process = 0
        return os.waitstatus_to_exitcode(status) if ended else 2


def find_tests(folder: Path, room: str) -> list[str]:
    """Return the tests of a room, those first that are most likely to notice."""
    tests = sorted(
        (folder / "tests" / room).glob("test_*.py"), key=lambda path: ("quality" not in path.name, path.name)
    )
    return [str(path.relative_to(folder)) for path in tests]


def run(benches: list[Bench], room: str, mutants: list[Mutant], limit: float) -> Iterator[tuple[Mutant, bool]]:
    """Yield each change with whether the tests noticed it, as they end."""
    waiting = list(reversed(mutants))
    while waiting or any(bench.process for bench in benches):
        for bench in benches:
            if bench.process and (status := bench.finish()) is not None and bench.mutant:
                yield bench.mutant, status != 0
            if not bench.process and waiting:
                bench.start(room, waiting.pop(), limit)
        time.sleep(0.02)


def time_tests(bench: Bench, room: str) -> float:
    """Return how long a room's tests take, which must pass."""
    start = time.monotonic()
    bench.start(room, None, LONGEST)
    while (status := bench.finish()) is None:
        time.sleep(0.02)
    if status:
        sys.exit(f"The tests of {room} fail without any change; mend them first.")
    return time.monotonic() - start


def preload(folder: Path) -> None:
    """Load the libraries that Windrow uses, but nothing of Windrow itself."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder / "src"))
    for name in ("hypothesis", "windrow", "windrow.cli"):
        importlib.import_module(name)
    sys.path.pop(0)
    for name in [name for name in sys.modules if name.partition(".")[0] == "windrow"]:
        del sys.modules[name]


def main() -> int:
    """Try the changes of all rooms and print what was not noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--most", type=int, default=MOST, help="changes a room (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed takes another sample")
    options = parser.parse_args()
    if unknown := set(options.rooms) - set(ROOMS):
        parser.error(f"There is no room {', '.join(sorted(unknown))}; there are: {', '.join(ROOMS)}.")
    noticed, tried = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        benches = [Bench(Path(folder) / str(number)) for number in range(AT_ONCE)]
        preload(benches[0].folder)
        for room in options.rooms or ROOMS:
            limit = PATIENCE * time_tests(benches[0], room) + GRACE
            mutants = find_mutants(room, options.most, random.Random(f"{options.seed} {room}"))  # noqa: S311
            for mutant, found in run(benches, room, mutants, limit):
                tried[room] += 1
                noticed[room] += found
                if not found:
                    print(f"survived: {mutant.path}:{mutant.what}", flush=True)
            print(f"{room}: {noticed[room]} of {tried[room]} noticed, {noticed[room] / tried[room]:.0%}", flush=True)
    share = noticed.total() / max(tried.total(), 1)
    print(f"all: {noticed.total()} of {tried.total()} noticed, {share:.0%} (at least {LEAST:.0%})")
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
