"""Which records are one thing in a collection, and the view of it; made when one of its sources is read next."""

from alembic import op

from windrow.store import schema

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables."""
    schema.metadata.create_all(op.get_bind(), tables=[schema.member, schema.collection_view])
