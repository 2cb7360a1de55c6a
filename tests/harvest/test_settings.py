from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from made_settings import collections, sources

from windrow.errors import UsageError
from windrow.harvest.changes import change_setting
from windrow.harvest.secret_values import resolve_secret
from windrow.harvest.settings import CollectionSettings, Follow, Network, Read, SourceSettings, Warn
from windrow.schedule import Schedule

PLAIN: dict[str, Any] = {"name": "orchard", "start": ["https://orchard.example"], "read": {"reader": "records"}}
SENTENCES = r"^[^\r\n]+\. [^\r\n]+\.$"


def make(**changed: object) -> SourceSettings:
    return SourceSettings.from_dict(PLAIN | changed)


def test_the_defaults() -> None:
    settings = make()
    assert settings.follow.list == "none"
    assert (settings.manners.rate, settings.manners.concurrency, settings.manners.retries) == (0.5, 1, 5)
    assert settings.manners.robots
    assert settings.read.key == ("url",)
    assert settings.network.render is True
    assert settings.schedule is None
    assert settings.to_dict() == PLAIN


def test_a_table_that_says_how_to_follow_means_a_region() -> None:
    assert make(follow={}).follow == Follow(list="region")
    assert make(follow={"detail": "*/p/*"}).follow.list == "region"
    assert make(follow={"list": "none", "depth": 2}).follow.list == "none"
    assert SourceSettings.from_dict(make(follow={}).to_dict()).follow.list == "region"


def test_regions_is_another_word_for_records() -> None:
    assert make(read={"reader": "regions"}).read == Read(reader="records")


def test_one_text_needs_no_brackets() -> None:
    settings = make(start="https://x", read={"reader": "tables", "key": "sku"}, warn={"send": "env:MAIL"})
    assert (settings.start, settings.read.key, settings.warn.send) == (("https://x",), ("sku",), ("env:MAIL",))


@given(sources)
def test_sources_as_plain_values_and_back(settings: SourceSettings) -> None:
    assert SourceSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301 - what was pickled a moment ago


@given(collections)
def test_collections_as_plain_values_and_back(settings: CollectionSettings) -> None:
    assert CollectionSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


@pytest.mark.parametrize(
    "name", ["a", "a" * 200, "'; DROP TABLE source; --", "../../etc", "🍎", "a.b", " ", "<script>"]
)
def test_hostile_names_are_data(name: str) -> None:
    assert make(name=name).name == name


@pytest.mark.parametrize("name", ["", "a" * 201, "a\nb", "a\0", "\x7f", "\ud800", None, 5, "new", ".", "..", "a.json"])
def test_what_is_no_name(name: object) -> None:
    with pytest.raises(UsageError, match="can't be the name of a source"):
        make(name=name)


@pytest.mark.parametrize(
    ("section", "key", "values"),
    [
        ("follow", "list", ["regin", "", None, 5, True]),
        ("follow", "next", ["more", False]),
        ("follow", "detail", ["", 5, "a\nb"]),
        ("follow", "promise", [5, [5], [""], ["a", "a"]]),
        ("follow", "depth", [-1, 101, 1.5, True, "1"]),
        ("follow", "pages", [0, 10**9]),
        ("read", "key", [[], "", [""], ["a", "a"], 5]),
        ("read", "keyword", ["price"]),
        ("read", "wrapper", ["x.json", ""]),
        ("read", "reader", ["title", 5]),
        ("manners", "rate", [0, -1, float("nan"), float("inf"), True, "fast"]),
        ("manners", "concurrency", [0, 1.5]),
        ("manners", "retries", [-1, None]),
        ("manners", "robots", ["no", 0, 1, None]),
        ("network", "render", ["never", 1, None]),
        ("network", "allow_private", [1]),
        ("network", "headers", ["X: y", {"X": 5}, {"A b": "c"}, {"Host": "x"}, {"X": "a\r\nb"}]),
        ("network", "proxy", ["socks5://h:1", 5]),
        ("network", "session", [5]),
        ("network", "user_agent", ["a\nb", 5]),
        ("network", "language", ["de_DE", None]),
        ("network", "seconds", [0, 10**6, "30"]),
        ("keep", "pages", ["yes"]),
        ("warn", "fewer", [-0.1, 1.1]),
        ("warn", "gone", ["stop"]),
        ("warn", "send", [5, ["me"], [5]]),
        ("warn", "least", ["debug"]),
        ("schedule", "every", ["often"]),
        ("schedule", "cron", ["0 30 2 * * *"]),
    ],
)
def test_what_can_not_be_meant_is_said_with_its_key(section: str, key: str, values: list[object]) -> None:
    for value in values:
        with pytest.raises(UsageError, match=SENTENCES) as caught:
            make(**{section: PLAIN.get(section, {}) | {key: value}})
        assert str(caught.value).startswith("Source 'orchard': ")
        assert section in str(caught.value)


@pytest.mark.parametrize(
    "start",
    [
        [],
        ["ftp://x"],
        ["x"],
        [""],
        ["https://"],
        ["https:///x"],
        ["https://a b"],
        ["javascript:1"],
        ["https://u:p@x"],
        5,
    ],
)
def test_what_is_no_start(start: object) -> None:
    with pytest.raises(UsageError, match=SENTENCES):
        make(start=start)
    assert make(start=[], start_file="addresses.txt").start == ()


