"""The complaints of `lint`, with their places as editors and CI follow them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from knockon.cli.answers.places import place_data
from knockon.formats.base import Code, Page, Verdict
from knockon.terms.errors import Problem
from knockon.terms.place import Position
from knockon.terms.words import Json, Text


def near(problems: Sequence[Problem], folder: Path) -> list[Problem]:
    """The problems with paths as seen from `folder`, where they are under it."""
    return [replace(one, at=near_place(one.at, folder)) if one.at else one for one in problems]


def near_place(at: Position, folder: Path) -> Position:
    """The place with its path as seen from `folder`, where it is under it."""
    return replace(at, path=_seen(at.path, folder))


def data(problems: Sequence[Problem]) -> dict[str, Json]:
    """The answer for programs."""
    return {
        "verdict": "problems" if problems else "clean",
        "count": len(problems),
        "problems": [
            {
                "code": one.code,
                "at": place_data(one.at),
                "what": one.what,
                "expected": one.expected,
                "fix": one.fix,
                "excerpt": one.excerpt,
            }
            for one in problems
        ],
    }


def page(problems: Sequence[Problem], *, about: str, language: str) -> Page:
    """The complaints one by one, then how many. What is wrong is said in English, as in the files' own keys."""
    if not problems:
        return Page([Verdict(Text("clean", "无问题").in_language(language), "good", about)])
    count = len(problems)
    said = Text(f"{count} problem{'s' if count > 1 else ''} in {about}", f"{about} 中有 {count} 个问题")
    word = Text("refused", "不通过").in_language(language)
    return Page([Code("\n".join(str(one) for one in problems)), Verdict(word, "bad", said.in_language(language))])


def _seen(path: str, folder: Path) -> str:
    try:
        return str(Path(path).relative_to(folder))
    except ValueError:
        return path
