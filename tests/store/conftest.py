"""What the store's tests share: an empty database of each kind, and a migrated store on it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knockon.store.store import Store, open_store

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of a database that holds nothing; on SQLite its file is not there yet."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("fresh_schema")())
    return f"sqlite:///{tmp_path}/knockon.db"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Give a migrated store whose clock stands at noon."""
    with open_store(url, clock=lambda: NOON) as opened:
        opened.migrate()
        yield opened
