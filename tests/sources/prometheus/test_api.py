"""What the API's answers and refusals become; a small server stands in, and says what each test tells it to."""

import base64
import time
from collections.abc import Iterator

import pytest

from knockon.sources.base import Taken
from knockon.sources.prometheus.api.ask import window_of
from knockon.sources.prometheus.api.client import Server, server_at
from knockon.sources.prometheus.api.live import live
from knockon.terms.errors import IntakeError
from tests.prometheus_fake import Answer, FakePrometheus, fake_prometheus, success
from tests.sources.vocabulary import shipped_vocabulary

END = 1_704_110_400.0


@pytest.fixture
def fake() -> Iterator[FakePrometheus]:
    with fake_prometheus() as held:
        yield held


def _live(url: str, timeout_s: float = 10, **headers: str) -> Taken:
    window = window_of(to_s=END, length_s=120, step_s=60)
    server = server_at(url, headers=headers, timeout_s=timeout_s)
    return live(server, window, matchers={"pod": 'a"b'}, vocabulary=shipped_vocabulary())


def _two_metrics(failing: str, failure: tuple[int, bytes]) -> Answer:
    """Two gauges, one of which the server does not answer for."""

    def answer(path: str, query: str) -> tuple[int, bytes]:
        if query.startswith("count by"):
            names = ("vllm:num_requests_waiting", "vllm:kv_cache_usage_perc")
            return success([{"metric": {"__name__": name}, "value": [END, "1"]} for name in names])
        if failing in query:
            return failure
        return success([{"metric": {"pod": "a"}, "values": [[END - 60, "0.5"], [END, "0.75"]]}], "matrix")

    return answer


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        pytest.param((503, b"busy"), "the server answers 503", id="no JSON"),
        pytest.param(
            (422, b'{"status":"error","errorType":"execution","error":"too many samples"}'),
            "the server answers 422: too many samples",
            id="refused",
        ),
        pytest.param((200, b'{"status":"error","error":"store down"}'), "the server says store down", id="partial"),
    ],
)
def test_a_question_without_answer_is_a_missing_reading(
    fake: FakePrometheus, failure: tuple[int, bytes], why: str
) -> None:
    fake.answer = _two_metrics("waiting", failure)
    taken = _live(fake.url)
    assert [(one.name, one.replica, one.value, one.why) for one in taken.readings] == [
        ("kv_cache_usage_ratio", "pod=a", 0.75, ""),
        ("waiting_count", "", None, why),
    ]
    assert [(one.name, one.at_s, one.values) for one in taken.series] == [
        ("kv_cache_usage_ratio", (END - 60, END), (0.5, 0.75))
    ]


def test_a_label_is_quoted_and_headers_and_tenant_go_with_every_question(fake: FakePrometheus) -> None:
    asked: list[str] = []
    inner = _two_metrics("nothing", (500, b""))

    def answer(path: str, query: str) -> tuple[int, bytes]:
        asked.append(query)
        return inner(path, query)

    fake.answer = answer
    _live(fake.url, **{"Authorization": "Bearer secret", "X-Scope-OrgID": "team"})
    assert all(',pod="a\\"b"' in query for query in asked)
    assert len(fake.headers) == 3
    assert {(one["Authorization"], one["X-Scope-Orgid"]) for one in fake.headers} == {("Bearer secret", "team")}


def test_name_and_password_of_the_address_are_sent_and_never_shown(fake: FakePrometheus) -> None:
    fake.answer = _two_metrics("nothing", (500, b""))
    taken = _live(fake.url.replace("http://", "http://user:p%40ss@"))
    assert {one["Authorization"] for one in fake.headers} == {f"Basic {base64.b64encode(b'user:p@ss').decode()}"}
    assert "p@ss" not in str(taken)
    assert "p%40ss" not in str(taken)
    assert "secret" not in repr(Server("http://a", {"Authorization": "secret"}))


@pytest.mark.parametrize(
    ("status", "body", "what"),
    [
        (401, b"", "answers 401"),
        (403, b"", "answers 403"),
        (404, b"", "has no Prometheus API (404)"),
        (200, b"<html>", "answers with a web page, not as Prometheus does"),
        (404, b"<!DOCTYPE html><p>", "answers with a web page (404), not as Prometheus does"),
        (400, b"", "has no Prometheus API (400)"),
        (200, b"hello", "answers, but not as Prometheus does"),
        (200, b"[1]", "answers, but not as Prometheus does"),
        (500, b"", "does not say which metrics it has: the server answers 500"),
    ],
)
def test_a_server_that_cannot_be_asked_is_an_error(fake: FakePrometheus, status: int, body: bytes, what: str) -> None:
    fake.answer = lambda path, query: (status, body)
    with pytest.raises(IntakeError) as caught:
        _live(fake.url)
    assert f"{fake.url} {what}" in str(caught.value)


ENGINE = b"# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running 1\n"
OWN = b"# TYPE go_goroutines gauge\ngo_goroutines 9\nprometheus_tsdb_head_series 1\n"
SCRAPED = (
    "save them twice (`curl -s {page} > before.prom`, some minutes later `> now.prom`) and ask "
    "`knockon diagnose now.prom --before before.prom --elapsed SECONDS`, or name {host} as a target in the "
    "scrape_configs of a Prometheus server{more} and give that server's address"
)


