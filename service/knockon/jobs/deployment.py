"""A deployment as one set of facts: what was asked, what model and GPU are, what the engine adds, what follows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType

from knockon.engines import effective_of, engine_named, facts_that_follow, release_meant
from knockon.engines.base import Configured, Effective, UnknownFlag
from knockon.engines.hf_config.normalise import facts_of
from knockon.engines.hf_config.override import overridden, stray_keys
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.bad_input import BadInput, is_hub_name, unknown_flags, unknown_model
from knockon.jobs.config import config_facts, under_command
from knockon.jobs.gpu import counted_gpu, gpu_facts
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.literals import assigned_all
from knockon.jobs.model import repository_of
from knockon.jobs.overruled import overruled_facts, overruled_model
from knockon.jobs.ranges import WHOLE_MAX, hold
from knockon.jobs.spelled import spelled_facts
from knockon.sizing.release import standing_in
from knockon.sizing.size import size
from knockon.sizing.sizing import Sizing, derived
from knockon.terms.errors import IntakeError, NotFound, Problem, said_at
from knockon.terms.fact import Fact, Origin, merged, values_of
from knockon.terms.jsontext import JsonText
from knockon.terms.place import Position
from knockon.terms.remembered import Remembered
from knockon.terms.words import JsonObject, Scalar, Text

# Defaults that an engine takes back for some models.
_MODEL_DECIDES = frozenset({"enable_prefix_caching", "enable_chunked_prefill"})
# Facts that say what was asked for: rules speak of the wish, `effective` of what becomes of it.
_ASKED_FOR = frozenset(
    {
        "runner",
        "convert",
        "quantization",
        "attention_backend",
        "mamba_block_size_tokens",
        "draft_tensor_parallel_size",
        "chunked_prefill_size_tokens",
        "draft_model",
    }
)
# What rules ask of a draft model, by the name its own config.json gives it.
_OF_DRAFTS = {
    "draft_model_type": "model_type",
    "draft_vocab_size": "vocab_size",
    "draft_max_position_embeddings": "max_position_embeddings",
    "draft_num_hidden_layers": "num_hidden_layers",
    "draft_num_key_value_heads": "num_key_value_heads",
    "draft_head_dim": "head_dim",
}
# Sizes kept, a few KiB each: those of one launch with all that is tried on it, several times over.
_SIZES_MAX = 512
_BY_SIZING = Origin("derived", "derived by sizing")


@dataclass(frozen=True, slots=True)
class Deployment:
    """Everything known of one deployment, each fact with where it came from."""

    facts: Mapping[str, Fact]
    sizing: Sizing
    unknown_flags: tuple[UnknownFlag, ...]
    notes: tuple[Text, ...]
    """For people: which model was taken, what could not be found."""
    effective: tuple[Effective, ...] = ()
    """What the engine will run after its own defaults and overrides, where that can be derived."""
    stated: Mapping[str, Fact] = field(default_factory=dict)
    """The facts before anything was derived from them."""
    model: str | None = None
    """The model as it was named; None when it was not."""
    bad_input: tuple[BadInput, ...] = ()
    """Names in the description that nothing goes by. Empty where `Asked.allows_unknown`."""
    machine: Mapping[str, Fact] = field(default_factory=dict)
    """What the model and the GPU say, whatever the engine makes of it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person gave to describe a deployment; every part may be absent."""

    configured: Configured | None = None
    engine: str | None = None
    engine_version: str | None = None
    model: str | None = None
    model_config: JsonObject | None = None
    """The content of a config.json; wins over the catalog's entry for `model`."""
    model_config_text: JsonText | None = None
    """The file that it was read from, where it was one: complaints point into it."""
    gpu: str | None = None
    gpu_count: int | None = None
    sets: Sequence[str] = ()
    """`fact=value` texts; strongest of all."""
    found: Sequence[Fact] = ()
    """What the file around the command says: how many GPUs its workload asks for."""
    gpu_found: str | None = None
    """The GPU as that file names it. One that the catalog does not know is noted, not refused."""
    allows_unknown: bool = False
    """Whether flags and models that are not known are meant: a plug-in's, a team's own. They are noted, not refused."""
    places: Mapping[str, Position] = field(default_factory=dict)
    """Where what a file says stands: by "engine", "engine_version", "model", "gpu", "gpus", and by each of `sets`."""
    notes: Sequence[Text] = ()
    """What was noted while it was gathered."""


