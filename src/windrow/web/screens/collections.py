"""Collections: several sources under common labels, where they disagree, and what may be one thing."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson
from starlette.responses import RedirectResponse

from windrow.errors import StaleError, UsageError
from windrow.harvest.collections import keep_collection
from windrow.harvest.settings import CollectionSettings
from windrow.harvest.toml import to_toml
from windrow.store.collection_views import renew_collection_view
from windrow.store.collections import OWN, Gathering, get_collection, list_collections, remove_collection
from windrow.store.fields import list_fields
from windrow.store.likeness import USUAL_LIKENESS, find_alike
from windrow.store.sources import find_wrapper, list_sources
from windrow.store.text import digest, dump
from windrow.store.verdicts import first_side, forget_verdict, read_verdicts, say_verdict
from windrow.web.problems import MissingError, status_of
from windrow.web.screen import View, address, go
from windrow.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.engine import Connection
    from starlette.responses import Response

    from windrow.store.collections import Collection
    from windrow.store.sources import SourceRow
    from windrow.web.screen import Call

ROWS = 50
PAIRS = 20
"""Pairs that are proposed at a time."""
MOST_COMPARED = 5_000
"""Rows that are compared each with each while somebody waits."""
MATCHES = {"normalised": "without regard to case, spaces and punctuation", "exact": "letter by letter"}


def overview(call: Call) -> View:
    """Show all collections."""
    with call.desk.store.reading() as connection:
        return View("collections.html", "Collections", {"collections": list_collections(connection)})


def one(call: Call) -> View:
    """Show a collection: its mapping, its rows, and pairs that may be one thing."""
    name, offset = call.param("name"), call.query("from", "0")
    start = int(offset) if offset.isdecimal() and len(offset) < 9 else 0  # noqa: PLR2004 - no collection has so many rows
    only, alike = call.query("conflicts") == "1", call.query("alike") == "1"
    with call.desk.store.reading() as connection:
        collection = _get(connection, name)
        gathering = Gathering(connection, collection)
        rows = (row for row in gathering if row.conflicts or not only)
        some = list(islice(rows, start, start + ROWS + 1))
        can_compare = len(gathering) <= MOST_COMPARED
        data: dict[str, Any] = {
            "collection": collection,
            "rows": some[:ROWS],
            "total": len(gathering),
            "start": start,
            "next": start + ROWS if len(some) > ROWS else None,
            "only": only,
            "pairs": _pairs(gathering) if alike and can_compare else None,
            "can_compare": can_compare,
            "verdicts": read_verdicts(connection, name),
        }
    return View("collection.html", name, data)


def _get(connection: Connection, name: str) -> Collection:
    try:
        return get_collection(connection, name)
    except UsageError as error:
        raise MissingError(str(error)) from None


def _pairs(gathering: Gathering) -> list[dict[str, Any]]:
    """Return the pairs that are most alike, each with what names it in a form."""
    found = []
    for pair in islice(find_alike(gathering), PAIRS):
        sides = [first_side(records) for records in pair.records]
        found.append({**pair.to_dict(), "name": orjson.dumps(sides).decode()})
    return found


def judge(call: Call) -> Response:
    """Keep what somebody says of a pair: that it is one thing, or two."""
    name = call.param("name")
    try:
        (one_source, one_key), (other_source, other_key) = orjson.loads(call.text("pair"))
        pair = (str(one_source), str(one_key)), (str(other_source), str(other_key))
    except (ValueError, TypeError):
        raise UsageError("Nothing says which pair is meant. Load the page again.") from None
    with call.desk.store.writing() as connection:
        _get(connection, name)
        say_verdict(connection, name, pair, same=call.text("say") == "same")
        renew_collection_view(connection, name)
    # The next pair is waiting.
    return RedirectResponse(f"{address('collections', name)}?alike=1&done=saved#alike", 303)


def forget(call: Call) -> Response:
    """Take back what was said of a pair."""
    name = call.param("name")
    with call.desk.store.writing() as connection:
        forget_verdict(connection, name, int(call.param("number")))
        renew_collection_view(connection, name)
    return go("collections", name, done="saved")


@dataclass(frozen=True)
class Filled:
    """What stands in the form: as it is stored, or as somebody filled it in."""

    name: str = ""
    key: str = ""
    match: str = "normalised"
    compare: str = ""
    likeness: str = ""
    version: str = ""
    """What the form was opened with; empty for a collection that is to be made."""
    mapped: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """For each source its own labels, each with the common one beside it."""


def form(call: Call) -> View:
    """Ask for a new collection, or for another schema of one."""
    if "name" not in call.request.path_params:
        return _show(call, Filled())
    with call.desk.store.reading() as connection:
        return _show(call, _stored(_get(connection, call.param("name"))))


def _stored(collection: Collection) -> Filled:
    return Filled(
        name=collection.name,
        key=", ".join(collection.key),
        match=collection.match,
        compare=", ".join(collection.compare),
        likeness="" if collection.likeness is None else f"{collection.likeness:g}",
        version=_version(collection),
        mapped={name: [(own, label) for label, own in labels.items()] for name, labels in collection.sources.items()},
    )


def _version(collection: Collection) -> str:
    return digest(dump(asdict(collection))).hex()


def _given(call: Call) -> Filled:
    mapped = {
        source: [
            (own, label.strip())
            for own, label in zip(call.texts(f"own-{number}"), call.texts(f"label-{number}"), strict=False)
            if label.strip()
        ]
        for number, source in enumerate(call.texts("source"))
    }
    texts = {name: call.text(name).strip() for name in ("key", "match", "compare", "likeness", "version")}
    name = call.param("name") if "name" in call.request.path_params else call.text("name").strip()
    return Filled(name=name, mapped={source: pairs for source, pairs in mapped.items() if pairs}, **texts)


def _show(call: Call, filled: Filled, error: UsageError | None = None) -> View:
    """Show the form as it is filled in; every label that is read, stored or mapped has its line."""
    with call.desk.store.reading() as connection:
        known = {source.name: _labels(connection, source) for source in list_sources(connection)}
    names = dict.fromkeys([*filled.mapped, *known])
    sources = [{"name": name, "rows": _rows(filled.mapped.get(name, ()), known.get(name, ()))} for name in names]
    is_new = "name" not in call.request.path_params
    current = "" if not isinstance(error, StaleError) else str(error.current or "")
    data = {"filled": filled, "sources": sources, "is_new": is_new, "current": current}
    heading = "Add a collection" if is_new else f"Edit {filled.name}"
    status = 200 if error is None else status_of(error)
    words = {"matches": MATCHES, "usual_likeness": USUAL_LIKENESS}
    return View("collection_form.html", heading, data, status, str(error or ""), words)


def _labels(connection: Connection, source: SourceRow) -> list[str]:
    """Return what a source reads by its wrapper, and what is stored of it from before."""
    row = find_wrapper(connection, source.id)
    read = () if row is None else Wrapper.from_json(row.body).labels
    return [*read, *(each.label for each in list_fields(connection, source.id)), *OWN]


def _rows(mapped: Sequence[tuple[str, str]], known: Sequence[str]) -> list[tuple[str, str]]:
    taken = {own for own, _ in mapped}
    return [*mapped, *((own, "") for own in dict.fromkeys(known) if own not in taken)]


def save(call: Call) -> View | Response:
    """Keep a collection."""
    filled = _given(call)
    try:
        keep_collection(call.desk.store, _read(call, filled), lambda connection: _check_version(connection, filled))
    except UsageError as error:
        return _show(call, filled, error)
    return go("collections", filled.name, done="saved")


def _check_version(connection: Connection, filled: Filled) -> None:
    """Refuse a form that is out of date, and a new collection whose name is taken."""
    current = next((each for each in list_collections(connection) if each.name == filled.name), None)
    if current is not None and not filled.version:
        raise UsageError(f"There is a collection {filled.name} already. Give this one another name.")
    if filled.version and (current is None or _version(current) != filled.version):
        raise StaleError(
            f"{filled.name} was changed since this form was opened, so nothing was saved. Below is what it is now; "
            "what you filled in is still in the form. Open the collection again to change it.",
            "It was removed." if current is None else to_toml([], [CollectionSettings(**asdict(current))]),
        )


def _read(call: Call, filled: Filled) -> CollectionSettings:
    """Return the collection that a form describes."""
    for source, pairs in filled.mapped.items():
        if len({label for _, label in pairs}) < len(pairs):
            raise UsageError(f"Two labels of {source} have the same common label. Give each its own.")
    try:
        share = float(filled.likeness) if filled.likeness else None
    except ValueError:
        raise UsageError(f"{filled.likeness!r} is no likeness. Write a number from 0 to 1, as in 0.9.") from None
    return CollectionSettings(
        name=filled.name,
        key=_list(filled.key),
        match="exact" if filled.match == "exact" else "normalised",
        likeness=share,
        compare=_list(filled.compare),
        sources={source: {label: own for own, label in pairs} for source, pairs in filled.mapped.items()},
        types=_kept_types(call, filled.name) if filled.version else {},
    )


def _kept_types(call: Call, name: str) -> dict[str, str]:
    """Return the types of labels, which nobody is asked for here."""
    with call.desk.store.reading() as connection:
        return dict(_get(connection, name).types)


def _list(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(",") if each.strip())


def ask_removal(call: Call) -> View:
    """Ask whether a collection is really to be removed."""
    with call.desk.store.reading() as connection:
        name = _get(connection, call.param("name")).name
    return View("collection_remove.html", f"Remove {name}", {"name": name})


def remove(call: Call) -> Response:
    """Remove a collection; the records of its sources stay."""
    with call.desk.store.writing() as connection:
        remove_collection(connection, _get(connection, call.param("name")).name)
    return go("collections", done="removed")
