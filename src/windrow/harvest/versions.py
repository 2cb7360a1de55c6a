"""Going back to an earlier version of a source's wrapper, as where it was healed to something that is not meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.errors import StaleError, UsageError
from windrow.store.sources import add_wrapper, find_wrapper, get_source, list_wrappers, set_state
from windrow.store.warnings import list_warnings, set_warnings

if TYPE_CHECKING:
    from windrow.store import Store


def go_back(store: Store, name: str, version: int | None = None, *, current: int | None = None) -> tuple[int, int]:
    """Put an earlier version of a wrapper in use again, the one before unless another is named.

    It becomes the newest version, so that nothing is lost; return its new number and the one that it had. ``current``
    is the version that somebody saw in use: ``StaleError`` where it is another one by now. A heal that is undone is
    warned of no more.
    """
    with store.writing() as connection:
        source = get_source(connection, name)
        versions = list_wrappers(connection, source.id)
        newest = versions[-1].version if versions else 0
        if current is not None and current != newest:
            raise StaleError(
                f"What reads {name} was changed since this was opened: version {newest} is in use, not {current}. "
                "Nothing was changed. Look at its changes again.",
                newest,
            )
        if version is None:
            version = versions[-2].version if len(versions) > 1 else 0
        chosen = find_wrapper(connection, source.id, version)
        if chosen is None:
            known = ", ".join(str(each.version) for each in versions) or "none"
            raise UsageError(f"There is no such version of what reads {name}; there are: {known}.")
        number = add_wrapper(connection, source.id, chosen.body, "person", {"back_to": version})
        if source.state == "deferred":
            set_state(connection, source.id, "active")
        if any(each.made_by == "heal" and each.version > version for each in versions):
            told = list_warnings(connection, "all", source.id)
            undone = [each["id"] for each in told if each["kind"] == "healed" and each["state"] != "resolved"]
            set_warnings(connection, undone, "resolved")
    return number, version
