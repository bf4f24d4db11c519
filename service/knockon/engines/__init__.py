"""The engines whose commands can be read, and the choice between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from knockon.engines.base import Configured, Effective, Engine, Start
from knockon.engines.dated import Dated, dated
from knockon.engines.launcher import Launched, leading_assignments, unwrapped
from knockon.engines.meant import flags_of_others
from knockon.engines.release_facts import release_facts
from knockon.engines.sglang.engine import Sglang
from knockon.engines.tgi.engine import Tgi
from knockon.engines.trtllm.engine import TrtLlm
from knockon.engines.vllm.engine import Vllm
from knockon.expr.vocabulary import nearest
from knockon.terms.argument import Argument
from knockon.terms.errors import IntakeError, NotFound, Problem
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject, Text

ENGINES: Mapping[str, Engine] = {"vllm": Vllm(), "sglang": Sglang(), "trtllm": TrtLlm(), "tgi": Tgi()}


def read_command(
    arguments: Sequence[Argument],
    *,
    version: str | None = None,
    engine: str | None = None,
    files: Mapping[str, JsonObject] | None = None,
) -> Configured:
    """Read the command that starts an engine.

    Args:
        arguments: the words of one command, environment assignments and launchers in front allowed.
        version: the engine's version, or a day or month, which stands for the newest release of then; else the version
            that the program word names; else the newest known is assumed.
        engine: the engine's name; the command may then start right with its flags or its model.
        files: contents of the options files the command names, by the path it uses.

    Raises:
        IntakeError: no known engine is started, or a value cannot be read.
        NotFound: no engine is called `engine`.
        LimitExceeded: a cap of terms/limits.py.
    """
    chosen = [engine_named(engine)] if engine is not None else list(ENGINES.values())
    launched = unwrapped(arguments, chosen)
    if launched is None:
        _refuse_other_engine(arguments, engine)
        launched = _bare(arguments, engine)
    start = launched.start
    found = dated(version, engine=launched.engine.name) if version else Dated(start.version)

    def as_of(release: str | None) -> Configured:
        return _with_meant(
            launched.engine.read(
                launched.arguments[start.index :], version=release, environment=launched.environment, files=files
            )
        )

    read = _with_reason(as_of(found.version), found)
    notes = (*read.notes, *_overruled_version(version, found, start))
    return replace(read, notes=notes, as_of=as_of)


def engine_named(name: str) -> Engine:
    """The engine that goes by `name`.

    Raises:
        NotFound: none does; with those that are known.
    """
    if name not in ENGINES:
        raise NotFound(
            "engine", name, suggestions=nearest(name, tuple(ENGINES)), fix=f"known engines: {', '.join(ENGINES)}"
        )
    return ENGINES[name]


def facts_that_follow(stated: Mapping[str, Fact]) -> dict[str, Fact]:
    """The stated facts with what the deployment's engine makes of them.

    Args:
        stated: all that is known of the deployment, `engine` among them; for another engine, or none, nothing follows.
    """
    engine = _engine_in(stated)
    return {**release_facts(stated), **(stated if engine is None else engine.follow(stated))}


def effective_of(facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
    """What the deployment's engine will run; nothing for another engine, or none.

    Args:
        facts: as `facts_that_follow` gives them.
        model_name: the model as the command names it, where it does.
    """
    engine = _engine_in(facts)
    return () if engine is None else engine.effective(facts, model_name=model_name)


def _engine_in(facts: Mapping[str, Fact]) -> Engine | None:
    named = facts.get("engine")
    return ENGINES.get(str(named.value)) if named is not None else None


def release_meant(version: str, *, engine: str) -> Fact | None:
    """The fact that a version, a day or a month states of `engine`; None for a build that names no release.

    Raises:
        IntakeError: it is neither, or the engine had no release then.
    """
    found = dated(version, engine=engine)
    said = f"--engine-version {version}" + (f": {found.why}" if found.why else "")
    return Fact("engine_version", found.version, Origin("set", said)) if found.version else None


def _overruled_version(version: str | None, found: Dated, start: Start) -> Iterator[Text]:
    """A note where the program word names another release than the one that was asked for."""
    if version and start.version and found.version and found.version != start.version:
        yield Text(
            f"--engine-version {version} overrules {start.version} ({start.program})",
            f"--engine-version {version} 覆盖了 {start.version}（{start.program}）",
        )


def _with_meant(read: Configured) -> Configured:
    """The same with the engine's own flags for those that only another engine calls so."""
    if all(one.suggestions for one in read.unknown_flags):
        return read
    flags = (
        one if one.suggestions else replace(one, suggestions=flags_of_others(read.engine, one.flag, others=ENGINES))
        for one in read.unknown_flags
    )
    return replace(read, unknown_flags=tuple(flags))


def _with_reason(read: Configured, found: Dated) -> Configured:
    """The same, where a version was not said as it stands: with how it was found."""
    if not found.why:
        return read
    facts = tuple(
        replace(fact, origin=Origin(fact.origin.kind, found.why)) if fact.name == "engine_version" else fact
        for fact in read.facts
    )
    why = Text(
        f"engine version {found.version}: {found.why}" if found.version else f"engine version: {found.why}",
        f"引擎版本按 {found.version} 处理（{found.why}）" if found.version else f"引擎版本未知：{found.why}",
    )
    return replace(read, facts=facts, notes=(*read.notes, why))


@lru_cache(maxsize=64)
def defaults_of(engine: str, *, version: str | None = None) -> Mapping[str, Fact]:
    """The facts that hold for `engine` when nobody sets anything, by name; none for an engine that nobody reads."""
    if engine not in ENGINES:
        return MappingProxyType({})
    return MappingProxyType({fact.name: fact for fact in ENGINES[engine].read((), version=version).facts})


def stages_of_engine(engine: str) -> tuple[str, ...]:
    """The stages of an engine's releases where no command was given; none for an engine that nobody reads."""
    return ENGINES[engine].read(()).stages if engine in ENGINES else ()


def _refuse_other_engine(arguments: Sequence[Argument], engine: str | None) -> None:
    """Else the program word of another engine would be read as the model."""
    other = unwrapped(arguments, list(ENGINES.values())) if engine is not None else None
    if other is not None and other.engine.name != engine:
        raise IntakeError(
            Problem(
                code="several-engines",
                what=f"the command starts {other.engine.name}, and --engine says {engine}",
                expected="one engine",
                fix=f"leave --engine out, or say --engine {other.engine.name}",
                at=other.arguments[0].at,
            )
        )


def _bare(arguments: Sequence[Argument], engine: str | None) -> Launched:
    """The command of a named engine without its program; an error for an unnamed one."""
    if engine is not None:
        environment = leading_assignments(arguments)
        return Launched(ENGINES[engine], Start(0, ""), tuple(arguments[len(environment) :]), environment)
    seen = repr(" ".join(word.text for word in arguments[:3])[:120])
    raise IntakeError(
        Problem(
            code="unknown-program",
            what=f"{seen} starts no engine known here" if arguments else "there is no command that starts an engine",
            expected=f"a command that starts one of {', '.join(ENGINES)}, for example `vllm serve MODEL`",
            fix="name the engine with --engine if the command starts with its flags",
            at=arguments[0].at if arguments else None,
        )
    )
