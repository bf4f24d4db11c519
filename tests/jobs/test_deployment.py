"""What describes a deployment is held to the vocabulary, whoever says it; what cannot be is refused with its place."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.engines import read_command
from knockon.engines.base import Configured
from knockon.engines.hf_config.normalise import LAYERS_MAX
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked, Deployment, deployment_of
from knockon.jobs.ranges import WHOLE_MAX, is_possible
from knockon.sizing.sizing import derived
from knockon.terms.argument import arguments_of
from knockon.terms.errors import IntakeError, KnockonError, NotFound
from knockon.terms.jsontext import read_json
from knockon.terms.words import CheckVerdict
from tests.shipped import shipped

QWEN = "Qwen/Qwen3-8B"
VISION: dict[str, Any] = {
    "model_type": "qwen3_vl",
    "text_config": {
        "model_type": "qwen3_vl_text",
        "num_key_value_heads": 8,
        "num_attention_heads": 32,
        "hidden_size": 4096,
        "num_hidden_layers": 36,
    },
}


def command(*words: str, version: str | None = None) -> Configured:
    return read_command(arguments_of(["vllm", "serve", QWEN, *words]), version=version)


def of(*words: str, **more: Any) -> Deployment:
    return deployment_of(shipped(), Asked(configured=command(*words), **more))


def asked(*words: str, version: str | None = None, **more: Any) -> CheckAnswer:
    return check(shipped(), Asked(configured=command(*words, version=version), **more))


def complaint(*words: str, **more: Any) -> str:
    with pytest.raises(IntakeError) as caught:
        of(*words, **more)
    return str(caught.value)


# --- ranges -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flag", "value", "fact"),
    [
        ("-pp", "2147483648", "pipeline_parallel_size"),
        ("-dp", "99999999999", "data_parallel_size"),
        ("--max-num-seqs", "99999999999999999999", "max_num_seqs"),
        ("--max-model-len", "9g", "max_model_len"),
    ],
)
def test_flag_outside_the_vocabularys_range_is_refused_where_it_stands(flag: str, value: str, fact: str) -> None:
    said = complaint(flag, value)

    assert said.startswith(f"<command>:1:{len('vllm serve ' + QWEN) + 2}: {fact} cannot be ")
    info = shipped().rulebook.vocabulary.info(fact)
    assert f"expected a whole number{'' if str(info.unit) == '1' else ' of token'} from {info.minimum:.0f}" in said


def test_what_wins_over_it_makes_the_flag_harmless() -> None:
    facts = of("-pp", "2147483648", sets=["pipeline_parallel_size=2"]).facts

    assert facts["pipeline_parallel_size"].value == 2


def test_count_of_gpus_outside_its_range_is_refused() -> None:
    assert complaint(gpu_count=10**20).startswith("gpu_count cannot be 100000000000000000000 (--gpus ")
    assert complaint(gpu_count=0).startswith("gpu_count cannot be 0 (--gpus 0); expected a whole number from 1 to ")


def test_config_outside_the_vocabularys_range_is_refused_where_it_stands() -> None:
    text = read_json('{"model_type": "qwen3", "num_attention_heads": 32,\n "hidden_size": 99999999999}', path="c.json")

    said = complaint(model_config=text.data, model_config_text=text)

    assert said.startswith("c.json:2:2: hidden_size cannot be 99999999999 ")


def test_key_of_the_wrong_type_is_refused_where_it_stands() -> None:
    text = read_json('{"model_type": "a", "text_config": {\n "num_hidden_layers": "x"}}', path="c.json")

    said = complaint(model_config=text.data, model_config_text=text)

    assert said.startswith("c.json:2:2: text_config.num_hidden_layers is 'x'; expected a whole number")


@pytest.mark.parametrize("layers", [2001, 10**12, 10**20])
def test_config_of_more_layers_than_any_model_has_is_refused_at_once(layers: int) -> None:
    # What follows from layers is told layer by layer: without a limit this would take all memory.
    assert "num_hidden_layers is " in complaint(model_config={"model_type": "qwen3", "num_hidden_layers": layers})


def test_limit_of_layers_is_the_vocabularys() -> None:
    assert shipped().rulebook.vocabulary.info("num_hidden_layers").maximum == LAYERS_MAX


def test_sets_of_a_file_are_refused_where_they_stand() -> None:
    text = read_json('{"facts":\n  {"tensor_parallel_size": 0}}', path="f.json")
    at = text.places["facts.tensor_parallel_size"]

    said = complaint(sets=["tensor_parallel_size=0"], places={"tensor_parallel_size=0": at})

    assert said.startswith("f.json:2:4: tensor_parallel_size cannot be '0'; expected a whole number from 1 to 4096")


SHAPE = ("hidden_size", "num_key_value_heads", "head_dim", "vocab_size", "intermediate_size")


@given(st.sets(st.sampled_from(SHAPE)), st.sampled_from([1, 48, 2000]), st.sampled_from([1, 8, 4096]))
def test_no_answer_has_an_integer_of_more_than_64_bits(largest: set[str], layers: int, ranks: int) -> None:
    config: dict[str, Any] = {"model_type": "mixtral", "num_hidden_layers": layers, "num_local_experts": 100_000}
    config |= {"num_experts_per_tok": 8, "num_key_value_heads": 8, "hidden_size": 4096, "num_attention_heads": 10_000}
    config |= {name: int(shipped().rulebook.vocabulary.info(name).maximum or 0) for name in largest}
    answer = check(
        shipped(),
        Asked(
            configured=command("-tp", str(ranks), "-pp", str(ranks), "--max-model-len", "100000000"),
            model_config=config,
            sets=["gpu_memory_bytes=1000000000", "dtype=float32"],
        ),
    )
    deployment = answer.deployment
    numbers = [fact.value for fact in deployment.facts.values()]
    numbers += [step.value for step in deployment.sizing.steps] + list(derived(deployment.sizing).values())
    numbers += [step.value for one in answer.findings for step in one.finding.derivation if step.value is not None]
    assert [number for number in numbers if isinstance(number, int) and abs(number) > WHOLE_MAX] == []


# --- what a person sets -------------------------------------------------------------------------------------------


def test_fact_that_follows_from_others_cannot_be_set() -> None:
    names = shipped().rulebook.vocabulary.names
    follow = [info for info in names.values() if info.kind == "fact" and info.group_or_class == "derived"]

    assert len(follow) > 10
    for info in follow:
        value = "true" if info.type == "bool" else "1"
        said = complaint(sets=[f"{info.name}={value}"])
        assert said.startswith(f"{info.name} follows from other facts, so it cannot be set; ")
        assert said.endswith(f"; set {info.how['any']}")


def test_what_the_engine_logs_may_be_given_though_it_follows() -> None:
    facts = of(sets=["kv_cache_tokens=4096", "available_kv_cache_bytes=8GiB"]).facts

    assert (facts["kv_cache_tokens"].value, facts["available_kv_cache_bytes"].value) == (4096, 8 << 30)


def test_reading_among_facts_is_called_what_it_is_and_where_it_goes() -> None:
    said = complaint(sets=["memory_occupancy_ratio=0.9"])

    assert said.startswith("memory_occupancy_ratio is a reading, not a fact; ")
    assert said.endswith("it goes to `diagnose`")


def test_one_name_with_two_values_is_refused() -> None:
    said = complaint(sets=["tensor_parallel_size=2", "tensor_parallel_size=4"])

    assert said.startswith("tensor_parallel_size is set twice: 'tensor_parallel_size=2' and 'tensor_parallel_size=4'")
    assert of(sets=["tensor_parallel_size=2", "tensor_parallel_size = 2"]).facts["tensor_parallel_size"].value == 2


def test_version_that_is_none_cannot_be_set() -> None:
    assert complaint(sets=["engine_version=new"]).startswith("engine_version cannot be 'new'; expected a version")


@pytest.mark.parametrize("name", ["model", "engine", "engine_version", "gpu"])
@pytest.mark.parametrize("value", ["", "  "])
def test_empty_name_is_refused(name: str, value: str) -> None:
    assert f"--{name.replace('_', '-')} is empty; expected a name" in complaint(**{name: value})


def test_command_with_an_empty_model_is_refused_where_it_stands() -> None:
    configured = read_command(arguments_of(["vllm", "serve", ""]))

    with pytest.raises(IntakeError) as caught:
        deployment_of(shipped(), Asked(configured=configured))

    assert str(caught.value).startswith("<command>:1:12: the model of the command is empty")


def test_engine_without_a_command_must_be_a_known_one() -> None:
    with pytest.raises(NotFound) as caught:
        deployment_of(shipped(), Asked(engine="vlm"))

    assert (
        str(caught.value) == "no engine is called 'vlm'; did you mean 'vllm'?; known engines: vllm, sglang, trtllm, tgi"
    )


# --- flags that nobody knows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("--tensor-paralel-size", "8"), ("-tp8",)])
def test_unknown_flag_keeps_the_verdict_from_being_fine_and_is_named(words: tuple[str, ...]) -> None:
    assert asked().verdict is CheckVerdict.FINE

    answer = asked(*words)

    assert answer.verdict is CheckVerdict.UNKNOWN
    assert [one.flag for one in answer.deployment.unknown_flags] == [words[0]]
    assert [(one.code, one.name) for one in answer.deployment.bad_input] == [("unknown-flag", words[0])]
    assert answer.deployment.notes == ()


def test_unknown_flag_is_a_conflict_with_the_release_that_the_table_is_of() -> None:
    answer = asked("-tp8", version="0.33.0")

    assert answer.verdict is CheckVerdict.CONFLICT
    assert answer.deployment.notes == ()


def test_grave_findings_win_over_an_unknown_flag() -> None:
    assert asked("--zqx", "-tp", "16", gpu_count=8).verdict is CheckVerdict.CONFLICT
    assert asked("--zqx", "-dp", "16", gpu_count=8).verdict is CheckVerdict.DEGRADED


# --- what the command puts over the model's config ------------------------------------------------------------------


def test_override_counts_before_anything_is_derived_and_says_where_it_stands() -> None:
    deployment = of("--hf-overrides", '{"num_key_value_heads": 4, "num_hidden_layers": 10}')

    heads = deployment.facts["num_key_value_heads"]
    assert (heads.value, str(heads.origin.at)) == (4, f"<command>:1:{len('vllm serve ' + QWEN) + 2}")
    assert heads.origin.text.endswith("under the command's overrides")
    assert deployment.facts["full_attention_layer_count"].value == 10
    # 2 (K and V) x 4 heads x 128 x 2 bytes x 10 layers.
    assert deployment.sizing.kv_bytes_per_token_per_gpu == 20480
    assert "parameter_count" not in deployment.facts


def test_dotted_override_counts_too() -> None:
    assert of("--hf-overrides.num_key_value_heads", "2").facts["num_key_value_heads"].value == 2


def test_sglang_puts_values_over_the_config_as_well() -> None:
    words = ["sglang", "serve", "--model-path", QWEN, "--json-model-override-args", '{"num_key_value_heads": 2}']

    facts = deployment_of(shipped(), Asked(configured=read_command(arguments_of(words)))).facts

    assert facts["num_key_value_heads"].value == 2


def test_override_of_a_part_changes_its_keys_one_by_one() -> None:
    facts = of("--hf-overrides", '{"text_config": {"num_key_value_heads": 2}}', model_config=VISION).facts

    assert (facts["num_key_value_heads"].value, facts["num_hidden_layers"].value) == (2, 36)
    assert VISION["text_config"]["num_key_value_heads"] == 8


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"num_key_value_heads": 2}, "overriding num_key_value_heads changes nothing: the model has it in text_config"),
        (
            {"text_config": {"num_key_valu_heads": 2}},
            "overriding text_config.num_key_valu_heads changes nothing: did you mean num_key_value_heads?",
        ),
    ],
)
def test_override_that_changes_nothing_is_noted(overrides: dict[str, Any], said: str) -> None:
    deployment = of("--hf-overrides", json.dumps(overrides), model_config=VISION)

    assert [note.en for note in deployment.notes] == [said]
    assert deployment.facts["num_key_value_heads"].value == 8


def test_key_that_the_config_leaves_to_its_default_is_no_mistake() -> None:
    assert of("--hf-overrides", '{"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}').notes == ()


@pytest.mark.parametrize("value", ['"x"', "64", "99999999999999999999", "-1"])
def test_override_that_cannot_be_is_refused_where_the_flag_stands(value: str) -> None:
    said = complaint("--hf-overrides", f'{{"num_key_value_heads": {value}}}')

    assert said.startswith(f"<command>:1:{len('vllm serve ' + QWEN) + 2}: with the command's overrides, ")


# --- the way out ----------------------------------------------------------------------------------------------------


def test_fix_that_makes_another_conflict_is_not_offered() -> None:
    words = ["vllm", "serve", "microsoft/phi-4", "-tp", "16"]

    answer = check(shipped(), Asked(configured=read_command(arguments_of(words))))

    # Half of 16 with a pipeline leaves 10 KV heads over 8 ranks.
    assert (answer.findings[0].finding.rule.id, answer.findings[0].fixes) == ("K008", ())
    assert [near.verdict for near in answer.nearest] == [CheckVerdict.FINE]


@pytest.mark.parametrize("words", [("-tp", "3"), ("-tp", "16"), ("-pp", "64"), ("-tp", "8", "-dcp", "4")])
def test_no_fix_leaves_a_conflict_of_its_own(words: tuple[str, ...]) -> None:
    answer = asked(*words, gpu_count=8)
    before = {one.finding.rule.id for one in answer.findings if one.finding.verdict is CheckVerdict.CONFLICT}

    assert answer.findings
    for one in answer.findings:
        for fix in one.fixes:
            others = before - {one.finding.rule.id}
            assert fix.verdict is not CheckVerdict.CONFLICT or others
            assert all(
                is_possible(shipped().rulebook.vocabulary.info(name), value) for name, value in fix.offered.sets.items()
            )


# --- GPUs needed and there ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "gpus", "rule"),
    [
        (f"vllm serve {QWEN} -dp 16", 8, "K161"),
        (f"vllm serve {QWEN} -tp 4 -dp 4", 8, "K161"),
        (f"vllm serve {QWEN} -tp 8 -pp 4 --nnodes 2", 8, "K690"),
        (f"vllm serve {QWEN} -tp 16", 8, "K020"),
        (f"sglang serve --model-path {QWEN} --tp-size 8 --dp-size 2", 8, "K691"),
        (f"sglang serve --model-path {QWEN} --tp-size 16", 8, "K691"),
        (f"trtllm-serve {QWEN} --tp_size 8 --pp_size 2", 8, "K522"),
    ],
)
def test_more_ranks_than_gpus_are_spoken_of(line: str, gpus: int, rule: str) -> None:
    answer = check(shipped(), Asked(configured=read_command(arguments_of(line.split())), gpu_count=gpus))

    assert answer.verdict in (CheckVerdict.CONFLICT, CheckVerdict.DEGRADED)
    assert rule in [one.finding.rule.id for one in answer.findings]


@pytest.mark.parametrize(
    ("line", "gpus"),
    [
        (f"vllm serve {QWEN} -dp 8", 8),
        (f"vllm serve {QWEN} -dp 16 --data-parallel-size-local 8", 8),
        (f"vllm serve {QWEN} -tp 8 -pp 2 --nnodes 2", 8),
        (f"vllm serve {QWEN} -dp 16 --data-parallel-backend ray", 8),
        (f"sglang serve --model-path {QWEN} --tp-size 8 --dp-size 8 --enable-dp-attention", 8),
        (f"sglang serve --model-path {QWEN} --tp-size 8 --pp-size 2 --nnodes 2", 8),
    ],
)
def test_ranks_that_have_their_gpus_are_not(line: str, gpus: int) -> None:
    answer = check(shipped(), Asked(configured=read_command(arguments_of(line.split())), gpu_count=gpus))

    assert {"K020", "K161", "K522", "K690", "K691"}.isdisjoint(one.finding.rule.id for one in answer.findings)


def test_only_known_complaints_are_raised() -> None:
    for value in ("{}", "[]", "null", '{"text_config": 3}', '{"text_config": {}}', '{"model_type": {}}', "{"):
        try:
            of("--hf-overrides", value)
        except KnockonError:
            continue
