"""Small pages of our own index on which each decision of the wrapper room matters; see ``expected.json`` of a case."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import windrow

CASES = sorted(folder for folder in (Path(__file__).parent / "quality").iterdir() if folder.is_dir())


def load(case: Path, name: str, url: str) -> windrow.Page:
    return windrow.parse((case / f"{name}.html").read_bytes(), url=url)


def learn(case: Path, expected: dict[str, Any]) -> windrow.Wrapper:
    examples = [(load(case, row["page"], row["url"]), row["values"]) for row in expected["learn"]]
    wrapper = windrow.learn(*examples[0], expected["region"]) if "region" in expected else windrow.learn(examples)
    return windrow.Wrapper.from_json(wrapper.to_json())


def find_faults(case: Path) -> list[str]:
    """Return what is not as expected, a sentence each."""
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    wrapper, faults = learn(case, expected), []
    for row in expected.get("extract", ()):
        got = wrapper.extract(load(case, row["page"], row["url"]))
        faults += [
            f"{row['page']}: {label} is {got.values[label]}, not {texts}"
            for label, texts in row["values"].items()
            if got.values[label] != texts or (label in got.missing) == bool(texts)
        ]
        faults += [f"{row['page']}: is {got.kind}, not {row['kind']}"] if got.kind != row.get("kind", "page") else []
    faults += [fault for row in expected.get("check", ()) for fault in check(case, wrapper, row)]
    return faults + [fault for row in expected.get("heal", ()) for fault in heal(case, wrapper, row)]


def check(case: Path, wrapper: windrow.Wrapper, row: dict[str, Any]) -> list[str]:
    page = load(case, row["page"], row["url"])
    if "status" in row:
        page = replace(page, provenance=replace(page.provenance, status=row["status"]))
    change = wrapper.check(page)
    asked = [name for name in ("case", "severity", "labels") if name in row]
    said = [change.kind, change.changed, *(change.to_dict()[name] for name in asked)]
    wanted = [row["kind"], row["kind"] not in {"same", "content"}, *(row[name] for name in asked)]
    return [f"{row['page']} at {row['url']}: check says {said}, not {wanted}"] if said != wanted else []


def heal(case: Path, wrapper: windrow.Wrapper, row: dict[str, Any]) -> list[str]:
    pages = [load(case, name, url) for name, url in row["pages"]]
    try:
        healed = wrapper.heal(pages, partial=row.get("partial", False))
        outcome, report = "healed", healed.report
    except (windrow.RegionGone, windrow.HealUncertain) as error:
        healed, outcome = wrapper, "gone" if isinstance(error, windrow.RegionGone) else "uncertain"
        report = error.report
    faults = [f"{row['pages']}: {outcome}, not {row['outcome']}"] if outcome != row["outcome"] else []
    faults += [
        f"{row['pages']}: {name} is not {row[name]} in {report}"
        for name in ("lost", "doubtful")
        if name in row and (report is None or list(getattr(report, name)) != row[name])
    ]
    if "then" in row and not faults:
        got = healed.extract(load(case, row["then"]["page"], row["then"]["url"])).values
        if got != row["then"]["values"]:
            faults.append(f"{row['pages']}: then reads {got}, not {row['then']['values']}")
    return faults


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_page_is_learned_read_checked_and_healed_as_expected(case: Path) -> None:
    assert find_faults(case) == []


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 25
