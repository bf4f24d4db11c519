"""Describes deployments from what stands on the command line: a launch command, files, options. Nothing is ever run."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from knockon.cli.command_places import places_of
from knockon.cli.fact_file import FactFile
from knockon.cli.named_files import config_file, options_file
from knockon.cli.overruling import overruled_keys
from knockon.cli.reading import STDIN, read_text, shown
from knockon.cli.settings_key import configured_by
from knockon.curate.nearest import meant
from knockon.engines import engine_named, read_command
from knockon.engines.base import Configured
from knockon.engines.images import release_in
from knockon.engines.meant import facts_set_by
from knockon.jobs.deployment import Asked
from knockon.jobs.described import Described
from knockon.terms.argument import Argument, arguments_of
from knockon.terms.errors import IntakeError, KnockonError, Problem, said_at
from knockon.terms.fact import Fact, Origin
from knockon.terms.jsontext import JsonText, read_json
from knockon.terms.place import Position
from knockon.terms.words import JsonObject, Text

if TYPE_CHECKING:
    from knockon.manifests.base import FileSet, Launch

# Keys of a config.json that no file of facts has; any one of them makes a JSON object a model's configuration.
_CONFIG_KEYS = frozenset(
    {"architectures", "model_type", "num_hidden_layers", "n_layer", "num_attention_heads", "text_config", "hidden_size"}
)
_FACT_FILE_KEYS = ("command", "engine", "engine_version", "model", "gpu", "gpus", "settings", "facts")
_TOP_KEY = re.compile(r"^([A-Za-z_][\w.-]*)\s*:(?=\s|$)", re.MULTILINE)
_UNDERSTOOD = (
    "a command that starts an engine (`vllm serve MODEL …`), a model's config.json, "
    f"or a YAML or JSON mapping with {', '.join(_FACT_FILE_KEYS)}"
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the options of the command line say of a deployment; they win over files."""

    engine: str | None = None
    engine_version: str | None = None
    model: str | None = None
    gpu: str | None = None
    gpus: int | None = None
    sets: Sequence[str] = ()
    allows_unknown: bool = False
    """Whether flags and models that are not known are meant."""


def from_command(words: Sequence[str], options: Options) -> Asked:
    """The deployment that a command on our own command line starts; raises IntakeError, NotFound, LimitExceeded."""
    return _asked(options, configured=_configured(arguments_of(words), options, folder=Path()))


def from_options(options: Options) -> Asked:
    """The deployment that options alone describe."""
    return _asked(options)


def from_file(path: str, options: Options) -> Asked:
    """The one deployment that a file describes; `-` is standard input.

    Raises:
        IntakeError: none of what is understood, more than one launch, or a value in it cannot be read.
        LimitExceeded: too large, too deep.
    """
    return one_of(described_in(path, read_text(path), options), shown(path))


def one_of(found: Sequence[Described], path: str) -> Asked:
    """The only one of the launches found in `path`; raises IntakeError for several, or one that cannot be read."""
    for one in found:
        if one.problem is not None:
            raise IntakeError(one.problem)
    if len(found) > 1:
        at = found[1].at or Position(path, 1, 1)
        what = f"{found[1].name!r} is a second launch, after {found[0].name!r}"
        raise IntakeError(Problem("several-launches", what, "one launch", "give it in a file of its own", at))
    asked = found[0].asked
    assert asked is not None, "what has no problem has been read"
    return asked


def described_in(path: str, text: str, options: Options, *, others: "FileSet | None" = None) -> list[Described]:
    """The launches that a file describes, at least one; `path` is as it was typed, `-` for standard input.

    A launch whose own words cannot be read is among them with its problem, so that the others are not lost.

    Raises:
        IntakeError: none of what is understood, or a value in it cannot be read.
        LimitExceeded: too large, too deep.
    """
    at = shown(path)
    if not text.strip():
        raise IntakeError(Problem("empty-file", "the file is empty", _UNDERSTOOD, at=Position(at, 1, 1)))
    folder = Path(path).parent if path != STDIN else Path()
    alone = Described(at, "facts", at, None, at=Position(at, 1, 1), text=text)
    if text.lstrip().startswith("{"):
        read, held = _object_in(text, path=at)
        if "apiVersion" not in held and "services" not in held:
            if not _FACT_FILE_KEYS_SET.intersection(held) and _CONFIG_KEYS.intersection(held):
                return [
                    replace(alone, asked=_asked(replace(options, model=options.model or at), model_config=(read, held)))
                ]
            return [replace(alone, asked=_from_facts(held, read.places, _File(at, text, folder), options))]
    is_yaml = _looks_like_yaml(text, path)
    if is_yaml and _has_only_fact_keys(text):
        return [replace(alone, asked=_from_yaml(text, at, options, folder))]
    launches = _launches(at, text, others)
    if launches:
        return [described_as(launch, at, text, options, folder=folder) for launch in launches]
    if is_yaml:
        return [replace(alone, asked=_from_yaml(text, at, options, folder))]
    configured = _configured(_words(text, path=at), options, folder=folder)
    return [replace(alone, kind="shell", asked=_asked(options, configured=configured))]


