"""Settings that come from outside: what whoever sits at the machine may set, and others may not.

Files and variables of the machine hold secrets that a header would carry away, and private addresses are its own
neighbourhood: all of these are named on its command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import ada_url

from windrow.crawl.patterns import expand
from windrow.errors import RefusedError, WindrowError
from windrow.harvest.secret_values import is_reference, is_secret_header
from windrow.harvest.settings import SourceSettings
from windrow.harvest.sources import check_settings
from windrow.harvest.toml import with_secrets
from windrow.store.sources import find_source, list_sources, list_wrappers
from windrow.wrapper import Wrapper

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store.sources import WrapperRow


def trusted(settings: SourceSettings, before: SourceSettings | None, *, allow_private: bool) -> SourceSettings:
    """Return settings with the secrets that were kept before; ``RefusedError`` where they ask for too much.

    What was set before, on the machine itself, may stay.
    """
    if before is not None:
        settings = with_secrets(settings, before)
    if settings.network.allow_private and not (allow_private or _is_still_private(settings, before)):
        raise RefusedError(
            "network.allow_private was refused: this interface was not started with --allow-private, so that sources "
            "are not read from private addresses. One that is may stay, with the addresses that it has."
        )
    known = set() if before is None else {*_named(before)}
    for place, name in _named(settings):
        if (place, name) not in known:
            raise RefusedError(
                f"{name!r} was refused: files and variables of this machine are named on its command line only. Set "
                "it there: `windrow source set`."
            )
    if before is not None:
        _check_way(settings, before)
    return settings


def _is_still_private(settings: SourceSettings, before: SourceSettings | None) -> bool:
    """Whether private addresses were allowed on the machine itself, and nothing leads to others of them now."""
    return (
        before is not None
        and before.network.allow_private
        and settings.start_file == before.start_file
        and _origins(settings) <= _origins(before)
        and {*settings.warn.send} <= {*before.warn.send}
        and settings.network.proxy in {None, before.network.proxy}
    )


def check_restored(theirs: Connection, ours: Connection, *, allow_private: bool) -> None:
    """Refuse a copy of a store whose sources ask for more than this interface may set."""
    for source in list_sources(theirs):
        found = find_source(ours, source.name)
        try:
            before = None if found is None else SourceSettings.from_dict(found.settings)
            settings = SourceSettings.from_dict(source.settings)
            if settings.name != source.name:
                raise RefusedError(f"its settings are those of {settings.name!r}.")
            check_settings(trusted(settings, before, allow_private=allow_private))
            known = set() if found is None else {_session_of(each) for each in list_wrappers(ours, found.id)}
            for wrapper in list_wrappers(theirs, source.id):
                if (session := _session_of(wrapper)) is not None and session not in known:
                    raise RefusedError("its wrapper names a session file, and files are named on the machine only.")
        except WindrowError as error:
            raise RefusedError(f"Nothing was restored, because of the source {source.name}: {error}") from None


def _session_of(row: WrapperRow) -> str | None:
    session = Wrapper.from_json(row.body).fetch.options.session
    return None if session is None else str(session)


def _check_way(settings: SourceSettings, before: SourceSettings) -> None:
    """Refuse to send what was kept for one site to another one, or through another proxy."""
    network, kept = settings.network, before.network
    secrets = [
        name
        for name, value in network.headers.items()
        if value == kept.headers.get(name) and (is_reference(value) or is_secret_header(name, value))
    ]
    if network.session is not None:
        secrets.append("network.session")
    is_elsewhere = not _origins(settings) <= _origins(before) or network.proxy not in {None, kept.proxy}
    if secrets and is_elsewhere:
        raise RefusedError(
            f"The new address or proxy was refused: {secrets[0]} was kept for another one, and would be sent there. "
            "Remove it, or change both on the command line: `windrow source set`."
        )


def _origins(settings: SourceSettings) -> set[str]:
    addresses = (url for start in settings.start for url in expand(start))
    return {ada_url.URL(url).origin if ada_url.check_url(url) else url for url in addresses}


def _named(settings: SourceSettings) -> list[tuple[str, str]]:
    """Return what is looked up on the machine, each with its place.

    Where warnings go may be a variable, which is sent nowhere itself.
    """
    network = settings.network
    places = [("start_file", settings.start_file), ("network.session", network.session)]
    texts = [*(("network.headers", text) for text in network.headers.values()), ("network.proxy", network.proxy)]
    texts += [("warn.send", address) for address in settings.warn.send if address.startswith("file:")]
    places += [(place, text) for place, text in texts if text is not None and is_reference(text)]
    return [(place, text) for place, text in places if text is not None]
