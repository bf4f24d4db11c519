"""What other releases make of a deployment whose release nobody named."""

import pytest

from knockon.engines import read_command
from knockon.engines.vllm.table import flag_table
from knockon.jobs.check import CheckAnswer, check
from knockon.jobs.deployment import Asked
from knockon.jobs.releases import ByRelease, Span
from knockon.terms.argument import arguments_of
from knockon.terms.words import CheckVerdict
from tests.shipped import shipped

QWEN = "vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8"
YARN = (
    "vllm serve Qwen/Qwen3-8B --max-model-len 131072 --hf-overrides"
    ' {"rope_parameters":{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32768}}'
)


def asked(command: str, *, compares_releases: bool = True, **more: object) -> CheckAnswer:
    configured = read_command(arguments_of(command.split()), version=more.get("engine_version"))  # type: ignore[arg-type]
    said = Asked(configured=configured, **more)  # type: ignore[arg-type]
    return check(shipped(), said, compares_releases=compares_releases)


def here(answer: CheckAnswer, rule: str) -> ByRelease | None:
    (found,) = (one.by_release for one in answer.findings if one.finding.rule.id == rule)
    return found


def elsewhere(answer: CheckAnswer) -> dict[str, ByRelease]:
    return {one.rule.id: one for one in answer.other_releases}


def test_finding_of_the_newest_release_is_told_with_those_that_have_it_and_those_that_have_not() -> None:
    told = here(asked(YARN), "K034")

    assert told is not None
    assert told.finding is None
    assert told.found_in == (Span("0.30.0", None),)
    assert told.not_found_in == (Span(None, "0.30.0"),)


def test_named_release_gets_one_answer() -> None:
    before, after = asked(YARN, engine_version="0.29.0"), asked(YARN, engine_version="0.30.0")

    assert "K034" not in [one.finding.rule.id for one in before.findings]
    assert here(after, "K034") is None
    assert before.other_releases == after.other_releases == ()


def test_finding_of_earlier_releases_alone_is_told_and_does_not_turn_the_verdict() -> None:
    answer = asked("vllm serve Qwen/Qwen3-Next-80B-A3B-Instruct --tensor-parallel-size 2 --enable-prefix-caching")

    found = elsewhere(answer)
    graves = {one.rule.id for one in answer.other_releases if one.rule.verdict is CheckVerdict.CONFLICT}
    assert graves, found.keys()
    assert answer.verdict is not CheckVerdict.CONFLICT
    assert graves.isdisjoint(one.finding.rule.id for one in answer.findings)
    assert all(one.finding is not None and one.found_in and one.not_found_in for one in found.values())


def test_older_finding_says_what_that_release_would_say() -> None:
    told = elsewhere(asked(QWEN))["K601"]

    assert told.found_in == (Span(None, "0.11.0"),)
    assert told.finding is not None
    named = asked(QWEN, engine_version="0.10.2")
    assert told.finding.says in [one.finding.says for one in named.findings]


def test_releases_without_a_flag_of_the_command_are_left_out() -> None:
    # The flag came with 0.10.2: what earlier releases would say is nobody's question.
    told = elsewhere(asked(f"{QWEN} -dcp 4"))

    assert told["K601"].found_in == (Span("0.10.2", "0.11.0"),)


def test_newest_release_is_the_one_that_rules_are_asked_of() -> None:
    answer = asked("vllm serve Qwen/Qwen3-8B")

    fact = answer.deployment.facts["engine_version"]
    assert (fact.value, fact.origin.kind) == ("0.33.0", "engine-default")
    assert "engine_version" not in answer.deployment.stated
    assert not any("engine_version" in one.needs for one in (*answer.cannot_tell, *answer.not_asked))


def test_engine_without_a_command_is_compared_too() -> None:
    answer = check(
        shipped(),
        Asked(engine="vllm", sets=["quantization_in_use=fbgemm_fp8", "allow_deprecated_quantization=false"]),
    )

    assert here(answer, "K306") == ByRelease(
        rule=answer.findings[0].finding.rule,
        finding=None,
        found_in=(Span("0.14.0", None),),
        not_found_in=(Span(None, "0.14.0"),),
    )


def test_nothing_is_compared_where_it_is_not_wanted_or_no_engine_is_named() -> None:
    configured = read_command(arguments_of(QWEN.split()))

    assert check(shipped(), Asked(configured=configured), compares_releases=False).other_releases == ()
    assert check(shipped(), Asked(sets=["tensor_parallel_size=8"])).other_releases == ()


def test_spans_are_said_for_people() -> None:
    assert [Span(None, "0.11.0").says.en, Span("0.11.0", None).says.en, Span("0.11.0", "0.15.0").says.en] == [
        "before 0.11.0",
        "from 0.11.0 on",
        "from 0.11.0 to before 0.15.0",
    ]


def test_bound_that_only_says_what_was_read_clears_no_earlier_release() -> None:
    told = asked("vllm serve Qwen/Qwen3-8B --attention-backend XFORMERS")

    assert "K201" in [one.finding.rule.id for one in told.findings]
    assert here(told, "K201") is None


@pytest.mark.parametrize("model", ["meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-30B-A3B"])
def test_named_release_leaves_no_rule_open_for_a_setting_that_nobody_gave(model: str) -> None:
    # What the newest release has a value for when nobody says; rules about what came later name its first release.
    set_by_itself = {one.fact for one in flag_table().defaults}
    open_for = {
        (version, one.rule.id, name)
        for version in flag_table().looked_at
        for one in asked(f"vllm serve {model} -tp 4 -dp 2", engine_version=version, compares_releases=False).cannot_tell
        for name in one.needs
        if name in set_by_itself
    }

    assert open_for == set()
