"""Setting sources up: from settings and a wrapper into the store, checked before anything is fetched by schedule."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from windrow.crawl.patterns import expand
from windrow.errors import SourceError, UsageError, WindrowError
from windrow.harvest.changes import change_setting
from windrow.harvest.gate import Gate
from windrow.harvest.harvest import options_of
from windrow.harvest.settings import SourceSettings
from windrow.harvest.toml import parse_toml
from windrow.loader import Loader
from windrow.pagefile import page_to_bytes
from windrow.source.guard import Guard
from windrow.store.captures import keep_capture
from windrow.store.collection_views import renew_collection_view
from windrow.store.collections import OWN, Collection, save_collection
from windrow.store.sources import (
    add_wrapper,
    find_source,
    find_wrapper,
    get_source,
    list_wrappers,
    save_source,
    set_state,
)
from windrow.wrapper import Wrapper
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy.engine import Connection

    from windrow.harvest.settings import CollectionSettings
    from windrow.page import Page
    from windrow.store import Store
    from windrow.store.sources import SourceRow

WRAPPER = "read.wrapper"
LONGEST_FILE = 16 * 1024 * 1024


@dataclass(frozen=True)
class Imported:
    """What an import did, or would do: the names of sources and collections."""

    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()


def import_file(store: Store, path: Path, *, dry_run: bool = False, say: Callable[[str], None]) -> Imported:
    """Add or replace the sources and collections of a TOML file, all or none; wrappers are in files beside it."""
    sources, collections = parse_toml(read_text(path))
    names: dict[str, list[str]] = {"added": [], "replaced": [], "unchanged": []}
    kept, coming = [], dict[str, Wrapper | None]()
    for each in sources:
        settings, wrapper = _with_file(path.parent, each), _read_beside(path.parent, each)
        check_settings(settings)
        coming[each.name] = wrapper
        with store.reading() as connection:
            before = find_source(connection, each.name)
        wrapper = None if _was_given(store, before, wrapper) else wrapper
        changed = before is None or before.settings != settings.to_dict() or wrapper is not None
        names["added" if before is None else "replaced" if changed else "unchanged"].append(each.name)
        kept.append((_checked(store, settings, wrapper, say=say) if not dry_run else settings, wrapper))
    check_collections(store, collections, coming)
    if not dry_run:
        with store.writing() as connection:
            for settings, wrapper in kept:
                _keep(connection, settings, wrapper)
            for collection in collections:
                save_collection(connection, Collection(**asdict(collection)))
                renew_collection_view(connection, collection.name)
    named = {name: tuple(some) for name, some in names.items()}
    return Imported(**named, collections=tuple(each.name for each in collections))


def _was_given(store: Store, source: SourceRow | None, wrapper: Wrapper | None) -> bool:
    """Whether a file's wrapper is the one that a person gave last: what it was healed to since then is not undone."""
    if source is None or wrapper is None:
        return False
    with store.reading() as connection:
        given = [each.body for each in list_wrappers(connection, source.id) if each.made_by == "person"]
    return given[-1:] == [_to_kept(wrapper)]


def _to_kept(wrapper: Wrapper) -> str:
    """Return a wrapper as the store keeps it, whose versions are rows of their own."""
    return replace(wrapper, previous=None).to_json()


def check_collections(
    store: Store, collections: Sequence[CollectionSettings], coming: Mapping[str, Wrapper | None]
) -> None:
    """Refuse collections of sources that are not there, and of labels that their wrappers do not read."""
    with store.reading() as connection:
        for collection in collections:
            for name, mapped in collection.sources.items():
                wrapper = coming.get(name)
                if wrapper is None and (source := find_source(connection, name)) is not None:
                    kept = find_wrapper(connection, source.id)
                    wrapper = None if kept is None else Wrapper.from_json(kept.body)
                elif name not in coming:
                    get_source(connection, name)
                known = () if wrapper is None else wrapper.labels
                if known and (unknown := [label for label in mapped.values() if label not in (*known, *OWN)]):
                    raise UsageError(
                        f"The collection {collection.name} maps {unknown[0]!r} of {name}, which is not read there; "
                        f"there are: {', '.join(known)}."
                    )


def save(  # noqa: PLR0913 - by name: what goes with it
    store: Store,
    settings: SourceSettings,
    wrapper: Wrapper | None,
    *,
    say: Callable[[str], None],
    page: Page | None = None,
    check: Callable[[Connection], None] = lambda _: None,
) -> None:
    """Keep a source, with its wrapper as a new version; a new wrapper ends a deferral.

    ``page`` is the one that the wrapper was learned from, to be shown to people. ``check`` may refuse, within the same
    transaction, what was changed meanwhile.
    """
    checked = _checked(store, settings, wrapper, say=say)
    content = b"" if page is None or wrapper is None else page_to_bytes(page)  # which takes a while
    with store.writing() as connection:
        check(connection)
        version = _keep(connection, checked, wrapper)
        if page is not None and version is not None:
            source = get_source(connection, settings.name)
            keep_capture(connection, source.id, kind="learned", wrapper_version=version, url=page.url, content=content)


