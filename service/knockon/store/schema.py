"""The version of the tables: which one a database has, which one this program needs, and the way there."""

from pathlib import Path
from typing import Literal

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, text

from knockon.store.refusals import refusal
from knockon.terms.errors import StoreError

SchemaState = Literal["missing", "older", "current", "newer"]
"""`missing`: no tables yet. `newer`: made by a later version of Knock-on than this one."""

_VERSION = text("SELECT version_num FROM alembic_version")


class Schema:
    """The migrations of one folder, as a rule those this program came with."""

    def __init__(self, folder: Path) -> None:
        """Read the migrations' order; they are run only by `migrate`."""
        self._folder = folder
        script = ScriptDirectory.from_config(alembic_config(folder))
        self.head = script.get_current_head()
        self._known = {migration.revision for migration in script.walk_revisions()}
        self._has_version = False

    def state(self, connection: Connection) -> SchemaState:
        """Compare the database's version with this program's."""
        found = self._version_in(connection)
        if found is None:
            return "missing"
        if found not in self._known:
            return "newer"
        return "current" if found == self.head else "older"

    def _version_in(self, connection: Connection) -> str | None:
        if self._has_version:
            # What alembic asks for, without its look for the table, which costs more than most reads.
            found: str | None = connection.scalar(_VERSION)
            return found
        found = MigrationContext.configure(connection).get_current_revision()
        self._has_version = found is not None
        return found

    def require(self, connection: Connection, url: URL) -> None:
        """Raise StoreError unless the database has exactly this program's version."""
        state = self.state(connection)
        if state == "missing":
            raise refusal(
                url,
                code="schema-missing",
                what="has no tables of Knock-on",
                expected="a migrated database",
                fix="let `knockon serve` migrate it",
            )
        if state == "older":
            raise refusal(
                url,
                code="schema-older",
                what="is of an older version of Knock-on",
                expected=f"schema {self.head}",
                fix="let `knockon serve` migrate it; copy the database first",
            )
        if state == "newer":
            raise _newer(url, self.head)

    def migrate(self, connection: Connection, url: URL) -> SchemaState:
        """Bring the database to this program's version inside the caller's transaction; gives the state it was in.

        Raises:
            StoreError: The database is newer than this program; it is left alone.
        """
        found = self.state(connection)
        if found == "newer":
            raise _newer(url, self.head)
        if found != "current":
            command.upgrade(alembic_config(self._folder, connection), "head")
        return found


def _newer(url: URL, head: str | None) -> StoreError:
    """The refusal of a database that a later version of Knock-on has migrated."""
    return refusal(
        url,
        code="schema-newer",
        what="is of a newer version of Knock-on than this program",
        expected=f"schema {head} or older",
        fix="upgrade Knock-on, or use another database; nothing was changed",
    )


def alembic_config(folder: Path, connection: Connection | None = None) -> Config:
    """Alembic's configuration without an ini file; `connection` is what migrations run on, in its transaction."""
    config = Config()
    # ConfigParser expands percent signs, and a folder may have one in its name.
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