def deployment_of(knowledge: Knowledge, asked: Asked) -> Deployment:
    """Gather facts and sizes.

    Raises:
        NotFound: a model or GPU named explicitly, or a fact in `sets`, is not known.
        IntakeError: a value that cannot be.
    """
    notes: list[Text] = [*asked.notes]
    bad: list[BadInput] = [] if asked.allows_unknown else [*unknown_flags(asked.configured)]
    vocabulary = knowledge.rulebook.vocabulary
    _refuse_empty(asked)
    own = _own_facts(asked, vocabulary)
    stated = merged(*own)
    hold(stated.values(), vocabulary)
    notes += _overruled_model(asked)
    machine = merged(_model_facts(knowledge, asked, notes, bad), _gpu_facts(knowledge, asked, notes))
    notes += overruled_facts((*own, machine))
    facts = merged(stated, machine)
    facts = merged(facts, _draft_model_facts(knowledge, facts))
    hold((fact for name, fact in facts.items() if stated.get(name) is not fact), vocabulary)
    return completed(
        Stated.of(facts),
        vocabulary,
        Deployment(
            facts=facts,
            sizing=size({}),
            unknown_flags=asked.configured.unknown_flags if asked.configured else (),
            notes=(*notes, *(asked.configured.notes if asked.configured else ()), *_unknown_notes(asked)),
            model=asked.model or (asked.configured.model if asked.configured else None),
            bad_input=tuple(bad),
            machine=machine,
        ),
    )


def in_release(knowledge: Knowledge, asked: Asked, deployment: Deployment) -> Deployment:
    """`deployment` where another release was asked for: its facts alone, since model and GPU stay what they are.

    Raises:
        IntakeError: what `asked` sets cannot be.
    """
    vocabulary = knowledge.rulebook.vocabulary
    facts = merged(*_own_facts(asked, vocabulary), deployment.machine)
    stated = merged(facts, _draft_model_facts(knowledge, facts))
    return completed(Stated.of(stated), vocabulary, deployment)


def _own_facts(asked: Asked, vocabulary: Vocabulary) -> tuple[Mapping[str, Fact], ...]:
    """What was stated of the deployment itself, the stronger word first."""
    options = _options(asked)
    set_facts = _set_facts(asked, vocabulary, version=options.get("engine_version"))
    configured = {fact.name: fact for fact in asked.configured.facts} if asked.configured else {}
    return set_facts, options, configured, {fact.name: fact for fact in asked.found}


def _overruled_model(asked: Asked) -> Iterator[Text]:
    if asked.configured is not None and asked.model_config is None:
        at = asked.places.get("model")
        yield from overruled_model(asked.model, f" at {at}" if at else "", asked.configured.model)


def _set_facts(asked: Asked, vocabulary: Vocabulary, *, version: Fact | None) -> dict[str, Fact]:
    engine = asked.engine or (asked.configured.engine if asked.configured else None)
    release = str(version.value) if version else asked.configured.engine_version if asked.configured else None

    def spelled(name: str, raw: str) -> Mapping[str, Scalar]:
        return spelled_facts(name, raw, engine=engine, version=release)

    said = assigned_all(asked.sets, vocabulary, kind="fact", places=asked.places, spelled=spelled)
    return {
        name: Fact(name, value, Origin("set", f"--set {text}", asked.places.get(text)))
        for name, (value, text) in said.items()
    }


def changed(deployment: Deployment, sets: Mapping[str, Scalar], vocabulary: Vocabulary) -> Deployment:
    """The same deployment with other settings: all that follows from what is stated is derived anew."""
    return completed(Stated.of(restated(deployment, sets)), vocabulary, deployment)


def restated(
    deployment: Deployment, sets: Mapping[str, Scalar], *, dropped: Mapping[str, Fact | None] = MappingProxyType({})
) -> dict[str, Fact]:
    """What is stated of a deployment, with other settings.

    Args:
        deployment: what to start from.
        sets: new values by fact name.
        dropped: settings to take away, each with the engine's default that then holds, None where it has none.
    """
    stated = {name: fact for name, fact in deployment.stated.items() if name not in dropped}
    stated |= {name: fact for name, fact in dropped.items() if fact is not None}
    return stated | {name: Fact(name, value, Origin("set", "proposed fix")) for name, value in sets.items()}


