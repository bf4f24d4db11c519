from typing import Any

import pytest

from knockon.terms.limits import CHECKS_MAX
from tests.api.asking import asked, refused

QWEN = "vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size"
DEEPSEEK = "vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size"
CHECK = """query ($input: CheckInput!) {
  check(input: $input) {
    __typename
    ... on CheckAnswer {
      verdict
      findings {
        rule { id }
        verdict
        because { id }
        derivation { name value }
        shifts { from onto quantity { id } factor }
        fixes { technique { id adds: addsDevices } set { name value } range verdict knockOn { en } }
        at { path line column }
      }
      techniques { id }
      sizing { kvHeadReplicas }
    }
    ... on InputProblem { code message what expected fix at { path line column } excerpt }
    ... on NotFound { code kind name suggestions fix }
  }
}"""


def checked(**said: Any) -> Any:
    return asked(CHECK, input=said)["check"]


def findings(answer: Any) -> dict[str, str]:
    return {finding["rule"]["id"]: finding["verdict"] for finding in answer["findings"]}


def test_worked_example_lands_the_cost_of_tensor_parallelism_on_storage() -> None:
    answer = checked(command=f"{QWEN} 8")

    assert answer["verdict"] == "DEGRADED"
    assert findings(answer) == {"K001": "DEGRADED"}
    assert "tensor-parallelism" in {one["id"] for one in answer["techniques"]}
    assert answer["sizing"] == {"kvHeadReplicas": 2}
    (finding,) = answer["findings"]
    assert {"id": "tensor-parallelism"} in finding["because"]
    steps = {step["name"]: step["value"] for step in finding["derivation"]}
    assert (steps["heads"], steps["tp"], steps["kv_head_replicas"]) == (4, 8, 2)
    landed = {"from": "compute", "onto": "storage", "quantity": {"id": "kv_cache_tokens"}, "factor": 0.5}
    assert landed in finding["shifts"]
    assert finding["at"] == {"path": "<command>", "line": 1, "column": 33}
    fix = finding["fixes"][0]
    assert fix["technique"] == {"id": "decode-context-parallelism", "adds": False}
    assert fix["set"] == [{"name": "decode_context_parallel_size", "value": 2}]
    assert fix["range"] == [1, 2]
    assert fix["verdict"] == "FINE"
    assert "network" in fix["knockOn"][0]["en"]


def test_same_words_as_a_list_get_the_same_answer() -> None:
    assert checked(args=f"{QWEN} 8".split()) == checked(command=f"{QWEN} 8")


@pytest.mark.parametrize(
    ("command", "verdict", "found"),
    [
        pytest.param(f"{QWEN} 4", "FINE", {}, id="as many GPUs as KV heads"),
        pytest.param(f"{QWEN} 8 --decode-context-parallel-size 2", "FINE", {"K003": "NOTE"}, id="with DCP"),
        pytest.param(
            f"{QWEN} 8 --decode-context-parallel-size 4", "CONFLICT", {"K004": "CONFLICT", "K003": "NOTE"},
            id="with more DCP than there are copies",
        ),
    ],
)  # fmt: skip
def test_neighbours_of_the_worked_example(command: str, verdict: str, found: dict[str, str]) -> None:
    answer = checked(command=command)

    assert answer["verdict"] == verdict
    assert findings(answer) == found


def test_model_with_enough_kv_heads_is_none_of_these() -> None:
    answer = checked(command="vllm serve Qwen/Qwen2.5-72B-Instruct --tensor-parallel-size 8")

    assert findings(answer).keys() & {"K001", "K002", "K003", "K004"} == set()
    assert answer["sizing"] == {"kvHeadReplicas": 1}


def test_one_latent_head_is_told_apart_from_few_kv_heads() -> None:
    answer = checked(command=f"{DEEPSEEK} 8")

    assert "K001" not in findings(answer)
    assert findings(answer)["K002"] == "DEGRADED"
    assert answer["sizing"] == {"kvHeadReplicas": 8}


