"""Sources in the API: listed, made, looked at, changed, paused, taken away."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from windrow.errors import BusyError, UsageError
from windrow.harvest.settings import SourceSettings
from windrow.harvest.sources import check_settings, save
from windrow.harvest.timetable import next_runs
from windrow.harvest.toml import without_secrets
from windrow.store.overview import describe_sources
from windrow.store.runs import find_under_way, is_at_work
from windrow.store.sources import SourceRow, State, find_source, find_wrapper, retire, set_state
from windrow.store.views import remove_with_view
from windrow.web.api.answers import SourcesAnswer, WholeSourceAnswer
from windrow.web.api.bodies import ChangeBody, SettingsBody, SourceBody
from windrow.web.api.endpoint import Asking, Endpoint, Name, give, place_of
from windrow.web.api.once import Key
from windrow.web.api.versions import IfMatch, check_match, tag
from windrow.web.api.wrappers import to_wrapper
from windrow.web.problems import ExistsError
from windrow.web.screen import Call
from windrow.web.trust import trusted
from windrow.wrapper import Wrapper


def list_all(call: Asking) -> Response:
    """List all sources and how they are."""
    with call.desk.store.reading() as connection:
        planned = next_runs(connection)
        found = [asdict(each) for each in describe_sources(connection)]
    for each in found:
        each["next_run"] = each["next_run"] or planned.get(each["source"])
    return give({"sources": found})


def get(call: Asking, source: Name) -> Response:
    """Give a source with its settings, without its secrets."""
    row = call.source(source)
    return give(describe(call, row), headers={"ETag": tag(row.version)})


def describe(call: Call, row: SourceRow) -> dict[str, Any]:
    """Return all that is told of a source."""
    public, _ = without_secrets(SourceSettings.from_dict(row.settings))
    settings = public.to_dict()
    del settings["name"]
    with call.desk.store.reading() as connection:
        status = next(each for each in describe_sources(connection) if each.source == row.name)
        wrapper = find_wrapper(connection, row.id)
        planned = next_runs(connection).get(row.name)
    about = {**asdict(status), "next_run": status.next_run or planned, "version": row.version}
    return {**about, "wrapper": None if wrapper is None else wrapper.version, "settings": settings}


def create(call: Asking, body: SourceBody, key: Key = None) -> Response:
    """Make a source from its settings and, unless a reader reads it, a wrapper."""

    def make() -> Response:
        settings = _settings(call, body.source, body.settings, None)
        wrapper = None if body.wrapper is None else to_wrapper(body.wrapper)
        row, said = _save(call, settings, wrapper, lambda before: _refuse_known(before, body.source))
        headers = {"Location": place_of("sources", row.name), "ETag": tag(row.version)}
        return give({**describe(call, row), "said": said}, 201, headers)

    answer: Response = call.request.app.state.deeds.once(call, key, body, make)
    return answer


def _refuse_known(before: SourceRow | None, name: str) -> None:
    if before is not None:
        raise ExistsError(f"There is a source {name} already. Change it with PUT or PATCH, or choose another name.")


def replace(call: Asking, source: Name, body: SettingsBody, if_match: IfMatch = None) -> Response:
    """Give a source other settings; what is left out has its default."""
    row = call.source(source)
    settings = _settings(call, source, body.settings, row)
    return _change(call, row, settings, None if body.wrapper is None else to_wrapper(body.wrapper), if_match)


def change(call: Asking, source: Name, body: ChangeBody, if_match: IfMatch = None) -> Response:
    """Change some settings of a source; the others stay."""
    row = call.source(source)
    plain = dict(row.settings)
    del plain["name"]
    return _change(call, row, _settings(call, source, _merged(plain, body.settings), row), None, if_match)


def _merged(plain: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(plain)
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merged(merged[key], value)
        else:
            merged[key] = value
    return merged


def _settings(call: Call, name: str, plain: Mapping[str, Any], before: SourceRow | None) -> SourceSettings:
    if "name" in plain:
        raise UsageError("The name of a source does not stand in its settings. Leave it out.")
    settings = SourceSettings.from_dict({**plain, "name": name})
    known = None if before is None else SourceSettings.from_dict(before.settings)
    settings = trusted(settings, known, allow_private=call.desk.reach.allow_private)
    check_settings(settings)
    return settings


def _change(
    call: Call, row: SourceRow, settings: SourceSettings, wrapper: Wrapper | None, if_match: str | None
) -> Response:
    check_match(if_match, row.version, describe(call, row))

    def permit(before: SourceRow | None) -> None:
        check_match(if_match, None if before is None else before.version, describe(call, before or row))

    saved, said = _save(call, settings, wrapper, permit)
    return give({**describe(call, saved), "said": said}, headers={"ETag": tag(saved.version)})


def _save(call: Call, settings: SourceSettings, wrapper: Wrapper | None, permit: Any) -> tuple[SourceRow, list[str]]:  # noqa: ANN401 - of a row
    said: list[str] = []
    save(
        call.desk.store,
        settings,
        wrapper,
        say=said.append,
        check=lambda connection: permit(find_source(connection, settings.name)),
    )
    return call.source(settings.name), said


def pause(call: Asking, source: Name) -> Response:
    """Leave a source alone until it is resumed."""
    return _set_state(call, source, "paused")


def resume(call: Asking, source: Name) -> Response:
    """Go on with a source that was paused or deferred."""
    return _set_state(call, source, "active")


def _set_state(call: Call, name: str, state: State) -> Response:
    row = call.source(name)
    with call.desk.store.writing() as connection:
        set_state(connection, row.id, state)
    return get(call, name)


class Removal(BaseModel):
    """What happens to the data of a source that is removed."""

    model_config = ConfigDict(extra="forbid")
    keep_data: bool = False


def remove(call: Asking, source: Name, query: Annotated[Removal, Query()], if_match: IfMatch = None) -> Response:
    """Remove a source, with everything that was stored of it unless its data are to be kept."""
    row = call.source(source)
    check_match(if_match, row.version, describe(call, row))
    with call.desk.store.reading() as connection:
        run = find_under_way(connection, row.id)
    if run is not None and is_at_work(run):
        raise BusyError(f"{source} is being read. Stop the run, or wait for it to end.")
    if query.keep_data:
        with call.desk.store.writing() as connection:
            retire(connection, row.id)
    else:
        remove_with_view(call.desk.store, row.id)
    return Response(status_code=204)


CONDITIONAL = (412, 424, 428)
ENDPOINTS = [
    Endpoint("GET", "/sources", list_all, "read", SourcesAnswer),
    Endpoint(
        "POST", "/sources", create, "write", WholeSourceAnswer, 201, problems=(409, 424), gives=("ETag", "Location")
    ),
    Endpoint("GET", "/sources/{source}", get, "read", WholeSourceAnswer, gives=("ETag",)),
    Endpoint("PUT", "/sources/{source}", replace, "write", WholeSourceAnswer, problems=CONDITIONAL, gives=("ETag",)),
    Endpoint("PATCH", "/sources/{source}", change, "write", WholeSourceAnswer, problems=CONDITIONAL, gives=("ETag",)),
    Endpoint("DELETE", "/sources/{source}", remove, "write", status=204, problems=(409, 412, 428)),
    Endpoint("POST", "/sources/{source}/pause", pause, "write", WholeSourceAnswer),
    Endpoint("POST", "/sources/{source}/resume", resume, "write", WholeSourceAnswer),
]
