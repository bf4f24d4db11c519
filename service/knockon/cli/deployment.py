"""Describes deployments from what stands on the command line: a launch command, files, options. Nothing is ever run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from knockon.cli.reading import read_text, shown
from knockon.engines import read_command
from knockon.engines.base import Configured
from knockon.jobs.deployment import Asked
from knockon.manifests.command import split_command
from knockon.terms.argument import Argument, arguments_of
from knockon.terms.errors import IntakeError, KnockonError, LimitExceeded, Problem
from knockon.terms.limits import INTAKE_DEPTH_MAX
from knockon.terms.place import Position
from knockon.terms.words import JsonObject

# Keys of a config.json that no file of facts has; any one of them makes a JSON object a model's configuration.
_CONFIG_KEYS = frozenset(
    {"architectures", "model_type", "num_hidden_layers", "n_layer", "num_attention_heads", "text_config", "hidden_size"}
)
_FACT_FILE_KEYS = ("command", "engine", "engine_version", "model", "gpu", "gpus", "facts")
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


def from_command(words: Sequence[str], options: Options) -> Asked:
    """The deployment that a command on our own command line starts; raises IntakeError, NotFound, LimitExceeded."""
    return _asked(options, configured=_configured(arguments_of(words), options, folder=Path()))


def from_options(options: Options) -> Asked:
    """The deployment that options alone describe."""
    return _asked(options)


def from_file(path: str, options: Options) -> Asked:
    """The deployment that a file describes; `-` is standard input.

    Raises:
        IntakeError: none of what is understood, or a value in it cannot be read.
        LimitExceeded: too large, too deep.
    """
    text, at = read_text(path), shown(path)
    if not text.strip():
        raise IntakeError(Problem("empty-file", "the file is empty", _UNDERSTOOD, at=Position(at, 1, 1)))
    folder = Path(path).parent if path != "-" else Path()
    if text.lstrip().startswith("{"):
        held = read_json(text, path=at)
        if not _FACT_FILE_KEYS_SET.intersection(held) and _CONFIG_KEYS.intersection(held):
            return _asked(replace(options, model=options.model or at), model_config=held)
        return _from_facts(held, {}, text, at, options, folder)
    if _looks_like_yaml(text, path):
        return _from_yaml(text, at, options, folder)
    return _asked(options, configured=_configured(split_command(text, path=at), options, folder=folder))


def read_json(text: str, *, path: str) -> JsonObject:
    """The JSON object in `text`; raises IntakeError where it is none, LimitExceeded where it is nested too deep."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        at = Position(path, error.lineno, error.colno)
        raise IntakeError(Problem("json-syntax", f"not JSON: {error.msg}", "a JSON object", at=at)) from error
    except RecursionError as error:
        raise LimitExceeded("the nesting of a JSON file", limit=INTAKE_DEPTH_MAX, at=Position(path, 1, 1)) from error
    if not isinstance(value, dict):
        raise IntakeError(
            Problem("wrong-type", "the file holds no JSON object", "an object in braces", at=Position(path, 1, 1))
        )
    if _depth(value) > INTAKE_DEPTH_MAX:
        raise LimitExceeded("the nesting of a JSON file", limit=INTAKE_DEPTH_MAX, at=Position(path, 1, 1))
    return value


def _asked(options: Options, *, configured: Configured | None = None, model_config: JsonObject | None = None) -> Asked:
    model, config = options.model, model_config
    named = model or (configured.model if configured else None)
    file = _config_file(named)
    if config is None and file is not None:
        config, model = read_json(read_text(str(file)), path=str(file)), str(file)
    return Asked(
        configured=configured,
        engine=options.engine,
        engine_version=options.engine_version,
        model=model,
        model_config=config,
        gpu=options.gpu,
        gpu_count=options.gpus,
        sets=tuple(options.sets),
    )


def _config_file(named: str | None) -> Path | None:
    """The config.json that a model is named by: the file itself, or the one in a folder of weights."""
    if not named:
        return None
    path = Path(named)
    try:
        if path.is_dir():
            inner = path / "config.json"
            return inner if inner.is_file() else None
        # A path that is meant as a file is read, or refused with its name, even where it is not there.
        return path if path.suffix == ".json" or path.is_file() else None
    except (OSError, ValueError):
        return None


