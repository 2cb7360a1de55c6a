"""What all tests share: where there is no browser, the tests that need one say so instead of failing."""

from __future__ import annotations

import pytest

from windrow.render.executable import find_browser


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_browser() is None:
        missing = pytest.mark.skip(reason="there is no browser; `windrow setup` installs one")
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(missing)
