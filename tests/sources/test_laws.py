"""Whatever text comes in: readings or a KnockonError, never anything else, and never for long."""

import json
import math
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.sources import SOURCES, read_source
from knockon.sources.base import Taken
from knockon.sources.prometheus.table import wanted_names
from knockon.sources.result_source import JsonResults
from knockon.terms.errors import KnockonError
from tests.sources.vocabulary import shipped_vocabulary
from tests.texts import texts

FINITE = st.integers(-(2**70), 2**70) | st.floats(allow_nan=True, allow_infinity=True)
NAMES = st.sampled_from(sorted(wanted_names())) | st.text(string.ascii_letters + ":_", min_size=1, max_size=9)
LABELS = st.dictionaries(
    st.sampled_from(["le", "quantile", "gpu", "engine", "model_name", "tp_rank", "mode", "priority"]),
    st.sampled_from(["", "0", "1", "+Inf", "0.5", "0.95", "nan", "1e999", "idle", "\\n"]) | texts(max_size=4),
    max_size=3,
)


@st.composite
def scrapes(draw: st.DrawFn) -> str:
    """Lines of the right form with any names, labels and numbers."""
    lines = []
    for name, labels, value in draw(st.lists(st.tuples(NAMES, LABELS, FINITE), max_size=12)):
        inner = ",".join(
            '{}="{}"'.format(key, text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))
            for key, text in labels.items()
        )
        lines.append(f"{name}{{{inner}}} {value}\n")
    return "".join(lines)


def _read(text: str, source: str | None, **more: object) -> Taken:
    return read_source(text, filename="f", vocabulary=shipped_vocabulary(), source=source, **more)  # type: ignore[arg-type]


def _outcome(text: str, source: str | None, **more: object) -> Taken | KnockonError:
    try:
        return _read(text, source, **more)
    except KnockonError as error:
        return error


def _is_whole(taken: Taken) -> None:
    """What `Reading` promises: a value exactly when measured, a reason otherwise, and no number that is none."""
    for reading in taken.readings:
        assert (reading.value is not None) == (reading.state == "measured")
        assert bool(reading.why) == (reading.state != "measured")
        assert reading.name in shipped_vocabulary().names
        if isinstance(reading.value, float):
            assert math.isfinite(reading.value)


@given(st.binary(max_size=200), st.sampled_from([None, *SOURCES]))
def test_any_bytes_are_read_or_refused(raw: bytes, source: str | None) -> None:
    outcome = _outcome(raw.decode("utf-8", "surrogateescape"), source)
    if isinstance(outcome, Taken):
        _is_whole(outcome)
    else:
        assert str(outcome).startswith("f:")


@given(scrapes(), scrapes() | st.none(), st.floats(0.001, 1e9) | st.none())
def test_any_scrape_is_read_or_refused(text: str, before: str | None, elapsed_s: float | None) -> None:
    outcome = _outcome(text, "prometheus", before=before, elapsed_s=elapsed_s)
    if isinstance(outcome, Taken):
        _is_whole(outcome)
    else:
        assert outcome.code in ("series-twice", "unknown-metrics")


@given(
    st.dictionaries(
        st.sampled_from(sorted(name for name, info in shipped_vocabulary().names.items() if info.kind == "reading")),
        st.sampled_from(["0", "93 %", "12 ms", "N/A", "~", "true", ".inf", "1e999", "[1, 2]", "{value: 3}", "x"]),
        min_size=1,
    )
)
def test_any_readings_file_is_read_or_refused(entries: dict[str, str]) -> None:
    text = "".join(f"{name}: {value}\n" for name, value in entries.items())
    outcome = _outcome(text, None)
    if isinstance(outcome, Taken):
        _is_whole(outcome)
        assert {reading.name for reading in outcome.readings} == set(entries)
    else:
        assert outcome.code == "bad-value"


ODD = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | texts(max_size=4) | st.just([])
    | st.sampled_from(["inf", "Infinity", "N/A", "xxx.xx", "1,234.5", "-", [1.0, None, "x"], {"avg": 1, "unit": "ms"}])
)  # fmt: skip
RESULTS = {name: member for name, member in SOURCES.items() if isinstance(member, JsonResults)}


