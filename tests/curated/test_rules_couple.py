"""What the shipped couple rules say of whole commands, of each engine and of those that vLLM itself answered."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knockon.engines import read_command
from knockon.jobs.check import check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from knockon.terms.words import CheckVerdict, Text
from tests.answered import Answered, answered_by_vllm
from tests.shipped import shipped

QWEN = "Qwen/Qwen3-235B-A22B"
LLAMA = "meta-llama/Llama-3.1-70B-Instruct"
R1 = "deepseek-ai/DeepSeek-R1"
SGLANG = "python -m sglang.launch_server --model-path"

# Where vLLM 0.33.0 refuses, and the rule that must fire whenever it refuses there.
REFUSALS = {
    "vllm/config/model.py:1457": "K024",
    "vllm/config/model.py:1582": "K005",
    "vllm/config/parallel.py:579": "K039",
    "vllm/config/parallel.py:587": "K066",
    "vllm/config/parallel.py:600": "K006",
    "vllm/config/parallel.py:602": "K015",
    "vllm/config/parallel.py:1071": "K020",
    "vllm/config/lora.py:124": "K056",
    "vllm/config/scheduler.py:322": "K030",
    "vllm/config/scheduler.py:332": "K031",
    "vllm/config/scheduler.py:356": "K065",
    "vllm/config/speculative.py:1866": "K064",
    "vllm/config/vllm.py:1582": "K019",
    "vllm/config/vllm.py:1677": "K063",
    "vllm/config/vllm.py:2198": "K055",
    "vllm/engine/arg_utils.py:2407": "K021",
    "vllm/engine/arg_utils.py:2461": "K054",
    "vllm/model_executor/models/config.py:772": "K053",
    "vllm/v1/kv_cache_interface.py:949": "K017",
    "vllm/v1/worker/gpu/pcp_manager.py:167": "K014",
}
# Commands that public reports say start and serve: (command, version).
RUNNING = (
    ("vllm serve openai/gpt-oss-20b --max-model-len=8192 -tp 2 --no-enable-prefix-caching", "0.19.0"),
    ("vllm serve moonshotai/Kimi-K2-Thinking -tp 8 -dcp 8", None),
    ("vllm serve Qwen/Qwen3-VL-235B-A22B-Instruct -tp 8 --enable-expert-parallel --max-num-batched-tokens 128", None),
    ("vllm serve Qwen/Qwen3-8B --pipeline-parallel-size 5", None),
    ("vllm serve Qwen/Qwen3-8B --max-num-batched-tokens 2048 --max-model-len 32768", None),
    (f"{SGLANG} zai-org/GLM-5.2-FP8 --tp 32 --dp 32 --enable-dp-attention --speculative-algorithm EAGLE", None),
)


def said(command: str, **more: Any) -> dict[str, str]:
    """Rule id → verdict of everything found in one command."""
    answer = check(
        shipped(), Asked(configured=read_command(arguments_of(command.split())), **more), compares_releases=False
    )
    return {each.finding.rule.id: each.finding.verdict.value for each in answer.findings}


@pytest.mark.parametrize(
    ("command", "findings"),
    [
        pytest.param(f"vllm serve {QWEN} --tensor-parallel-size 4", {}, id="nothing to say"),
        pytest.param(f"vllm serve {QWEN} -tp 8 -dcp 2", {"K003": "note"}, id="copies shared"),
        pytest.param(f"vllm serve {QWEN} -tp 6", {"K008": "conflict", "K022": "conflict"}, id="six ranks"),
        pytest.param(f"vllm serve {LLAMA} -tp 8 --enable-expert-parallel", {"K038": "conflict"}, id="experts of none"),
        pytest.param(f"vllm serve {LLAMA} -tp 4 -pp 2", {"K043": "note"}, id="pipeline"),
        pytest.param(f"vllm serve {LLAMA} -tp 8 --enforce-eager", {"K042": "note"}, id="eager"),
        pytest.param(f"vllm serve {LLAMA} -tp 8 --kv-cache-dtype fp8", {"K029": "note"}, id="FP8 KV"),
        pytest.param(
            f"vllm serve {LLAMA} -tp 8 --enable-lora --max-loras 4", {"K041": "note"}, id="prefixes by adapter"
        ),
        pytest.param(
            f"vllm serve {LLAMA} -tp 8 --no-enable-chunked-prefill --max-num-batched-tokens 8192",
            {"K030": "conflict", "K033": "degraded"},
            id="no chunks, small budget",
        ),
        pytest.param(f"vllm serve {LLAMA} -tp 8 --max-num-batched-tokens 2048 --max-model-len 131072", {}, id="chunks"),
        pytest.param(f"vllm serve {LLAMA} -tp 8 --max-model-len 200000", {"K034": "conflict"}, id="too long"),
        pytest.param(f"vllm serve {R1} -tp 8 -dcp 8", {"K003": "note"}, id="latent shared by all"),
        pytest.param(f"{SGLANG} {QWEN} --tp 8", {"K001": "degraded"}, id="SGLang copies"),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 8 --attn-dp-size 2", {"K048": "note", "K948": "note"}, id="SGLang groups of four"
        ),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 16 --attn-dp-size 2",
            {"K011": "degraded", "K048": "note", "K948": "note"},
            id="SGLang groups of eight",
        ),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 8 --attn-dp-size 3",
            {"K045": "conflict", "K048": "note", "K948": "note"},
            id="SGLang uneven groups",
        ),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 4 --dcp-size 2",
            {"K003": "note", "K012": "degraded", "K949": "note"},
            id="SGLang idle DCP",
        ),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 8 --dcp-size 4",
            {"K003": "note", "K013": "degraded", "K949": "note"},
            id="SGLang wide DCP",
        ),
        pytest.param(f"{SGLANG} {QWEN} --tp 4 --pp-size 2", {"K044": "note"}, id="SGLang pipeline"),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 4 --pp-size 2 --speculative-algorithm EAGLE",
            {"K044": "note", "K049": "conflict", "K479": "note"},
            id="SGLang drafts in a pipeline",
        ),
        pytest.param(
            f"{SGLANG} {LLAMA} --tp 8 --enable-hierarchical-cache --disable-radix-cache",
            {"K047": "conflict"},
            id="SGLang host cache without its tree",
        ),
        pytest.param(f"trtllm-serve {QWEN} --tp_size 8", {"K001": "degraded"}, id="TensorRT-LLM copies"),
        pytest.param(
            f"trtllm-serve {QWEN} --tp_size 8 --enable_attention_dp", {"K057": "note"}, id="TensorRT-LLM attention DP"
        ),
        pytest.param(
            f"trtllm-serve {LLAMA} --tp_size 8 --max_num_tokens 1024", {"K060": "degraded"}, id="TensorRT-LLM budget"
        ),
    ],
)
def test_command_gets_exactly_these_findings(command: str, findings: dict[str, str]) -> None:
    assert said(command) == findings


def test_nothing_is_left_undecided_where_nothing_depends_on_it() -> None:
    for command in (f"vllm serve {LLAMA} -tp 8", f"{SGLANG} {LLAMA} --tp 8", f"trtllm-serve {LLAMA} --tp_size 8"):
        answer = check(
            shipped(), Asked(configured=read_command(arguments_of(command.split()))), compares_releases=False
        )

        assert (command, [undecided.rule.id for undecided in answer.cannot_tell]) == (command, [])
        assert answer.verdict is CheckVerdict.FINE


@pytest.mark.parametrize(
    ("command", "rule", "sets", "after"),
    [
        pytest.param(
            f"trtllm-serve {QWEN} --tp_size 8", "K001", {"enable_attention_data_parallel": True}, "fine", id="TRT-LLM"
        ),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 16 --attn-dp-size 2",
            "K011",
            {"attention_data_parallel_size": 4},
            "fine",
            id="groups",
        ),
        pytest.param(
            f"{SGLANG} {QWEN} --tp 8 --dcp-size 4", "K013", {"decode_context_parallel_size": 2}, "fine", id="DCP"
        ),
        pytest.param(
            f"vllm serve {LLAMA} -tp 8 --max-model-len 200000", "K034", {"max_model_len": 131072}, "fine", id="len"
        ),
    ],
)
def test_first_fix_takes_the_finding_away(command: str, rule: str, sets: dict[str, Any], after: str) -> None:
    answer = check(shipped(), Asked(configured=read_command(arguments_of(command.split()))), compares_releases=False)
    fix = next(each for each in answer.findings if each.finding.rule.id == rule).fixes[0]

    assert (dict(fix.offered.sets), fix.verdict.value) == (sets, after)


def test_weights_over_the_card_and_requests_over_the_pool_are_conflicts() -> None:
    assert said(f"vllm serve {LLAMA}", gpu="H100")["K035"] == "conflict"
    small = ["available_kv_cache_bytes=1GiB", "max_model_len=131072"]
    assert said(f"vllm serve {LLAMA} -tp 8", sets=small) == {"K036": "conflict"}
    assert said(f"{SGLANG} {LLAMA} --tp 8", sets=small) == {"K037": "degraded"}


@pytest.mark.parametrize(("command", "version"), RUNNING, ids=[command for command, _ in RUNNING])
def test_command_that_is_known_to_run_is_no_conflict(command: str, version: str | None) -> None:
    configured = read_command(arguments_of(command.split()), version=version)
    findings = said(command, engine_version=version)

    assert configured.model in shipped().catalog.models
    assert [rule for rule, verdict in findings.items() if verdict == "conflict"] == []


def test_fp8_blocks_are_cut_by_an_older_release_only() -> None:
    command = "vllm serve Qwen/Qwen3-235B-A22B-FP8 -tp 8"

    assert said(command, engine_version="0.8.5") == {"K023": "conflict", "K601": "note"}
    assert said(command, engine_version="0.33.0") == {"K001": "degraded"}


@pytest.fixture(scope="module")
def answered(shared_dir: Path) -> tuple[Answered, ...]:
    """Give every handed command with vLLM's answer, and ours."""
    return answered_by_vllm(shared_dir)


