"""Records are looked up by their keys: by digests, those of one page stood in as many places of the index.

A table of PostgreSQL's that was made before leaves room on its pages, too, as one that is made now does.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from windrow.store.schema import record
from windrow.store.text import lookup

revision = "0003"
down_revision = "0002"

AT_A_TIME = 1000


def upgrade() -> None:
    """Give every record what it is looked up by."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        op.execute(f"ALTER TABLE {record.name} SET (fillfactor = 90)")
    columns = {column["name"] for column in sa.inspect(connection).get_columns(record.name)}
    if record.c.lookup.name in columns:
        return  # the first tables were made as they are now
    op.execute(f"ALTER TABLE {record.name} RENAME COLUMN key_digest TO lookup")
    change = sa.update(record).where(record.c.id == sa.bindparam("number")).values(lookup=sa.bindparam("by"))
    last = -1
    while rows := connection.execute(_after(last)).all():
        connection.execute(change, [{"number": number, "by": lookup(key)} for number, key in rows])
        last = rows[-1][0]


def _after(number: int) -> sa.Select[int, str]:
    chosen = sa.select(record.c.id, record.c.key).where(record.c.id > number)
    return chosen.order_by(record.c.id).limit(AT_A_TIME)
