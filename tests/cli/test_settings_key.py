"""The key `settings` of a file of facts: spellings that reports, Python calls and charts use."""

import json
from pathlib import Path
from typing import Any

import pytest

from knockon.cli.deployment import Options, from_file
from knockon.jobs.check import CheckAnswer, check
from knockon.terms.errors import IntakeError
from knockon.terms.words import CheckVerdict, Scalar
from tests.shipped import shipped


def _asked(folder: Path, held: dict[str, Any]) -> CheckAnswer:
    file = folder / "deployment.json"
    file.write_text(json.dumps(held), encoding="utf-8")
    return check(shipped(), from_file(str(file), Options()))


@pytest.mark.parametrize(
    ("settings", "name", "value"),
    [
        ({"tp": 8}, "tensor_parallel_size", 8),
        ({"--tp": "8"}, "tensor_parallel_size", 8),
        ({"tensor_parallel_size": 8}, "tensor_parallel_size", 8),
        ({"tp_size": 8}, "tensor_parallel_size", 8),
        (["--tp 8"], "tensor_parallel_size", 8),
        (["--tensor-parallel-size=8"], "tensor_parallel_size", 8),
        (["tp=8"], "tensor_parallel_size", 8),
        (["tensor_parallel_size: 8"], "tensor_parallel_size", 8),
        (["tensor parallel 8"], "tensor_parallel_size", 8),
        ({"enable_lora": "yes"}, "enable_lora", True),
        ({"enable_lora": True}, "enable_lora", True),
        (["--enable-lora (several adapters)"], "enable_lora", True),
        (["--enable-lora"], "enable_lora", True),
        ({"enable_prefix_caching": False}, "enable_prefix_caching", False),
        (["enable_chunked_prefill=False"], "enable_chunked_prefill", False),
        (["--kv-cache-dtype auto (fp8 in the checkpoint)"], "kv_cache_dtype", "auto"),
        (["--max-model-len 32k"], "max_model_len", 32_000),
        ({"speculative_config": {"method": "mtp", "num_speculative_tokens": 3}}, "num_speculative_tokens", 3),
        (["--speculative-config mtp k=3"], "num_speculative_tokens", 3),
        (["--kv-transfer-config NixlConnector kv_both"], "kv_connector", "NixlConnector"),
        (["VLLM_MARLIN_INPUT_DTYPE=int8"], "marlin_input_dtype", "int8"),
        ({"VLLM_MARLIN_INPUT_DTYPE": "int8"}, "marlin_input_dtype", "int8"),
    ],
)
def test_a_setting_in_any_plausible_spelling_is_the_fact(
    tmp_path: Path, settings: object, name: str, value: Scalar
) -> None:
    answer = _asked(tmp_path, {"engine": "vllm", "settings": settings})

    assert answer.deployment.facts[name].value == value
    assert answer.deployment.unknown_flags == ()


@pytest.mark.parametrize(
    "text",
    [
        "more requests than expected",
        "--decode-context-parallel-size > 1",
        "max_num_batched_tokens < max_model_len",
        "--tensor-parallel-size 8 versus 4",
        "--pipeline-parallel-size N",
        "speculation disabled",
        "tensr_parallel=8",
    ],
)
def test_what_is_no_setting_is_kept_and_keeps_the_answer_from_being_fine(tmp_path: Path, text: str) -> None:
    answer = _asked(tmp_path, {"engine": "vllm", "model": "Qwen/Qwen3-8B", "settings": [text]})

    assert [one.flag for one in answer.deployment.unknown_flags] == [text]
    assert answer.verdict is CheckVerdict.UNKNOWN


def test_settings_and_model_are_checked_as_a_command_is(tmp_path: Path) -> None:
    answer = _asked(
        tmp_path,
        {"engine": "vllm", "model": "DeepSeek-R1-Distill-Qwen-7B", "engine_version": "main", "settings": ["tp=8"]},
    )

    assert "K008" in {one.finding.rule.id for one in answer.findings}
    assert answer.verdict is CheckVerdict.CONFLICT


@pytest.mark.parametrize(
    ("held", "code"),
    [
        ({"settings": {"tp": 8}}, "no-engine"),
        ({"engine": "vllm", "settings": 8}, "wrong-type"),
        ({"engine": "vllm", "settings": {"tp": 8}, "command": "vllm serve m"}, "set-twice"),
        ({"engine": "vllm", "settings": {"tp": "eight"}}, "wrong-value"),
    ],
)
def test_settings_that_cannot_be_read_are_refused(tmp_path: Path, held: dict[str, Any], code: str) -> None:
    with pytest.raises(IntakeError) as caught:
        _asked(tmp_path, held)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("settings", "meant"),
    [
        ({"tensor_paralel_size": 4}, "tensor_parallel_size"),
        (["--max-model-length 8192"], "max_model_len"),
        (["enable_prefix_cachng=true (the default)"], "enable_prefix_caching"),
    ],
    ids=str,
)
def test_what_was_likely_meant_is_offered_with_the_place(tmp_path: Path, settings: object, meant: str) -> None:
    answer = _asked(tmp_path, {"engine": "vllm", "settings": settings})

    (one,) = answer.deployment.bad_input
    assert one.suggestions[0] == meant
    assert meant in one.expected.en
    assert one.at is not None


def test_nothing_is_offered_for_what_is_like_no_setting(tmp_path: Path) -> None:
    answer = _asked(tmp_path, {"engine": "vllm", "settings": {"zzzzqqqq": 4}})

    (one,) = answer.deployment.bad_input
    assert one.suggestions == ()
