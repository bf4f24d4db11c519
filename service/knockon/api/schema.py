"""The schema: every root with its type, its resolver and its words. This is the table of contents of the API."""

from functools import cache
from typing import Annotated

import strawberry
from graphql import GraphQLSchema, build_schema, find_breaking_changes
from strawberry.schema.config import StrawberryConfig

from knockon.api.roots import catalog, questions
from knockon.api.roots import history as kept
from knockon.api.roots import revisions as published
from knockon.api.roots import rules as rulebook
from knockon.api.scalars import SCALARS
from knockon.api.shape import field, roots
from knockon.api.types.advise import AdviseAnswer
from knockon.api.types.breaks import Breaks
from knockon.api.types.cell import Axes, Cell
from knockon.api.types.check import CheckAnswer
from knockon.api.types.compare import CompareAnswer
from knockon.api.types.diagnose import DiagnoseAnswer
from knockon.api.types.history import KeptRunConnection, Submitted, TargetConnection
from knockon.api.types.locate import Symptom, SymptomPlace, TechniquePlace
from knockon.api.types.machine import Gpu, Model
from knockon.api.types.page import TechniqueConnection
from knockon.api.types.place import Placement
from knockon.api.types.problem import InputProblem, NotFound, StoreProblem
from knockon.api.types.profile import Name, Profile
from knockon.api.types.quantity import Quantity
from knockon.api.types.revision import Revision
from knockon.api.types.rule import CoupleRule, DiagnoseRule, Rule, Wall
from knockon.api.types.search import SearchAnswer
from knockon.api.types.technique import Technique


def _result(name: str, found: str) -> object:
    # Every one of them has both refusals: any argument may be too long, and what a job refuses may grow.
    return strawberry.union(name, description=f"{found}, or why there is none.")


TechniqueResult = Annotated[Technique | InputProblem | NotFound, _result("TechniqueResult", "A technique")]
CellResult = Annotated[Cell | InputProblem | NotFound, _result("CellResult", "A cell")]
QuantityResult = Annotated[Quantity | InputProblem | NotFound, _result("QuantityResult", "A quantity")]
ModelResult = Annotated[Model | InputProblem | NotFound, _result("ModelResult", "A model")]
GpuResult = Annotated[Gpu | InputProblem | NotFound, _result("GpuResult", "A GPU")]
RuleResult = Annotated[CoupleRule | DiagnoseRule | InputProblem | NotFound, _result("RuleResult", "A rule")]
ProfileResult = Annotated[Profile | InputProblem | NotFound, _result("ProfileResult", "A profile")]
RevisionResult = Annotated[Revision | InputProblem | NotFound, _result("RevisionResult", "A revision")]
LocateResult = Annotated[
    TechniquePlace | SymptomPlace | InputProblem | NotFound, _result("LocateResult", "The answer of `locate`")
]
BreaksResult = Annotated[Breaks | InputProblem | NotFound, _result("BreaksResult", "The answer of `breaks`")]
PlaceResult = Annotated[Placement | InputProblem | NotFound, _result("PlaceResult", "The answer of `place`")]
CheckResult = Annotated[CheckAnswer | InputProblem | NotFound, _result("CheckResult", "The answer of `check`")]
SearchResult = Annotated[SearchAnswer | InputProblem | NotFound, _result("SearchResult", "The answer of `search`")]
DiagnoseResult = Annotated[
    DiagnoseAnswer | InputProblem | NotFound, _result("DiagnoseResult", "The answer of `diagnose`")
]

AdviseResult = Annotated[AdviseAnswer | InputProblem | NotFound, _result("AdviseResult", "The answer of `advise`")]
CompareResult = Annotated[CompareAnswer | InputProblem | NotFound, _result("CompareResult", "The answer of `compare`")]
HistoryResult = Annotated[
    KeptRunConnection | InputProblem | NotFound | StoreProblem, _result("HistoryResult", "Runs of a target")
]
TargetsResult = Annotated[
    TargetConnection | InputProblem | NotFound | StoreProblem, _result("TargetsResult", "Targets")
]
SubmitResult = Annotated[
    Submitted | InputProblem | NotFound | StoreProblem, _result("SubmitResult", "Readings that are kept")
]


