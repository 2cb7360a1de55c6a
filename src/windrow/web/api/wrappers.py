"""Wrappers of a source in the API: every version, what changed the template, another one, and a step back."""

from dataclasses import replace
from typing import Any

import orjson
from starlette.responses import Response

from windrow.errors import RefusedError, StaleError
from windrow.harvest.settings import SourceSettings
from windrow.harvest.sources import save
from windrow.harvest.versions import go_back
from windrow.store.moments import shown
from windrow.store.sources import SourceRow, WrapperRow, find_wrapper, get_source, list_wrappers
from windrow.web.api.answers import TemplateChangesAnswer, VersionsAnswer, WrapperAnswer
from windrow.web.api.bodies import UndoBody, WrapperBody
from windrow.web.api.endpoint import Asking, Endpoint, Name, Number, give
from windrow.web.api.versions import IfMatch, IfNoneMatch, check_match, tag
from windrow.web.problems import MissingError
from windrow.web.screen import Call, to_json
from windrow.web.template_changes import list_changes
from windrow.wrapper import Wrapper


def to_wrapper(plain: dict[str, Any]) -> Wrapper:
    """Return the wrapper that somebody sent; one that names a file of this machine is refused."""
    wrapper = Wrapper.from_json(to_json(plain).decode())
    if wrapper.fetch.options.session is not None:
        raise RefusedError("The wrapper was refused: it names a session file, and files are named on the machine only.")
    return wrapper


def list_versions(call: Asking, source: Name) -> Response:
    """List the versions of a source's wrapper, oldest first."""
    row = call.source(source)
    with call.desk.store.reading() as connection:
        found = [_about(each) for each in list_wrappers(connection, row.id)]
    return give({"source": source, "wrappers": found})


def get_version(call: Asking, source: Name, version: Number) -> Response:
    """Give one version of a source's wrapper."""
    row = call.source(source)
    return _give(row, _find(call, row, version))


def get(call: Asking, source: Name) -> Response:
    """Give the wrapper that reads a source now."""
    row = call.source(source)
    return _give(row, _find(call, row))


def put(
    call: Asking, source: Name, body: WrapperBody, if_match: IfMatch = None, if_none_match: IfNoneMatch = None
) -> Response:
    """Give a source another wrapper: a new version, which ends a deferral."""
    row, wrapper = call.source(source), to_wrapper(body.wrapper)

    def permit(connection: Any) -> None:  # noqa: ANN401 - of the store
        if get_source(connection, source).version != row.version:
            raise StaleError(f"The settings of {source} were changed meanwhile. Nothing was kept; send it again.")
        current = find_wrapper(connection, row.id)
        known = None if current is None else _whole(row, current)
        check_match(if_match, None if current is None else current.version, known, absent=if_none_match)

    with call.desk.store.reading() as connection:
        permit(connection)
    settings = SourceSettings.from_dict(row.settings)
    read = replace(settings.read, wrapper=settings.read.wrapper or "wrapper.json", reader=None, keyword=None)
    save(call.desk.store, replace(settings, read=read), wrapper, say=lambda _: None, check=permit)
    return _give(row, _find(call, row))


def undo(call: Asking, source: Name, body: UndoBody | None = None, if_match: IfMatch = None) -> Response:
    """Put an earlier version of a source's wrapper in use again, as a new version: the one before, or another."""
    row = call.source(source)
    current = _find(call, row)
    check_match(if_match, current.version, _whole(row, current))
    go_back(call.desk.store, source, None if body is None else body.version, current=current.version)
    return _give(row, _find(call, row))


def list_template_changes(call: Asking, source: Name) -> Response:
    """List what happened to the template of a source, newest first: heals, refused pages, and steps back."""
    row = call.source(source)
    with call.desk.store.reading() as connection:
        found = list_changes(connection, row)
    return give({"source": source, "changes": found})


def _find(call: Call, row: SourceRow, version: int | None = None) -> WrapperRow:
    with call.desk.store.reading() as connection:
        found = find_wrapper(connection, row.id, version)
    if found is None:
        which = "no wrapper" if version is None else f"no version {version} of its wrapper"
        raise MissingError(f"{row.name} has {which}. Its versions are at {row.name}/wrappers.")
    return found


def _about(row: WrapperRow) -> dict[str, Any]:
    return {"version": row.version, "made_by": row.made_by, "made_at": shown(row.made_at), "report": row.report}


def _whole(source: SourceRow, row: WrapperRow) -> dict[str, Any]:
    return {"source": source.name, **_about(row), "wrapper": orjson.loads(row.body)}


def _give(source: SourceRow, row: WrapperRow) -> Response:
    return give(_whole(source, row), headers={"ETag": tag(row.version)})


ENDPOINTS = [
    Endpoint("GET", "/sources/{source}/wrappers", list_versions, "read", VersionsAnswer),
    Endpoint("GET", "/sources/{source}/wrappers/{version}", get_version, "read", WrapperAnswer, gives=("ETag",)),
    Endpoint("GET", "/sources/{source}/wrapper", get, "read", WrapperAnswer, gives=("ETag",)),
    Endpoint(
        "PUT",
        "/sources/{source}/wrapper",
        put,
        "write",
        WrapperAnswer,
        problems=(412, 424, 428),
        gives=("ETag",),
    ),
    Endpoint(
        "POST", "/sources/{source}/wrapper/undo", undo, "write", WrapperAnswer, problems=(412, 428), gives=("ETag",)
    ),
    Endpoint("GET", "/sources/{source}/changes", list_template_changes, "read", TemplateChangesAnswer),
]
