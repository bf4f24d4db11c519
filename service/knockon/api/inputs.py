"""What clients give: filters, a deployment, readings, something new to place. Nothing of it is ever run or opened."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypedDict, cast

from knockon.api.scalars import Json, Value
from knockon.api.shape import accepts, given
from knockon.api.types.kinds import CompareContext
from knockon.catalog.search import Wanted
from knockon.engines import engine_named, read_command
from knockon.engines.base import Configured
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.config import config_object
from knockon.jobs.deployment import Asked
from knockon.jobs.literals import info_of
from knockon.jobs.timeline import TimeAsked
from knockon.manifests.command import split_command
from knockon.rules.trends import WINDOW_S
from knockon.sources import read_source, read_told
from knockon.sources.base import Taken
from knockon.sources.together import together
from knockon.terms.argument import Argument, arguments_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.words import Scalar

# What positions in a given command line call the text.
COMMAND = "<command>"


@accepts
class SettingInput:
    """A name with a value."""

    name: str = given("A fact or a reading, as in `vocabulary`.")
    value: Value = given('Its value; numbers may be texts with a unit: "80GiB".')


@accepts
class DeploymentInput:
    """A deployment. Every part may be left out; what is given says what can be told."""

    command: str | None = given("The shell command that starts the engine, as one text.", default=None)
    args: list[str] | None = given(
        "The same as single words, quotes already removed; instead of `command`.", default=None
    )
    engine: str | None = given("Engine: vllm, sglang, trtllm, tgi. The command usually shows it.", default=None)
    engine_version: str | None = given("Version of the engine; the newest known when not given.", default=None)
    model: str | None = given("Model by name; it wins over the one in the command.", default=None)
    model_config: Json | None = given(
        "Content of the model's config.json, for a model the catalog lacks.", default=None
    )
    gpu: str | None = given("GPU by name.", default=None)
    gpus: int | None = given("How many GPUs there are.", default=None)
    set: list[SettingInput] | None = given("Facts that win over everything else.", default=None)
    allow_unknown: bool = given(
        "Whether flags and models that are not known are meant: they are noted, and are no `problems`.", default=False
    )


@accepts
class CheckInput(DeploymentInput):
    """The deployment to check."""


@accepts
class SourceInput:
    """One text with readings, as a monitor or a person hands it over."""

    text: str = given("The text: a Prometheus scrape, a readings file …")
    source: str | None = given("Kind of text; it usually shows.", default=None)
    filename: str = given("What to call it in answers.", default="readings")
    before: str | None = given("An earlier text of the same kind and target, for rates.", default=None)
    elapsed_s: float | None = given("Seconds between the two texts.", default=None)


@accepts
class ReadingInput:
    """One measurement."""

    name: str = given("Name, as in `vocabulary(kind: READING)`.")
    value: Value = given("Value in the unit of the name; ratios run from 0 to 1.")
    replica: str = given("Rank or replica; empty for the whole deployment.", default="")


@accepts
class TimeInput:
    """How series of readings are looked at."""

    window_s: float | None = given("Seconds that trends look back on; 600 when not given.", default=None)
    warm_up_s: float | None = given(
        "Seconds of the beginning that are left out, 0 for none; what the series shows when not given.", default=None
    )
    gap_s: float | None = given(
        "Seconds without a value from which on there is a gap; two and a half steps when not given.", default=None
    )


@accepts
class DiagnoseInput:
    """What was measured."""

    sources: list[SourceInput] | None = given("Texts with readings; several are merged.", default=None)
    run: str | None = given(
        "Name of the run of a load generator that is judged, or its number from 1; the highest load if not given.",
        default=None,
    )
    readings: list[ReadingInput] | None = given("Single measurements.", default=None)
    told: str | None = given(
        "What people say of the system, in English: compared with reports whose cause was found.", default=None
    )
    set: list[SettingInput] | None = given("Readings that win over everything else.", default=None)
    profile: str = given("Thresholds to judge by.", default="default")
    deployment: DeploymentInput | None = given("The deployment behind the readings.", default=None)
    time: TimeInput | None = given("How series are looked at.", default=None)


@accepts
class RunInput:
    """One of two runs: what was measured, and on what."""

    sources: list[SourceInput] | None = given("Texts with readings; several are merged.", default=None)
    run: str | None = given(
        "Name of the run of a load generator that is judged, or its number from 1; the highest load if not given.",
        default=None,
    )
    readings: list[ReadingInput] | None = given("Single measurements.", default=None)
    told: str | None = given(
        "What people say of the system, in English: compared with reports whose cause was found.", default=None
    )
    set: list[SettingInput] | None = given("Readings that win over everything else.", default=None)
    deployment: DeploymentInput | None = given("The deployment behind the readings.", default=None)


@accepts
class CompareInput:
    """Two runs."""

    before: RunInput = given("The earlier run, or the one to compare with.")
    after: RunInput = given("The other run.")
    profile: str = given("Thresholds to judge by.", default="default")
    allow_different: list[CompareContext] | None = given(
        "What may differ or not be known; the answer says it loudly.", default=None
    )


@accepts
class CellInput:
    """A cell, by ids or names of the axes in either language."""

    stage: str = given("Stage.")
    layer: str = given("Layer.")
    dimension: str = given("Dimension.")


@accepts
class PlaceInput:
    """Something new."""

    stage: str = given("Stage of its home cell.")
    layer: str = given("Layer of its home cell.")
    dimension: str = given("Dimension of its home cell.")
    also: list[CellInput] | None = given("Further cells it occupies.", default=None)
    mechanism: str | None = given(
        "Slug of how it works; two with `+` between them when it does what both do.", default=None
    )
    gains: list[str] | None = given("What it improves: quantities, dimensions or burdens.", default=None)
    costs: list[str] | None = given("What it makes worse.", default=None)


@accepts
class TechniqueFilter:
    """Which techniques; all that is given must hold."""

    words: str | None = given("Every word must be in an id, a name, an alias, the goal or the summary.", default=None)
    stage: str | None = given("Stage of one of its cells.", default=None)
    layer: str | None = given("Layer of that same cell.", default=None)
    dimension: str | None = given("Dimension of that same cell.", default=None)
    mechanism: str | None = given("Slug of its mechanism.", default=None)
    gains: str | None = given("A quantity, dimension or burden that it improves.", default=None)
    costs: str | None = given("A quantity, dimension or burden that it makes worse.", default=None)
    engine: str | None = given("An engine that has a switch for it.", default=None)


def wanted(chosen: TechniqueFilter | None) -> Wanted:
    """The filter as the catalog takes it."""
    if chosen is None:
        return Wanted()
    return Wanted(
        words=chosen.words or "",
        stage=chosen.stage,
        layer=chosen.layer,
        dimension=chosen.dimension,
        mechanism=chosen.mechanism,
        gains=chosen.gains,
        costs=chosen.costs,
        engine=chosen.engine,
    )


def asked(said: DeploymentInput) -> Asked:
    """The deployment as the jobs take it.

    Raises:
        IntakeError: nothing is given, the command cannot be read, the config is no object, or a fact is set twice.
        LimitExceeded, NotFound: as `read_command`.
    """
    _refuse_nothing(said)
    if said.engine:
        engine_named(said.engine)
    return Asked(
        configured=_configured(said),
        engine=said.engine,
        engine_version=said.engine_version,
        model=said.model,
        model_config=config_object(said.model_config, path="modelConfig") if said.model_config is not None else None,
        gpu=said.gpu,
        gpu_count=_gpus(said.gpus),
        sets=sets(said.set),
        allows_unknown=said.allow_unknown,
    )


def sets(given_settings: Sequence[SettingInput] | None) -> tuple[str, ...]:
    """Settings as the texts `name=value` that the jobs read, so a value may have a unit; raises IntakeError."""
    # What the jobs take for the name ends at the first `=`.
    names = (one.name.partition("=")[0].strip() for one in given_settings or ())
    _refuse_repeated(names, where="set", fix="leave all but one of them out")
    return tuple(f"{one.name}={_written(cast('Scalar', one.value))}" for one in given_settings or ())


def taken(said: DiagnoseInput | RunInput, vocabulary: Vocabulary) -> list[Taken]:
    """The readings of every text, and the single ones.

    Raises:
        IntakeError: nothing is given, or a reading twice. NotFound: no run is called `run`, or no
            reading as one is named. NotFound, LimitExceeded: as `read_source`.
    """
    if not (said.sources or said.readings or said.set or said.told):
        what = "the input has no reading"
        fix = 'give a scrape under `sources`, or for example readings: [{name: "memory_occupancy_ratio", value: 0.9}]'
        raise IntakeError(Problem("nothing-given", what, "`sources`, `readings`, `told` or `set`", fix))
    names = (f"{one.name} of {one.replica}" if one.replica else one.name for one in said.readings or ())
    _refuse_repeated(names, where="readings", fix="leave all but one of them out, or say the `replica` of each")
    texts = [
        read_source(
            one.text,
            filename=one.filename,
            vocabulary=vocabulary,
            source=one.source,
            before=one.before,
            elapsed_s=one.elapsed_s,
        )
        for one in said.sources or ()
    ]
    single = tuple(
        Reading(
            info_of(one.name, vocabulary, kind="reading").name, cast("Scalar", one.value), "given", replica=one.replica
        )
        for one in said.readings or ()
    )
    whole = together(texts, run=said.run)
    told = [read_told(said.told, vocabulary, filename="told")] if said.told else []
    return [*whole, *told, *([Taken(single, told=said.told or "")] if single else [])]


class Measured(TypedDict):
    """What was measured, as `diagnose`, `advise` and `keep` take it."""

    taken: Sequence[Taken]
    profile: str
    sets: Sequence[str]
    asked: Asked | None
    time_asked: TimeAsked | None


def measured(said: DiagnoseInput, vocabulary: Vocabulary) -> Measured:
    """The arguments of every question about readings; raises as `taken`, `sets` and `asked` do."""
    return {
        "taken": taken(said, vocabulary),
        "profile": said.profile,
        "sets": sets(said.set),
        "asked": asked(said.deployment) if said.deployment is not None else None,
        "time_asked": _time_asked(said.time) if said.time is not None else None,
    }


def _time_asked(said: TimeInput) -> TimeAsked:
    for name, seconds in (("windowS", said.window_s), ("gapS", said.gap_s)):
        if seconds is not None and seconds <= 0:
            raise IntakeError(Problem("bad-value", f"{name} cannot be {seconds:g}", expected="seconds, over 0"))
    if said.warm_up_s is not None and said.warm_up_s < 0:
        raise IntakeError(Problem("bad-value", f"warmUpS cannot be {said.warm_up_s:g}", expected="seconds, 0 or more"))
    return TimeAsked(said.window_s or WINDOW_S, said.warm_up_s, said.gap_s)


def _configured(said: DeploymentInput) -> Configured | None:
    if said.command is None and said.args is None:
        return None
    if said.command is not None and said.args is not None:
        what = "the command is given twice"
        raise IntakeError(Problem("command-twice", what, "`command` or `args`", "leave one of them out"))
    if said.command is not None:
        _refuse_nul(said.command, Position(COMMAND, 1, 1))
    words: Sequence[Argument]
    words = (
        split_command(said.command, path=COMMAND)
        if said.command is not None
        else arguments_of(said.args or (), path=COMMAND)
    )
    if said.args is not None:
        for word in words:
            _refuse_nul(word.text, word.at)
    return read_command(words, version=said.engine_version, engine=said.engine or None)


def _refuse_nothing(said: DeploymentInput) -> None:
    parts = (said.engine, said.engine_version, said.model, said.gpu, said.set)
    objects = (said.command, said.args, said.model_config, said.gpus)
    if not any(parts) and all(one is None for one in objects):
        raise IntakeError(
            Problem(
                "nothing-given",
                "the deployment is empty",
                expected="at least one of `command`, `args`, `engine`, `model`, `modelConfig`, `gpu`, `gpus`, `set`",
                fix='for example command: "vllm serve MODEL --tensor-parallel-size 8"',
            )
        )


def _refuse_nul(text: str, start: Position | None) -> None:
    """Raise IntakeError where a text that starts at `start` has the character that ends texts in every system call."""
    at = text.find("\0")
    if at < 0:
        return
    line, column = text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)
    place = start and (Position(start.path, start.line + line, column + 1) if line else start.right(column))
    what = "the command has a NUL character, which no command can hold"
    raise IntakeError(Problem("nul-character", what, "text", "take it out", at=place))


def _refuse_repeated(names: Iterable[str], *, where: str, fix: str) -> None:
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        what = f"`{where}` gives {repeated[:80]!r} more than once"
        raise IntakeError(Problem("given-twice", what, "each name once", fix))


def _gpus(count: int | None) -> int | None:
    if count is not None and count < 1:
        raise IntakeError(Problem("bad-value", f"gpus cannot be {count}", expected="a whole number, 1 or more"))
    return count


def _written(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
