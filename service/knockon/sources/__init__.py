"""The kinds of text readings can be taken from, and the choice between them."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace

from knockon.expr.vocabulary import Vocabulary, nearest
from knockon.sources.aiperf.source import AiPerf
from knockon.sources.base import Source, Taken
from knockon.sources.engine_log.source import EngineLog
from knockon.sources.genai_perf.source import GenaiPerf
from knockon.sources.guidellm.source import GuideLlm
from knockon.sources.inference_perf.source import InferencePerf
from knockon.sources.inferencex.source import InferenceX
from knockon.sources.llm_inference_bench.source import LlmInferenceBench
from knockon.sources.llmperf.source import LlmPerf
from knockon.sources.loads.source import Loads
from knockon.sources.nvidia_smi.source import NvidiaSmi
from knockon.sources.prometheus.source import Prometheus
from knockon.sources.readings.plainly import taken_from
from knockon.sources.readings.source import Readings
from knockon.sources.result_choice import judged
from knockon.sources.sglang_bench.source import SglangBench
from knockon.sources.snapshots.source import Snapshots
from knockon.sources.vllm_bench.source import VllmBench
from knockon.terms.errors import IntakeError, LimitExceeded, NotFound, Problem
from knockon.terms.limits import FACTS_MAX, INTAKE_BYTES_MAX, READINGS_MAX
from knockon.terms.place import Position
from knockon.terms.words import Text

# In the order of asking: what recognises the least goes last.
SOURCES: Mapping[str, Source] = {
    "prometheus": Prometheus(),
    "snapshots": Snapshots(),
    "loads": Loads(),
    "nvidia-smi": NvidiaSmi(),
    "vllm-bench": VllmBench(),
    "sglang-bench": SglangBench(),
    "guidellm": GuideLlm(),
    "aiperf": AiPerf(),
    "genai-perf": GenaiPerf(),
    "inference-perf": InferencePerf(),
    "inferencex": InferenceX(),
    "llmperf": LlmPerf(),
    "llm-inference-bench": LlmInferenceBench(),
    "engine-log": EngineLog(),
    "readings": Readings(),
}

_MANIFEST = re.compile(r"\A\s*+(?:#[^\n]*+\n\s*+|---\s*+)*+apiVersion:\s", re.ASCII)
_BEGINNING_CHARACTERS = 20_000


def read_source(
    text: str,
    *,
    filename: str,
    vocabulary: Vocabulary,
    source: str | None = None,
    before: str | None = None,
    elapsed_s: float | None = None,
) -> Taken:
    """Take the readings of one text.

    Args:
        text: the whole text.
        filename: what origins and complaints call it.
        vocabulary: the readings and facts there are, with their units.
        source: a name of `SOURCES`; None means that the text shows it.
        before: an earlier text of the same target, for rates.
        elapsed_s: seconds between the two texts; None when nobody knows.

    Raises:
        NotFound: no source is called `source`.
        IntakeError: the text is of no known kind, or cannot be read.
        LimitExceeded: a cap of terms/limits.py.
    """
    for whole, name in ((text, filename), (before or "", f"{filename} (before)")):
        _check_size(whole, name)
    if elapsed_s is not None and not (math.isfinite(elapsed_s) and elapsed_s > 0):
        raise IntakeError(
            Problem(
                "bad-elapsed-time",
                f"{elapsed_s:g} s cannot lie between two scrapes",
                expected="seconds over 0",
                fix="give the later scrape as FILE and the earlier one as --before",
            )
        )
    member = _chosen(text, filename, source)
    taken = member.read(text, filename=filename, vocabulary=vocabulary, before=before, elapsed_s=elapsed_s)
    measured = len(taken.readings) + sum(len(run.readings) for run in taken.runs)
    _check_count("the readings of one text", measured, READINGS_MAX, filename)
    _check_count("the facts of one text", len(taken.facts), FACTS_MAX, filename)
    if not (taken.readings or taken.facts or taken.runs or taken.series or taken.notes):
        taken = replace(taken, notes=(Text(f"{filename} holds no reading", f"{filename} 中没有读数"),))
    return judged(replace(taken, source=member.name, filename=filename))


def read_told(told: str, vocabulary: Vocabulary, *, filename: str) -> Taken:
    """Take what a person says of a system in their own words.

    Raises:
        LimitExceeded: a cap of terms/limits.py.
    """
    _check_size(told, filename)
    return taken_from(told, vocabulary, filename=filename)


def _chosen(text: str, filename: str, source: str | None) -> Source:
    if source is not None:
        if source not in SOURCES:
            known = f"known sources: {', '.join(SOURCES)}"
            raise NotFound("source", source, suggestions=nearest(source, SOURCES), fix=known)
        return SOURCES[source]
    if _MANIFEST.search(text[:_BEGINNING_CHARACTERS]):
        what = "a Kubernetes manifest describes a deployment and has no readings"
        at, fix = Position(filename, 1, 1), "give it with --deployment, beside the readings"
        raise IntakeError(Problem("not-readings", what, f"one of {', '.join(SOURCES)}", fix, at))
    for member in SOURCES.values():
        if member.recognises(text, filename=filename):
            return member
    raise IntakeError(
        Problem(
            "unknown-source",
            "the file is empty" if not text.strip() else "the text is of no kind that can be read",
            expected=f"one of {', '.join(SOURCES)}",
            fix="name the kind with --source",
            at=Position(filename, 1, 1),
        )
    )


def _check_size(text: str, filename: str) -> None:
    # A character is at least a byte, so most texts are refused or let through without encoding them.
    size = len(text) if len(text) > INTAKE_BYTES_MAX or text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > INTAKE_BYTES_MAX:
        raise LimitExceeded(
            "the size of the text in bytes",
            limit=INTAKE_BYTES_MAX,
            found=size,
            at=Position(filename, 1, 1),
            fix="give the part that matters",
        )


def _check_count(what: str, count: int, limit: int, filename: str) -> None:
    if count > limit:
        raise LimitExceeded(
            what, limit=limit, found=count, at=Position(filename, 1, 1), fix="give the part that matters"
        )
