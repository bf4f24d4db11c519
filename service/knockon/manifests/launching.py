"""A found command → a launch."""

import re
from collections.abc import Mapping, Sequence

from knockon.manifests.base import Attached, Launch, Notes
from knockon.manifests.data import object_of
from knockon.manifests.found import Found, Scripts, no_scripts
from knockon.manifests.known import Known, is_conditional, say_condition, short, shown
from knockon.manifests.word import check_count
from knockon.manifests.written import Written
from knockon.terms.argument import Argument, Variable

_FILE_FLAGS = frozenset({"--config", "--extra_llm_api_options", "--extra-llm-api-options"})
_VISIBLE = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES")
_DEVICES = re.compile(r"[0-9]+(?:,[0-9]+)*")


def launch_of(
    found: Found,
    notes: Notes,
    *,
    name: str,
    kind: str,
    lookup: Scripts = no_scripts,
    gpu_count: int | None = None,
    gpu_name: str | None = None,
    replicas: int | None = None,
) -> Launch:
    """The launch that a found command makes.

    Args:
        found: the command.
        notes: what has been said about it already; more is added.
        name: what the launch is called.
        kind: what holds it.
        lookup: the files of the command's file system.
        gpu_count: GPUs of one replica, where the manifest says so itself.
        gpu_name: the GPU, where the manifest names it.
        replicas: how often it runs.
    """
    check_count(len(found.words), found.words[0].at)
    known = Known(notes)
    known.take(found)
    environment = _known_variables(found, notes)
    count = gpu_count if gpu_count is not None else found.gpu_count
    image = found.image if found.image is not None and not found.image.gaps else None
    return Launch(
        name=name,
        kind=kind,
        arguments=tuple(known.arguments),
        environment=tuple(environment),
        image=image.text if image is not None else None,
        image_at=image.at if image is not None else None,
        gpu_count=count if count is not None else _visible(environment),
        gpu_name=gpu_name,
        replicas=replicas,
        at=found.words[0].at,
        left_out=tuple(known.left_out),
        is_incomplete=known.is_incomplete or notes.is_incomplete,
        notes=notes.said,
        files=tuple(_attached(known.arguments, found.files, lookup)),
    )


def _known_variables(found: Found, notes: Notes) -> list[Variable]:
    known: list[Variable] = []
    for name, word in found.environment.items():
        if is_conditional(word, found.words[0]):
            say_condition(word, notes, name=name)
        elif word.gaps:
            notes.add(
                word.at,
                f"the variable {name} is left out: its value {short(shown(word))} is not known here",
                f"忽略变量 {name}：此处不知道其取值 {short(shown(word))}",
            )
        else:
            known.append(Variable(name, word.text, word.at))
    return known


def _attached(arguments: Sequence[Argument], made: Mapping[str, Written], lookup: Scripts) -> list[Attached]:
    """The options files that the command names and that are known."""
    attached: list[Attached] = []
    for index, argument in enumerate(arguments):
        flag, equals, path = argument.text.partition("=")
        if flag not in _FILE_FLAGS:
            continue
        if not equals:
            path = arguments[index + 1].text if index + 1 < len(arguments) else ""
        source = (made.get(path) or lookup(path)) if path else None
        data = object_of(source) if source is not None else None
        if source is not None and data is not None:
            attached.append(Attached(path, data, source.at(0)))
    return attached


def _visible(environment: Sequence[Variable]) -> int | None:
    """The GPUs that the environment lets the command see."""
    held = {each.name: each.value for each in environment}
    for name in _VISIBLE:
        value = held.get(name, "").strip()
        if _DEVICES.fullmatch(value):
            return value.count(",") + 1
    return None
