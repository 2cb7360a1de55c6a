from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from command import ORCHARD, run

from windrow.loader import Loader, Task
from windrow.options import Limits, Options
from windrow.process.program import core_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

GIVEN = """--viewport 800x600 --user-agent Rake/1 --proxy http://proxy.example:3128 --language de,en --wait-for #x
--scroll 3 --load-more 2 --allow-private --seconds 7.5 --max-bytes 1000 --max-nodes 50 --workers 3"""


def options_of(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> dict[str, Any]:
    asked: dict[str, Any] = {}

    def map_tasks(loader: Loader, _: object, tasks: Iterable[Task], **manner: bool) -> Iterator[object]:
        assert manner == {"siblings": True}
        (task,) = tasks
        asked.update(render=task.render, options=task.options, workers=loader.workers)
        yield from ()

    monkeypatch.setattr(Loader, "map", map_tasks)
    run("read", ORCHARD, *words)
    return asked


def test_without_choices_the_defaults_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    assert options_of(monkeypatch) == {"render": True, "options": Options(headers={}), "workers": core_count()}


@pytest.mark.parametrize(
    "words",
    [
        ("--header", "X: €"),
        ("--header", "Host: farm.example"),
        ("--header", "A b: c"),
        ("--language", "de_DE"),
        ("--proxy", "socks5://proxy.example:1"),
        ("--user-agent", "a\nb"),
    ],
)
def test_choices_that_can_not_be_meant_are_wrong_use(words: tuple[str, ...]) -> None:
    result = run("read", ORCHARD, "--no-render", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


def test_every_choice_arrives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    session = tmp_path / "session.json"
    session.write_text("{}", encoding="utf-8")
    rest = (
        "--header",
        "A: b: c",
        "--header",
        "X-Empty:",
        "--wait-for-text",
        "new hay",
        "--session",
        session,
        "--no-render",
    )
    assert options_of(monkeypatch, *GIVEN.split(), *rest) == {
        "render": False,
        "workers": 3,
        "options": Options(
            viewport=(800, 600),
            user_agent="Rake/1",
            headers={"A": "b: c", "X-Empty": ""},
            proxy="http://proxy.example:3128",
            language="de,en",
            session=session,
            wait_for="#x",
            wait_for_text="new hay",
            scroll=3,
            load_more=2,
            allow_private=True,
            limits=Limits(seconds=7.5, bytes=1000, nodes=50),
        ),
    }