def described_as(launch: "Launch", path: str, text: str, options: Options, *, folder: Path) -> Described:
    """One launch of a manifest; where its words cannot be read, with the problem instead of what it asks."""
    one = Described(path, launch.kind, launch.name, None, at=launch.at or Position(path, 1, 1), text=text)
    try:
        return replace(one, asked=_from_launch(launch, options, folder=folder))
    except KnockonError as error:
        return replace(one, problem=error.problem)


def _words(text: str, *, path: str) -> list[Argument]:
    # The readers of files cost as much as the rest of a check, and a command line has none.
    from knockon.manifests.command import split_command

    return split_command(text, path=path)


def _launches(path: str, text: str, others: "FileSet | None") -> "tuple[Launch, ...]":
    from knockon.manifests import launches_in
    from knockon.manifests.base import File

    file = File(path, text)
    try:
        return launches_in(file, others=others if others is not None else (file,))
    except IntakeError as error:
        # What is of no known kind of manifest may still be a bare command.
        if error.code == "unknown-manifest":
            return ()
        raise


def _from_launch(launch: "Launch", options: Options, *, folder: Path) -> Asked:
    """The deployment of one launch. Only a script's own paths are looked up here: others' are paths in a container."""
    held = {one.path: one.data for one in launch.files}
    is_here = launch.kind == "shell"
    asking, folder_here = replace(options, engine=None), folder if is_here else None
    configured = _configured(launch.command(), asking, folder=folder_here, held=held)
    release = release_in(launch.image, engine=configured.engine) if launch.image else None
    if release is not None and configured.engine_version is None:
        asking = replace(asking, engine_version=release)
        configured = _configured(launch.command(), asking, folder=folder_here, held=held)
    configured = _without_guesses(configured, launch)
    configured = replace(configured, notes=(*configured.notes, *launch.notes))
    found: list[Fact] = []
    if launch.gpu_count is not None and launch.gpu_count > 0:
        origin = Origin("file", f"GPUs of {launch.kind} {launch.name}", launch.at)
        found.append(Fact("gpu_count", launch.gpu_count, origin))
    asked = _asked(replace(options, engine=None), configured=configured, is_here=is_here)
    return replace(asked, found=tuple(found), gpu_found=launch.gpu_name)


def _without_guesses(configured: Configured, launch: "Launch") -> Configured:
    """Without the engine's defaults for what the command may set in words that are not known."""
    open_facts = {fact for word in launch.left_out for fact in facts_set_by(configured.engine, word.text)}
    if not open_facts and not launch.is_incomplete:
        return configured
    kept = [
        fact
        for fact in configured.facts
        if fact.origin.kind != "engine-default" or not (launch.is_incomplete or fact.name in open_facts)
    ]
    return replace(configured, facts=tuple(kept))


def _object_in(text: str, *, path: str) -> tuple[JsonText, JsonObject]:
    """The JSON object in `text`; raises IntakeError where it is none, LimitExceeded where it is nested too deep."""
    read = read_json(text, path=path)
    if not isinstance(read.data, dict):
        raise IntakeError(
            Problem("wrong-type", "the file holds no JSON object", "an object in braces", at=Position(path, 1, 1))
        )
    return read, read.data


def _asked(
    options: Options,
    *,
    configured: Configured | None = None,
    model_config: tuple[JsonText, JsonObject] | None = None,
    is_here: bool = True,
    places: Mapping[str, Position] | None = None,
    notes: Sequence[Text] = (),
) -> Asked:
    """The deployment as the jobs take it.

    Args:
        options: what was said beside the command.
        configured: the command.
        model_config: a config.json with the object in it; else the one that the model is named by, where it is a file.
        is_here: whether a path in the command is one of this machine.
        places: where the options stand that a file gives, see `Asked.places`.
        notes: what was noted so far.
    """
    model, config = options.model, model_config
    named = model or (configured.model if configured and is_here else None)
    file = config_file(named)
    if config is None and file is not None:
        config, model = _object_in(read_text(str(file)), path=str(file)), str(file)
    return Asked(
        configured=configured,
        engine=options.engine,
        engine_version=options.engine_version,
        model=model,
        model_config=config[1] if config is not None else None,
        model_config_text=config[0] if config is not None else None,
        gpu=options.gpu,
        gpu_count=options.gpus,
        sets=tuple(options.sets),
        allows_unknown=options.allows_unknown,
        places=places or {},
        notes=tuple(notes),
    )


