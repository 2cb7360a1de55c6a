"""What Alembic runs a migration in: the connection that the store hands over, in one transaction of the store's."""

from alembic import context

from windrow.store.migration import VERSIONS
from windrow.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    version_table=VERSIONS,
)
context.run_migrations()
