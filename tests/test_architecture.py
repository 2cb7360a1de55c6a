"""The house keeps its plan: imports point one way, modules stay small, every room is described."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "windrow"
MOST_LINES = 500

DOCUMENT = ROOT / "docs" / "architecture.md"
ROW = re.compile(r"^\| `(?P<room>\w+)` \| (?P<holds>.+) \| (?P<imports>[^|]*?) ?\|$", re.MULTILINE)
ROWS = list(ROW.finditer(DOCUMENT.read_text("utf-8")))
HOLDS = {row["room"]: row["holds"] for row in ROWS}
"""What each room holds, as the document says."""
PLAN = {row["room"]: re.findall(r"`(\w+)`", row["imports"]) for row in ROWS}
"""What each room imports, as the document says, in the document's order."""
PRIVATE = (
    re.compile(r"\b(?:pypi|pythonhosted|npmjs|crates)\.(?:org|com|io)\b"),
    re.compile(r"\bissues?\s+#?\d", re.IGNORECASE),
    re.compile(r"\bco-authored-b[y]\b", re.IGNORECASE),
)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def find_statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and is_for_type_checkers(child):
            for other in child.orelse:
                yield from find_statements(ast.Module([other], []))
        else:
            yield from find_statements(child)


@cache
def find_imports(module: str) -> set[str]:
    """Name the modules of ours that a module imports, but for type checkers."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    for statement in find_statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(statement, ast.Import):
            found.update(alias.name for alias in statement.names)
            continue
        base = statement.module or ""
        if statement.level:
            parents = package.split(".")[: len(package.split(".")) - statement.level + 1]
            base = ".".join([*parents, *filter(None, [base])])
        for alias in statement.names:
            inner = f"{base}.{alias.name}"
            found.add(inner if inner in MODULES else base)
    return {name for name in found if name.split(".")[0] == "windrow"} - {module}


def committed_files() -> list[Path]:
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    done = subprocess.run(  # noqa: S603  # a program from PATH with fixed arguments
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        pytest.skip("this is no checkout")
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def imports_of(room: str) -> set[str]:
    """Name the rooms that a room imports; the public face, which gathers them, is none."""
    modules = [module for module in MODULES if room_of(module) == room]
    return {room_of(name) for module in modules for name in find_imports(module)} - {room, ""}


def test_the_plan_names_every_room_below_those_that_import_it() -> None:
    assert set(PLAN) == {room_of(module) for module in MODULES} - {"", "__main__"}
    above: set[str] = set()
    for room, imported in PLAN.items():
        assert set(imported) <= above, f"{room} imports rooms that stand further down."
        above.add(room)


@pytest.mark.parametrize("room", PLAN)
def test_the_plan_is_what_the_code_does(room: str) -> None:
    imported = imports_of(room)
    line = ", ".join(f"`{name}`" for name in PLAN if name in imported)
    said = ", ".join(f"`{name}`" for name in PLAN[room])
    assert said == line, f"The line of {room} in {DOCUMENT.name} should name: {line}"


@pytest.mark.parametrize("room", PLAN)
def test_the_plan_says_what_the_room_says_of_itself(room: str) -> None:
    docstring = ast.get_docstring(ast.parse(MODULES[f"windrow.{room}"].read_text("utf-8")))
    assert docstring is not None
    first = docstring.splitlines()[0].removesuffix(".").replace("``", "`")
    assert HOLDS[room] == first[0].lower() + first[1:]


def test_errors_know_nothing_of_what_they_carry() -> None:
    assert "windrow." not in MODULES["windrow.errors"].read_text("utf-8").replace("``windrow.", "")


def test_imports_have_no_cycles() -> None:
    TopologicalSorter({module: find_imports(module) for module in MODULES}).prepare()


@pytest.mark.parametrize("module", MODULES)
def test_modules_stay_small(module: str) -> None:
    assert len(MODULES[module].read_text("utf-8").splitlines()) < MOST_LINES


def test_nothing_private_is_committed() -> None:
    # Where this machine keeps the tree, and whose it is, concerns nobody else.
    places = {str(place) for place in (ROOT, ROOT.parent, Path.home()) if place != Path(place.anchor)}
    machine = re.compile("|".join(rf"(?<![\w.]){re.escape(place)}(?=/)" for place in sorted(places)))
    found = []
    for path in committed_files():
        text = path.read_bytes().decode("utf-8", "replace")
        hits = [match[0] for pattern in (machine, *PRIVATE) if (match := pattern.search(text))]
        found += [f"{path.relative_to(ROOT)}: {hit}" for hit in hits]
    assert found == []
