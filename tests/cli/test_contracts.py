"""The JSON that other programs rely on, against its schema, and its keys in their order."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Knockon

SCHEMAS = Path(__file__).parent / "contracts"
QWEN = ("--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "--tensor-parallel-size")
IDLE = ("--set", "memory_occupancy_ratio=0.95", "--set", "compute_utilization_ratio=0.4")


def complaints(schema: str, said: Any) -> list[str]:
    """What the schema has against an answer."""
    held = json.loads((SCHEMAS / f"{schema}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(held)
    return [f"{error.json_path}: {error.message}" for error in jsonschema.Draft202012Validator(held).iter_errors(said)]


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((*QWEN, "8"), id="degraded"),
        pytest.param((*QWEN, "8", "--decode-context-parallel-size", "4"), id="conflict"),
        pytest.param(("--gpu", "H200", "--gpus", "8", *QWEN, "4", "--gpu-mem", "0.9"), id="fine"),
        pytest.param(("--", "vllm", "serve", "nobody/Nothing-1B", "-tp", "8"), id="unknown"),
        pytest.param(("--", "vllm", "serve", "deepseek-ai/DeepSeek-R1", "-tp", "8"), id="mla"),
    ],
)
def test_check_keeps_its_contract(knockon: Knockon, arguments: tuple[str, ...]) -> None:
    said = json.loads(knockon("check", "--format", "json", *arguments).out)

    assert complaints("check", said) == []


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(IDLE, id="a wall"),
        pytest.param(("--set", "ttft_s_p95=2s"), id="too little"),
        pytest.param(("--set", "memory_occupancy_ratio=0.5", "--profile", "h100-vllm-chat"), id="another profile"),
    ],
)
def test_diagnose_keeps_its_contract(knockon: Knockon, arguments: tuple[str, ...]) -> None:
    said = json.loads(knockon("diagnose", "--format", "json", *arguments).out)

    assert complaints("diagnose", said) == []


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((*IDLE, "--gpu", "H100", "--gpus", "8", *QWEN, "8"), id="a wall of a deployment"),
        pytest.param(IDLE, id="a wall of nothing known"),
        pytest.param(("--set", "ttft_s_p95=2s"), id="too little"),
    ],
)
def test_advise_keeps_its_contract(knockon: Knockon, arguments: tuple[str, ...]) -> None:
    said = json.loads(knockon("advise", "--format", "json", *arguments).out)

    assert complaints("advise", said) == []
    assert complaints("diagnose", said["diagnosis"]) == []


@pytest.mark.parametrize("is_described", [pytest.param(True, id="comparable"), pytest.param(False, id="not so")])
def test_compare_keeps_its_contract(knockon: Knockon, *, is_described: bool) -> None:
    load = "prompt_tokens_p50: 1000\noutput_tokens_p50: 200\nconcurrency_count: 64\n"
    for name, itl, eager in (("before", 0.04, "true"), ("after", 0.03, "false")):
        Path(f"{name}.yaml").write_text(f"{load}itl_s_p50: {itl}\n")
        facts = f"engine: vllm\nmodel: Qwen/Qwen3-8B\ngpu: H100\ngpus: 1\nfacts: {{enforce_eager: {eager}}}\n"
        Path(f"{name}-on.yaml").write_text(facts)
    described = ("--deployment-before", "before-on.yaml", "--deployment-after", "after-on.yaml")

    done = knockon("compare", "before.yaml", "after.yaml", "-f", "json", *(described if is_described else ()))
    said = json.loads(done.out)

    assert complaints("compare", said) == []
    assert (said["comparable"], bool(said["explained"])) == (is_described, is_described)


def test_export_keeps_its_contract(knockon: Knockon) -> None:
    said = json.loads(knockon("catalog", "export", "--format", "json").out)

    assert complaints("catalog-export", said) == []
    [pair] = [
        one for one in said["couplings"]
        if (one["from"], one["to"], one["rule"]) == ("tensor-parallelism", "grouped-query-attention", "K001")
    ]  # fmt: skip
    assert pair["kind"] == "degrades"


def test_readings_that_cannot_be_are_invalid_and_said_so(knockon: Knockon) -> None:
    Path("readings.yaml").write_text("readings:\n  compute_utilization_ratio: 93\n  memory_occupancy_ratio: 0.95\n")

    said = json.loads(knockon("diagnose", "readings.yaml", "--format", "json").out)

    assert complaints("diagnose", said) == []
    assert [(one["reading"], one["value"]) for one in said["invalid"]] == [("compute_utilization_ratio", "93")]


@pytest.mark.parametrize(
    ("verb", "arguments"), [("check", (*QWEN, "8")), ("diagnose", IDLE), ("advise", IDLE)], ids=lambda one: str(one)[:9]
)
def test_keys_of_a_contract_stand_in_its_order(knockon: Knockon, verb: str, arguments: tuple[str, ...]) -> None:
    said = json.loads(knockon(verb, "--format", "json", *arguments).out)

    contract = json.loads((SCHEMAS / f"{verb}.schema.json").read_text(encoding="utf-8"))["required"]
    assert [key for key in said if key in contract] == contract