def test_deployment_without_a_command_is_described_by_its_parts() -> None:
    answer = checked(
        engine="vllm",
        modelConfig={"model_type": "qwen3", "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128},
        set=[{"name": "tensor_parallel_size", "value": 8}, {"name": "decode_context_parallel_size", "value": 1}],
    )

    assert findings(answer)["K001"] == "DEGRADED"


def test_facts_say_where_they_came_from() -> None:
    query = """query ($input: CheckInput!) { check(input: $input) { ... on CheckAnswer {
      facts { name value unit origin from at { column } }
    } } }"""

    answer = asked(query, input={"command": f"{QWEN} 8", "set": [{"name": "gpu_memory_bytes", "value": "80GiB"}]})
    facts = {fact["name"]: fact for fact in answer["check"]["facts"]}

    assert list(facts) == sorted(facts)
    assert facts["tensor_parallel_size"] == {
        "name": "tensor_parallel_size",
        "value": 8,
        "unit": "1",
        "origin": "FLAG",
        "from": "flag --tensor-parallel-size",
        "at": {"column": 33},
    }
    assert facts["gpu_memory_bytes"] == {
        "name": "gpu_memory_bytes",
        "value": 85_899_345_920,
        "unit": "byte",
        "origin": "SET",
        "from": "--set gpu_memory_bytes=80GiB",
        "at": None,
    }
    assert facts["num_key_value_heads"]["origin"] == "MODEL"


@pytest.mark.parametrize(
    ("said", "code", "what"),
    [
        pytest.param(
            {"command": f"{QWEN} eight"}, "wrong-value",
            "--tensor-parallel-size cannot be 'eight'", id="value of a flag",
        ),
        pytest.param(
            {"command": "rm -rf /"}, "no-command", "there is no command that starts an engine", id="no engine",
        ),
        pytest.param({"command": "vllm serve 'm"}, "open-quote", None, id="open quote"),
        pytest.param({"command": "a", "args": ["a"]}, "command-twice", "the command is given twice", id="twice"),
        pytest.param({"gpus": 0}, "bad-value", "gpus cannot be 0", id="no GPU"),
        pytest.param({"modelConfig": [1]}, "bad-config", "modelConfig holds no JSON object", id="config is a list"),
        pytest.param(
            {"set": [{"name": "tensor_parallel_size", "value": "__import__('os')"}]}, "bad-value",
            "tensor_parallel_size cannot be \"__import__('os')\"", id="hostile expression",
        ),
        pytest.param(
            {"set": [{"name": "tensor_parallel_size", "value": 0.5}]}, "bad-value",
            "tensor_parallel_size cannot be '0.5'", id="half a GPU",
        ),
        pytest.param({"args": ["x"] * 5_000}, "limit-exceeded", None, id="too many words"),
        pytest.param({}, "nothing-given", "the deployment is empty", id="nothing"),
        pytest.param({"set": [], "engine": ""}, "nothing-given", "the deployment is empty", id="empty parts"),
        pytest.param(
            {"set": [{"name": "tensor_parallel_size", "value": 8}, {"name": "tensor_parallel_size ", "value": 4}]},
            "given-twice", "`set` gives 'tensor_parallel_size' more than once", id="fact twice",
        ),
    ],
)  # fmt: skip
def test_deployment_that_cannot_be_read_is_an_answer(said: Any, code: str, what: str | None) -> None:
    answer = checked(**said)

    assert answer["__typename"] == "InputProblem"
    assert answer["code"] == code
    assert what is None or answer["what"] == what
    assert answer["what"] in answer["message"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        pytest.param({"model": "no/such-model"}, "model", id="model"),
        pytest.param({"gpu": "TPU v9"}, "gpu", id="GPU"),
        pytest.param({"set": [{"name": "tensor_paralel_size", "value": 8}]}, "fact", id="fact"),
        pytest.param({"engine": "vlm", "args": ["x"]}, "engine", id="engine"),
    ],
)
def test_name_that_nothing_goes_by_is_an_answer(said: Any, kind: str) -> None:
    answer = checked(**said)

    assert (answer["__typename"], answer["kind"], answer["code"]) == ("NotFound", kind, f"unknown-{kind}")


@pytest.mark.parametrize("said", [{"engine": "vlm"}, {"engine": "vlm", "command": "vllm serve m"}])
def test_engine_that_is_not_known_is_answered_with_those_that_are(said: Any) -> None:
    answer = checked(**said)

    assert (answer["__typename"], answer["kind"], answer["suggestions"]) == ("NotFound", "engine", ["vllm"])
    assert answer["fix"] == "did you mean 'vllm'?; known engines: vllm, sglang, trtllm, tgi"


@pytest.mark.parametrize(
    ("said", "at"),
    [
        pytest.param({"command": "vllm serve m\0"}, (1, 13), id="end"),
        pytest.param({"command": "vllm serve \\\n  'a \0 b'"}, (2, 6), id="second line, in quotes"),
        pytest.param({"args": ["vllm", "serve", "m", "-tp\0", "8"]}, (1, 17), id="word"),
        pytest.param({"args": ["vllm", "serve", "a\nb\0"]}, (2, 2), id="word of two lines"),
    ],
)
def test_nul_in_a_command_is_refused_where_it_stands(said: Any, at: tuple[int, int]) -> None:
    answer = checked(**said)

    assert (answer["__typename"], answer["code"]) == ("InputProblem", "nul-character")
    assert answer["at"] == {"path": "<command>", "line": at[0], "column": at[1]}