def _configured(arguments: Sequence[Argument], options: Options, *, folder: Path) -> Configured:
    """Read the command; then, where it names options files that are here, once more with their contents."""
    first = read_command(arguments, version=options.engine_version, engine=options.engine)
    files = {named.path: held for named in first.files if (held := _options_file(folder / named.path)) is not None}
    if not files:
        return first
    return read_command(arguments, version=options.engine_version, engine=options.engine, files=files)


def _options_file(path: Path) -> JsonObject | None:
    """The mapping in an options file; None where there is no such file, so that the answer says it was not read."""
    if not path.is_file():
        return None
    from knockon.curate.document import read_file

    data = read_file(path, str(path)).data
    return data if isinstance(data, dict) else None


def _looks_like_yaml(text: str, path: str) -> bool:
    if Path(path).suffix in (".yaml", ".yml"):
        return True
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return first.split(":", 1)[0].strip() in _FACT_FILE_KEYS_SET and ":" in first


def _from_yaml(text: str, at: str, options: Options, folder: Path) -> Asked:
    # YAML costs more than the whole rest of a check, and a command line has none.
    from knockon.curate.document import read_bytes

    document = read_bytes(text.encode(), at)
    if not isinstance(document.data, dict):
        raise IntakeError(Problem("unknown-format", "the file holds no mapping", _UNDERSTOOD, at=Position(at, 1, 1)))
    keys = [*document.data]
    held = document.data.get("facts")
    steps: list[tuple[str, ...]] = [(key,) for key in keys]
    steps += [("facts", key) for key in (held if isinstance(held, dict) else ())]
    places = {each: document.key_at(*each) for each in steps}
    return _from_facts(document.data, places, text, at, options, folder)


_FACT_FILE_KEYS_SET = frozenset(_FACT_FILE_KEYS)


def _from_facts(
    held: JsonObject, places: Mapping[tuple[str, ...], Position], text: str, path: str, options: Options, folder: Path
) -> Asked:
    """A file of facts: what it says is as if it stood on the command line, options there win."""
    del text
    for key in held:
        if key not in _FACT_FILE_KEYS_SET:
            at = places.get((key,), Position(path, 1, 1))
            raise IntakeError(Problem("unknown-key", f"{key!r} is not understood here", _UNDERSTOOD, at=at))
    reader = _Facts(held, places, path)
    merged = replace(
        options,
        engine=options.engine or reader.text("engine"),
        engine_version=options.engine_version or reader.text("engine_version"),
        model=options.model or reader.text("model"),
        gpu=options.gpu or reader.text("gpu"),
        gpus=options.gpus or reader.whole("gpus"),
        sets=(*reader.sets(), *options.sets),
    )
    command = reader.text("command")
    if command is None:
        return _asked(merged)
    return _asked(merged, configured=_configured(split_command(command, path=path), merged, folder=folder))


@dataclass(frozen=True, slots=True)
class _Facts:
    held: JsonObject
    places: Mapping[tuple[str, ...], Position]
    path: str

    def text(self, key: str) -> str | None:
        value = self.held.get(key)
        if value is None or isinstance(value, str):
            return value or None
        if key == "engine_version" and isinstance(value, int | float):
            raise self._refused((key,), value, "text in quotes, or 0.10 would read as 0.1")
        raise self._refused((key,), value, "text")

    def whole(self, key: str) -> int | None:
        value = self.held.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
            return value
        raise self._refused((key,), value, "a whole number, 1 or more")

    def sets(self) -> tuple[str, ...]:
        facts = self.held.get("facts", {})
        if not isinstance(facts, dict):
            raise self._refused(("facts",), facts, "a mapping of fact to value")
        for name, value in facts.items():
            if value is None or isinstance(value, list | dict):
                raise self._refused(("facts", name), value, "a number, text, true or false")
        return tuple(f"{name}={_written(value)}" for name, value in facts.items())

    def _refused(self, steps: tuple[str, ...], value: Any, expected: str) -> KnockonError:
        at = self.places.get(steps, Position(self.path, 1, 1))
        what = f"{'.'.join(steps)} cannot be {_written(value)[:80]}"
        return IntakeError(Problem("wrong-type", what, expected, at=at))


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _depth(value: object) -> int:
    """How deep lists and mappings are nested; without recursion, since the input is not ours."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        held, depth = waiting.pop()
        deepest = max(deepest, depth)
        inner = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
        waiting += [(one, depth + 1) for one in inner if isinstance(one, dict | list)]
    return deepest