@roots
class Query:
    """What may be asked.

    Roots with `asOf` answer from that revision, else from the latest; an answer on one revision never changes, but for
    `stale`, which is asked of the day.
    """

    locate: LocateResult = field(
        "Where does a technique sit, or which layers can be the cause of what is seen?", resolver=questions.locate
    )
    breaks: BreaksResult = field(
        "What does a technique break, in general or in one deployment?", resolver=questions.breaks
    )
    place: PlaceResult = field("Which cell is something new in, and is it new there?", resolver=questions.place)
    check: CheckResult = field("Does a deployment contradict itself?", resolver=questions.check)
    checks: list[CheckResult] = field(
        "Does any of several deployments contradict itself? One result for each, in their order.",
        resolver=questions.checks,
    )
    diagnose: DiagnoseResult = field("Which wall do readings hit?", resolver=questions.diagnose)
    advise: AdviseResult = field(
        "Which techniques move away the wall that readings hit, and at what price?", resolver=questions.advise
    )
    compare: CompareResult = field("What changed between two runs, and what moved?", resolver=questions.compare)
    search: SearchResult = field(
        "Which techniques do words mean, or nearly mean? English or Chinese, misspelled or not.",
        resolver=questions.search,
    )
    technique: TechniqueResult = field(
        "One technique. A removed one is found too, with its tombstone.", resolver=catalog.technique
    )
    techniques: TechniqueConnection = field("Techniques in use, by id, in pages.", resolver=catalog.techniques)
    axes: Axes = field("The coordinates of the catalog.", resolver=catalog.axes)
    cell: CellResult = field("One cell.", resolver=catalog.cell)
    grid: list[Cell] = field("Every cell of one stage, or of all, in the order of the axes.", resolver=catalog.grid)
    empty_cells: list[Cell] = field("Cells without a technique, in the order of the axes.", resolver=catalog.empty)
    quantity: QuantityResult = field("One quantity.", resolver=catalog.quantity)
    quantities: list[Quantity] = field("Every quantity, by id.", resolver=catalog.quantities)
    model: ModelResult = field("One model.", resolver=catalog.model)
    models: list[Model] = field("Every model, by name.", resolver=catalog.models)
    gpu: GpuResult = field("One GPU.", resolver=catalog.gpu)
    gpus: list[Gpu] = field("Every GPU, by id.", resolver=catalog.gpus)
    symptoms: list[Symptom] = field("Every symptom that `locate` understands.", resolver=catalog.symptoms)
    rule: RuleResult = field("One rule.", resolver=rulebook.rule)
    rules: list[Rule] = field("Couple rules, then diagnose rules, by id.", resolver=rulebook.rules)
    walls: list[Wall] = field("Every wall.", resolver=rulebook.walls)
    profile: ProfileResult = field("One profile of thresholds.", resolver=rulebook.profile)
    profiles: list[Profile] = field("Every profile of thresholds.", resolver=rulebook.profiles)
    vocabulary: list[Name] = field(
        "Every name that conditions and `set` may use, by name.", resolver=rulebook.vocabulary
    )
    revision: RevisionResult = field("One revision.", resolver=published.revision)
    revisions: list[Revision] = field("Revisions, newest first.", resolver=published.revisions)
    history: HistoryResult = field(
        "Runs of a target that were kept, with the diagnosis of each, newest first, in pages. Asks the database.",
        resolver=kept.history,
    )
    targets: TargetsResult = field(
        "What runs are kept of, by name, in pages. Asks the database.", resolver=kept.targets
    )


@roots
class Mutation:
    """What may be changed: runs are added to the history of a target. Catalog and rules are not changed here."""

    submit_readings: SubmitResult = field(
        "Judge readings as `diagnose` does, and keep them with what came of it. The same run handed in again is kept "
        "once.",
        resolver=kept.submit_readings,
    )


@cache
def schema() -> strawberry.Schema:
    """The schema; made once, it never changes while we run."""
    return strawberry.Schema(
        query=Query,
        mutation=Mutation,
        types=[CoupleRule, DiagnoseRule],
        config=StrawberryConfig(scalar_map=SCALARS),
    )


def executable() -> GraphQLSchema:
    """The schema as graphql-core executes it."""
    return schema()._schema  # noqa: SLF001 - Strawberry has no public way to it, and its own execution is slower


def sdl() -> str:
    """The schema in the schema definition language, as it is kept in schema.graphql."""
    return f"# Made by `make golden`; do not edit.\n\n{schema().as_str()}\n"


def breaking_changes(before: str, after: str) -> tuple[str, ...]:
    """What a client of the schema `before` could no longer rely on with the schema `after`; both in the SDL."""
    found = find_breaking_changes(build_schema(before), build_schema(after))
    return tuple(change.description for change in found)
