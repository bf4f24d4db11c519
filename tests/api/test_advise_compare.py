from typing import Any

from tests.api.asking import asked

ADVISE = """query ($input: DiagnoseInput!) { advise(input: $input) {
  __typename
  ... on AdviseAnswer {
    verdict
    walls { id relievedBy }
    measureFirst { en }
    advised { technique { id enable { name value } } stage verdict sets { name value } gains { quantity { id } }
      unchecked { en } ledger { gains { cause } } switch { switch } sources { title } }
    ruledOut { technique { id } why { en zh } }
    diagnosed { operatorGate { open } }
    revision { digest }
  }
  ... on InputProblem { code }
} }"""

COMPARE = """query ($input: CompareInput!) { compare(input: $input) {
  __typename
  ... on CompareAnswer {
    obstacles { context why { en } }
    overridden { context }
    changed { name before after }
    moved { name ratio isTelling }
    spreadIsKnown
    explained { technique { id } turnedOn seen reading shift { quantity { id } } }
    before { verdict }
    after { verdict }
  }
  ... on InputProblem { code }
} }"""

EXPECT = """query ($input: DiagnoseInput!) { diagnose(input: $input) { ... on DiagnoseAnswer { expectation {
  low central high said fraction boundBy decodeStepS prefillS basis { name value origin } refused { en } } } } }"""

LLAMA = {"engine": "vllm", "model": "meta-llama/Llama-3.1-70B-Instruct", "gpu": "h100-sxm", "gpus": 8}
FULL = [{"name": "memory_occupancy_ratio", "value": 0.97}, {"name": "compute_utilization_ratio", "value": 0.3}]
LOAD = [
    {"name": "prompt_tokens_p50", "value": 1000},
    {"name": "output_tokens_p50", "value": 200},
    {"name": "concurrency_count", "value": 64},
]


def test_advice_names_techniques_with_stage_verdict_and_sources() -> None:
    answer = asked(ADVISE, input={"readings": FULL, "deployment": LLAMA})["advise"]

    assert (answer["verdict"], [wall["id"] for wall in answer["walls"]]) == ("MEMORY", ["memory"])
    assert answer["measureFirst"] is None
    quantized = next(one for one in answer["advised"] if one["technique"]["id"] == "kv-cache-quantization")
    assert quantized["stage"] == "MACRO"
    assert quantized["sets"] == [{"name": "kv_cache_dtype", "value": "fp8"}]
    assert quantized["technique"]["enable"] == [{"name": "kv_cache_dtype", "value": "'fp8'"}]
    assert quantized["verdict"] is not None
    assert quantized["sources"]
    assert quantized["ledger"]
    assert answer["ruledOut"]


def test_without_a_wall_the_advice_is_to_measure() -> None:
    answer = asked(ADVISE, input={"readings": [{"name": "ttft_s_p95", "value": 3}]})["advise"]

    assert answer["verdict"] == "INSUFFICIENT_DATA"
    assert answer["advised"] == []
    assert "measure" in answer["measureFirst"]["en"]


def compared(*after: dict[str, Any], **more: Any) -> Any:
    def run(eager: bool, *readings: dict[str, Any]) -> dict[str, Any]:
        settings = [{"name": "enforce_eager", "value": eager}]
        return {"readings": [*LOAD, *readings], "deployment": {**LLAMA, "set": settings}}

    before = run(True, {"name": "itl_s_p50", "value": 0.04})
    return asked(COMPARE, input={"before": before, "after": run(False, *after), **more})["compare"]


def test_two_runs_are_compared() -> None:
    answer = compared({"name": "itl_s_p50", "value": 0.03})

    assert answer["obstacles"] == []
    assert answer["changed"] == [{"name": "enforce_eager", "before": True, "after": False}]
    moved = {one["name"]: one for one in answer["moved"]}
    assert moved["itl_s_p50"] == {"name": "itl_s_p50", "ratio": 0.75, "isTelling": True}
    seen = {one["shift"]["quantity"]["id"]: one["seen"] for one in answer["explained"]}
    assert seen["itl_s"] == "AS_EXPECTED"


def test_an_unlike_load_is_an_obstacle_unless_it_is_set_aside() -> None:
    def loaded(count: int, **more: Any) -> Any:
        before = {"readings": LOAD, "deployment": LLAMA}
        after = {"readings": [*LOAD[:2], {"name": "concurrency_count", "value": count}], "deployment": LLAMA}
        return asked(COMPARE, input={"before": before, "after": after, **more})["compare"]

    assert [one["context"] for one in loaded(128)["obstacles"]] == ["LOAD"]
    aside = loaded(128, allowDifferent=["LOAD"])
    assert (aside["obstacles"], aside["overridden"]) == ([], [{"context": "LOAD"}])


def test_the_expectation_is_told_with_its_basis() -> None:
    readings = [*LOAD, {"name": "output_tokens_per_s", "value": 900}]
    one = {**LLAMA, "set": [{"name": "tensor_parallel_size", "value": 4}]}
    told = asked(EXPECT, input={"readings": readings, "deployment": one})["diagnose"]["expectation"]

    assert told["low"] < told["central"] < told["high"]
    assert told["refused"] is None
    assert told["boundBy"] in ("bandwidth", "compute")
    assert {"concurrency_count", "expectation_share"} <= {basis["name"] for basis in told["basis"]}
