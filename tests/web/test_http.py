import json
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from knockon.terms.limits import GRAPHQL_BODY_BYTES_MAX
from tests.serving import Service

AXES = "{ axes { layers { id } } }"
LAYERS = {"data": {"axes": {"layers": [{"id": f"L{n}"} for n in range(1, 8)]}}}
TYPE = {"content-type": "application/json"}


def test_worked_example_is_answered(ask: Callable[..., Any]) -> None:
    query = """query ($command: String!) { check(input: {command: $command}) { ... on CheckAnswer {
      verdict
      findings { rule { id } fixes { technique { id } range } }
      sizing { kvHeadReplicas }
      revision { number }
    } } }"""

    found = ask(query, command="vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8")["check"]

    assert found["verdict"] == "DEGRADED"
    assert [finding["rule"]["id"] for finding in found["findings"]] == ["K001"]
    assert found["findings"][0]["fixes"][0] == {"technique": {"id": "decode-context-parallelism"}, "range": [1, 2]}
    assert found["sizing"] == {"kvHeadReplicas": 2}
    assert found["revision"] == {"number": 1}


def test_post_is_answered_as_json(client: httpx.Client) -> None:
    answer = client.post("/graphql", json={"query": AXES})

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert answer.json() == LAYERS


def test_get_is_answered_too(client: httpx.Client) -> None:
    query = "query Named($id: ID!) { technique(id: $id) { ... on Technique { id } } }"
    address = {"query": query, "variables": '{"id": "DCP"}', "operationName": "Named"}

    answer = client.get("/graphql", params=address)

    assert answer.json() == {"data": {"technique": {"id": "decode-context-parallelism"}}}


def test_operation_is_chosen_by_name(client: httpx.Client) -> None:
    query = "query One { axes { layers { id } } } query Two { revision { ... on Revision { number } } }"

    answer = client.post("/graphql", json={"query": query, "operationName": "Two"})

    assert answer.json() == {"data": {"revision": {"number": 1}}}


def test_same_request_is_answered_from_memory_however_it_is_written(client: httpx.Client) -> None:
    def hits() -> float:
        lines = client.get("/metrics").text.splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("knockon_answer_cache_hits_total "))

    query = '{ technique(id: "paged-attention") { ... on Technique { id goal { en } } } }'
    first = client.post("/graphql", json={"query": query})
    before = hits()
    second = client.post("/graphql", json={"query": query})
    third = client.post("/graphql", content=f'{{ "variables": null, "query": {_quoted(query)} }}', headers=TYPE)

    assert first.content == second.content == third.content
    assert hits() - before == 2


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        pytest.param(
            b"{", "malformed-json",
            "the body is no JSON: unexpected end of data: line 1 column 2 (char 1); expected a JSON object",
            id="no JSON",
        ),
        pytest.param(b"", "malformed-json", None, id="nothing"),
        pytest.param(b"\xff\xfe", "malformed-json", None, id="no UTF-8"),
        pytest.param(b"[" * 100_000, "malformed-json", None, id="deep nesting"),
        pytest.param(b'{"query": NaN}', "malformed-json", None, id="not a number"),
        pytest.param(
            b'[{"query": "{ axes { layers { id } } }"}]', "bad-request",
            "the body is a list of requests; expected one request: a JSON object", id="list",
        ),
        pytest.param(b'"q"', "bad-request", 'the body is no JSON object; expected an object with "query"', id="text"),
        pytest.param(
            b"{}", "bad-request",
            'there is no query; expected a GraphQL document under "query"; a page to try it on is at /ide',
            id="no query",
        ),
        pytest.param(
            b'{"query": 7}', "bad-request",
            'there is no query; expected a GraphQL document under "query"; a page to try it on is at /ide', id="number",
        ),
        pytest.param(
            b'{"query": "{ a }", "variables": [1]}', "bad-request",
            "variables is no JSON object; expected an object of variable to value", id="variables",
        ),
        pytest.param(
            b'{"query": "{ a }", "operationName": 1}', "bad-request",
            "operationName is no text; expected the name of an operation of the document", id="operation",
        ),
    ],
)  # fmt: skip
def test_body_that_is_no_request_is_refused(client: httpx.Client, body: bytes, code: str, message: str | None) -> None:
    answer = client.post("/graphql", content=body, headers=TYPE)

    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert error["extensions"]["code"] == code
    assert message is None or error["message"] == message


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_body_of_another_type_is_refused(client: httpx.Client, kind: str) -> None:
    answer = client.post("/graphql", content=b"{}", headers={"content-type": kind})

    assert answer.status_code == 415
    assert answer.json()["errors"] == [
        {
            "message": f"the body is of type {kind!r}; expected application/json; "
            "send the header Content-Type: application/json",
            "extensions": {
                "code": "unsupported-media-type",
                "what": f"the body is of type {kind!r}",
                "expected": "application/json",
                "fix": "send the header Content-Type: application/json",
            },
        }
    ]


