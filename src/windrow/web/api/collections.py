"""Collections in the API: their schemas, their rows, and rows that may be the same thing."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from windrow.errors import UsageError
from windrow.harvest.collections import keep_collection
from windrow.harvest.settings import CollectionSettings
from windrow.store.collections import (
    Collection,
    Gathering,
    get_collection,
    list_collections,
    remove_collection,
)
from windrow.store.likeness import find_alike
from windrow.store.verdicts import first_side
from windrow.web.api.answers import CollectionAnswer, CollectionsAnswer, PairsAnswer, RowsAnswer
from windrow.web.api.bodies import CollectionBody
from windrow.web.api.endpoint import JSON, JSON_LINES, Asking, Endpoint, Name, give, link_next
from windrow.web.api.records import lines, wants_lines
from windrow.web.api.versions import IfMatch, IfNoneMatch, check_match, tag
from windrow.web.problems import MissingError
from windrow.web.screen import Call


def list_all(call: Asking) -> Response:
    """List all collections."""
    with call.desk.store.reading() as connection:
        return give({"collections": [_plain(each) for each in list_collections(connection)]})


def get(call: Asking, collection: Name) -> Response:
    """Give a collection: its labels, and what its sources call them."""
    plain = _plain(find(call, collection))
    return give(plain, headers={"ETag": tag(plain)})


def put(
    call: Asking, collection: Name, body: CollectionBody, if_match: IfMatch = None, if_none_match: IfNoneMatch = None
) -> Response:
    """Make a collection, or give it another schema."""
    settings = CollectionSettings.from_dict({**body.model_dump(by_alias=True), "name": collection})

    def permit(connection: Any) -> None:  # noqa: ANN401 - of the store
        before = next((_plain(each) for each in list_collections(connection) if each.name == collection), None)
        check_match(if_match, before, before, absent=if_none_match)

    keep_collection(call.desk.store, settings, permit)
    plain = _plain(find(call, collection))
    return give(plain, headers={"ETag": tag(plain)})


def remove(call: Asking, collection: Name, if_match: IfMatch = None) -> Response:
    """Remove a collection; the records of its sources stay."""
    plain = _plain(find(call, collection))
    check_match(if_match, plain, plain)
    with call.desk.store.writing() as connection:
        remove_collection(connection, collection)
    return Response(status_code=204)


class Wanted(BaseModel):
    """Which rows are wanted, and in which form."""

    model_config = ConfigDict(extra="forbid")
    limit: int = Field(default=100, ge=1, le=1000)
    after: int = Field(default=0, ge=0, le=2**62, description="The cursor `next` of the part before.")
    format: Literal["json", "jsonl"] | None = Field(default=None, description="jsonl gives all rows, one a line.")


def rows(call: Asking, collection: Name, query: Annotated[Wanted, Query()]) -> Response:
    """Give the rows of a collection: what has the same key is one, with every source's own values."""
    found = find(call, collection)
    if wants_lines(call, query.format):
        return lines(_dicts(call, found))
    with call.desk.store.reading() as connection:
        gathered = Gathering(connection, found)
        shown = [row.to_dict() for row in islice(gathered, query.after, query.after + query.limit)]
        following = str(query.after + len(shown)) if query.after + len(shown) < len(gathered) and shown else None
    return give({"rows": shown, "next": following}, headers=link_next(call, after=following) if following else {})


def _dicts(call: Call, collection: Collection) -> Iterator[dict[str, Any]]:
    with call.desk.store.reading() as connection:
        yield from (row.to_dict() for row in Gathering(connection, collection))


class Alike(BaseModel):
    """How much alike rows must be."""

    model_config = ConfigDict(extra="forbid")
    likeness: float | None = Field(default=None, gt=0, le=1)
    limit: int = Field(default=100, ge=1, le=1000)
    after: int = Field(default=0, ge=0, le=2**62)


def alike(call: Asking, collection: Name, query: Annotated[Alike, Query()]) -> Response:
    """Propose pairs of rows that may be the same thing; nothing is merged."""
    found = find(call, collection)
    with call.desk.store.reading() as connection:
        pairs = list(islice(find_alike(Gathering(connection, found), query.likeness), query.after + query.limit + 1))
    some = pairs[query.after : query.after + query.limit]
    shown = [{**pair.to_dict(), "records": [first_side(each) for each in pair.records]} for pair in some]
    following = str(query.after + query.limit) if len(pairs) > query.after + query.limit else None
    return give({"pairs": shown, "next": following}, headers=link_next(call, after=following) if following else {})


def find(call: Call, name: str) -> Collection:
    """Return a collection by its name; ``MissingError`` where there is none."""
    try:
        with call.desk.store.reading() as connection:
            return get_collection(connection, name)
    except UsageError as error:
        raise MissingError(str(error)) from None


def _plain(collection: Collection) -> dict[str, Any]:
    return CollectionSettings(**asdict(collection)).to_dict()


CONDITIONAL = (412, 428)
ENDPOINTS = [
    Endpoint("GET", "/collections", list_all, "read", CollectionsAnswer),
    Endpoint("GET", "/collections/{collection}", get, "read", CollectionAnswer, gives=("ETag",)),
    Endpoint("PUT", "/collections/{collection}", put, "write", CollectionAnswer, problems=CONDITIONAL, gives=("ETag",)),
    Endpoint("DELETE", "/collections/{collection}", remove, "write", status=204, problems=CONDITIONAL),
    Endpoint(
        "GET", "/collections/{collection}/rows", rows, "read", RowsAnswer, media=(JSON, JSON_LINES), gives=("Link",)
    ),
    Endpoint("GET", "/collections/{collection}/alike", alike, "read", PairsAnswer, gives=("Link",)),
]
