"""Puts one command together: flags, environment and files as facts, with the engine's defaults under them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from knockon.engines.base import Configured, Given, NamedFile, Refused
from knockon.engines.facts import (
    default_facts,
    facts_of_environment,
    facts_of_reads,
    refusals,
    unknown_refused,
    version_notes,
)
from knockon.engines.flags import Read, Taken, as_mapping, read_settings
from knockon.engines.release import release_of
from knockon.engines.stages import stages_of
from knockon.engines.table import FlagTable
from knockon.terms.argument import Argument
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject, Text


@dataclass(frozen=True, slots=True)
class Asked:
    """What surrounds the flags of one command."""

    version: str | None
    environment: Sequence[Given]
    files: Mapping[str, JsonObject]
    turns: Sequence[str] = ()
    """The releases at which what the engine makes of the facts changes."""


def configured(
    table: FlagTable,
    taken: Taken,
    asked: Asked,
    *,
    model_flags: Sequence[str],
    override_flag: str,
    positionals_max: int = 1,
) -> Configured:
    """The answer for one command whose options files hold flags; the command line wins over a file.

    Args:
        table: the engine's flags.
        taken: the command line.
        asked: version, environment and the contents of options files by path.
        model_flags: the flags that name the model.
        override_flag: the flag that puts values over the model's config.json.
        positionals_max: how many words may stand free; the first one is the model.

    Raises:
        IntakeError: a value in a file or inside a JSON value is of the wrong type; an unreadable version.
    """
    if asked.version is not None:
        release_of(asked.version)
    files, settings = _opened(taken, asked, table)
    reads = (*(read for each in settings.values() for read in each.reads), *taken.reads)
    facts = facts_of_environment(asked.environment, table, version=asked.version)
    facts |= facts_of_reads(reads, table, version=asked.version)
    overriding = as_mapping(reads).get(override_flag)
    overrides = overriding.value if overriding is not None and isinstance(overriding.value, dict) else {}
    return replace(
        finished(
            table,
            asked,
            facts=facts,
            reads=reads,
            model=model_named(reads, taken.positionals[:positionals_max], model_flags=model_flags),
            taken=(*settings.values(), taken),
            files=files,
            refused=tuple(_spare(table, word) for word in taken.positionals[positionals_max:]),
        ),
        model_overrides=overrides,
        model_overrides_at=overriding.at if overriding is not None else None,
    )


def finished(
    table: FlagTable,
    asked: Asked,
    *,
    facts: dict[str, Fact],
    reads: Sequence[Read],
    model: Argument | None,
    taken: Sequence[Taken],
    files: Sequence[NamedFile],
    refused: Sequence[Refused] = (),
) -> Configured:
    """The answer from what was gathered: adds the defaults, the GPU count, the refusals and the notes."""
    facts = _with_gpu_count(_with_engine(facts, table, asked.version))
    # Other releases are only asked where none is named.
    stages = (
        stages_of(reads, asked.environment, table, stated=facts, turns=asked.turns) if asked.version is None else ()
    )
    notes = [*version_notes(table, version=asked.version), *(note for each in taken for note in each.notes)]
    unknown = tuple(one for each in taken for one in each.unknown)
    unread = [file for file in files if not file.read]
    if unread:
        # A default may be set by what we did not see.
        notes += [_unread(file) for file in unread]
    else:
        facts |= default_facts(facts, as_mapping(reads), table, version=asked.version)
    return Configured(
        engine=table.engine,
        engine_version=asked.version,
        model=model.text if model else None,
        model_at=model.at if model else None,
        facts=tuple(facts.values()),
        given=tuple(Given(read.flag.name, read.value, read.at) for read in reads),
        environment=tuple(asked.environment),
        unknown_flags=unknown,
        refused=(
            *refused,
            *unknown_refused(unknown, table, version=asked.version),
            *refusals(reads, table, version=asked.version),
        ),
        files=tuple(files),
        notes=tuple(notes),
        stages=stages,
    )


def model_named(
    reads: Sequence[Read], positionals: Sequence[Argument], *, model_flags: Sequence[str]
) -> Argument | None:
    """The model a command names: a free word first, else the last of the flags that name it."""
    if positionals:
        return positionals[0]
    named = [read for read in reads if read.flag.name in model_flags and isinstance(read.value, str)]
    return Argument(str(named[-1].value), named[-1].at) if named else None


def named_files(taken: Taken, known: Mapping[str, JsonObject]) -> list[NamedFile]:
    """The options files a command names; `read` where their contents were handed in."""
    return [
        NamedFile(read.flag.name, read.value, read.at, read.value in known)
        for read in taken.reads
        if read.flag.file and isinstance(read.value, str)
    ]


def _opened(taken: Taken, asked: Asked, table: FlagTable) -> tuple[list[NamedFile], dict[str, Taken]]:
    files = named_files(taken, asked.files)
    return files, {
        file.path: read_settings(asked.files[file.path], table, path=file.path) for file in files if file.read
    }


def _with_engine(facts: dict[str, Fact], table: FlagTable, version: str | None) -> dict[str, Fact]:
    said = {"engine": Fact("engine", table.engine, Origin("flag", f"the command starts {table.title}"))}
    if version is not None:
        said["engine_version"] = Fact("engine_version", version, Origin("flag", "the engine version asked for"))
    return said | facts


def _with_gpu_count(facts: dict[str, Fact]) -> dict[str, Fact]:
    """The GPUs of the deployment, where the environment names those of one node."""
    visible, nodes = facts.get("visible_gpu_count"), facts.get("node_count")
    if visible is None or not isinstance(visible.value, int):
        return facts
    count = nodes.value if nodes is not None and isinstance(nodes.value, int) else 1
    origin = (
        visible.origin if count == 1 else Origin("env", f"{visible.origin.text} on {count} nodes", visible.origin.at)
    )
    return facts | {"gpu_count": Fact("gpu_count", visible.value * count, origin)}


def _spare(table: FlagTable, word: Argument) -> Refused:
    why = Text(
        f"{table.title} takes one model; this word belongs to no flag",
        f"{table.title} 只接受一个模型；该词不属于任何参数",
    )
    return Refused("", word.text, why, word.at)


def _unread(file: NamedFile) -> Text:
    return Text(
        f"{file.flag} names {file.path}, which was not read; what it sets and the engine's defaults are not known",
        f"{file.flag} 指定的 {file.path} 未读取；其中的设置以及引擎默认值均未知",
    )
