"""The migrations of the store, which Alembic runs."""
