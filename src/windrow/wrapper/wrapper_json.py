"""A wrapper as JSON that people can read and compare: a line for each of its parts, for each example and each label."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.wrapper.fetch import Fetch
from windrow.wrapper.field import Field
from windrow.wrapper.lists.rule import ListRule
from windrow.wrapper.reference import Example, Reference
from windrow.wrapper.rule import Rule
from windrow.wrapper.template.skeleton import Fingerprint
from windrow.wrapper.template.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windrow.wrapper.wrapper import Wrapper

VERSION = 3
"""Of the form in which wrappers are written."""


def wrapper_to_json(wrapper: Wrapper) -> str:
    """Write a wrapper, and the versions before it, the newest first: a line for each, which never changes again."""
    earlier, version = [], wrapper.previous
    while version is not None:
        earlier.append(one_line(json.loads(in_parts(version_parts(version)))))
        version = version.previous
    return in_parts(version_parts(wrapper) | {"earlier": in_lines("[]", earlier)})


def version_parts(wrapper: Wrapper) -> dict[str, str]:
    """Return the parts of one version as JSON, without the versions before it."""
    fingerprint = {
        "always": sorted(wrapper.fingerprint.always),
        "sometimes": sorted(wrapper.fingerprint.ever - wrapper.fingerprint.always),
    }
    return {
        "windrow": one_line("wrapper"),
        "version": one_line(VERSION),
        "revision": one_line(wrapper.version),
        "name": one_line(wrapper.name),
        "learned_at": one_line(None if wrapper.learned_at is None else wrapper.learned_at.isoformat()),
        "fetch": one_line(wrapper.fetch.to_dict()),
        "examples": in_lines("[]", (one_line(example.to_dict()) for example in wrapper.examples)),
        "fields": by_label({label: field.to_dict() for label, field in wrapper.fields.items()}),
        "rules": by_label({label: [rule.to_dict() for rule in rules] for label, rules in wrapper.rules.items()}),
        "list": one_line(None if wrapper.list_rule is None else wrapper.list_rule.to_dict()),
        "reference": one_line(wrapper.reference.to_dict()),
        "fingerprint": one_line(fingerprint),
        "surroundings": one_line(wrapper.surroundings.to_dict()),
    }


def wrapper_from_json(kind: type[Wrapper], text: str) -> Wrapper:
    """Read what was written; an error says what to do where it can't be read."""
    try:
        plain: dict[str, Any] = json.loads(text)
        if plain["windrow"] == "wrapper" and int(plain["version"]) > VERSION:
            raise UsageError(
                f"This wrapper has version {plain['version']}, and this Windrow reads version {VERSION}. Update "
                "Windrow, or learn the site again."
            )
        if plain["windrow"] != "wrapper" or plain["version"] != VERSION:
            raise UsageError(f"This is no wrapper of version {VERSION}. Learn the site again.")
        version = None
        for earlier in reversed(plain["earlier"]):
            version = version_from_dict(kind, earlier, version)
        return version_from_dict(kind, plain, version)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise UsageError("This is not a wrapper that Windrow wrote. Learn the site again.") from error


def version_from_dict(kind: type[Wrapper], plain: dict[str, Any], previous: Wrapper | None) -> Wrapper:
    """Return one version of a wrapper from what JSON held, after the one before it."""
    always = frozenset(map(int, plain["fingerprint"]["always"]))
    if not isinstance(plain["name"], str):
        raise TypeError("the name is not text")
    return kind(
        Reference.from_dict(plain["reference"]),
        {label: tuple(Rule.from_dict(label, rule) for rule in rules) for label, rules in plain["rules"].items()},
        Fingerprint(always, always | frozenset(map(int, plain["fingerprint"]["sometimes"]))),
        Surroundings.from_dict(plain["surroundings"]),
        tuple(map(Example.from_dict, plain["examples"])),
        None if plain["list"] is None else ListRule.from_dict(plain["list"]),
        plain["name"],
        None if plain["learned_at"] is None else datetime.fromisoformat(plain["learned_at"]),
        {label: Field.from_dict(field) for label, field in plain["fields"].items()},
        Fetch.from_dict(plain["fetch"]),
        int(plain["revision"]),
        previous,
    )


def in_parts(parts: Mapping[str, str]) -> str:
    """Write a JSON object with a line for each part, which is JSON itself."""
    return "{\n " + ",\n ".join(f"{one_line(name)}: {part}" for name, part in parts.items()) + "\n}"


def by_label(parts: Mapping[str, Any]) -> str:
    """Write a JSON object with a line for each label."""
    return in_lines("{}", (f"{one_line(label)}: {one_line(part)}" for label, part in parts.items()))


def in_lines(brackets: str, lines: Iterable[str]) -> str:
    """Write lines of JSON between brackets."""
    inner = ",\n  ".join(lines)
    return f"{brackets[0]}\n  {inner}\n {brackets[1]}" if inner else brackets


def one_line(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    """Write JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
