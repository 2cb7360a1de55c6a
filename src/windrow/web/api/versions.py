"""Versions of what can be edited: an entity tag for each, and changes only of the version that somebody looked at."""

import hashlib
from typing import Annotated

import orjson
from fastapi import Header

from windrow.errors import StaleError
from windrow.web.problems import UnconditionalError

IfMatch = Annotated[
    str | None, Header(max_length=1000, description="The ETag of the version to change, or * for any.", examples=["*"])
]
IfNoneMatch = Annotated[str | None, Header(max_length=1000, description="* where it must not be there yet.")]
ANY = "*"


def tag(version: object) -> str:
    """Return the entity tag of a version; of something without versions, of all that is known of it."""
    if isinstance(version, int):
        return f'"{version}"'
    return f'"{hashlib.sha256(orjson.dumps(version, option=orjson.OPT_SORT_KEYS)).hexdigest()[:24]}"'


def check_match(given: str | None, version: object, current: object, *, absent: str | None = None) -> None:
    """Refuse a change of another version than the present one; ``version`` is None where there is nothing yet.

    ``absent`` is the header If-None-Match, by which something is made that must not be there.
    """
    if given is None and absent is None:
        raise UnconditionalError(
            "Say which version is meant, so that nobody's change is lost: If-Match with the ETag that a GET gave, or "
            "If-None-Match: * to make what is not there yet."
        )
    if absent is not None and version is not None:
        raise StaleError("It is there already. Read it, then send If-Match with its ETag.", current)
    if given is not None and (version is None or (given.strip() != ANY and tag(version) not in _tags(given))):
        raise StaleError(
            "It was changed since you looked at it. Look at the current version, then send the change again with its "
            "ETag.",
            current,
        )


def _tags(given: str) -> list[str]:
    return [each.strip().removeprefix("W/") for each in given.split(",")]