@dataclass(frozen=True, slots=True)
class Stated:
    """What was stated of a deployment, with the facts that the engine makes of it: enough for many a question."""

    stated: Mapping[str, Fact]
    facts: Mapping[str, Fact]

    @classmethod
    def of(cls, stated: Mapping[str, Fact]) -> "Stated":
        """The stated facts with what follows."""
        return cls(stated, facts_that_follow(stated))

    def settles(self, name: str) -> bool:
        """Whether the name has the same value, or none, in the `completed` deployment."""
        held = self.facts.get(name)
        return name in _ASKED_FOR if held is None else not _is_left_to_engine(held)


def completed(known: Stated, vocabulary: Vocabulary, deployment: Deployment) -> Deployment:
    """`deployment` with other facts stated, with what the engine will run of them, and the sizes that follow."""
    facts = dict(known.facts)
    effective = effective_of(facts, model_name=deployment.model)
    for one in effective:
        held = facts.get(one.name)
        is_better = held is None or _is_left_to_engine(held)
        if is_better and one.name in vocabulary.names and one.name not in _ASKED_FOR:
            facts[one.name] = Fact(one.name, one.value, Origin("derived", one.why.en))
    _with_longest(facts)
    sizing = _SIZED(_with_release_standing_in(values_of(facts)))
    for name, value in derived(sizing).items():
        facts.setdefault(name, Fact(name, value, _BY_SIZING))
    taken = facts.get("engine_release")
    if taken is not None and "engine_version" not in facts:
        # Last: what is derived knows that nobody named it. Rules are asked of the newest release.
        facts["engine_version"] = Fact("engine_version", taken.value, Origin("engine-default", taken.origin.text))
    return replace(deployment, facts=facts, sizing=sizing, effective=effective, stated=known.stated)


def _with_release_standing_in(values: dict[str, Scalar]) -> dict[str, Scalar]:
    # Otherwise nothing would be kept from one release to the next.
    version = values.get("engine_version")
    return values | {"engine_version": standing_in(version)} if isinstance(version, str) else values


def _is_left_to_engine(held: Fact) -> bool:
    return held.origin.kind == "engine-default" and held.name in _MODEL_DECIDES


def _unknown_notes(asked: Asked) -> Iterator[Text]:
    """Why the verdict is not `fine`: one note for each unknown flag that was let pass."""
    for one in asked.configured.unknown_flags if asked.configured and asked.allows_unknown else ():
        yield Text(
            f"{one.flag} is not known here, so nobody can tell what it does: the verdict is at best `unknown`",
            f"此处不认识 {one.flag}，无法判断其作用：结论至多为“未知”",
        )


def _refuse_empty(asked: Asked) -> None:
    """What is named must have a name: an empty one is a variable that was not set."""
    command = asked.configured
    named = (
        ("--model", asked.model, asked.places.get("model")),
        ("--engine", asked.engine, asked.places.get("engine")),
        ("--engine-version", asked.engine_version, asked.places.get("engine_version")),
        ("--gpu", asked.gpu, asked.places.get("gpu")),
        ("the model of the command", command.model if command else None, command.model_at if command else None),
    )
    for what, value, at in named:
        if value is not None and not value.strip():
            fix = "leave it out, or check the variable it comes from"
            raise IntakeError(Problem("empty-name", f"{what} is empty", expected="a name", fix=fix, at=at))


def _in_64_bits(sizing: Sizing) -> Sizing:
    """The same without numbers that programs with 64-bit integers could not read: no machine is that large."""
    over = [each.name for each in fields(sizing) if _is_over(getattr(sizing, each.name))]
    steps = tuple(replace(step, value=float(step.value)) if _is_over(step.value) else step for step in sizing.steps)
    reasons = {**sizing.reasons, **dict.fromkeys(over, Text("larger than any machine", "比任何机器都大"))}
    return replace(sizing, **dict.fromkeys(over), steps=steps, reasons=reasons)


def _is_over(value: object) -> bool:
    return isinstance(value, int) and abs(value) > WHOLE_MAX


# Most settings have no part in sizes, and the way out of a conflict tries a few dozen of them.
_SIZED = Remembered(lambda facts: _in_64_bits(size(facts)), most=_SIZES_MAX)


