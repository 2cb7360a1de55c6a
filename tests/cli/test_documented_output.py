"""What docs/command.md shows is what the command prints."""

from __future__ import annotations

import json
import re

import pytest
from command import ROOT, objects, run

DOCUMENT = (ROOT / "docs" / "command.md").read_text("utf-8")
EXAMPLE = re.compile(
    r"^```sh\n(?:echo '(?P<given>[^']*)' \| )?windrow (?P<words>[^\n]*--json)\n```\n.*?```json\n(?P<value>.*?)```$",
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.parametrize("example", [*EXAMPLE.finditer(DOCUMENT)], ids=lambda found: found["words"])
def test_json_in_the_document_is_what_the_command_prints(example: re.Match[str]) -> None:
    result = run(*example["words"].split(), given=f"{example['given'] or ''}\n".encode())
    assert objects(result) == [json.loads(example["value"])]


def test_both_examples_are_found() -> None:
    assert len(EXAMPLE.findall(DOCUMENT)) == 2
