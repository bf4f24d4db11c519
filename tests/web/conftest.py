"""What the service's tests share: a client of the running one, and an empty database of each kind."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serving import Service, client_of


@pytest.fixture(scope="session")
def client(service: Service) -> Iterator[httpx.Client]:
    """Give a client of the service."""
    with client_of(service.url) as opened:
        yield opened


@pytest.fixture
def ask(client: httpx.Client) -> Callable[..., Any]:
    """Give `ask(query, **variables)`: the data of an answer without errors."""

    def asked(query: str, **variables: Any) -> Any:
        answer = client.post("/graphql", json={"query": query, "variables": variables}).json()
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    return asked


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of a database that holds nothing."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("fresh_schema")())
    return f"sqlite:///{tmp_path}/knockon.db"
