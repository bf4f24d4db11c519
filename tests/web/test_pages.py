import httpx
import pytest

from knockon.version import version
from knockon.web.pages import CONTENT_POLICY


def test_process_that_answers_is_alive(client: httpx.Client) -> None:
    assert client.get("/healthz").json() == {"status": "alive", "version": version()}


def test_service_with_a_revision_is_ready(client: httpx.Client) -> None:
    query = "{ revision { ... on Revision { number digest } } }"
    revision = client.post("/graphql", json={"query": query}).json()["data"]["revision"]

    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "revision": revision}
    assert revision["number"] == 1


def test_figures_count_requests_by_root_and_status(client: httpx.Client) -> None:
    def figures() -> dict[str, float]:
        lines = client.get("/metrics").text.splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[:1] != "#")}

    before = figures()
    client.post("/graphql", json={"query": "query Strange7 { walls { id } }"})
    client.post("/graphql", json={"query": "{ __schema { queryType { name } } }"})
    client.post("/graphql", json={"query": "{ nothing }"})
    client.post("/graphql", content=b"{", headers={"content-type": "application/json"})
    after = figures()

    grown = {name: value - before.get(name, 0) for name, value in after.items() if name.startswith("knockon_requests")}
    assert {name: value for name, value in grown.items() if value} == {
        'knockon_requests_total{operation="walls",status="200"}': 1,
        'knockon_requests_total{operation="introspection",status="200"}': 1,
        'knockon_requests_total{operation="invalid",status="200"}': 1,
        'knockon_requests_total{operation="invalid",status="400"}': 1,
    }
    assert after['knockon_request_duration_seconds_count{operation="walls"}'] == 1
    assert after["knockon_revision"] == 1
    assert after["knockon_database_readable"] == 1
    assert after["process_resident_memory_bytes"] > 0


def test_first_page_is_the_query_ide(client: httpx.Client) -> None:
    answer = client.get("/", follow_redirects=True)

    assert answer.url.path == "/ide"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == CONTENT_POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["ide.js", "ide.css", "graphiql.min.js", "graphiql.min.css"])
def test_files_of_the_query_ide_are_served(client: httpx.Client, name: str) -> None:
    answer = client.get(f"/ide/{name}")

    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == CONTENT_POLICY


@pytest.mark.parametrize("path", ["/ide/../app.py", "/ide/%2e%2e/app.py", "/docs", "/openapi.json", "/nothing"])
def test_nothing_else_is_served(client: httpx.Client, path: str) -> None:
    answer = client.get(path)

    assert answer.status_code == 404
    (error,) = answer.json()["errors"]
    assert error["extensions"]["code"] == "unknown-path"
    assert error["extensions"]["expected"] == "one of /graphql, /ide, /healthz, /readyz, /metrics"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/ide", "/ide/ide.js"])
def test_head_is_given_without_a_body(client: httpx.Client, path: str) -> None:
    answer = client.head(path)

    assert (answer.status_code, answer.content) == (200, b"")