def _configured(
    arguments: Sequence[Argument],
    options: Options,
    *,
    folder: Path | None,
    held: Mapping[str, JsonObject] | None = None,
) -> Configured:
    """Read the command; then, where it names options files that are known, once more with their contents.

    Args:
        arguments: the words of the command.
        options: of our own command line.
        folder: where relative paths start; None where paths are not those of this machine.
        held: contents of options files by the path the command uses.
    """
    first = read_command(arguments, version=options.engine_version, engine=options.engine)
    files = dict(held or {})
    for named in first.files:
        data = options_file(folder / named.path) if folder is not None and named.path not in files else None
        if data is not None:
            files[named.path] = data
    if not files:
        return first
    return read_command(arguments, version=options.engine_version, engine=options.engine, files=files)


def _looks_like_yaml(text: str, path: str) -> bool:
    if Path(path).suffix in (".yaml", ".yml"):
        return True
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return first.split(":", 1)[0].strip() in _FACT_FILE_KEYS_SET and ":" in first


def _has_only_fact_keys(text: str) -> bool:
    """Whether the keys at the margin are those of a file of facts, or there are none to go by."""
    return _FACT_FILE_KEYS_SET.issuperset(_TOP_KEY.findall(text))


def _from_yaml(text: str, at: str, options: Options, folder: Path) -> Asked:
    # YAML costs more than the whole rest of a check, and a command line has none.
    from knockon.curate.document import read_bytes

    document = read_bytes(text.encode(), at)
    if not isinstance(document.data, dict):
        raise IntakeError(Problem("unknown-format", "the file holds no mapping", _UNDERSTOOD, at=Position(at, 1, 1)))
    keys = [*document.data]
    inner = {key: document.data.get(key) for key in ("facts", "settings")}
    steps: list[tuple[str, ...]] = [(key,) for key in keys]
    steps += [(key, name) for key, held in inner.items() for name in (held if isinstance(held, dict) else ())]
    places = {".".join(each): document.key_at(*each) for each in steps}
    settings = inner["settings"]
    listed = range(len(settings)) if isinstance(settings, list) else ()
    places |= {f"settings.{index}": document.at("settings", index) for index in listed}
    return _from_facts(document.data, places, _File(at, text, folder), options)


_FACT_FILE_KEYS_SET = frozenset(_FACT_FILE_KEYS)


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    text: str
    folder: Path


def _from_facts(held: JsonObject, places: Mapping[str, Position], file: _File, options: Options) -> Asked:
    """A file of facts: what it says is as if it stood on the command line, options there win."""
    path = file.path
    for key in held:
        if key not in _FACT_FILE_KEYS_SET:
            at = places.get(key, Position(path, 1, 1))
            what = f"{key!r} is not understood here"
            raise IntakeError(Problem("unknown-key", what, _UNDERSTOOD, meant(key, _FACT_FILE_KEYS), at))
    reader = FactFile(held, places, path)
    # Who sets a fact on our own command line means to replace what the file says.
    ours = {text.partition("=")[0].strip() for text in options.sets}
    theirs = reader.sets()
    sets = {text: f"facts.{name}" for name, text in theirs if name not in ours}
    notes = tuple(overruled_keys(options, held, theirs, places))
    merged = replace(
        options,
        engine=options.engine or reader.text("engine"),
        engine_version=options.engine_version or reader.text("engine_version"),
        model=options.model or reader.text("model"),
        gpu=options.gpu or reader.text("gpu"),
        gpus=options.gpus or reader.whole("gpus"),
        sets=(*sets, *options.sets),
    )
    named = {key: key for key in ("engine", "engine_version", "model", "gpu", "gpus") if not getattr(options, key)}
    stands = {said: places[key] for said, key in (named | sets).items() if key in places}
    command = reader.text("command")
    if "engine" in named:
        with said_at(places.get("engine")):
            _ = merged.engine and engine_named(merged.engine)
    settings = reader.settings(merged.engine, is_beside_command=command is not None)
    if settings is not None:
        version, model = merged.engine_version, merged.model
        told = configured_by(settings, engine=str(merged.engine), version=version, model=model)
        return _asked(replace(merged, sets=(*settings.sets, *merged.sets)), configured=told, places=stands, notes=notes)
    if command is None:
        return _asked(merged, places=stands, notes=notes)
    stand = places_of(command, text=file.text, key=places.get("command", Position(path, 1, 1)))
    with stand.told():
        words = _words(command, path=path)
    configured = _configured(stand.placed(words), merged, folder=file.folder)
    return _asked(merged, configured=configured, places=stands, notes=notes)
