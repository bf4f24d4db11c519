"""GraphQL: what the engine will run, beside what was asked."""

from tests.api.asking import asked

QUERY = """query ($input: CheckInput!) { check(input: $input) { ... on CheckAnswer {
  effective { name setting value unit asked isOverridden why { en zh } at { column } sources { title where } }
} } }"""


def test_effective_settings_stand_beside_what_was_asked() -> None:
    command = "vllm serve Qwen/Qwen3-Next-80B-A3B-Instruct --mamba-cache-mode none"

    answer = asked(QUERY, input={"command": command})
    found = {one["name"]: one for one in answer["check"]["effective"]}

    assert found["mamba_cache_mode"] == {
        "name": "mamba_cache_mode",
        "setting": "cache.mamba_cache_mode",
        "value": "align",
        "unit": "1",
        "asked": "none",
        "isOverridden": True,
        "why": {"en": "prefix reuse keeps states at block ends", "zh": "前缀复用在块边界保存状态"},
        "at": {"column": 45},
        "sources": [{"title": "vLLM 0.33.0, vllm/model_executor/models/config.py", "where": "lines 750-787"}],
    }
    assert found["world_size"]["asked"] is None
