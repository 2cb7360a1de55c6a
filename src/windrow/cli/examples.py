"""The example pages that a wrapper is learned from, as people give them: words of the command, or a file.

A file has an example a page: a CSV sheet has a row each, with the page in the column ``source`` and a column a label;
TOML and JSON have ``source`` and ``values``, or ``rows`` for a list page. ``url`` says where a saved page came from.
Files that are named in it lie beside it.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.cli.sources import is_address
from windrow.errors import SourceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Texts: TypeAlias = dict[str, list[str]]

NEXT_LABEL = re.compile(r"\|(?=[^|=]+=)")
"""Where a row goes on with another label; a bar within a text is none."""
ABOUT = ("source", "url")
"""The columns of a sheet that are no labels."""


@dataclass(frozen=True)
class Example:
    """A page, and what was pasted from it: the texts of its labels, or rows of such texts."""

    source: str
    wanted: Texts | list[Texts]
    url: str | None = None

    @property
    def is_list(self) -> bool:
        """Whether rows of a list were pasted."""
        return isinstance(self.wanted, list)


def words_to_texts(words: Iterable[str]) -> Texts:
    """Return the texts of each label, from words such as ``title="text"``."""
    texts: Texts = {}
    for word in words:
        label, equals, text = word.partition("=")
        if not equals or not label.strip() or not text.strip():
            raise UsageError(f'{word!r} should look like title="text as the page displays it".')
        texts.setdefault(label.strip(), []).append(text)
    return texts


def words_to_rows(words: Iterable[str]) -> list[Texts]:
    """Return the rows of a list, from words such as ``title=text|price=text``."""
    return [words_to_texts(NEXT_LABEL.split(word)) for word in words]


def read_examples(path: Path) -> list[Example]:
    """Read the examples of a file, whose ending says in which form they are."""
    if path.suffix.lower() not in FORMS:
        raise UsageError(f"Examples stand in a {', '.join(FORMS)} file, so {path} should end in one of these.")
    try:
        entries = FORMS[path.suffix.lower()](path.read_text("utf-8-sig"))
    except OSError as error:
        raise SourceError(f"The examples {path} could not be read: {error.strerror}. Check the file's name.") from None
    except (ValueError, RecursionError, csv.Error) as error:
        what = " ".join(str(error).split())
        raise UsageError(
            f"The examples {path} are not understood: {what}. See `windrow learn` in the manual."
        ) from None
    if not entries:
        raise UsageError(f"There is no example in {path}. Add a page and its texts.")
    return [_entry_to_example(path, number, entry) for number, entry in enumerate(entries, 1)]


def _from_csv(text: str) -> list[dict[str, Any]]:
    """Read a sheet; several values of a label stand on lines of a cell, or in columns of the same name."""
    heading, *rows = csv.reader(io.StringIO(text), strict=True)
    names = [name.strip() for name in heading]
    entries = []
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        entry: dict[str, Any] = {}
        values: Texts = {}
        for name, cell in zip(names, row, strict=False):
            if name in ABOUT:
                entry[name] = cell.strip()
            elif lines := [line.strip() for line in cell.splitlines() if line.strip()]:
                values.setdefault(name, []).extend(lines)
        entries.append({**entry, "values": values})
    return entries


def _from_json(text: str) -> list[dict[str, Any]]:
    return _are_entries(json.loads(text), "a list")


def _from_toml(text: str) -> list[dict[str, Any]]:
    return _are_entries(tomllib.loads(text).get("example", []), "[[example]] tables")


def _are_entries(found: object, what: str) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise ValueError(f"it should be {what} of examples, each with source and values")
    return found


FORMS = {".csv": _from_csv, ".toml": _from_toml, ".json": _from_json}


def _entry_to_example(path: Path, number: int, entry: dict[str, Any]) -> Example:
    source, url = entry.get("source"), entry.get("url") or None
    if not isinstance(source, str) or not source or not isinstance(url, str | None):
        raise UsageError(f"Example {number} of {path} does not say where its page is. Give its source as a text.")
    if unknown := set(entry) - {*ABOUT, "values", "rows"}:
        raise UsageError(
            f"Example {number} of {path} has {min(unknown)!r}, which is not understood. Put labels into values."
        )
    place = source if is_address(source) else str(path.parent / source)
    wanted: Texts | list[Texts]
    if "rows" in entry and isinstance(entry["rows"], list):
        wanted = [_to_texts(path, number, row) for row in entry["rows"]]
    else:
        wanted = _to_texts(path, number, entry.get("values"))
    return Example(place, wanted, url)


def _to_texts(path: Path, number: int, values: object) -> Texts:
    texts = {label: [some] if isinstance(some, str) else some for label, some in _items(values)}
    if not texts or not all(
        isinstance(some, list) and all(isinstance(each, str) for each in some) for some in texts.values()
    ):
        raise UsageError(f'Example {number} of {path} needs texts by label, as in title = "text on the page".')
    return texts


def _items(values: object) -> list[tuple[str, Any]]:
    return list(values.items()) if isinstance(values, dict) else []
