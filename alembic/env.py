"""How migrations run: on the connection that the store gives, or, for a developer, on the database of `-x url=…`."""

from alembic import context
from alembic.util import CommandError
from sqlalchemy import Connection

from knockon.store.database import Database
from knockon.store.tables import metadata


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        # SQLite cannot alter a table in place: it is copied, by the same migration that PostgreSQL runs directly.
        render_as_batch=True,
    )
    # The connection is in a transaction already, on SQLite too: all migrations are run, or none.
    context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    arguments = context.get_x_argument(as_dictionary=True)
    if context.is_offline_mode() or "url" not in arguments:
        raise CommandError("say which database: alembic -x url=sqlite:///knockon.db <command> (without --sql)")
    with Database(arguments["url"], busy_timeout_s=10).migrating() as connection:
        run(connection)
