"""The questions of jobs/ as roots: locate, breaks, place, check, diagnose, advise, compare."""

# ruff: noqa: A002 - arguments are named as clients write them
from typing import Annotated, Any

import strawberry

from knockon.api.context import Info, ask_of, count_checks
from knockon.api.inputs import (
    CheckInput,
    CompareInput,
    DeploymentInput,
    PlaceInput,
    RunInput,
    asked,
    measured,
    sets,
    taken,
)
from knockon.api.roots.arguments import AsOf, Measured, answered
from knockon.api.roots.catalog import TechniqueName
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.advise import AdviseAnswer
from knockon.jobs.advise import advise as ask_advise
from knockon.jobs.breaks import DEPTH_DEFAULT
from knockon.jobs.breaks import breaks as ask_breaks
from knockon.jobs.check import CheckAnswer
from knockon.jobs.check import check as ask_check
from knockon.jobs.compare import CompareAnswer, Run
from knockon.jobs.compare import compare as ask_compare
from knockon.jobs.diagnose import DiagnoseAnswer
from knockon.jobs.diagnose import diagnose as ask_diagnose
from knockon.jobs.locate import locate as ask_locate
from knockon.jobs.place import PlaceAnswer
from knockon.jobs.place import place as ask_place
from knockon.jobs.search import search as ask_search
from knockon.terms.limits import CHECKS_MAX, PAGE_SIZE_DEFAULT

What = Annotated[
    str,
    strawberry.argument(description="A technique by any name, or what is seen, in words: decode slow, memory tight."),
]
Depth = Annotated[int, strawberry.argument(description="How many hops to follow, 1 to 8.")]
Where = Annotated[
    DeploymentInput | None,
    strawberry.argument(description="The deployment; without it conditions on facts stay UNKNOWN."),
]

Something = Annotated[PlaceInput, strawberry.argument(description="What is new, and in which cell.")]
Described = Annotated[CheckInput, strawberry.argument(description="The deployment.")]
DescribedMany = Annotated[
    list[CheckInput],
    strawberry.argument(description=f"The deployments, {CHECKS_MAX} at most; one alone needs no list."),
]
Compared = Annotated[CompareInput, strawberry.argument(description="The two runs.")]
Sought = Annotated[str, strawberry.argument(description="Words in English or Chinese: kv quant, 投机解码.")]
HowMany = Annotated[int, strawberry.argument(description="How many techniques at most, 1 to 100.")]


def search(info: Info, words: Sought, first: HowMany = PAGE_SIZE_DEFAULT, as_of: AsOf = None) -> Any:
    """Which techniques do these words mean?"""
    return answered(lambda: ask_search(ask_of(info, as_of), words, limit=first))


def locate(info: Info, what: What, as_of: AsOf = None) -> Any:
    """Where does it sit?"""
    return answered(lambda: ask_locate(ask_of(info, as_of), what).place)


def breaks(
    info: Info, technique: TechniqueName, depth: Depth = DEPTH_DEFAULT, deployment: Where = None, as_of: AsOf = None
) -> Any:
    """What does it break?"""

    def ask() -> Any:
        described = asked(deployment) if deployment is not None else None
        return ask_breaks(ask_of(info, as_of), technique, depth=depth, asked=described).breaks

    return answered(ask)


def place(info: Info, input: Something, as_of: AsOf = None) -> Any:
    """Is it new there?"""

    def ask() -> Any:
        answer: PlaceAnswer = ask_place(
            ask_of(info, as_of),
            stage=input.stage,
            layer=input.layer,
            dimension=input.dimension,
            also=[(one.stage, one.layer, one.dimension) for one in input.also or ()],
            mechanism=input.mechanism,
            gains=input.gains or (),
            costs=input.costs or (),
        )
        return answer.placement

    return answered(ask)


def check(info: Info, input: Described, as_of: AsOf = None) -> Any:
    """Does the deployment contradict itself?"""
    count_checks(info)
    return _checked(info, input, as_of)


def checks(info: Info, inputs: DescribedMany, as_of: AsOf = None) -> Any:
    """Does any of the deployments contradict itself? One that cannot be read is a result of its own."""
    count_checks(info, len(inputs))
    return [_checked(info, each, as_of) for each in inputs]


def _checked(info: Info, described: CheckInput, as_of: int | None) -> Any:
    def ask() -> CheckAnswer:
        return ask_check(ask_of(info, as_of), asked(described))

    return answered(ask)


def diagnose(info: Info, input: Measured, as_of: AsOf = None) -> Any:
    """Which wall do the readings hit?"""

    def ask() -> DiagnoseAnswer:
        knowledge = ask_of(info, as_of)
        return ask_diagnose(knowledge, **measured(input, knowledge.rulebook.vocabulary))

    return answered(ask)


def advise(info: Info, input: Measured, as_of: AsOf = None) -> Any:
    """Which techniques move the wall away?"""

    def ask() -> AdviseAnswer:
        knowledge = ask_of(info, as_of)
        return ask_advise(knowledge, **measured(input, knowledge.rulebook.vocabulary))

    return answered(ask)


def compare(info: Info, input: Compared, as_of: AsOf = None) -> Any:
    """What changed between two runs, and what moved?"""

    def ask() -> CompareAnswer:
        knowledge = ask_of(info, as_of)
        vocabulary = knowledge.rulebook.vocabulary
        return ask_compare(
            knowledge,
            _run(input.before, vocabulary),
            _run(input.after, vocabulary),
            profile=input.profile,
            allow_different=[one.value for one in input.allow_different or ()],
        )

    return answered(ask)


def _run(said: RunInput, vocabulary: Vocabulary) -> Run:
    described = asked(said.deployment) if said.deployment is not None else None
    return Run(taken(said, vocabulary), sets(said.set), described)