def test_body_over_the_limit_is_refused_before_it_is_sent(service: Service) -> None:
    connection = HTTPConnection(urlsplit(service.url).netloc, timeout=10)
    connection.putrequest("POST", "/graphql")
    connection.putheader("content-type", "application/json")
    connection.putheader("content-length", str(50 * 1024 * 1024))
    connection.endheaders()

    answer = connection.getresponse()
    (error,) = json.load(answer)["errors"]
    connection.close()

    assert answer.status == 413
    assert error["extensions"]["code"] == "limit-exceeded"
    assert error["message"] == (
        "the body is over the limit of 1,048,576 bytes, found 52,428,800 or more; send a smaller request"
    )


def test_body_over_the_limit_that_does_not_say_its_length_is_refused(client: httpx.Client) -> None:
    answer = client.post("/graphql", content=iter([b"{", b" " * GRAPHQL_BODY_BYTES_MAX, b"}"]), headers=TYPE)

    assert answer.status_code == 413
    assert client.post("/graphql", json={"query": AXES}).json() == LAYERS


@pytest.mark.parametrize("size", [2, 5, 60])
@pytest.mark.parametrize(
    ("method", "kind", "status"),
    [("POST", "application/json", 413), ("POST", "text/plain", 415), ("PUT", "application/json", 405)],
)
def test_client_that_first_sends_a_whole_large_body_gets_its_refusal(
    service: Service, method: str, kind: str, status: int, size: int
) -> None:
    # A connection that is to be closed was closed on the client while it was still sending.
    for connection in ("close", "keep-alive"):
        asking = HTTPConnection(urlsplit(service.url).netloc, timeout=20)
        headers = {"content-type": kind, "connection": connection}
        asking.request(method, "/graphql", body=b"x" * (size * 1024 * 1024), headers=headers)
        answer = asking.getresponse()
        (error,) = json.load(answer)["errors"]
        asking.close()

        assert answer.status == status
        assert error["extensions"]["code"] != "internal-error"


def test_large_body_that_does_not_say_its_length_is_taken_in_before_the_connection_is_closed(service: Service) -> None:
    asking = HTTPConnection(urlsplit(service.url).netloc, timeout=20)
    parts = (b"x" * 65_536 for _ in range(160))
    asking.request("POST", "/graphql", body=parts, headers={**TYPE, "connection": "close"}, encode_chunked=True)
    answer = asking.getresponse()
    asking.close()

    assert answer.status == 413


def test_largest_body_is_read(client: httpx.Client) -> None:
    body = b'{"query": "{ axes { layers { id } } }"}'

    answer = client.post("/graphql", content=body.ljust(GRAPHQL_BODY_BYTES_MAX), headers=TYPE)

    assert answer.json() == LAYERS


@pytest.mark.parametrize("levels", [200, 300, 900])
def test_variables_however_deep_are_read_or_refused(client: httpx.Client, levels: int) -> None:
    query = "query ($c: JSON) { check(input: {modelConfig: $c}) { ... on InputProblem { code } } }"
    body = f'{{"query": {_quoted(query)}, "variables": {{"c": {"[" * levels}{"]" * levels}}}}}'

    answer = client.post("/graphql", content=body, headers=TYPE)

    if answer.status_code == 200:
        assert answer.json() == {"data": {"check": {"code": "bad-config"}}}
    else:
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (400, "limit-exceeded")
    assert (answer.status_code == 200) == (levels == 200)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(client: httpx.Client, method: str) -> None:
    answer = client.request(method, "/graphql")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, POST"
    assert answer.json()["errors"][0]["extensions"]["code"] == "method-not-allowed"


