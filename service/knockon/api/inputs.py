"""What clients give: filters, a deployment, readings, something new to place. Nothing of it is ever run or opened."""

from collections.abc import Sequence
from typing import cast

from knockon.api.scalars import Json, Value
from knockon.api.shape import accepts, given
from knockon.catalog.search import Wanted
from knockon.engines import read_command
from knockon.engines.base import Configured
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.deployment import Asked, config_object
from knockon.manifests.command import split_command
from knockon.sources import read_source
from knockon.sources.base import Taken
from knockon.terms.argument import Argument, arguments_of
from knockon.terms.errors import IntakeError, Problem
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
    engine: str | None = given("Engine: vllm, sglang, trtllm. The command usually shows it.", default=None)
    engine_version: str | None = given("Version of the engine; the newest known when not given.", default=None)
    model: str | None = given("Model by name; it wins over the one in the command.", default=None)
    model_config: Json | None = given(
        "Content of the model's config.json, for a model the catalog lacks.", default=None
    )
    gpu: str | None = given("GPU by name.", default=None)
    gpus: int | None = given("How many GPUs there are.", default=None)
    set: list[SettingInput] | None = given("Facts that win over everything else.", default=None)


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
class DiagnoseInput:
    """What was measured."""

    sources: list[SourceInput] | None = given("Texts with readings; several are merged.", default=None)
    readings: list[ReadingInput] | None = given("Single measurements.", default=None)
    set: list[SettingInput] | None = given("Readings that win over everything else.", default=None)
    profile: str = given("Thresholds to judge by.", default="default")
    deployment: DeploymentInput | None = given("The deployment behind the readings.", default=None)


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
        IntakeError: the command cannot be read, or the config is no object. LimitExceeded, NotFound: as `read_command`.
    """
    return Asked(
        configured=_configured(said),
        engine=said.engine,
        engine_version=said.engine_version,
        model=said.model,
        model_config=config_object(said.model_config, path="modelConfig") if said.model_config is not None else None,
        gpu=said.gpu,
        gpu_count=_gpus(said.gpus),
        sets=sets(said.set),
    )


def sets(given_settings: Sequence[SettingInput] | None) -> tuple[str, ...]:
    """Settings as the texts `name=value` that the jobs read; so a value may have a unit."""
    return tuple(f"{one.name}={_written(cast('Scalar', one.value))}" for one in given_settings or ())


def taken(said: DiagnoseInput, vocabulary: Vocabulary) -> list[Taken]:
    """The readings of every text, and the single ones; raises what `read_source` raises."""
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
        Reading(one.name, cast("Scalar", one.value), "given", replica=one.replica) for one in said.readings or ()
    )
    return [*texts, Taken(single)] if single else texts


def _configured(said: DeploymentInput) -> Configured | None:
    if said.command is None and said.args is None:
        return None
    if said.command is not None and said.args is not None:
        what = "the command is given twice"
        raise IntakeError(Problem("command-twice", what, "`command` or `args`", "leave one of them out"))
    words: Sequence[Argument]
    words = (
        split_command(said.command, path=COMMAND)
        if said.command is not None
        else arguments_of(said.args or (), path=COMMAND)
    )
    return read_command(words, version=said.engine_version, engine=said.engine)


def _gpus(count: int | None) -> int | None:
    if count is not None and count < 1:
        raise IntakeError(Problem("bad-value", f"gpus cannot be {count}", expected="a whole number, 1 or more"))
    return count


def _written(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
