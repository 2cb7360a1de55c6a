"""Hostile text in a database, whole: what neither SQLite nor PostgreSQL can hold is escaped, and comes back as it was.

PostgreSQL refuses NUL, SQLite's own functions stop at it, and both refuse lone surrogates. A text with one of them is
stored as a marker that no text should begin with, followed by the text as a JSON string in ASCII. A whole number of
more than 64 bits is stored as its digits.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import Text as SqlText
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

MARKER = "\ufdd0"
"""A code point that the standard reserves for no character."""
LONGEST_KEY = 64
"""The bytes up to which a key is looked up by itself."""
LEAST_INTEGER, GREATEST_INTEGER = -(2**63), 2**63 - 1
"""The whole numbers that either database can reckon with."""
_UNSAFE = re.compile(f"[\x00\ud800-\udfff]|\\A{MARKER}")


def escape(text: str) -> str:
    """Return a text in the form in which any database can hold it."""
    return MARKER + json.dumps(text) if _UNSAFE.search(text) else text


def unescape(text: str) -> str:
    """Return the text that ``escape`` was given."""
    return str(json.loads(text[1:])) if text.startswith(MARKER) else text


def dump(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    """Return plain values as JSON whose texts are escaped."""
    try:
        encoded = orjson.dumps(value)
    except TypeError:  # a lone surrogate, or a number of more than 64 bits
        return orjson.dumps(_map_texts(value, escape)).decode()
    if b"\\u0000" in encoded or b"\xef\xb7\x90" in encoded:
        encoded = orjson.dumps(_map_texts(value, escape))
    return encoded.decode()


def encode(value: Any) -> bytes:  # noqa: ANN401 - whatever JSON can hold
    """Return bytes that tell plain values apart."""
    try:
        return orjson.dumps(value)
    except TypeError:  # as above
        return orjson.dumps(_map_texts(value, escape))


def load(text: str) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return the plain values that ``dump`` was given."""
    value = orjson.loads(text)
    return _map_texts(value, unescape) if MARKER in text else value


def _map_texts(value: Any, function: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    if isinstance(value, str):
        return function(value)
    if isinstance(value, dict):
        return {function(name): _map_texts(each, function) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_map_texts(each, function) for each in value]
    if isinstance(value, int) and not LEAST_INTEGER <= value <= GREATEST_INTEGER:
        return str(value)
    return value


def digest(data: str | bytes) -> bytes:
    """Return the 16 bytes that a text is looked up by: an index has no room for one of a megabyte."""
    encoded = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return hashlib.blake2b(encoded, digest_size=16).digest()


def lookup(key: str) -> bytes:
    """Return what a record is looked up by: its key, or the beginning of a long one with its digest.

    Keys that are alike often stand together, on pages and then in the index. By their digests alone, storing a page
    would touch as many places of the index as it has records, each of which is written with it.
    """
    encoded = key.encode("utf-8", "surrogatepass")
    return encoded if len(encoded) <= LONGEST_KEY else encoded[:LONGEST_KEY] + digest(encoded)


class Text(TypeDecorator[str]):
    """Any text, whatever is in it."""

    impl = SqlText
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy calls it
        """Escape what goes in."""
        return None if value is None else escape(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy calls it
        """Return what came out as it was."""
        return None if value is None else unescape(value)


class Json(TypeDecorator[Any]):
    """Plain values as JSON text: readable by the JSON functions of either database."""

    impl = SqlText
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ANN401, ARG002 - as above
        """Write what goes in."""
        return None if value is None else dump(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ANN401, ARG002 - as above
        """Return what came out as it was."""
        return None if value is None else load(value)