def _checked(
    store: Store, settings: SourceSettings, wrapper: Wrapper | None, *, say: Callable[[str], None]
) -> SourceSettings:
    """Return settings that go with what reads the source, and say whether its pages need a browser."""
    with store.reading() as connection:
        found = find_source(connection, settings.name)
        kept = None if found is None else find_wrapper(connection, found.id)
    current = wrapper or (None if kept is None else Wrapper.from_json(kept.body))
    if current is None and settings.read.reader is None:
        raise UsageError(f"Nothing says how {settings.name} is read. Give a wrapper or a reader.")
    check_key(settings, current)
    return decide_render(store, settings, current, say=say)


def _keep(connection: Connection, settings: SourceSettings, wrapper: Wrapper | None) -> int | None:
    """Keep settings and a wrapper, and return the version that it has now."""
    source = save_source(connection, settings.name, settings.to_dict())
    if wrapper is None:
        return None
    kept, body = find_wrapper(connection, source.id), _to_kept(wrapper)
    version = add_wrapper(connection, source.id, body, "person")
    if source.state == "deferred" and (kept is None or kept.body != body):
        set_state(connection, source.id, "active")
    return version


def change(store: Store, name: str, assignments: Mapping[str, str], *, say: Callable[[str], None]) -> None:
    """Change settings of a source by their keys; ``read.wrapper`` names a file, which becomes a new version."""
    with store.reading() as connection:
        settings = SourceSettings.from_dict(get_source(connection, name).settings)
    wrapper = None
    for key, value in assignments.items():
        if key == WRAPPER:
            wrapper = read_wrapper(Path(value))
        settings = change_setting(settings, key, Path(value).name if key == WRAPPER else value)
    check_settings(settings)
    save(store, settings, wrapper, say=say)


def check_settings(settings: SourceSettings) -> None:
    """Refuse start addresses that the guard would refuse, before anything is kept."""
    guard = Guard(allow_private=settings.network.allow_private)
    for start in settings.start:
        for url in expand(start):
            guard.check_url(url)


def check_key(settings: SourceSettings, wrapper: Wrapper | None) -> None:
    """Refuse a key of labels that the wrapper does not read."""
    unknown = [label for label in settings.read.key if wrapper is not None and label not in (*wrapper.labels, "url")]
    if unknown:
        raise UsageError(
            f"The key of {settings.name} has the label {unknown[0]!r}, which its wrapper does not read. "
            f"It reads: {', '.join(wrapper.labels if wrapper else ())}."
        )


def decide_render(
    store: Store, settings: SourceSettings, wrapper: Wrapper | None, *, say: Callable[[str], None]
) -> SourceSettings:
    """Find out whether the pages of a source need a browser, where that is asked for, and say it."""
    if settings.network.render != "auto":
        return settings
    render = wrapper is None or _needs_browser(store, settings, wrapper)
    why = "they need a browser" if render else "everything that was learned is there without one"
    say(f"{settings.name}: pages are read {'with' if render else 'without'} a browser: {why}.")
    return replace(settings, network=replace(settings.network, render=render))


def _needs_browser(store: Store, settings: SourceSettings, wrapper: Wrapper) -> bool:
    """Whether any learned value can't be read from the structure of its page alone."""
    options = options_of(settings, wrapper)
    plain = replace(options, wait_for=None, wait_for_text=None, scroll=0, load_more=0)
    with Loader(plain, workers=1) as loader:
        gate = Gate(store, loader, plain, settings.manners, [url for start in settings.start for url in expand(start)])
        for example in wrapper.examples:
            if not example.url.startswith(("http:", "https:")):
                continue
            try:
                answer = loader.fetch(example.url, gate.options_for(example.url), permit=gate.permit)
                kind = answer.headers.get("content-type")
                page = loader.parse(answer.body, url=answer.url, content_type=kind, charset=answer.charset)
                found = wrapper.extract(page).values
            except WindrowError:
                return True
            for label, texts in example.values.items():
                if not set(map(folded, texts)) <= set(map(folded, found.get(label, ()))):
                    return True
    return False


def read_wrapper(path: Path) -> Wrapper:
    """Read a wrapper from its file."""
    return Wrapper.from_json(read_text(path))


def read_text(path: Path) -> str:
    """Read a file that a person named, which is not endless."""
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
        if len(content) > LONGEST_FILE:
            raise SourceError(f"{path} is longer than {LONGEST_FILE:,} bytes. Check that it is the file that you mean.")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise SourceError(f"{path} could not be read: {error.strerror}. Check its name.") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path} is no text in UTF-8. Save it as such.") from None


def _read_beside(folder: Path, settings: SourceSettings) -> Wrapper | None:
    return None if settings.read.wrapper is None else read_wrapper(folder / settings.read.wrapper)


def _with_file(folder: Path, settings: SourceSettings) -> SourceSettings:
    """Return settings whose start addresses are also those of a file, a line each."""
    if settings.start_file is None:
        return settings
    lines = [line.strip() for line in read_text(folder / settings.start_file).splitlines()]
    urls = [line for line in lines if line and not line.startswith("#")]
    return replace(settings, start=tuple(dict.fromkeys([*settings.start, *urls])))
