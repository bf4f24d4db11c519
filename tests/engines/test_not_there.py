"""Flags that a release has not: misspelt, of later releases; and releases outside of those that were looked at."""

import pytest

from knockon.engines import ENGINES, effective_of, facts_that_follow, read_command
from knockon.engines.base import Configured
from knockon.engines.release import release_of
from knockon.engines.sglang import asked
from knockon.engines.sglang.engine import flag_table as sglang_flags
from knockon.engines.tgi.engine import flag_table as tgi_flags
from knockon.engines.trtllm.engine import flag_table as trtllm_flags
from knockon.engines.vllm import attention, classes, drafts, weights
from knockon.engines.vllm.table import flag_table as vllm_flags
from knockon.terms.argument import arguments_of
from knockon.terms.fact import Fact, Origin

TABLES = {"vllm": vllm_flags(), "sglang": sglang_flags(), "trtllm": trtllm_flags(), "tgi": tgi_flags()}
PROGRAMS = {
    "vllm": "vllm serve org/model",
    "sglang": "sglang serve org/model",
    "trtllm": "trtllm-serve org/model",
    "tgi": "text-generation-launcher --model-id org/model",
}


def read(flags: str, version: str | None = None, *, engine: str = "vllm") -> Configured:
    return read_command(arguments_of(f"{PROGRAMS[engine]} {flags}".split()), version=version)


@pytest.mark.parametrize("engine", list(ENGINES))
def test_unknown_flag_is_refused_by_the_release_that_the_table_is_of(engine: str) -> None:
    configured = read("--zqx-zqx 8", TABLES[engine].version, engine=engine)

    assert [(one.flag, one.value) for one in configured.refused] == [("--zqx-zqx", "8")]
    assert configured.refused[0].at == configured.unknown_flags[0].at


@pytest.mark.parametrize("version", [None, "0.32.0", "0.33.0.post1", "0.34.0"])
def test_unknown_flag_of_another_release_is_only_not_known(version: str | None) -> None:
    configured = read("--zqx-zqx 8", version)

    assert configured.refused == ()
    assert [one.flag for one in configured.unknown_flags] == ["--zqx-zqx"]


def test_misspelt_flag_is_refused_with_the_nearest_one() -> None:
    configured = read("--tensor-paralel-size 8", "0.33.0")

    assert configured.refused[0].why.en == (
        "vLLM 0.33.0 has no flag --tensor-paralel-size; did you mean --tensor-parallel-size?"
    )


def test_value_glued_to_a_short_name_of_two_letters_is_no_flag() -> None:
    configured = read("-tp8", "0.33.0")

    assert [one.flag for one in configured.refused] == ["-tp8"]
    assert configured.by_name()["tensor_parallel_size"].value == 1


@pytest.mark.parametrize(
    ("flags", "before", "after"),
    [
        ("--decode-context-parallel-size 2", "0.10.0", "0.12.0"),
        ("-dcp 2", "0.6.6", "0.33.0"),
        ("--data-parallel-size 2", "0.6.6", "0.8.5"),
        ("--moe-backend triton", "0.15.0", "0.19.0"),
    ],
)
def test_flag_of_later_releases_is_refused_by_those_known_not_to_have_it(flags: str, before: str, after: str) -> None:
    assert [one.why.en.partition(" has no flag ")[0] for one in read(flags, before).refused] == [f"vLLM {before}"]
    assert read(flags, after).refused == ()
    assert read(flags).refused == ()


def test_between_the_releases_looked_at_nothing_is_refused() -> None:
    # 0.5.3 was looked at and has it not, 0.5.6 has it: of 0.5.4 nobody here can tell.
    gone = next(one for one in TABLES["sglang"].flags() if one.not_yet == "0.5.3" and one.type in ("switch", "bool"))

    assert read(gone.name, "0.5.3", engine="sglang").refused != ()
    assert read(gone.name, "0.5.4", engine="sglang").refused == ()


@pytest.mark.parametrize(
    ("flags", "version", "why"),
    [
        ("--swap-space 4", "0.33.0", "gone since 0.18.0 (last in 0.17.1)"),
        ("--swap-space 4", None, "gone since 0.18.0 (last in 0.17.1)"),
        ("--task generate", "0.13.0", "gone since 0.13.0 (last in 0.12.0); use --runner and --convert"),
        ("--num-scheduler-steps 8", "0.10.1", "gone since 0.10.1 (last in 0.10.0)"),
        ("--attention-config.backend TRITON_ATTN", "0.12.0", "new in 0.13.0"),
        ("-dcp 2", "0.10.1", "new in 0.10.2"),
    ],
)
def test_flag_that_a_release_has_not_is_refused_with_the_releases_that_have_it(
    flags: str, version: str | None, why: str
) -> None:
    (refused,) = read(flags, version).refused

    assert refused.is_missing
    assert refused.why.en.partition(": ")[2] == why


