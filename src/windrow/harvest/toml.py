"""Settings as TOML: sources and collections in one file, with what differs from the defaults and no secret."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.harvest.checks import check_known, check_table
from windrow.harvest.secret_values import is_secret_header, is_secret_proxy, is_secret_target, secret_reference
from windrow.harvest.settings import CollectionSettings, SourceSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tomlkit.items import Table


def parse_toml(text: str) -> tuple[list[SourceSettings], list[CollectionSettings]]:
    """Return the sources and the collections that a file sets, in the order of the file."""
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"This is not TOML: {error}. Mend that place.") from None
    except RecursionError:
        raise UsageError("This is not TOML that can be read: it is nested too deeply. Write it flat.") from None
    check_known("", plain, ["source", "collection"])
    sources, collections = (check_table(kind, plain.get(kind, {})) for kind in ("source", "collection"))
    return (
        [SourceSettings.from_dict(_named("source", name, table)) for name, table in sources.items()],
        [CollectionSettings.from_dict(_named("collection", name, table)) for name, table in collections.items()],
    )


def to_toml(sources: Iterable[SourceSettings], collections: Iterable[CollectionSettings] = ()) -> str:
    """Return a file that sets the same, but for plain secrets: in their place it names variables of the environment."""
    import tomlkit  # noqa: PLC0415 - only who writes settings pays for it
    from tomlkit.items import SingleKey  # noqa: PLC0415 - as above

    document = tomlkit.document()
    tables: dict[str, dict[str, Table]] = {"source": {}, "collection": {}}
    for source in sources:
        public, named = without_secrets(source)
        tables["source"][source.name] = _table(public.to_dict(), "", named)
    for collection in collections:
        tables["collection"][collection.name] = _table(collection.to_dict(), "", {})
    for kind, by_name in tables.items():
        if by_name:
            document.append(kind, tomlkit.table(is_super_table=True))
            for name, table in by_name.items():
                table.remove("name")
                document[kind].append(SingleKey(name), table)
    return tomlkit.dumps(document)


def without_secrets(settings: SourceSettings) -> tuple[SourceSettings, Mapping[str, list[str]]]:
    """Return settings with a reference in place of each plain secret, and the variables they name, by key."""
    named: dict[str, list[str]] = {}

    def refer(key: str, what: str) -> str:
        reference = secret_reference(settings.name, what)
        while any(reference.removeprefix("env:") in names for names in named.values()):
            reference += "_2"
        named.setdefault(key, []).append(reference.removeprefix("env:"))
        return reference

    headers = {
        name: refer("network.headers", name) if is_secret_header(name, value) else value
        for name, value in settings.network.headers.items()
    }
    proxy = settings.network.proxy
    if proxy is not None and is_secret_proxy(proxy):
        proxy = refer("network.proxy", "proxy")
    send = tuple(
        refer("warn.send", f"send {number}") if is_secret_target(address) else address
        for number, address in enumerate(settings.warn.send, 1)
    )
    network, warn = replace(settings.network, headers=headers, proxy=proxy), replace(settings.warn, send=send)
    return replace(settings, network=network, warn=warn), named


def with_secrets(settings: SourceSettings, before: SourceSettings) -> SourceSettings:
    """Return settings with the secrets of those before them, wherever they only name what stood in the same place.

    A header that is given the name of another one's secret would carry it away: ``UsageError``.
    """
    public, named = without_secrets(before)
    hidden = {f"env:{name}" for names in named.values() for name in names}

    def put_back(given: str, shown: str | None, kept: str | None) -> str:
        if given == shown and kept is not None:
            return kept
        if given in hidden:
            raise UsageError(f"{given!r} stands for a secret of another place. Leave it where it was.")
        return given

    shown, kept = public.network, before.network
    headers = {
        name: put_back(value, shown.headers.get(name), kept.headers.get(name))
        for name, value in settings.network.headers.items()
    }
    proxy = settings.network.proxy
    proxy = None if proxy is None else put_back(proxy, shown.proxy, kept.proxy)
    network = replace(settings.network, headers=headers, proxy=proxy)
    return replace(settings, network=network, warn=replace(settings.warn, send=_sent(settings, before, put_back)))


def _sent(
    settings: SourceSettings, before: SourceSettings, put_back: Callable[[str, str | None, str | None], str]
) -> tuple[str, ...]:
    """Return where warnings go; these addresses may change places among themselves."""
    public, _ = without_secrets(before)
    targets = dict(zip(public.warn.send, before.warn.send, strict=True))
    return tuple(put_back(each, each if each in targets else None, targets.get(each)) for each in settings.warn.send)


def _named(kind: str, name: str, table: object) -> Mapping[str, Any]:
    plain = check_table(f"{kind}.{name}", table)
    if "name" in plain:
        raise UsageError(f"{kind.capitalize()} {name!r}: the name stands in the head of the table. Leave the key out.")
    return {"name": name, **plain}


def _table(plain: Mapping[str, Any], where: str, named: Mapping[str, list[str]]) -> Table:
    """Return a table with its values first and its tables after them; headers stand on one line."""
    import tomlkit  # noqa: PLC0415 - only who writes settings pays for it
    from tomlkit.items import SingleKey  # noqa: PLC0415 - as above

    table = tomlkit.table()
    inner = {key: value for key, value in plain.items() if isinstance(value, dict) and where + key != "network.headers"}
    for key, value in plain.items():
        if key in inner:
            continue
        if where + key in named:
            table.add(tomlkit.comment(f"not exported, set before use: {', '.join(named[where + key])}"))
        item = tomlkit.item(value)
        if isinstance(value, dict):
            item = tomlkit.inline_table()
            item.update(value)
        table.append(SingleKey(key), item)
    for key, value in inner.items():
        table.append(SingleKey(key), _table(value, f"{where}{key}.", named))
    return table
