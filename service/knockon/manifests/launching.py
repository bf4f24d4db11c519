"""A found command → a launch: words that are not known are left out, and said so with their place."""

import json
import re
from collections.abc import Mapping, Sequence

from knockon.manifests.base import Attached, Launch, Notes
from knockon.manifests.data import object_of
from knockon.manifests.found import Found, Scripts, no_scripts
from knockon.manifests.word import Word
from knockon.manifests.written import Written
from knockon.terms.argument import Argument, Variable
from knockon.terms.place import Position

# Flags that take no value, by how they begin: a gap behind one is a word of its own.
_SWITCH = re.compile(r"--?(?:enable|no|disable|trust|enforce|async|use|skip|return|is)[-_]|--(?:headless|sleep)")
# Names of variables and template values that stand for several words.
_SEVERAL = re.compile(r"(?i)\bargs?\b|args?[}\s\"|)]|_args?|extra|opts\b|options|flags|params|toyaml|join|\$\{?[@*]")
_WITH_BLANK = re.compile(r"(--?[A-Za-z][\w-]*)[ \t]+\S")
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
    arguments = _known_arguments(found, notes)
    environment = _known_variables(found, notes)
    count = gpu_count if gpu_count is not None else found.gpu_count
    image = found.image if found.image is not None and not found.image.gaps else None
    return Launch(
        name=name,
        kind=kind,
        arguments=tuple(arguments),
        environment=tuple(environment),
        image=image.text if image is not None else None,
        image_at=image.at if image is not None else None,
        gpu_count=count if count is not None else _visible(environment),
        gpu_name=gpu_name,
        replicas=replicas,
        at=found.words[0].at,
        notes=tuple(notes.said),
        files=tuple(_attached(arguments, found.files, lookup)),
    )


def _known_arguments(found: Found, notes: Notes) -> list[Argument]:
    known: list[Argument] = []
    words = found.words
    for index, word in enumerate(words):
        if index < found.program_count:
            known.append(word.argument())
        elif _is_conditional(word, words[0]):
            _say_condition(word, notes)
        elif not word.gaps:
            _say_blank(word, notes)
            known.append(word.argument())
        elif _is_json(word.text):
            shown = ", ".join(dict.fromkeys(gap.shown for gap in word.gaps))
            notes.add(
                word.at,
                f"{_short(shown)} in {_short(word.text)} is not known here; the rest is read",
                f"此处不知道 {_short(word.text)} 中的 {_short(shown)}；其余部分照读",
            )
            known.append(word.argument())
        else:
            _leave_out(word, words[index - 1] if index > found.program_count else None, known, notes)
    return known


def _leave_out(word: Word, before: Word | None, known: list[Argument], notes: Notes) -> None:
    """Leave a word out that is not known, and the flag whose value it is."""
    lead = word.text[: word.gaps[0].start]
    flag, equals, _ = lead.partition("=") if lead.startswith("-") else ("", "", "")
    is_several = word.is_open and any(gap.is_several or _SEVERAL.search(gap.shown) for gap in word.gaps)
    if equals:
        _say_value(word.at, flag, _shown(word)[len(flag) + 1 :], word, notes)
    elif before is not None and not is_several and _takes_value(before) and known:
        if known[-1].at == before.at:
            known.pop()
        _say_value(before.at, before.text, _shown(word), word, notes)
    else:
        why, zh = _why(word)
        shown = _short(_shown(word))
        more = word.is_open and is_several and not word.gaps[0].is_choice
        notes.add(
            word.at,
            f"{shown} is left out: {why}" + (" and may hold further arguments" if more else ""),
            f"忽略 {shown}：{zh}" + ("，其中可能还有参数" if more else ""),
        )


def _takes_value(word: Word) -> bool:
    text = word.text
    return text.startswith("-") and "=" not in text and not word.gaps and not _SWITCH.match(text)


def _say_value(at: Position, flag: str, shown: str, word: Word, notes: Notes) -> None:
    why, zh = _why(word)
    why = why.replace("it ", f"its value {_short(shown)} ", 1)
    notes.add(at, f"{flag} is left out: {why}", f"忽略 {flag}：取值 {_short(shown)}，{zh}")


def _why(word: Word) -> tuple[str, str]:
    if any(gap.is_choice for gap in word.gaps):
        return "it depends on a condition of the script", "它取决于脚本中的条件"
    return "it is not known here", "此处不知道其内容"


def _shown(word: Word) -> str:
    """The text, with what a choice may be."""
    text = word.text
    for gap in reversed(word.gaps):
        text = text[: gap.start] + gap.shown + text[gap.end :]
    return text


def _is_conditional(word: Word, program: Word) -> bool:
    """Whether the word stands under a condition of a template under which the program does not stand."""
    file, offset = word.written.source(0)
    if not file.template.conditional:
        return False
    other, start = program.written.source(0)
    return any(
        region.holds(offset) and not (file is other and region.holds(start)) for region in file.template.conditional
    )


def _say_condition(word: Word, notes: Notes, *, name: str = "") -> None:
    said = f"{name}={word.text}" if name else word.text
    notes.add(
        word.at,
        f"{_short(said)} is left out: it stands under a condition of the template",
        f"忽略 {_short(said)}：它处于模板的条件之下",
    )


def _say_blank(word: Word, notes: Notes) -> None:
    match = _WITH_BLANK.match(word.text)
    if match is not None:
        notes.add(
            word.at,
            f"{_short(word.text)} is one word: nothing splits it here, so the engine does not see {match[1]}",
            f"{_short(word.text)} 是一个词：此处不会拆分，引擎看不到 {match[1]}",
        )


def _known_variables(found: Found, notes: Notes) -> list[Variable]:
    known: list[Variable] = []
    for name, word in found.environment.items():
        if _is_conditional(word, found.words[0]):
            _say_condition(word, notes, name=name)
        elif word.gaps:
            notes.add(
                word.at,
                f"the variable {name} is left out: its value {_short(_shown(word))} is not known here",
                f"忽略变量 {name}：此处不知道其取值 {_short(_shown(word))}",
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


def _is_json(text: str) -> bool:
    start = text.find("=") + 1 if text.startswith("-") else 0
    if not text.startswith("{", start):
        return False
    try:
        return isinstance(json.loads(text[start:]), dict)
    except (ValueError, RecursionError):
        return False


def _short(text: str) -> str:
    """A text for a sentence: on one line, at most 80 characters."""
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