def test_what_cannot_be_read_the_engine_refuses_too(answered: tuple[Answered, ...]) -> None:
    assert [case.id for case in answered if case.answer is None and case.was_accepted] == []


def _conflicts(case: Answered) -> set[str]:
    findings = case.answer.findings if case.answer else ()
    return {each.finding.rule.id for each in findings if each.finding.verdict is CheckVerdict.CONFLICT}


def test_what_the_engine_accepts_is_no_conflict(answered: tuple[Answered, ...]) -> None:
    wrong = {(case.id, rule) for case in answered if case.was_accepted for rule in _conflicts(case)}

    # Both ask for prefill context parallelism without latent attention: the answers end before workers check it.
    assert wrong == {("v7-0307", "K014"), ("v7-0308", "K014")}


@pytest.mark.parametrize("source", REFUSALS)
def test_what_the_engine_refuses_is_found_by_its_rule(answered: tuple[Answered, ...], source: str) -> None:
    refused = [
        (case.id, _conflicts(case))
        for case in answered
        if case.answer and case.handed["answer"].get("rejection", {}).get("source") == source
    ]

    assert refused
    assert [(name, rules) for name, rules in refused if REFUSALS[source] not in rules] == []


def test_no_sentence_of_a_finding_has_a_gap(answered: tuple[Answered, ...]) -> None:
    gap = re.compile(r"\bunknown\b|未知|[{}]")

    found = {
        (each.finding.rule.id, text.en)
        for case in answered
        if case.answer
        for each in case.answer.findings
        for text in _texts(each)
        if gap.search(text.en) or gap.search(text.zh)
    }

    assert found == set()


def _texts(checked: Any) -> Iterator[Text]:
    finding = checked.finding
    yield finding.says
    yield from finding.remarks
    yield from (step.says for step in finding.derivation)
    for fix in checked.fixes:
        yield fix.offered.says
        yield from fix.offered.knock_on