@pytest.mark.parametrize("status", [404, 405, 200], ids=["elsewhere", "no questions", "mounted"])
@pytest.mark.parametrize("path", ["", "/metrics"])
def test_an_engine_instead_of_a_server_is_told_how_it_is_read(fake: FakePrometheus, path: str, status: int) -> None:
    fake.pages["/metrics"] = ENGINE
    fake.answer = lambda path, query: (status, ENGINE if status == 200 else b'{"detail":"Not Found"}')
    with pytest.raises(IntakeError) as caught:
        _live(fake.url + path)
    page = f"{fake.url}/metrics"
    what = f"{page} gives metrics, and has no API to ask about them"
    assert caught.value.problem.what == (what if path else f"{fake.url} has no Prometheus API, only metrics at {page}")
    assert caught.value.problem.fix == SCRAPED.format(page=page, host=fake.url.removeprefix("http://"), more="")


def test_metrics_at_another_path_are_scraped_there(fake: FakePrometheus) -> None:
    fake.pages["/prometheus/metrics"] = ENGINE
    fake.answer = lambda path, query: (404, b"")
    with pytest.raises(IntakeError) as caught:
        _live(f"{fake.url}/prometheus/metrics")
    assert caught.value.problem.fix == SCRAPED.format(
        page=f"{fake.url}/prometheus/metrics",
        host=fake.url.removeprefix("http://"),
        more=" with metrics_path /prometheus/metrics",
    )


@pytest.mark.parametrize("path", ["/graph", "/metrics", "/query/now"])
def test_a_page_of_the_server_itself_leads_to_its_address(fake: FakePrometheus, path: str) -> None:
    fake.pages["/metrics"] = OWN
    fake.answer = lambda path, query: (404, b"404 page not found\n")
    with pytest.raises(IntakeError) as caught:
        _live(fake.url + path)
    assert caught.value.problem.fix == f"give {fake.url}"


def test_another_web_page_and_grafana_are_told_apart(fake: FakePrometheus) -> None:
    fixes = []
    for body in (b"<!doctype html><html><head><title>Grafana</title>", b"\n<HTML><title>Ours</title>"):
        fake.answer = lambda path, query, body=body: (200, body)
        with pytest.raises(IntakeError) as caught:
            _live(fake.url)
        fixes.append(caught.value.problem.fix)
    assert fixes == [
        "give the address of the data source that it shows, not of Grafana",
        "give the address of the Prometheus server itself, without a page: it listens on port 9090 by default",
    ]


def test_a_redirect_to_a_login_asks_for_a_header(fake: FakePrometheus) -> None:
    fake.location = "/login?to=x"
    fake.answer = lambda path, query: (302, b"")
    with pytest.raises(IntakeError) as caught:
        _live(fake.url)
    assert caught.value.problem.fix == (
        "it wants a login ('/login?to=x'): give a header with the variable KNOCKON_PROMETHEUS_HEADERS"
    )


def test_tls_to_a_server_without_it_is_told(fake: FakePrometheus) -> None:
    with pytest.raises(IntakeError) as caught:
        _live(fake.url.replace("http:", "https:"))
    assert caught.value.problem.fix == f"give {fake.url}"


def test_a_redirect_is_told_and_not_followed(fake: FakePrometheus) -> None:
    fake.location = "http://elsewhere.invalid/"
    fake.answer = lambda path, query: (302, b"")
    with pytest.raises(IntakeError) as caught:
        _live(fake.url, Authorization="Bearer secret")
    assert "give the address itself: 'http://elsewhere.invalid/'" in str(caught.value)
    assert len(fake.headers) == 1


def test_a_server_that_is_too_slow_is_told(fake: FakePrometheus) -> None:
    def answer(path: str, query: str) -> tuple[int, bytes]:
        time.sleep(0.5)
        return 200, b""

    fake.answer = answer
    with pytest.raises(IntakeError) as caught:
        _live(fake.url, timeout_s=0.1)
    assert "no answer within 0.1 s" in str(caught.value)


def test_nobody_at_the_address_is_an_error(unused_port: int) -> None:
    with pytest.raises(IntakeError) as caught:
        _live(f"http://127.0.0.1:{unused_port}")
    assert str(caught.value) == (
        f"nobody answers at http://127.0.0.1:{unused_port}: the connection is refused; expected an address such as "
        "http://127.0.0.1:9090; start the server, or check host and port: Prometheus listens on 9090 by default"
    )


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    "url", ["", "ftp://a", "file:///etc/passwd", "http://", "http://a:99999", "http://a/?q=1", "a:9090"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(IntakeError) as caught:
        server_at(url, headers={}, timeout_s=1)
    assert caught.value.code == "bad-address"


@pytest.mark.parametrize("path", ["", "/", "/api/v1", "/api/v1/"])
def test_the_end_of_an_address_does_not_matter(path: str) -> None:
    assert server_at(f"http://a:9090{path}", headers={}, timeout_s=1).url == "http://a:9090"


@pytest.mark.parametrize(
    ("length_s", "step_s"), [(0, None), (-5, None), (60, 0), (60, -1), (60, 61), (1e7, 1), (float("nan"), 1)]
)
def test_a_window_that_cannot_be_is_refused(length_s: float, step_s: float | None) -> None:
    with pytest.raises(IntakeError) as caught:
        window_of(to_s=END, length_s=length_s, step_s=step_s)
    assert caught.value.code == "bad-window"


def test_a_window_ends_where_asked_and_is_whole_steps_long() -> None:
    window = window_of(to_s=END, length_s=100, step_s=30)
    assert list(window.times) == [END - 90, END - 60, END - 30, END]
    assert window_of(to_s=END, length_s=86_400, step_s=None).step_s == 1_440
