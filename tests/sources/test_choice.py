import pytest

from knockon.sources import SOURCES, read_source
from knockon.sources.base import Taken
from knockon.sources.nvidia_smi.fields import known_fields
from knockon.sources.nvidia_smi.source import _ASK_FOR
from knockon.terms.errors import IntakeError, LimitExceeded, NotFound
from knockon.terms.limits import INTAKE_BYTES_MAX
from tests.sources.vocabulary import shipped_vocabulary

KNOWN = (
    "prometheus, snapshots, loads, nvidia-smi, vllm-bench, sglang-bench, guidellm, aiperf, genai-perf, inference-perf, "
    "inferencex, llmperf, llm-inference-bench, engine-log, readings"
)
SCRAPE = "vllm:num_requests_running 3\n"


def _read(text: str, **more: object) -> Taken:
    return read_source(text, filename="f", vocabulary=shipped_vocabulary(), **more)  # type: ignore[arg-type]


def test_unknown_source_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NotFound) as caught:
        _read(SCRAPE, source="promethius")
    assert str(caught.value) == (
        f"no source is called 'promethius'; did you mean 'prometheus'?; known sources: {KNOWN}"
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param("", "the file is empty", id="nothing"),
        pytest.param(" \n\n", "the file is empty", id="blank lines"),
        pytest.param("She said to him: what a day\n", "the text is of no kind that can be read", id="a colon in prose"),
        pytest.param("once upon a time\n", "the text is of no kind that can be read", id="prose"),
        pytest.param("\x7fELF\x02\x01\x01", "the text is of no kind that can be read", id="a program"),
        pytest.param("a,b\n1,2\n", "the text is of no kind that can be read", id="another CSV"),
    ],
)
def test_text_of_no_known_kind_is_refused(text: str, what: str) -> None:
    with pytest.raises(IntakeError) as caught:
        _read(text)
    assert str(caught.value) == (f"f:1:1: {what}; expected one of {KNOWN}; name the kind with --source")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("# HELP a b\n# TYPE a gauge\na 1\n", "prometheus", id="comments before samples"),
        pytest.param('\ufeff\na{b="c"} NaN 1\n', "prometheus", id="a byte order mark before a sample"),
        pytest.param("kv_cache_usage_ratio: 0.5\n", "readings", id="YAML whose first word may be a metric name"),
        pytest.param("# mine\n---\nreadings: {}\n", "readings", id="YAML under a comment"),
        pytest.param('{"readings": {}}', "readings", id="JSON"),
        pytest.param("ttft p95: 3.2s\n", "readings", id="a name of two words"),
        pytest.param('"Median TTFT (ms)": 12\n', "readings", id="a name in quotes"),
        pytest.param("显存占用: 95 %\n", "readings", id="a Chinese name"),
        pytest.param("symptom: |\n  Avg prompt throughput: 1.0 tokens/s\n", "readings", id="a quoted log"),
        pytest.param("concurrency_count,ttft_s_p95\n1,0.1\n", "loads", id="a table with loads"),
        pytest.param("timestamp,waiting_count\n0,1\n", "snapshots", id="a table with times"),
        pytest.param("index, utilization.gpu [%]\n0, 1 %\n", "nvidia-smi", id="nvidia-smi"),
        pytest.param("Metric,avg,min,max,p1,p50\n", "aiperf", id="a CSV with the percentiles of AIPerf"),
        pytest.param("Metric,avg,min,max,p99,p50\n", "genai-perf", id="a CSV with those of its forerunner"),
        pytest.param(
            "# Results\n= Serving Benchmark Result =\n".replace("=", "====="), "vllm-bench", id="a block in prose"
        ),
    ],
)
def test_one_source_alone_recognises_a_text(text: str, source: str) -> None:
    assert [name for name, member in SOURCES.items() if member.recognises(text, filename="f")] == [source]


@pytest.mark.parametrize("where", ["text", "before"])
def test_fifty_megabytes_are_refused_unread(where: str) -> None:
    huge = "a 1\n" * (50 * 1024 * 1024 // 4)
    with pytest.raises(LimitExceeded) as caught:
        _read(huge if where == "text" else SCRAPE, before=huge if where == "before" else None)
    name = "f" if where == "text" else "f (before)"
    assert str(caught.value) == (
        f"{name}:1:1: the size of the text in bytes is over the limit of {INTAKE_BYTES_MAX:,}, found 52,428,800; "
        "give the part that matters"
    )


def test_size_is_counted_in_bytes_not_characters() -> None:
    with pytest.raises(LimitExceeded):
        _read("界" * (INTAKE_BYTES_MAX // 3 + 1))


@pytest.mark.parametrize("elapsed_s", [0.0, -1.0, float("nan"), float("inf")])
def test_time_between_scrapes_is_over_zero(elapsed_s: float) -> None:
    with pytest.raises(IntakeError) as caught:
        _read(SCRAPE, before=SCRAPE, elapsed_s=elapsed_s)
    assert str(caught.value) == (
        f"{elapsed_s:g} s cannot lie between two scrapes; expected seconds over 0; "
        "give the later scrape as FILE and the earlier one as --before"
    )


def test_a_log_whose_first_line_looks_like_yaml_is_a_log() -> None:
    taken = _read("INFO:     Started\nINFO 11-29 12:00:00 [x.py:1] Avg prompt throughput: 1.0 tokens/s\n")
    assert (taken.source, taken.engine) == ("engine-log", "vllm")


def test_a_manifest_is_refused_as_what_it_is() -> None:
    with pytest.raises(IntakeError) as caught:
        _read("# mine\n---\napiVersion: apps/v1\nkind: Deployment\n")
    assert str(caught.value) == (
        "f:1:1: a Kubernetes manifest describes a deployment and has no readings; "
        f"expected one of {KNOWN}; give it with --deployment, beside the readings"
    )


@pytest.mark.parametrize("text", ["readings: {}\n", "{}\n"])
def test_text_without_a_reading_says_so(text: str) -> None:
    assert [note.en for note in _read(text).notes] == ["f holds no reading"]


def test_line_with_a_broken_label_is_a_scrape_and_the_label_is_pointed_at() -> None:
    with pytest.raises(IntakeError) as caught:
        _read('vllm:num_requests_running{engine="0} 3\n')

    at = caught.value.problem.at
    assert at is not None
    assert (caught.value.code, at.line, at.column) == ("bad-label", 1, 27)


def test_columns_that_are_asked_for_are_those_that_are_read() -> None:
    assert set(_ASK_FOR) <= known_fields()
