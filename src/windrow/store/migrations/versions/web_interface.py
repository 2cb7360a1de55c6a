"""What the web interface keeps: preferences, who may come in, and the pages that wrappers were learned from.

Records have an index besides, by which pages of them are found and counted.
"""

from alembic import op

from windrow.store import schema

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    tables = [schema.preference, schema.access, schema.capture, schema.verdict]
    schema.metadata.create_all(op.get_bind(), tables=tables)
    op.create_index("ix_windrow_record_state", schema.record.name, ["source_id", "gone_run", "id"], if_not_exists=True)
