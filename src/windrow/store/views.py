"""The tidy view of a source: a row a record, a column a label, for any tool that reads SQL while a harvest writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, inspect, select, text, update

from windrow.result.database import free_column_name, quoted
from windrow.store import schema
from windrow.store.fields import list_fields
from windrow.store.schema import PREFIX
from windrow.store.sources import remove_source

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from windrow.store.engine import Store
    from windrow.store.fields import FieldRow

KEPT = "kept"
"""The column that names the labels whose values are kept though the page no longer surely shows them."""
LOCK_TIMEOUT = "5s"
"""How long a view that is made anew waits for those who read the old one."""


def make_view(store: Store, source_id: int) -> str:
    """Make the view of a source anew, in a transaction of its own, and return its name."""
    with store.writing() as connection:
        wait_briefly(connection)
        row = connection.execute(select(schema.source).where(schema.source.c.id == source_id)).one()
        name = row.view or free_view_name(connection, row.name)
        run_statement(connection, f"DROP VIEW IF EXISTS {quoted(name)}")
        run_statement(connection, _view(name, source_id, list_fields(connection, source_id), is_sqlite=store.is_sqlite))
        connection.execute(update(schema.source).where(schema.source.c.id == source_id).values(view=name))
    return name


def is_view_current(store: Store, source_id: int) -> bool:
    """Whether the view of a source has all columns that it should have; true where there are no labels yet."""
    with store.reading() as connection:
        name = connection.execute(select(schema.source.c.view).where(schema.source.c.id == source_id)).scalar()
        fields = list_fields(connection, source_id)
        if not name or not fields:
            return not fields
        found = inspect(connection)
        if name not in found.get_view_names():
            return False
        wanted = {KEPT, *(field.column_name for field in fields)}
        return wanted <= {column["name"] for column in found.get_columns(name)}


def remove_with_view(store: Store, source_id: int) -> None:
    """Remove a source with its view and everything that was stored of it."""
    with store.writing() as connection:
        name = connection.execute(select(schema.source.c.view).where(schema.source.c.id == source_id)).scalar()
        if name:
            run_statement(connection, f"DROP VIEW IF EXISTS {quoted(name)}")
        remove_source(connection, source_id)


def drop_collection_view(connection: Connection, number: int) -> None:
    """Drop the view of a collection, if it has one."""
    table = schema.collection_view
    mine = table.c.collection_id == number
    if view := connection.execute(select(table.c.view).where(mine)).scalar():
        wait_briefly(connection)
        run_statement(connection, f"DROP VIEW IF EXISTS {quoted(view)}")
    connection.execute(delete(table).where(mine))


def wait_briefly(connection: Connection) -> None:
    """Let the rest of a transaction wait only so long for those who read a view."""
    if connection.dialect.name != "sqlite":
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'"))


def run_statement(connection: Connection, statement: str) -> None:
    """Run a statement as it is: psycopg reads a per cent sign as the beginning of a parameter."""
    is_sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql(statement if is_sqlite else statement.replace("%", "%%"))


def free_view_name(connection: Connection, wanted: str) -> str:
    """Return a name for the view of a source or a collection that nothing in the store has."""
    found = inspect(connection)
    taken = {name.casefold() for name in (*found.get_table_names(), *found.get_view_names())}
    stem = wanted if not wanted.casefold().startswith((PREFIX, "sqlite_", "pg_")) else f"view {wanted}"
    return free_column_name(stem, taken)


def _view(name: str, source_id: int, fields: list[FieldRow], *, is_sqlite: bool) -> str:
    taken = {field.column_name.casefold() for field in fields}
    columns = [
        "r.id AS id",
        "r.key AS key",
        "r.url AS url",
        "CASE WHEN r.gone_run IS NULL THEN 'present' ELSE 'gone' END AS state",
        "f.started_at AS first_seen",
        "l.started_at AS last_seen",
        f"{_kept(is_sqlite)} AS {quoted(free_column_name(KEPT, taken))}",
    ]
    taken.add(KEPT)
    for field in fields:
        columns.append(f"{column_value('r.texts', field.id, is_sqlite=is_sqlite)} AS {quoted(field.column_name)}")
        if field.kind not in (None, "text"):
            typed = free_column_name(f"{field.column_name}_value", taken)
            taken.add(typed.casefold())
            columns.append(f"{column_value('r.typed', field.id, is_sqlite=is_sqlite)} AS {quoted(typed)}")
    latest = "CASE WHEN a.seen_run > r.last_run THEN a.seen_run ELSE r.last_run END"
    return (
        f"CREATE VIEW {quoted(name)} AS SELECT {', '.join(columns)} FROM {PREFIX}record r "  # noqa: S608 - numbers and quoted names
        f"JOIN {PREFIX}run f ON f.id = r.first_run LEFT JOIN {PREFIX}address a ON a.id = r.address_id "
        f"JOIN {PREFIX}run l ON l.id = {latest} WHERE r.source_id = {source_id}"
    )


def _kept(is_sqlite: bool) -> str:  # noqa: FBT001 - of this module
    """Return the labels of the values that a record keeps, as a JSON array; nothing where it keeps none."""
    collected = "json_group_array(k.label)" if is_sqlite else "json_agg(k.label)::text"
    each = "json_each(r.lacking)" if is_sqlite else "json_array_elements_text(r.lacking::json)"
    number = "e.value" if is_sqlite else "e.value::bigint"
    found = f"SELECT {collected} FROM {each} e JOIN {PREFIX}field k ON k.id = {number}"  # noqa: S608 - names of ours
    return f"CASE WHEN r.lacking IS NOT NULL THEN ({found}) END"


def column_value(column: str, field: int, *, is_sqlite: bool) -> str:
    """Return the expression for a value of a record."""
    return f"""json_extract({column}, '$."{field}"')""" if is_sqlite else f"({column}::json ->> '{field}')"
