"""What was stated of a deployment twice and not alike: a note for each, so that what counts is seen."""

from collections.abc import Iterator, Mapping, Sequence

from knockon.jobs.bad_input import is_hub_name
from knockon.jobs.model import repository_of
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar, Text

# What nobody stated, so that nothing is overruled.
_OF_ITSELF = frozenset({"engine-default", "derived"})


def overruled_facts(groups: Sequence[Mapping[str, Fact]]) -> Iterator[Text]:
    """A note for each fact that an option states otherwise than something weaker does.

    Args:
        groups: facts by name, the stronger word first.
    """
    for index, group in enumerate(groups):
        for name, fact in group.items():
            if fact.origin.kind != "set" or any(name in stronger for stronger in groups[:index]):
                continue
            weaker = (held[name] for held in groups[index + 1 :] if name in held)
            other = next((one for one in weaker if one.origin.kind not in _OF_ITSELF), None)
            if other is not None and other.value != fact.value:
                yield overruling(fact.origin, f"{name} = {_shown(other.value)}", _stands(other.origin))


def overruled_model(named: str | None, at: str, command: str | None) -> Iterator[Text]:
    """A note where an option names another model than the command does; a path there may well be the same model.

    Args:
        named: the model of the option, None where it gives none or a configuration of the command's model.
        at: where the option stands, empty where it stands on the command line.
        command: the model of the command.
    """
    if not named or not command or not is_hub_name(command):
        return
    if repository_of(named).casefold() != repository_of(command).casefold():
        yield overruling(Origin("set", f"--model {named}{at}"), command, "the model of the command", "命令中的模型")


def overruling(stronger: Origin, value: str, weaker: str, weaker_zh: str = "") -> Text:
    """The note: what counts, and what was said beside it with where that stands."""
    said = _stands(stronger)
    return Text(f"{said} overrules {value} ({weaker})", f"{said} 覆盖了 {value}（{weaker_zh or weaker}）")


def _stands(origin: Origin) -> str:
    return f"{origin.text} at {origin.at}" if origin.at else origin.text


def _shown(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:,}" if isinstance(value, int) else str(value)
