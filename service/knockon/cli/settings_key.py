"""The key `settings` of a file of facts: what an engine was told, as reports, Python calls and charts write it.

`{tp: 8, enable_lora: yes}` and `["--tp 8", "tensor_parallel_size=8", "VLLM_USE_V1=1"]` become the words of a command.
What is no setting of the engine is kept as such, so that no answer is fine because something was not understood.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from knockon.engines import engine_named, read_command
from knockon.engines.base import Configured, UnknownFlag
from knockon.engines.meant import settings_like, words_for
from knockon.jobs.spelled import spelled_facts
from knockon.terms.argument import Argument, arguments_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.place import Position
from knockon.terms.words import Json

_REMARK = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_PAIR = re.compile(r"([A-Za-z_][\w-]*(?:[ ]?[\w-]+)?)\s*(?:=(?!=)|:|\s)\s*(\S.*)")
# What the bare words after a flag whose value is JSON stand for, in order.
_SHORT_KEYS = {"--speculative-config": ("method",), "--kv-transfer-config": ("kv_connector", "kv_role")}
_SHORT_NAMES = {"k": "num_speculative_tokens", "n": "num_speculative_tokens"}
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]+")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one file as words."""

    environment: tuple[Argument, ...]
    words: tuple[Argument, ...]
    sets: tuple[str, ...]
    """`fact=value` texts of what only another engine calls so: `tp_size` beside vLLM."""
    left: tuple[UnknownFlag, ...]
    """What is no setting of any engine, with those that were likely meant."""


def settings_of(held: Json, *, engine: str, at: Position | None, places: Mapping[str, Position]) -> Settings:
    """Read the value of the key `settings`: a mapping of name to value, or a list of texts.

    Args:
        held: the value.
        engine: whose settings they are.
        at: where the key stands.
        places: where each setting stands: `settings.NAME`, or `settings.0` and so on for a list.

    Raises:
        NotFound: no engine is called `engine`. IntakeError: it is neither of both.
    """
    engine_named(engine)
    environment: list[Argument] = []
    words: list[Argument] = []
    sets: list[str] = []
    left: list[UnknownFlag] = []
    for name, text, found in _each(held, engine, at):
        stands = places.get(f"settings.{name}", at)
        if found is None:
            told = _of_others(text)
            sets += told
            left += [] if told else [_unknown(text, engine, stands)]
        elif len(found) == 1 and not found[0].startswith("-"):
            environment += [Argument(word, stands) for word in found]
        else:
            words += [Argument(word, stands) for word in found]
    return Settings(tuple(environment), tuple(words), tuple(sets), tuple(left))


def configured_by(settings: Settings, *, engine: str, version: str | None, model: str | None) -> Configured:
    """What an engine makes of settings without a command; raises as `read_command`."""
    named = ["--model-path" if engine == "sglang" else "", model] if model else []
    words = [*settings.environment, *(Argument(word) for word in named if word), *settings.words]
    return with_left(read_command(words, version=version, engine=engine), settings)


def with_left(configured: Configured, settings: Settings) -> Configured:
    """The same with what was not understood among its unknown flags."""
    return replace(configured, unknown_flags=(*configured.unknown_flags, *settings.left))


def _each(held: Json, engine: str, at: Position | None) -> Iterator[tuple[str | int, str, Sequence[str] | None]]:
    """Each setting's key and how it is written, with its words; None where it is none."""
    if isinstance(held, dict):
        for name, value in held.items():
            said = value if isinstance(value, str) else json.dumps(value)
            yield name, f"{name}={said}", words_for(engine, name, value)
    elif isinstance(held, list):
        for index, each in enumerate(held):
            yield index, str(each), _words(str(each), engine)
    else:
        what = "settings are neither a mapping nor a list"
        raise IntakeError(Problem("wrong-type", what, "names with values, or texts such as --tp 8", at=at))


def _words(text: str, engine: str) -> Sequence[str] | None:
    """The words of one text of a list; None where it is a remark rather than a setting, `--tp > 1`."""
    words = _spelled_out(_REMARK.sub("", text).strip(), engine)
    if not words or not words[0].startswith("-"):
        return words
    try:
        read = read_command(arguments_of(words), engine=engine)
    except IntakeError:
        return None
    is_whole = read.model is None and not any(one.flag == "" for one in read.refused)
    return words if is_whole else None


def _spelled_out(said: str, engine: str) -> Sequence[str] | None:
    if said.startswith("-"):
        try:
            words = shlex.split(said)
        except ValueError:
            return None
        name, equals, _ = words[0].partition("=")
        if equals or len(words) > 2:
            short = _shorthand(name, words[1:])
            return short or (words if words_for(engine, name, "1") is not None else None)
        short = _shorthand(name, words[1:])
        return short or words_for(
            engine, name, words[1] if len(words) > 1 else "true" if _is_switch(engine, name) else ""
        )
    found = _PAIR.fullmatch(said)
    if found is None:
        return words_for(engine, said, "true") if _is_switch(engine, said) else None
    if _VARIABLE.fullmatch(found[1]):
        return (f"{found[1]}={found[2]}",)
    return words_for(engine, found[1], found[2].strip("'\""))


def _shorthand(name: str, words: Sequence[str]) -> tuple[str, str] | None:
    """`--speculative-config mtp k=3` with its JSON; None for any other flag, and where a word of it is not known."""
    keys = _SHORT_KEYS.get(name)
    if keys is None or not words or words[0].startswith(("{", "[")):
        return None
    told: dict[str, Json] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            told[_SHORT_NAMES.get(key, key)] = int(value) if value.isdigit() else value
        elif len(told) < len(keys):
            told[keys[len(told)]] = word
        else:
            return None
    return name, json.dumps(told)


def _of_others(text: str) -> list[str]:
    """The facts that a setting states to the engines that have it; none where they do not agree."""
    found = _PAIR.fullmatch(_REMARK.sub("", text).strip().lstrip("-"))
    if found is None:
        return []
    try:
        stated = spelled_facts(found[1], found[2], engine=None)
    except IntakeError:
        return []
    return [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in stated.items()]


def _unknown(text: str, engine: str, at: Position | None) -> UnknownFlag:
    said = _PAIR.fullmatch(_REMARK.sub("", text).strip().lstrip("-"))
    return UnknownFlag(text, at, settings_like(engine, said[1] if said else text.strip()))


def _is_switch(engine: str, name: str) -> bool:
    """Whether a setting may stand without a value."""
    words = words_for(engine, name, "true")
    return words is not None and len(words) == 1
