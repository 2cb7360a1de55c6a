"""One setting changed, as a command line says it: ``manners.rate=2``."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.harvest.checks import check_known
from windrow.harvest.settings import SECTIONS, SourceSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

INSTEAD: Mapping[str, tuple[str, ...]] = {
    "read.wrapper": ("reader", "keyword"),
    "read.reader": ("wrapper", "keyword"),
    "schedule.every": ("cron",),
    "schedule.cron": ("every",),
}
"""What goes when something else takes its place."""


def change_setting(settings: SourceSettings, key: str, value: str) -> SourceSettings:
    """Return settings with one of them changed, as in ``manners.rate`` to ``2``; an empty value means the default.

    The value is read as TOML where it is some, and as text where it is not, or where a text is what is needed.
    """
    parsed = _parsed(value)
    try:
        return _changed(settings, key, parsed)
    except UsageError:
        if not isinstance(parsed, str | None):
            with suppress(UsageError):
                return _changed(settings, key, value)
        raise


def _changed(settings: SourceSettings, key: str, value: object) -> SourceSettings:
    plain = settings.to_dict()
    section, _, rest = key.partition(".")
    check_known("", [section if not rest or section in SECTIONS else key], ["start", "start_file", *SECTIONS])
    path = [section, *rest.split(".", 1)] if rest.startswith("headers.") else [section, *filter(None, [rest])]
    table: dict[str, Any] = plain
    for name in path[:-1]:
        table = table.setdefault(name, {})
    for other in INSTEAD.get(key, ()):
        table.pop(other, None)
    if value is not None:
        table[path[-1]] = value
    else:
        if rest:
            check_known(f"{section}.", [path[1]], [each.name for each in fields(SECTIONS[section])])
        table.pop(path[-1], None)
    if not plain.get(section):
        plain.pop(section, None)
    return SourceSettings.from_dict(plain)


def _parsed(value: str) -> object:
    """Return what a value says as TOML, the text itself where it is none, and nothing where it is empty."""
    if not value.strip():
        return None
    try:
        plain = tomllib.loads(f"value = {value}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return value
    return plain["value"] if len(plain) == 1 else value
