"""What a launch command puts over the model's config.json, and where what is wrong with either of them stands."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from knockon.engines.base import Configured
from knockon.engines.hf_config.normalise import facts_of
from knockon.engines.hf_config.reader import BadKey
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.ranges import hold
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact, Origin
from knockon.terms.jsontext import JsonText
from knockon.terms.place import Position
from knockon.terms.words import JsonObject

Read = Callable[[JsonObject], Mapping[str, Fact]]
"""The facts of a model whose config.json has the given values over it."""


def under_command(read: Read, command: Configured | None, vocabulary: Vocabulary) -> Mapping[str, Fact]:
    """The facts of a model with the command's overrides; each fact that they change says so and stands where they do.

    Raises:
        IntakeError: of what is read, or a value of the overrides of the wrong type or range.
    """
    own = read({})
    if not own or command is None or not command.model_overrides:
        return own
    at = command.model_overrides_at
    try:
        facts = read(command.model_overrides)
        told = {
            name: replace(fact, origin=_by_command(fact.origin, at))
            for name, fact in facts.items()
            if name not in own or own[name].value != fact.value
        }
        hold(told.values(), vocabulary)
    except IntakeError as error:
        what = f"with the command's overrides, {error.problem.what}"
        raise IntakeError(replace(error.problem, what=what, fix="mend the overrides", at=at)) from error
    return {**facts, **told}


def config_facts(
    config: JsonObject, vocabulary: Vocabulary, *, called: str, name: str | None, text: JsonText | None
) -> dict[str, Fact]:
    """The facts of one config.json.

    Args:
        config: its content.
        vocabulary: the names, with their ranges.
        called: what origins call it.
        name: what the model is called.
        text: the file it is in, where it is one.

    Raises:
        IntakeError: a value of the wrong type or range, with its place.
    """
    try:
        facts = facts_of(config, origin_text=called, name=name)
    except BadKey as error:
        raise IntakeError(replace(error.problem, at=_place(error.key, text))) from error
    # An origin begins with the key that was read.
    hold(facts.values(), vocabulary, place=lambda fact: _place(fact.origin.text.partition(" in ")[0], text))
    return facts


def _place(key: str, text: JsonText | None) -> Position | None:
    """Where a dotted key stands, or else the object it would be in; None where the config is no file."""
    if text is None:
        return None
    while key and key not in text.places:
        key = key.rpartition(".")[0]
    return text.places.get(key) or Position(text.path, 1, 1)


def _by_command(origin: Origin, at: Position | None) -> Origin:
    return Origin(origin.kind, f"{origin.text}, under the command's overrides", at)


def config_object(value: object, *, path: str) -> JsonObject:
    """`value` as a config.json object; raises IntakeError."""
    if not isinstance(value, dict):
        raise IntakeError(Problem("bad-config", f"{path} holds no JSON object", expected="the model's config.json"))
    return value
