from __future__ import annotations

import pytest

from windrow.title.address import Address, read_address, to_letters


@pytest.mark.parametrize(
    ("url", "host", "path", "document"),
    [
        (
            "https://www.s-kanava.fi/toimipaikka/s-market-kausala/511787202",
            "s-kanava",
            ("toimipaikka", "s-market-kausala"),
            "511787202",
        ),
        ("http://shop.acme.co.uk:8080/a/b.html?x=1#y", "shop.acme", ("a",), "b"),
        ("https://xn--mnchen-3ya.de/", "münchen", (), ""),
        ("https://a.example/%E8%8B%B9%E6%9E%9C", "a", (), "苹果"),
        ("https://a.example/x/index.php", "a", ("x",), ""),
        ("https://a.example/Home.aspx", "a", (), ""),
        ("http://127.0.0.1/x", "127.0.0.1", (), "x"),
        ("http://localhost/x", "localhost", (), "x"),
        ("https://www.uk/", "uk", (), ""),
    ],
)
def test_parts(url: str, host: str, path: tuple[str, ...], document: str) -> None:
    address = read_address(url)
    assert (address.host, address.path, address.document) == (host, path, document)


@pytest.mark.parametrize("url", ["", "no address", "/just/a/path"])
def test_no_address(url: str) -> None:
    assert read_address(url) == Address()
    assert not read_address(url).is_home


@pytest.mark.parametrize(
    ("url", "is_home"),
    [
        ("https://a.example", True),
        ("https://a.example/index.html", True),
        ("https://a.example/?page=3", False),
        ("https://a.example/shop/", False),
    ],
)
def test_front_page(url: str, *, is_home: bool) -> None:
    assert read_address(url).is_home == is_home


def test_programs_and_their_queries() -> None:
    address = read_address("https://a.example/SchoolProfile.aspx?id=3&name=Moberly+Area")
    assert address.is_program
    assert address.query == ("3", "Moberly Area")
    assert not read_address("https://a.example/profile.html?id=3").is_program


@pytest.mark.parametrize(
    ("text", "letters"), [("Silmäasema", "silmaasema"), ("Größe & Co.", "grosseco"), ("Æsir", "aesir"), ("東", "dong")]
)
def test_letters(text: str, letters: str) -> None:
    assert to_letters(text) == letters


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/gardens/harrow-meadow", "harrow-meadow"),
        ("https://a.example/gardens/harrow-meadow/", "harrow-meadow"),
        ("https://a.example/gardens/harrow.html?page=2", "harrow"),
        ("https://a.example/gardens/123.html", ""),
        ("https://a.example/gardens/?id=123", ""),
        ("https://a.example/show.php?id=123", ""),
        ("https://a.example/", ""),
    ],
)
def test_an_address_may_name_its_page(url: str, name: str) -> None:
    assert read_address(url).own_name == name
