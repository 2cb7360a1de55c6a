"""What people said of pairs in the API: that two records of a collection are one thing, or two."""

from typing import Any

from sqlalchemy.engine import Connection
from starlette.responses import Response

from windrow.errors import UsageError
from windrow.store.collection_views import renew_collection_view
from windrow.store.moments import shown
from windrow.store.verdicts import forget_verdict, read_verdicts, say_verdict
from windrow.web.api.answers import VerdictsAnswer
from windrow.web.api.bodies import VerdictBody
from windrow.web.api.collections import find
from windrow.web.api.endpoint import Asking, Endpoint, Name, Number, give
from windrow.web.problems import MissingError


def list_all(call: Asking, collection: Name) -> Response:
    """List what was said of pairs, oldest first."""
    name = find(call, collection).name
    with call.desk.store.reading() as connection:
        return give(_plain(connection, name))


def say(call: Asking, collection: Name, body: VerdictBody) -> Response:
    """Say that two records are one thing or two, in the place of what was said of them before."""
    known = find(call, collection)
    (one, one_key), (other, other_key) = body.records
    if unknown := next((source for source in (one, other) if source not in known.sources), None):
        raise UsageError(f"{collection} has no source {unknown[:80]!r}. It has: {', '.join(known.sources)}.")
    with call.desk.store.writing() as connection:
        say_verdict(connection, known.name, ((one, one_key), (other, other_key)), same=body.same)
        renew_collection_view(connection, known.name)
        return give(_plain(connection, known.name))


def forget(call: Asking, collection: Name, verdict: Number) -> Response:
    """Take back what was said of a pair."""
    name = find(call, collection).name
    with call.desk.store.writing() as connection:
        if verdict not in {each["id"] for each in read_verdicts(connection, name)}:
            raise MissingError(f"Nothing like {verdict} was said of pairs of {collection}.")
        forget_verdict(connection, name, verdict)
        renew_collection_view(connection, name)
    return Response(status_code=204)


def _plain(connection: Connection, collection: str) -> dict[str, Any]:
    said = [
        {"id": each["id"], "records": each["pair"], "same": bool(each["same"]), "at": shown(each["at"])}
        for each in read_verdicts(connection, collection)
    ]
    return {"verdicts": said}


ENDPOINTS = [
    Endpoint("GET", "/collections/{collection}/verdicts", list_all, "read", VerdictsAnswer),
    Endpoint("POST", "/collections/{collection}/verdicts", say, "write", VerdictsAnswer),
    Endpoint("DELETE", "/collections/{collection}/verdicts/{verdict}", forget, "write", status=204),
]
