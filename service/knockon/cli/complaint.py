"""Errors of input as a person reads them: the words around a message are of the language asked for.

The messages themselves are English: there are hundreds, and half of them in another language would help nobody.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from knockon.terms.errors import CurationError, ExpressionError, KnockonError, Problem

_MEANT = re.compile(r"did you mean ([^?]+)\?(?:; )?")
# Of the problems of a tree: a verb that needs one says that it does not hold, and lint is there to list them.
_PROBLEMS_SHOWN = 10
_LISTS = re.compile(r"(`knockon [^`]+`) lists every \w+")
# The title of what typer says, and its advice.
_FRAMES = {
    "en": ("Error", "Try [blue]'{command_path} {help_option}'[/] for help."),
    "zh": ("错误", "用 [blue]'{command_path} {help_option}'[/] 查看帮助。"),
}


def language_asked(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language of the words around an error, also of one that came up before the options were read."""
    from knockon.cli.show import language_of

    ours = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    said = [after for option, after in pairwise(ours) if option == "--lang"]
    said += [one.removeprefix("--lang=") for one in ours if one.startswith("--lang=")]
    asked = next((one for one in (*said, environment.get("KNOCKON_LANG")) if one in _FRAMES), None)
    return language_of(asked, environment)


def complaint(error: KnockonError, language: str, *, listed: str = "") -> str:
    """The whole message; `listed` says how to see what there is."""
    said = _text(error, language)
    if listed:
        said = f"{said}{'；' if language == 'zh' else '; '}{listed}"
    # One that starts with its place stays so, that editors and CI can follow it.
    return said if error.problem.at else f"{'错误：' if language == 'zh' else 'error: '}{said}"


def parts_of(problem: Problem, language: str) -> str:
    """What is wrong, what was expected and what to do, without the place."""
    if language != "zh":
        return "; ".join(part for part in (problem.what, _expected(problem, "expected "), problem.fix) if part)
    fix = _MEANT.sub(lambda match: f"是否想写 {match[1].replace(' or ', ' 或 ')}？", problem.fix)
    fix = _LISTS.sub(r"\1 列出全部", fix)
    return "；".join(part for part in (problem.what, _expected(problem, "应为 "), fix) if part)


def frame_in(language: str) -> None:
    """Have the errors that typer writes by itself framed in a language."""
    from typer import rich_utils

    title, advice = _FRAMES[language]
    rich_utils.ERRORS_PANEL_TITLE = title
    rich_utils.RICH_HELP = advice


def _expected(problem: Problem, word: str) -> str:
    return f"{word}{problem.expected}" if problem.expected else ""


def _text(error: KnockonError, language: str) -> str:
    if isinstance(error, CurationError):
        return "\n".join(
            (*(_placed(one, language) for one in error.problems[:_PROBLEMS_SHOWN]), *_more(error, language))
        )
    if language != "zh":
        return str(error)
    said = _placed(error.problem, language)
    return f"{said}\n{error.caret}" if isinstance(error, ExpressionError) else said


def _more(error: CurationError, language: str) -> Iterator[str]:
    """How many problems are not shown, where there are any."""
    if count := len(error.problems[_PROBLEMS_SHOWN:]):
        zh = f"另有 {count} 个问题；`knockon catalog lint` 与 `knockon rules lint` 列出全部"
        yield zh if language == "zh" else f"and {count} more; `knockon catalog lint` and `knockon rules lint` list all"


def _placed(problem: Problem, language: str) -> str:
    said = parts_of(problem, language)
    placed = f"{problem.at}: {said}" if problem.at else said
    return f"{placed}\n{problem.excerpt}" if problem.excerpt else placed
