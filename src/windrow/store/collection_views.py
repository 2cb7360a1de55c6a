"""The tidy view of a collection: a row a thing, a column a label, the value of the first source that has one.

Which records are one thing no SQL can tell: keys are compared in a form of their own, and people join what is alike. So
the store keeps it, as of the last change of the collection or the end of the last run of one of its sources.
The values are those of the records at any moment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from windrow.result.database import free_column_name, quoted
from windrow.store import schema
from windrow.store.batches import in_batches
from windrow.store.collections import OWN, Collection, Gathering, get_collection, list_collections
from windrow.store.fields import list_fields
from windrow.store.schema import PREFIX
from windrow.store.sources import find_source
from windrow.store.views import column_value, drop_collection_view, free_view_name, run_statement

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

A_BATCH = 1000
"""How many rows are written together."""
SOURCES = "sources"
"""The column that names the sources of a row, in their order."""


def renew_views_of(connection: Connection, source: str) -> None:
    """Bring the views of all collections of a source up to what is stored."""
    for collection in list_collections(connection):
        if source in collection.sources:
            renew_collection_view(connection, collection.name)


def renew_collection_view(connection: Connection, name: str) -> None:
    """Bring the view of a collection up to what is stored; it is made anew only where it has other columns."""
    collection = get_collection(connection, name)
    numbers = {each: row.id for each in collection.sources if (row := find_source(connection, each)) is not None}
    known = replace(collection, sources={each: collection.sources[each] for each in numbers})
    number = connection.execute(select(schema.collection.c.id).where(schema.collection.c.name == name)).scalar_one()
    _keep_members(connection, number, known)
    table = schema.collection_view
    kept = connection.execute(select(table).where(table.c.collection_id == number)).one_or_none()
    view = free_view_name(connection, name) if kept is None else kept.view
    statement = _statement(connection, view, number, known, numbers)
    if kept is not None and kept.statement == statement:
        return
    drop_collection_view(connection, number)
    run_statement(connection, statement)
    connection.execute(insert(table).values(collection_id=number, view=view, statement=statement))


def _keep_members(connection: Connection, number: int, collection: Collection) -> None:
    """Keep which records are one thing; nothing is written where that is as it was."""
    table, ranks = schema.member, {name: rank for rank, name in enumerate(collection.sources)}
    groups = Gathering(connection, collection).groups
    found = {(thing, ranks[source], record) for thing, group in enumerate(groups) for source, record in group}
    mine = table.c.collection_id == number
    kept = connection.execute(select(table.c.thing, table.c.rank, table.c.record_id).where(mine))
    if found == {tuple(row) for row in kept}:
        return
    connection.execute(delete(table).where(mine))
    for some in in_batches(sorted(found), A_BATCH):
        rows = [dict(zip(("thing", "rank", "record_id"), row, strict=True), collection_id=number) for row in some]
        connection.execute(insert(table), rows)


def _statement(connection: Connection, view: str, number: int, collection: Collection, sources: dict[str, int]) -> str:
    is_sqlite = connection.dialect.name == "sqlite"
    fields = {name: {each.label: each.id for each in list_fields(connection, sources[name])} for name in sources}
    members = (
        f"{PREFIX}member m JOIN {PREFIX}record r ON r.id = m.record_id AND r.gone_run IS NULL "
        f"WHERE m.collection_id = {number}"
    )
    columns, taken = [], {SOURCES}
    for label in collection.labels:
        cases = ""
        for name, mapped in collection.sources.items():
            if label in mapped:
                cases += f" WHEN {sources[name]} THEN {_value_of(mapped[label], fields[name], is_sqlite=is_sqlite)}"
        value = f"CASE r.source_id{cases} END" if cases else "NULL"
        first = f"SELECT {value} FROM {members} AND m.thing = t.thing AND {value} IS NOT NULL ORDER BY m.rank LIMIT 1"  # noqa: S608 - numbers and names of ours
        column = free_column_name(label, taken)
        taken.add(column.casefold())
        columns.append(f"({first}) AS {quoted(column)}")
    names = members.replace(" WHERE", f" JOIN {PREFIX}source s ON s.id = r.source_id WHERE")
    in_order = f"SELECT s.name AS name FROM {names} AND m.thing = t.thing ORDER BY m.rank"  # noqa: S608 - likewise
    joined = "group_concat(o.name, ' | ')" if is_sqlite else "string_agg(o.name, ' | ')"
    columns.append(f"(SELECT {joined} FROM ({in_order}) o) AS {SOURCES}")  # noqa: S608 - likewise
    return (
        f"CREATE VIEW {quoted(view)} AS SELECT {', '.join(columns)} "  # noqa: S608 - likewise
        f"FROM (SELECT DISTINCT m.thing AS thing FROM {members}) t ORDER BY t.thing"
    )


def _value_of(label: str, fields: dict[str, int], *, is_sqlite: bool) -> str:
    """Return what a source calls by a label: a value of its records, else their address or key."""
    parts = [column_value("r.texts", fields[label], is_sqlite=is_sqlite)] if label in fields else []
    parts += [f"r.{label}"] if label in OWN else []
    return f"COALESCE({', '.join(parts)}, NULL)" if parts else "NULL"