def test_unknown_keys_name_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"Source 'orchard': There is no 'maners'; the nearest is 'manners'\."):
        make(maners={})
    with pytest.raises(UsageError, match=r"There is no 'manners\.rat'; the nearest is 'rate'\."):
        make(manners={"rat": 1})
    with pytest.raises(UsageError, match=r"There is no 'schedule\.evry'; the nearest is 'every'\."):
        make(schedule={"evry": "1 day"})
    with pytest.raises(UsageError, match="Collection 'fruit': There is no 'frm'; the nearest is 'from'"):
        CollectionSettings.from_dict({"name": "fruit", "key": ["sku"], "frm": {}})


def test_what_reads_must_be_said() -> None:
    with pytest.raises(UsageError, match="read needs one of wrapper and reader"):
        SourceSettings.from_dict({"name": "a", "start": ["https://x"]})
    with pytest.raises(UsageError, match="manners is not a Manners value"):
        SourceSettings(name="a", start=("https://x",), read=Read(reader="records"), manners=5)  # type: ignore[arg-type]


def test_likeness_is_that_of_the_key_where_no_label_is_named() -> None:
    settings = CollectionSettings.from_dict({"name": "fruit", "key": ["a"], "likeness": 0.8})
    assert (settings.likeness, settings.compare) == (0.8, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": []},
        {"key": ["a"], "match": "fuzzy"},
        {"key": ["a"], "likeness": 90},
        {"key": ["a"], "from": {"orchard": "sku"}},
        {"key": ["a"], "from": {"orchard": {"sku": 5}}},
        {"key": ["a"], "from": {"": {}}},
        {"key": ["a"], "types": {"price": "euro"}},
    ],
)
def test_what_is_no_collection(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=SENTENCES) as caught:
        CollectionSettings.from_dict({"name": "fruit"} | wrong)
    assert str(caught.value).startswith("Collection 'fruit': ")


def test_secrets_are_never_shown() -> None:
    network = {"headers": {"Authorization": "s3cret"}, "proxy": "http://u:s3cret@host:1"}
    settings = make(network=network, warn={"send": ["mailto://u:s3cret@host"]})
    assert "s3cret" not in repr(settings)
    for wrong in ({"headers": "Authorization: s3cret"}, {"headers": {"X": "s3cret\n"}}, {"proxy": "ftp://s3cret@h"}):
        with pytest.raises(UsageError) as caught:
            Network(**wrong)
        assert "s3cret" not in str(caught.value)
    with pytest.raises(UsageError) as other:
        Warn(send=("s3cret",))
    assert "s3cret" not in str(other.value)


def test_secrets_are_looked_up_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("hay\n", "utf-8")
    monkeypatch.setenv("PROXY", "http://u:p@host:3128")
    assert resolve_secret(f"file:{tmp_path / 'token'}") == "hay"
    assert resolve_secret("plain") == "plain"
    network = Network(headers={"X-Token": f"file:{tmp_path / 'token'}"}, proxy="env:PROXY", seconds=5, session="s.json")
    options = network.options()
    assert options.headers == {"X-Token": "hay"}
    assert options.proxy == "http://u:p@host:3128"
    assert (options.limits.seconds, options.session) == (5, Path("s.json"))
    for missing in ("env:WINDROW_NOWHERE", f"file:{tmp_path / 'nowhere'}"):
        with pytest.raises(UsageError, match="which the settings name"):
            resolve_secret(missing)


@pytest.mark.parametrize(
    ("key", "value", "where", "expected"),
    [
        ("manners.rate", "2", lambda s: s.manners.rate, 2.0),
        ("manners.robots", "false", lambda s: s.manners.robots, False),
        ("manners.rate", "", lambda s: s.manners.rate, 0.5),
        ("read.key", "sku", lambda s: s.read.key, ("sku",)),
        ("read.key", '["a", "b"]', lambda s: s.read.key, ("a", "b")),
        ("read.key", "2024", lambda s: s.read.key, ("2024",)),
        ("read.wrapper", "x.json", lambda s: s.read, Read(wrapper="x.json")),
        ("read.reader", "toplist", lambda s: s.read.reader, "toplist"),
        ("network.render", "auto", lambda s: s.network.render, "auto"),
        ("network.headers.X.Y", "1", lambda s: s.network.headers, {"X.Y": "1"}),
        ("network.headers", '{A = "b"}', lambda s: s.network.headers, {"A": "b"}),
        ("schedule.cron", "0 3 * * *", lambda s: s.schedule, Schedule(cron="0 3 * * *", zone="Europe/Berlin")),
        ("schedule", "", lambda s: s.schedule, None),
        ("follow.detail", "*/p/*", lambda s: s.follow, Follow(list="region", detail="*/p/*")),
        ("start", "https://y", lambda s: s.start, ("https://y",)),
        ("keep.pages", "true\nwarn = 1", None, None),
        ("manners.rat", "2", None, None),
        ("manners.rat", "", None, None),
        ("start.0", "https://y", None, None),
        ("name", "x", None, None),
        ("manners", "5", None, None),
        ("read", "", None, None),
        ("", "5", None, None),
    ],
)
def test_one_setting_is_changed(key: str, value: str, where: Any, expected: object) -> None:  # noqa: ANN401
    settings = make(schedule={"every": "6 hours", "zone": "Europe/Berlin"}, manners={"rate": 1})
    if where is None:
        with pytest.raises(UsageError, match=SENTENCES):
            change_setting(settings, key, value)
    else:
        changed = change_setting(settings, key, value)
        assert where(changed) == expected
        assert changed.name == settings.name
