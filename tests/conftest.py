"""What all tests share: the same examples in every run, and a word instead of a failure where there is no browser."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from windrow.render.executable import find_browser

if TYPE_CHECKING:
    from pathlib import Path


pytest_plugins = ["stores", "plots", "interface"]

# The same examples in every run, and none of them judged by how busy the machine is.
settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.load_profile("steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_browser() is None:
        missing = pytest.mark.skip(reason="there is no browser; `windrow setup` installs one")
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(missing)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=loopback"
    try:
        subprocess.run(  # noqa: S603 - a fixed command
            [*command.split(), "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs the openssl command to make a certificate")
    return key, certificate
