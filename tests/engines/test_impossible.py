"""What no fact can be is never read in silence: every flag with a number says what was expected."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import knockon.engines
from knockon.engines import ENGINES, read_command
from knockon.engines.table import load_table
from knockon.jobs.check import check
from knockon.jobs.deployment import Asked
from knockon.terms.argument import arguments_of
from knockon.terms.errors import IntakeError
from tests.shipped import shipped

FOLDER = Path(knockon.engines.__file__).parent
COMMANDS = {
    "vllm": ["vllm", "serve", "Qwen/Qwen3-8B"],
    "sglang": ["python", "-m", "sglang.launch_server", "--model-path", "Qwen/Qwen3-8B"],
    "trtllm": ["trtllm-serve", "Qwen/Qwen3-8B"],
    "tgi": ["text-generation-launcher", "--model-id", "Qwen/Qwen3-8B"],
}


def impossible(engine: str) -> Iterator[tuple[str, str]]:
    """Each flag whose fact has a range, with a number just below it and one far above."""
    names = shipped().rulebook.vocabulary.names
    for flag in load_table(FOLDER / engine / "flags.yaml").flags():
        info = names.get(flag.becomes.fact) if flag.becomes is not None else None
        if info is None or not info.is_numeric:
            continue
        least = info.above if info.above is not None else info.minimum - 1 if info.minimum is not None else None
        most = 10 * info.maximum + 1 if info.maximum is not None else None
        yield from ((flag.name, f"{bound:.15g}") for bound in (least, most) if bound is not None)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_number_that_no_fact_can_be_is_refused_and_nothing_more_is_asked_of_it(engine: str) -> None:
    silent, asked_again = [], []
    for flag, value in impossible(engine):
        try:
            command = read_command(arguments_of([*COMMANDS[engine], f"{flag}={value}"]))
            answer = check(shipped(), Asked(configured=command), compares_releases=False)
        except IntakeError as error:
            if not error.problem.expected:
                silent.append(f"{flag}={value}")
            continue
        facts = {fact for one in answer.refused for fact in one.facts}
        if not answer.refused:
            silent.append(f"{flag}={value}")
        if any(facts.intersection(one.needs) for one in answer.cannot_tell):
            asked_again.append(f"{flag}={value}")

    assert (silent, asked_again) == ([], [])
