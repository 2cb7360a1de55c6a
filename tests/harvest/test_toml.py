from __future__ import annotations

import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from made_settings import collections, names, sources

from windrow.errors import UsageError
from windrow.harvest.secret_values import is_secret_header, is_secret_target, secret_reference
from windrow.harvest.settings import CollectionSettings, Read, SourceSettings
from windrow.harvest.toml import parse_toml, to_toml, without_secrets
from windrow.schedule import Schedule

ORCHARD = """\
[source.orchard]
start = ["https://orchard.example/apples"]

[source.orchard.follow]
list = "region"
detail = "*/p/*"

[source.orchard.read]
wrapper = "x.json"
key = ["sku"]

[source.orchard.schedule]
cron = "30 2 * * 1-5"
zone = "Europe/Berlin"

[source.orchard.network]
headers = {X-Hay = "1"}

[collection.fruit]
key = ["sku"]

[collection.fruit.from.orchard]
sku = "nummer"
"""


def test_a_file() -> None:
    (source,), (collection,) = parse_toml(ORCHARD)
    assert source.name == "orchard"
    assert source.read == Read(wrapper="x.json", key=("sku",))
    assert source.schedule == Schedule(cron="30 2 * * 1-5", zone="Europe/Berlin")
    assert collection == CollectionSettings(name="fruit", key=("sku",), sources={"orchard": {"sku": "nummer"}})
    assert to_toml([source], [collection]) == ORCHARD


@given(
    st.lists(sources, unique_by=lambda each: each.name, max_size=3),
    st.lists(collections, unique_by=lambda each: each.name, max_size=2),
)
def test_what_is_written_is_read_again(many: list[SourceSettings], several: list[CollectionSettings]) -> None:
    text = to_toml(many, several)
    assert parse_toml(text) == (many, several)
    assert to_toml(*parse_toml(text)) == text
    text.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[source", "This is not TOML"),
        ("x = " + "[" * 100_000, "nested too deeply|This is not TOML"),
        ("[sources.a]", "There is no 'sources'; the nearest is 'source'"),
        ("source = 5", "source is 5, not a table"),
        ("source.a = 5", r"source\.a is 5, not a table"),
        ("[source.a]\nname = 'b'", "the name stands in the head"),
        ("[source.a]\nstart = 2027-01-01", "Source 'a'"),
        ("[collection.a]\n", "Collection 'a': key is empty"),
    ],
)
def test_what_is_no_file(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_toml(text)


def test_secrets_are_not_exported() -> None:
    plain = {
        "name": "orchard",
        "start": ["https://x"],
        "read": {"reader": "records"},
        "network": {
            "headers": {"Authorization": "Bearer s3cret", "X-Hay": "1", "X-Token": "s3cret", "X_Token": "s3cret"},
            "proxy": "http://user:s3cret@host:3128",
        },
        "warn": {"send": ["mailto://u:s3cret@host", "json://127.0.0.1:8080/hook", "env:MAIL"]},
    }
    source = SourceSettings.from_dict(plain)
    text = to_toml([source])
    assert "s3cret" not in text
    ((read,), _) = parse_toml(text)
    assert read == without_secrets(source)[0]
    assert read.network.headers == {
        "Authorization": "env:WINDROW_ORCHARD_AUTHORIZATION",
        "X-Hay": "1",
        "X-Token": "env:WINDROW_ORCHARD_X_TOKEN",
        "X_Token": "env:WINDROW_ORCHARD_X_TOKEN_2",
    }
    assert read.network.proxy == "env:WINDROW_ORCHARD_PROXY"
    assert read.warn.send == ("env:WINDROW_ORCHARD_SEND_1", "json://127.0.0.1:8080/hook", "env:MAIL")
    lines = text.splitlines()
    above = lines[next(number for number, line in enumerate(lines) if line.startswith("proxy")) - 1]
    assert above == "# not exported, set before use: WINDROW_ORCHARD_PROXY"
    assert tomllib.loads(text)["source"]["orchard"]["start"] == ["https://x"]


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("Cookie", "a=b", True),
        ("X-Api-Key", "abc", True),
        ("X-Session", "abc", True),
        ("X-Hay", "Bearer abc", True),
        ("X-Hay", "abc", False),
        ("Authorization", "env:NAME", False),
        ("Authorization", "file:name", False),
    ],
)
def test_headers_that_tell(name: str, value: str, *, secret: bool) -> None:
    assert is_secret_header(name, value) is secret


@pytest.mark.parametrize(
    ("address", "secret"),
    [
        ("json://host/path", False),
        ("jsons://host:8443/hooks/windrow", False),
        ("env:MAIL", False),
        ("json://user:pass@host/path", True),
        ("json://user@host/path", True),
        ("json://host/path?token=abc", True),
        ("json://host/T0A1B2C3D4", True),
        ("mailto://host", True),
        ("slack://a/b/c", True),
        ("tgram://123:abc/5", True),
    ],
)
def test_addresses_that_may_hold_a_secret(address: str, *, secret: bool) -> None:
    assert is_secret_target(address) is secret


@given(names, names)
@example("orchard", "Orchard")
@example("a b", "a_b")
@example("ß", "ss")
def test_sources_do_not_share_secrets(one: str, other: str) -> None:
    if one != other:
        assert secret_reference(one, "proxy") != secret_reference(other, "proxy")
    assert tomllib.loads(f"{secret_reference(one, 'X Token').removeprefix('env:')} = 1")