def test_unknown_flag_is_kept_with_the_nearest_ones() -> None:
    query = """{ check(input: {command: "vllm serve m --tensor-paralel-size 8"}) { ... on CheckAnswer {
      unknownFlags { flag value suggestions at { column } }
    } } }"""

    (flag,) = asked(query)["check"]["unknownFlags"]

    assert flag["flag"] == "--tensor-paralel-size"
    assert flag["suggestions"][0] == "--tensor-parallel-size"
    assert flag["at"] == {"column": 14}


MANY = """query ($inputs: [CheckInput!]!) {
  checks(inputs: $inputs) {
    __typename
    ... on CheckAnswer { verdict findings { rule { id } } }
    ... on InputProblem { code }
    ... on NotFound { kind }
  }
}"""


def test_several_deployments_get_a_result_each_in_their_order() -> None:
    inputs = [{"command": f"{QWEN} 8"}, {"command": "ls -l"}, {"command": f"{QWEN} 4"}, {"model": "Qwen/Qwen9"}]

    assert asked(MANY, inputs=inputs)["checks"] == [
        {"__typename": "CheckAnswer", "verdict": "DEGRADED", "findings": [{"rule": {"id": "K001"}}]},
        {"__typename": "InputProblem", "code": "unknown-program"},
        {"__typename": "CheckAnswer", "verdict": "FINE", "findings": []},
        {"__typename": "NotFound", "kind": "model"},
    ]


def test_one_deployment_needs_no_list() -> None:
    (alone,) = asked(MANY, inputs={"command": f"{QWEN} 8"})["checks"]

    assert alone["verdict"] == "DEGRADED"


def test_deployments_are_counted_over_all_fields_of_a_query() -> None:
    # The limit of a query would else be the limit times its aliases, and meanwhile nobody else is answered.
    query = "query ($i: [CheckInput!]!) { a: checks(inputs: $i) { __typename } b: checks(inputs: $i) { __typename } }"
    half = [{"command": "ls -l"}] * (CHECKS_MAX // 2)

    assert len(asked(query, i=half)["b"]) == CHECKS_MAX // 2
    errors = refused(query, i=[*half, {"command": "ls -l"}])
    assert [(error["path"], error["extensions"]["code"]) for error in errors] == [(["b"], "limit-exceeded")]


PROBLEMS = """query ($input: CheckInput!) {
  check(input: $input) {
    ... on CheckAnswer {
      verdict
      problems { code name what { en zh } expected { en } fix { en } suggestions at { path line column } }
      refused { flag value why { en } at { column } }
      unknownFlags { flag }
    }
  }
}"""


def test_unknown_names_are_typed_problems_beside_the_answer() -> None:
    command = "vllm serve acme/Secret-7B --tensor-paralel-size 8"

    answer = asked(PROBLEMS, input={"command": command})["check"]

    assert [(one["code"], one["name"], one["at"]["column"]) for one in answer["problems"]] == [
        ("unknown-flag", "--tensor-paralel-size", 27),
        ("unknown-model", "acme/Secret-7B", 12),
    ]
    assert answer["problems"][0]["suggestions"][0] == "--tensor-parallel-size"
    assert answer["problems"][1]["fix"]["en"].startswith("give its config.json")
    assert answer["verdict"] == "UNKNOWN"


def test_allowed_unknown_names_are_no_problems() -> None:
    command = "vllm serve acme/Secret-7B --tensor-paralel-size 8"

    answer = asked(PROBLEMS, input={"command": command, "engineVersion": "0.33.0", "allowUnknown": True})["check"]

    assert (answer["verdict"], answer["problems"], answer["refused"]) == ("UNKNOWN", [], [])
    assert answer["unknownFlags"] == [{"flag": "--tensor-paralel-size"}]


def test_refused_settings_are_typed() -> None:
    answer = asked(PROBLEMS, input={"command": "vllm serve Qwen/Qwen3-8B --kv-cache-dtype foo"})["check"]

    assert answer["verdict"] == "CONFLICT"
    assert [(one["flag"], one["value"], one["at"]["column"]) for one in answer["refused"]] == [
        ("--kv-cache-dtype", "foo", 26)
    ]
