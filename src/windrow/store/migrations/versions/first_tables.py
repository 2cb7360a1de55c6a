"""The first tables."""

from alembic import op

from windrow.store.schema import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    metadata.create_all(op.get_bind())