def _options(asked: Asked) -> dict[str, Fact]:
    given: dict[str, Fact] = {}
    at = asked.places.get
    if asked.engine is not None:
        with said_at(at("engine")):
            engine_named(asked.engine)
        given["engine"] = Fact("engine", asked.engine, Origin("set", f"--engine {asked.engine}", at("engine")))
    if asked.engine_version:
        engine = asked.engine or (asked.configured.engine if asked.configured else "")
        with said_at(at("engine_version")):
            meant = release_meant(asked.engine_version, engine=engine)
        if meant is not None:
            given["engine_version"] = meant
    counted = asked.gpu_count if asked.gpu_count is not None else counted_gpu(asked.gpu or "").count
    if counted is not None:
        said = f"--gpus {counted}" if asked.gpu_count is not None else f"--gpu {asked.gpu}"
        place = at("gpus") if asked.gpu_count is not None else at("gpu")
        given["gpu_count"] = Fact("gpu_count", counted, Origin("set", said, place))
    return given


def _model_facts(knowledge: Knowledge, asked: Asked, notes: list[Text], bad: list[BadInput]) -> Mapping[str, Fact]:
    named = asked.model or (asked.configured.model if asked.configured else None)
    vocabulary, command, given = knowledge.rulebook.vocabulary, asked.configured, asked.model_config
    if given is not None:

        def read_given(overrides: JsonObject) -> dict[str, Fact]:
            called = f"model config {named or 'given'}"
            text = asked.model_config_text
            return config_facts(overridden(given, overrides), vocabulary, called=called, name=named, text=text)

        notes.extend(_stray_overrides(given, command))
        return under_command(read_given, command, vocabulary)
    if not named:
        return {}
    named = repository_of(named)
    try:
        with said_at(asked.places.get("model")):
            _, note = knowledge.models(named)
    except NotFound as error:
        if asked.allows_unknown or not (asked.model or is_hub_name(named)):
            notes.append(_model_note(named))
            return {}
        if asked.model:
            raise
        bad.append(unknown_model(error, at=asked.configured.model_at if asked.configured else None))
        return {}
    if note is not None:
        notes.append(note)
    else:
        notes.extend(_stray_overrides(knowledge.catalog.model(named).config, command))
    return under_command(lambda overrides: knowledge.models(named, overrides)[0], command, vocabulary)


def _model_note(named: str) -> Text:
    return Text(
        f"no model is called {named!r}, so its shape is not known; give its config.json with --model",
        f"没有名为 {named!r} 的模型，其形状未知；请用 --model 给出其 config.json",
    )


def _stray_overrides(config: JsonObject, command: Configured | None) -> Iterator[Text]:
    """Notes on overrides of the command that change nothing in the model's config."""
    for key, why in stray_keys(config, command.model_overrides) if command else ():
        yield Text(f"overriding {key} changes nothing: {why.en}", f"覆盖 {key} 不起作用：{why.zh}")


def _draft_model_facts(knowledge: Knowledge, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """What the catalog knows of the draft model; nothing where it does not know it."""
    named = facts.get("draft_model")
    if named is None or not isinstance(named.value, str):
        return {}
    try:
        model = knowledge.catalog.model(named.value)
    except NotFound:
        return {}
    found = facts_of(model.config, origin_text=f"config.json of {model.name}", name=model.name)
    return {name: Fact(name, found[own].value, found[own].origin) for name, own in _OF_DRAFTS.items() if own in found}


def _gpu_facts(knowledge: Knowledge, asked: Asked, notes: list[Text]) -> dict[str, Fact]:
    named = asked.gpu or asked.gpu_found
    if not named:
        return {}
    try:
        with said_at(asked.places.get("gpu")):
            facts, note = gpu_facts(knowledge.catalog, named)
    except NotFound as error:
        if asked.gpu:
            raise
        notes.append(Text(f"{error}; name the GPU with --gpu", f"{error}；请用 --gpu 指明 GPU"))
        return {}
    if note is not None:
        notes.append(note)
    return facts


def _with_longest(facts: dict[str, Fact]) -> None:
    # Without a limit of its own every engine here takes the longest sequence the model declares, unless it is told to
    # take the longest that fits.
    declared, fitted = facts.get("max_position_embeddings"), facts.get("max_model_len_fitted")
    is_fitted = fitted is not None and fitted.value is True
    if "max_model_len" not in facts and declared is not None and "engine" in facts and not is_fitted:
        origin = Origin("engine-default", "the model's max_position_embeddings")
        facts["max_model_len"] = Fact("max_model_len", declared.value, origin)