def _nested(paths: dict[str, object]) -> dict[str, object]:
    """Values by dotted path as the mapping they stand for."""
    top: dict[str, object] = {}
    for path, value in paths.items():
        held = top
        *outer, last = path.split(".")
        for key in outer:
            inner = held.setdefault(key, {})
            held = inner if isinstance(inner, dict) else held.setdefault(f"{key}_", {})  # type: ignore[assignment]
        held[last] = value
    return top


@st.composite
def results(draw: st.DrawFn) -> tuple[str, str]:
    """A load generator and a few results with any values in the fields that are read."""
    name = draw(st.sampled_from(sorted(RESULTS)))
    table = RESULTS[name].table
    paths = [field.path for part in (table.readings, table.known) for fields in part.values() for field in fields]
    paths += [path for found in table.texts.values() for path in found]
    runs = draw(st.lists(st.dictionaries(st.sampled_from(paths), ODD, max_size=12), min_size=1, max_size=4))
    data = [_nested(dict(run)) for run in runs]
    return name, "\n".join(json.dumps({"benchmarks": [one]} if name == "guidellm" else one) for one in data)


@given(results())
def test_any_result_is_read_or_refused(drawn: tuple[str, str]) -> None:
    name, text = drawn
    outcome = _outcome(text, name)
    if isinstance(outcome, Taken):
        _is_whole(outcome)
        for run in outcome.runs:
            _is_whole(replace(outcome, readings=run.readings))
            assert len({(one.name, one.replica) for one in run.readings}) == len(run.readings)
    else:
        assert outcome.code in ("nothing-measured", "no-result", "bad-reading")


# Large enough that a match which goes back over what it read takes minutes, and no larger.
HOSTILE = {
    "a label without end": 'vllm:num_requests_running{model_name="' + "a" * 2**18 + '"} 1\n',
    "quotes that never close": 'vllm:num_requests_running{a="' + '\\"' * 2**18 + "\n",
    "braces without end": "vllm:num_requests_running" + "{" * 2**18 + "\n",
    "blanks between name and value": "a" + " " * 2**20 + "b\n",
    "a number without end": "a " + "1" * 2**20 + "x\n",
    "labels without end": "a{" + 'b="c",' * 2**16 + "} 1\n",
    "a mapping in a mapping": "{a: " * 2**14,
    "a list in a list": "readings: " + "[" * 2**14,
    "a header of commas": "index" + ",index" * 2**14 + "\n",
    "one line of dots": "." * 2**18,
    "one line of equal signs": "=" * 2**20 + " Serving\n",
    "a heading and blanks without end": "load_summary:" + " " * 2**20 + "x\nsuccesses:\n",
    "blocks without an end": "=== Serving Benchmark Result ===\n" * 2**11,
    "JSON in JSON": '{"aiperf_version": ' * 2**14,
    "many small results": '{"aiperf_version": 1}\n' * 2**11,
    "a result with a wide table": '{"guidellm_version": 1, "benchmarks": [' + '{"metrics": {}},' * 2**13 + "{}]}",
    "a sheet with one wide row": "Metric,avg,p1" + ",p99" * 2**14 + "\nRequest Latency (ms)" + ",1" * 2**14 + "\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("source", [None, *SOURCES])
def test_hostile_text_is_answered_at_once(text: str, source: str | None) -> None:
    # Matching that goes wrong takes minutes here, and ends at the suite's limit for a test.
    outcome = _outcome(text, source)
    # What is shown of a hostile line is a piece of it.
    assert isinstance(outcome, Taken) or len(str(outcome)) < 1_000


def test_three_megabytes_are_read_whole() -> None:
    bounds = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, "+Inf"]
    blocks = []
    for engine in range(1_000):
        labels = f'engine="{engine}",model_name="organisation/a-model-with-a-name-70B"'
        blocks.append(f"vllm:num_requests_running{{{labels}}} 3.0\nvllm:kv_cache_usage_perc{{{labels}}} 0.5\n")
        for metric in ("time_to_first_token_seconds", "e2e_request_latency_seconds"):
            blocks += [f'vllm:{metric}_bucket{{le="{bound}",{labels}}} {n}.0\n' for n, bound in enumerate(bounds)]
            blocks.append(f"vllm:{metric}_count{{{labels}}} {len(bounds) - 1}.0\n")
    text = "".join(blocks)
    assert len(text) > 3_000_000
    taken = _read(text, None)
    assert len(taken.readings) == 8_000
