"""`knockon diagnose --prometheus`: its options, and one question from end to end."""

import json

import pytest

from tests.cli.conftest import Knockon
from tests.prometheus_fake import FakePrometheus, fake_prometheus, success

END = 1_704_110_400


def _full_pool(path: str, query: str) -> tuple[int, bytes]:
    if query.startswith("count by"):
        return success([{"metric": {"__name__": "vllm:kv_cache_usage_perc"}, "value": [END, "1"]}])
    return success([{"metric": {"instance": "a"}, "values": [[END - 60, "0.97"], [END, "0.98"]]}], "matrix")


def _asked(knockon: Knockon, fake: FakePrometheus, *more: str, **environment: str) -> dict[str, object]:
    done = knockon("diagnose", "--prometheus", fake.url, "--format", "json", *more, **environment)
    assert done.code == 0, done.err
    said: dict[str, object] = json.loads(done.out)
    return said


def test_a_running_system_is_diagnosed(knockon: Knockon) -> None:
    with fake_prometheus() as fake:
        fake.answer = _full_pool
        said = _asked(
            knockon, fake, "--to", "2024-01-01T12:00:00Z", "--last", "2m", "--step", "1m", "--match", "instance=a",
            "--tenant", "team", KNOCKON_PROMETHEUS_HEADERS="Authorization: Bearer x\n\nX-More: 1\n",
        )  # fmt: skip
    assert said["verdict"] == "memory"
    assert {(one["Authorization"], one["X-More"], one["X-Scope-Orgid"]) for one in fake.headers} == {
        ("Bearer x", "1", "team")
    }


def test_from_and_to_are_the_window_as_well(knockon: Knockon) -> None:
    with fake_prometheus() as fake:
        fake.answer = _full_pool
        said = _asked(knockon, fake, "--from", str(END - 120), "--to", str(END), "--step", "60s")
    assert said["verdict"] == "memory"


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--match", "instance=a"), "without --prometheus there is nothing to choose from"),
        (("--prometheus", "http://127.0.0.1:9", "--match", "instance"), "is not label=value"),
        (("--prometheus", "http://127.0.0.1:9", "--last", "soon"), "is no time such as 30m"),
        (("--prometheus", "http://127.0.0.1:9", "--last", "5m", "--from", "1704110400"), "both say how long"),
        (("--prometheus", "http://127.0.0.1:9", "--to", "tomorrow"), "is no time such as 2026-11-29T12:00:00Z"),
        (("--prometheus", "http://127.0.0.1:9", "--tenant", " "), "a tenant is a word"),
        (("--prometheus", "ftp://a"), "is no address of a Prometheus server"),
    ],
)
def test_options_that_cannot_be_are_refused(knockon: Knockon, options: tuple[str, ...], what: str) -> None:
    done = knockon("diagnose", *options, COLUMNS="400")
    assert done.code == 2
    assert what in " ".join(done.err.split())


def test_a_header_that_is_none_is_not_shown(knockon: Knockon) -> None:
    done = knockon("diagnose", "--prometheus", "http://127.0.0.1:9", KNOCKON_PROMETHEUS_HEADERS="s3cret", COLUMNS="400")
    assert done.code == 2
    assert "is not `Name: value`" in done.err
    assert "s3cret" not in done.err