@pytest.mark.parametrize(
    ("flags", "version"),
    [("--swap-space 4", "0.17.1"), ("--task generate", "0.12.0"), ("--attention-config.backend X", "0.13.0")],
)
def test_flag_is_not_refused_in_the_last_and_in_the_first_release_that_have_it(flags: str, version: str) -> None:
    assert read(flags, version).refused == ()


def test_flag_between_releases_looked_at_is_refused_with_the_last_one_seen() -> None:
    (refused,) = read("--cuda-graph-max-bs 64", "0.5.23", engine="sglang").refused

    assert refused.why.en.partition(": ")[2] == "gone by 0.5.23, 0.5.18 has it"


@pytest.mark.parametrize("spelled", ["-O3", "-O=3", "-O 3"])
def test_level_is_of_compilation_up_to_0_11_and_of_optimization_after_it(spelled: str) -> None:
    before, after = read(spelled, "0.11.2"), read(spelled, "0.12.0")

    assert before.refused == after.refused == ()
    assert before.by_name()["compilation_mode"].value == "VLLM_COMPILE"
    assert after.by_name()["optimization_level"].value == 3
    assert "compilation_mode" not in after.by_name()


@pytest.mark.parametrize("spelled", ['-O {"level":0}', "-O.level=0", "-O.level 0"])
def test_letter_is_the_compilation_config_itself_up_to_0_11(spelled: str) -> None:
    assert read(spelled, "0.10.2").by_name()["compilation_mode"].value == "NONE"


def test_stages_begin_where_flags_come_and_go_and_defaults_change() -> None:
    assert {"0.6.6", "0.15.0", "0.20.0"} <= set(read("--attention-config.backend X").stages) - {"0.13.0"}
    assert "0.13.0" in read("--attention-config.backend X").stages
    assert "0.18.0" in read("--swap-space 4").stages
    assert "0.20.0" not in read("--gpu-memory-utilization 0.9").stages


def test_words_are_read_again_as_another_release_reads_them() -> None:
    configured = read("--swap-space 4")

    assert configured.as_of is not None
    assert configured.as_of("0.10.2").refused == ()
    assert configured.as_of("0.10.2").by_name()["gpu_memory_utilization_ratio"].value == 0.9


@pytest.mark.parametrize("engine", list(ENGINES))
def test_every_flag_to_come_came_before_it_went(engine: str) -> None:
    table = TABLES[engine]
    for flag in table.flags():
        if flag.not_yet is not None:
            assert release_of(table.oldest) <= release_of(flag.not_yet) < release_of(flag.until or table.version)


@pytest.mark.parametrize(
    ("engine", "version", "said"),
    [
        ("vllm", "0.0.1", "vLLM 0.0.1 is older than 0.6.6, the oldest looked at here"),
        ("vllm", "99.0", "vLLM 99.0 is newer than 0.33.0, the newest known here"),
        ("sglang", "0.4.0", "SGLang 0.4.0 is older than 0.4.6.post5, the oldest looked at here"),
        ("trtllm", "0.21.0", "TensorRT-LLM 0.21.0 is older than 1.0, the oldest looked at here"),
    ],
)
def test_release_outside_of_those_looked_at_is_noted(engine: str, version: str, said: str) -> None:
    assert [note.en.partition(";")[0] for note in read("", version, engine=engine).notes] == [said]


@pytest.mark.parametrize("version", [None, "0.6.6", "0.20.1", "0.33.0", "0.33.0.post1", "0.33.0rc1"])
def test_release_among_those_looked_at_is_not(version: str | None) -> None:
    assert read("", version).notes == ()


@pytest.mark.parametrize("share", ["0", "0.0", "-0.1", "1.5"])
def test_share_of_memory_is_over_zero_and_at_most_one(share: str) -> None:
    configured = read(f"--gpu-memory-utilization={share}")

    assert [one.why.en for one in configured.refused] == ["--gpu-memory-utilization must be over 0, at most 1"]
    assert "gpu_memory_utilization_ratio" not in configured.by_name()


def test_overrides_of_the_model_are_kept_with_their_place() -> None:
    configured = read_command(arguments_of(["vllm", "serve", "m", "--hf-overrides", '{"a": {"b": 1}}']))

    assert configured.model_overrides == {"a": {"b": 1}}
    assert str(configured.model_overrides_at) == "<command>:1:14"


def test_nothing_follows_where_no_engine_is_known() -> None:
    stated = {"engine": Fact("engine", "other", Origin("set", "--set engine=other"))}

    facts = facts_that_follow(stated)
    effective = effective_of(facts)

    assert facts.keys().isdisjoint({*attention.NAMES, *weights.NAMES, *drafts.NAMES, *asked.NAMES, *classes.NAMES})
    assert effective == ()


@pytest.mark.parametrize("engine", list(ENGINES))
def test_what_is_stated_stays_what_it_is(engine: str) -> None:
    stated = read("", engine=engine).by_name()

    facts = facts_that_follow(stated)

    assert {name: facts[name].value for name in stated} == {name: fact.value for name, fact in stated.items()}
