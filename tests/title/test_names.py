from __future__ import annotations

import pytest

from windrow.title.names import read_owners, spell_host


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("© 2024 Valley News. All rights reserved.", "Valley News"),
        ("Copyright © 2013-2015 Mister Gutters", "Mister Gutters"),
        ("(c) 2020 Willow Cafe | Imprint", "Willow Cafe"),
        ("Copyright by Flint & Son", "Flint & Son"),
    ],
)
def test_owner_of_the_rights(text: str, name: str) -> None:
    assert read_owners([text]) == [name]


def test_no_owner() -> None:
    assert read_owners(["© 2024", "plain text"]) == []


@pytest.mark.parametrize(
    ("label", "text", "names"),
    [
        ("iosafe", "The ioSafe drive", ["ioSafe"]),
        ("bankofamerica", "Loans from Bank of America today", ["Bank of America"]),
        ("peakviewroofing", "Peak View Roofing Company", ["Peak View Roofing Company"]),
        ("flintandson", "mail@flintandson.example", []),
        ("abc", "ABC", []),
        ("willow", "Willows", []),
        ("willow", "Wil &-& low", []),
    ],
)
def test_host_spelled_out(label: str, text: str, names: list[str]) -> None:
    assert spell_host(label, [text]) == names
