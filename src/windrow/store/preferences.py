"""What was chosen for the whole store rather than for one source, as JSON by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update

from windrow.store import schema

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


def get_preference(connection: Connection, name: str, default: Any = None) -> Any:  # noqa: ANN401 - JSON
    """Return a preference, or the default where nobody chose one."""
    table = schema.preference
    found = connection.execute(select(table.c.value).where(table.c.name == name)).first()
    return default if found is None else found.value


def set_preference(connection: Connection, name: str, value: Any) -> None:  # noqa: ANN401 - JSON
    """Keep a preference; None forgets it."""
    table = schema.preference
    if value is None:
        connection.execute(delete(table).where(table.c.name == name))
    elif not connection.execute(update(table).where(table.c.name == name).values(value=value)).rowcount:
        connection.execute(insert(table).values(name=name, value=value))