@pytest.mark.parametrize(
    ("address", "code"),
    [
        pytest.param("", "bad-request", id="no query"),
        pytest.param("query={axes{layers{id}}}&variables={", "malformed-json", id="variables"),
        pytest.param("&".join(f"a{n}=1" for n in range(30)), "bad-request", id="too many fields"),
    ],
)
def test_address_that_is_no_request_is_refused(client: httpx.Client, address: str, code: str) -> None:
    answer = client.get(f"/graphql?{address}")

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["extensions"]["code"] == code


@pytest.mark.parametrize(
    ("accept", "status", "kind"),
    [
        ("application/json", 200, "application/json; charset=utf-8"),
        ("*/*", 200, "application/json; charset=utf-8"),
        (
            "application/graphql-response+json, application/json;q=0.9",
            400,
            "application/graphql-response+json; charset=utf-8",
        ),
    ],
)
def test_status_of_a_refused_document_is_what_the_client_understands(
    client: httpx.Client, accept: str, status: int, kind: str
) -> None:
    answer = client.post("/graphql", json={"query": "{ nothing }"}, headers={"accept": accept})

    assert (answer.status_code, answer.headers["content-type"]) == (status, kind)
    assert answer.json()["errors"][0]["extensions"]["code"] == "unknown-field"


def test_request_keeps_the_id_it_brings_and_else_gets_one_of_its_own(client: httpx.Client) -> None:
    brought = client.post("/graphql", json={"query": AXES}, headers={"x-request-id": "trace-7"})
    page = client.get("/healthz", headers={"x-request-id": "trace-8"})
    strange = client.post("/graphql", json={"query": AXES}, headers={"x-request-id": "a b;c"})
    others = [client.post("/graphql", json={"query": AXES}).headers["x-request-id"] for _ in range(3)]

    assert (brought.headers["x-request-id"], page.headers["x-request-id"]) == ("trace-7", "trace-8")
    assert strange.headers["x-request-id"] != "a b;c"
    assert len(set(others)) == 3


def test_pages_of_other_origins_get_no_leave(client: httpx.Client) -> None:
    answer = client.post("/graphql", json={"query": AXES}, headers={"origin": "https://elsewhere.example"})

    assert [name for name in answer.headers if name.startswith("access-control")] == []


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/", "/ide", "/ide/ide.js", "/nowhere"])
@pytest.mark.parametrize(
    ("method", "size", "status", "code"),
    [
        ("POST", 20, 405, "method-not-allowed"),
        ("PUT", 0, 405, "method-not-allowed"),
        ("GET", 20, 413, "limit-exceeded"),
    ],
)
def test_body_for_a_page_gets_a_refusal_that_arrives(
    service: Service, path: str, method: str, size: int, status: int, code: str
) -> None:
    asking = HTTPConnection(urlsplit(service.url).netloc, timeout=20)
    asking.request(method, path, body=b"x" * (size * 1024 * 1024))
    answer = asking.getresponse()
    (error,) = json.load(answer)["errors"]

    assert (answer.status, error["extensions"]["code"]) == (status, code)
    assert answer.headers["allow"] == ("GET, HEAD" if status == 405 else None)
    # The same connection where it stays open, and a new one where it was closed: both are of use.
    asking.request("GET", "/healthz")
    assert asking.getresponse().status == 200
    asking.close()


def test_large_body_without_a_length_for_a_page_leaves_the_connection_usable(service: Service) -> None:
    asking = HTTPConnection(urlsplit(service.url).netloc, timeout=20)
    asking.request("POST", "/healthz", body=(b"x" * 65_536 for _ in range(160)), encode_chunked=True)
    answer = asking.getresponse()
    assert (answer.status, json.load(answer)["errors"][0]["extensions"]["code"]) == (405, "method-not-allowed")

    asking.request("GET", "/healthz")
    assert asking.getresponse().status == 200
    asking.close()
