"""What a setting may be: each check returns the value as it is kept, or says which key is wrong and what to write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_NAME = 200
LONGEST_ADDRESS = 8192
ADDRESS = re.compile(r"https?://(?P<host>[^\s/?#]+)[^\s]*", re.IGNORECASE)
WITHOUT_PAGE = ("new", ".", "..")
"""Names that mean something else as a part of an address."""
UNPRINTABLE = {"Cc", "Cs"}
"""Control characters, and halves of characters, which no file can hold."""


def check_name(name: object, what: str) -> str:
    """Return a name of a source or a collection; whatever it holds beside control characters is data.

    Nor may it be one that has no page of its own in the web interface.
    """
    if not isinstance(name, str) or not name or len(name) > LONGEST_NAME or not _is_printable(name):
        raise UsageError(
            f"{_shown(name)} can't be the name of a {what}. Give 1 to {LONGEST_NAME} characters, and no control "
            "characters."
        )
    if name in WITHOUT_PAGE or name.endswith(".json"):
        raise UsageError(
            f"{_shown(name)} can't be the name of a {what}: no address could lead to its page. Give it another one, "
            f"that is none of {', '.join(WITHOUT_PAGE)} and does not end in .json."
        )
    return name


def check_text(key: str, value: object) -> str:
    """Return a text that is not empty and is of one line."""
    if not isinstance(value, str) or not value.strip() or not _is_printable(value):
        raise UsageError(f"{key} is {_shown(value)}, not a text of one line. Write it in quotes, or leave it out.")
    return value


def check_optional_text(key: str, value: object) -> str | None:
    """Return such a text, or nothing."""
    return None if value is None else check_text(key, value)


def check_texts(key: str, value: object) -> tuple[str, ...]:
    """Return several texts, each once; one alone needs no brackets."""
    given = (value,) if isinstance(value, str) else value
    if not isinstance(given, list | tuple):
        raise UsageError(f'{key} is {_shown(value)}, not a list of texts. Write it as in ["one", "two"].')
    texts = tuple(check_text(key, each) for each in given)
    twice = next((text for number, text in enumerate(texts) if text in texts[:number]), None)
    if twice is not None:
        raise UsageError(f"{key} names {_shown(twice)} twice. Write it once.")
    return texts


def check_labels(key: str, value: object) -> tuple[str, ...]:
    """Return one label or several."""
    labels = check_texts(key, value)
    if not labels:
        raise UsageError(f"{key} is empty. Name one label or several.")
    return labels


def check_addresses(key: str, value: object) -> tuple[str, ...]:
    """Return addresses of the web, which may be patterns such as ``https://x/p/{1..20}``."""
    addresses = check_texts(key, value)
    for address in addresses:
        found = ADDRESS.fullmatch(address)
        if found is None or len(address) > LONGEST_ADDRESS:
            raise UsageError(f"{key} names {_shown(address)}, which is no address of the web. Begin with https://.")
        if "@" in found["host"]:
            raise UsageError(
                f"{key} names an address with a user or a password. Leave them out; send them as a header instead: "
                'network.headers = {Authorization = "env:NAME"}.'
            )
    return addresses


def check_choice(key: str, value: object, choices: Iterable[object]) -> None:
    """Refuse what is none of the choices."""
    known = list(choices)
    if not any(value is each or (isinstance(each, str) and value == each) for each in known):
        said = ", ".join(_shown(each) for each in known)
        raise UsageError(f"{key} is {_shown(value)}. Write one of: {said}{_nearest(value, known)}.")


def check_answer(key: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    check_choice(key, value, (True, False))


def check_number(key: str, value: object, least: float, most: float) -> float:
    """Return a number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise UsageError(f"{key} is {_shown(value)}. Give a number from {least:g} to {most:,g}.")
    return value


def check_count(key: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(f"{key} is {_shown(value)}. Give a whole number from {least} to {most:,}.")


def check_pairs(key: str, value: object) -> dict[str, str]:
    """Return a table of texts."""
    table = check_table(key, value)
    return {check_text(f"a key of {key}", name): check_text(f"{key}.{name}", text) for name, text in table.items()}


def check_table(key: str, value: object) -> Mapping[str, Any]:
    """Return a table of settings."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise UsageError(f"{key} is {_shown(value)}, not a table. Write it as [{key}], with a line for each setting.")
    return value


def check_known(where: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a key that does not exist, and name the nearest one that does."""
    names = list(known)
    for key in given:
        if key not in names:
            raise UsageError(f"There is no {_shown(where + key)}{_nearest(key, names)}. Known are: {', '.join(names)}.")


def _nearest(value: object, known: Iterable[object]) -> str:
    near = get_close_matches(str(value), [each for each in known if isinstance(each, str)], 1, cutoff=0.5)
    return f"; the nearest is {near[0]!r}" if near else ""


def _is_printable(text: str) -> bool:
    return not any(unicodedata.category(char) in UNPRINTABLE for char in text)


def _shown(value: object) -> str:
    """Return a value as TOML writes it, cut where it is long."""
    text = str(value).lower() if isinstance(value, bool) else "nothing" if value is None else ascii(value)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"
