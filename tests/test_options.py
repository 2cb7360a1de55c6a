from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import pytest

import windrow
from windrow import Limits, Options


@pytest.mark.parametrize(
    "given",
    [
        {"viewport": (800, 600)},
        {"viewport": [800, 600]},
        {"language": "de-AT"},
        {"language": "de;q=0.9,en"},
        {"language": "de, en;q=0.5 , *;q=0"},
        {"headers": {"X-Key": "café: 1\t2", "X-Empty": ""}},
        {"proxy": ""},
        {"proxy": "http://user:password@proxy.example:3128"},
        {"scroll": 0, "load_more": 3},
        {"limits": Limits(seconds=1, bytes=1, loaded=1, nodes=1)},
        {"limits": Limits(seconds=math.inf)},
    ],
)
def test_what_can_be_meant(given: dict[str, Any]) -> None:
    assert Options(**given).language


@pytest.mark.parametrize(
    "given",
    [
        *({"viewport": size} for size in ((0, 600), (800, -1), (800,), (1, 2, 3), (1.5, 2), (99_999, 1), "800x600", 5)),
        *({"language": name} for name in ("", "de_DE", "de;", "de\r\nX: y", "de;q=2", "a" * 9, None, 5)),
        *({"headers": headers} for headers in ({"X": 5}, {5: "x"}, {"X": "a\r\nY: b"}, {"A b": "c"}, [("X", "y")])),
        *({"headers": {name: "x"}} for name in ("Host", "Transfer-Encoding", "Proxy-Deadline", "")),
        *({"proxy": address} for address in ("localhost:1", "socks5://h:1", "http://a/b", "http://h:99999", 5)),
        *({"scroll": number} for number in (-1, 1.5, True, None)),
        {"load_more": -1},
        {"user_agent": "a\nb"},
        {"user_agent": 5},
        {"wait_for": 5},
        {"wait_for_text": b"hay"},
        {"session": 5},
        {"limits": 5},
    ],
)
def test_what_can_not_be_meant(given: dict[str, Any]) -> None:
    with pytest.raises(windrow.UsageError, match=r"^[^\r\n]+\. [^\r\n]+\.$"):
        Options(**given)


@pytest.mark.parametrize("name", ["seconds", "bytes", "loaded", "nodes"])
@pytest.mark.parametrize("value", [0, -1, math.nan, -math.inf, 10**12, "5", None, True])
def test_limits_are_positive(name: str, value: Any) -> None:  # noqa: ANN401 - any value at all
    with pytest.raises(windrow.UsageError, match=f"is not a limit of {name}"):
        Limits(**{name: value})


def test_a_session_may_be_named_by_text() -> None:
    assert Options(session="session.json") == Options(session=Path("session.json"))
    assert Options(session="session.json").session == Path("session.json")


def test_options_stay_as_they_were_checked_and_go_between_processes() -> None:
    headers = {"X-Key": "hay"}
    options = Options(headers=headers, session="session.json")
    headers["X-Key"] = "a\r\nHost: b"
    assert options.headers == {"X-Key": "hay"}
    assert pickle.loads(pickle.dumps(options)) == options  # noqa: S301 - what was pickled a moment ago


def test_the_password_of_a_proxy_is_never_shown() -> None:
    with pytest.raises(windrow.UsageError) as caught:
        Options(proxy="ftp://user:s3cret@host:1")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(
            viewport=(800, 600),
            headers={"X-Key": "hay"},
            proxy="http://user:password@proxy.example:3128",
            session="session.json",
            wait_for="p",
            scroll=2,
            allow_private=True,
            limits=Limits(seconds=math.inf, nodes=5),
        ),
    ],
)
def test_options_as_plain_values_and_back(options: Options) -> None:
    plain = json.loads(json.dumps(options.to_dict()))
    assert Options.from_dict(plain) == options


def test_options_that_say_only_some_things() -> None:
    assert Options.from_dict({"language": "de"}) == Options(language="de")
    assert Options.from_dict({"limits": {"seconds": 5}}) == Options(limits=Limits(seconds=5))
    several: list[Any] = [{"hay": 1}, {"limits": {"hay": 1}}, {"limits": 5}, {"scroll": "x"}, []]
    for wrong in several:
        with pytest.raises(windrow.UsageError):
            Options.from_dict(wrong)


def test_options_do_not_show_secrets() -> None:
    shown = repr(Options(headers={"X-Key": "s3cret"}, proxy="http://user:s3cret@host:1"))
    assert "s3cret" not in shown


def test_a_page_can_not_wait_longer_than_it_has() -> None:
    with pytest.raises(windrow.UsageError, match=r"has 5 seconds in all can't wait for 5\. Raise the limit"):
        windrow.Options(wait=5, limits=windrow.Limits(seconds=5))
    assert windrow.Options(wait=5).wait == 5
