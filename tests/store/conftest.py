"""What the store's tests share: an empty database of each kind, and a migrated store on it."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, event

from knockon.store.store import Store, open_store

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of a database that holds nothing; on SQLite its file is not there yet."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("fresh_schema")())
    return f"sqlite:///{tmp_path}/knockon.db"


@pytest.fixture(scope="session")
def migration(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], None]:
    """Give a function that does to an empty database what a migration did to the first of its kind.

    A migration takes a tenth of a second, most of it to find out what to do.
    """
    file = tmp_path_factory.mktemp("migrated") / "knockon.db"
    # PostgreSQL has no file to copy; its schemas are all of one database, so what was said once is said again.
    said: list[str] = []

    def migrate(url: str) -> None:
        if url.startswith("sqlite"):
            if not file.exists():
                with open_store(f"sqlite:///{file}") as first:
                    first.migrate()
            shutil.copyfile(file, url.removeprefix("sqlite:///"))
        elif said:
            with psycopg.connect(url.replace("+psycopg", "")) as connection:
                connection.execute(";".join(said))
        else:

            def heard(_connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
                if not parameters and statement.lstrip().upper().startswith(("CREATE", "INSERT", "ALTER", "UPDATE")):
                    said.append(statement)

            with open_store(url) as first:
                event.listen(Engine, "before_cursor_execute", heard)
                try:
                    first.migrate()
                finally:
                    event.remove(Engine, "before_cursor_execute", heard)

    return migrate


@pytest.fixture
def store(url: str, migration: Callable[[str], None]) -> Iterator[Store]:
    """Give a migrated store whose clock stands at noon."""
    migration(url)
    with open_store(url, clock=lambda: NOON) as opened:
        assert opened.schema_state() == "current"
        yield opened
