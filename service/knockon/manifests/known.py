"""Which words of a found command are known: the others are left out, and said so with their place."""

import json
import re
from dataclasses import dataclass, field

from knockon.manifests.base import Notes
from knockon.manifests.found import Found
from knockon.manifests.word import Word
from knockon.terms.argument import Argument
from knockon.terms.place import Position

# Flags that take no value, by how they begin: a gap behind one is a word of its own.
_SWITCH = re.compile(r"--?(?:enable|no|disable|trust|enforce|async|use|skip|return|is)[-_]|--(?:headless|sleep)")
# Names of variables and template values that stand for several words.
_SEVERAL = re.compile(r"(?i)\bargs?\b|args?[}\s\"|)]|_args?|extra|opts\b|options|flags|params|toyaml|join|\$\{?[@*]")
# Names of what is one word, the model first of all.
_SINGLE = re.compile(r"(?i)model|name|path")
_WITH_BLANK = re.compile(r"(--?[A-Za-z][\w-]*)[ \t]+\S")


@dataclass
class Known:
    """The words of a command, sorted into what is known and what is not."""

    notes: Notes
    arguments: list[Argument] = field(default_factory=list)
    left_out: list[Argument] = field(default_factory=list)
    """Flags whose value is not known, or that may not be given at all; positional words as they stand."""
    is_incomplete: bool = False
    """There may be further arguments that nobody can name here."""

    def take(self, found: Found) -> None:
        """Sort every word of a command."""
        words = found.words
        for index, word in enumerate(words):
            if index < found.program_count:
                self.arguments.append(word.argument())
            elif is_conditional(word, words[0]):
                say_condition(word, self.notes)
                if word.text.startswith("-"):
                    self.left_out.append(Argument(word.text.partition("=")[0], word.at))
                elif word.gaps and not words[index - 1].text.startswith("-"):
                    self.is_incomplete = True
            elif not word.gaps:
                _say_blank(word, self.notes)
                self.arguments.append(word.argument())
            elif _is_json(word.text):
                self._partly(word)
            else:
                self._leave_out(word, words[index - 1] if index > found.program_count else None)

    def _partly(self, word: Word) -> None:
        """JSON in which a text is not known is read with that text as it stands."""
        unknown = ", ".join(dict.fromkeys(gap.shown for gap in word.gaps))
        self.notes.add(
            word.at,
            f"{short(unknown)} in {short(word.text)} is not known here; the rest is read",
            f"此处不知道 {short(word.text)} 中的 {short(unknown)}；其余部分照读",
        )
        self.arguments.append(word.argument())

    def _leave_out(self, word: Word, before: Word | None) -> None:
        """Leave a word out that is not known, and the flag whose value it is."""
        if any(gap.is_unclosed for gap in word.gaps):
            self._unclosed(word, before)
            return
        lead = word.text[: word.gaps[0].start]
        flag, equals, _ = lead.partition("=") if lead.startswith("-") else ("", "", "")
        is_several = word.is_open and any(gap.is_several or _SEVERAL.search(gap.shown) for gap in word.gaps)
        if equals:
            self._value(word.at, flag, shown(word)[len(flag) + 1 :], word)
        elif before is not None and not is_several and _takes_value(before):
            if self.arguments[-1].at == before.at:
                self.arguments.pop()
            self._value(before.at, before.text, shown(word), word)
        else:
            is_several |= before is not None and _may_be_several(word)
            why, zh = _why(word)
            more = is_several and not word.gaps[0].is_choice
            self.notes.add(
                word.at,
                f"{short(shown(word))} is left out: {why}" + (" and may hold further arguments" if more else ""),
                f"忽略 {short(shown(word))}：{zh}" + ("，其中可能还有参数" if more else ""),
            )
            self.is_incomplete |= is_several
            if not is_several:
                self.left_out.append(Argument(shown(word), word.at))

    def _unclosed(self, word: Word, before: Word | None) -> None:
        """Nothing is known from a word on whose quote is not closed; most programs refuse such a command."""
        if before is not None and _takes_value(before) and self.arguments[-1].at == before.at:
            self.left_out.append(self.arguments.pop())
        self.notes.add(
            word.at,
            f"a quote in {short(shown(word))} is not closed: nothing from there on is known",
            f"{short(shown(word))} 中的引号未闭合：其后的内容未知",
        )
        self.is_incomplete = True

    def _value(self, at: Position, flag: str, value: str, word: Word) -> None:
        why, zh = _why(word)
        why = why.replace("it ", f"its value {short(value)} ", 1)
        self.notes.add(at, f"{flag} is left out: {why}", f"忽略 {flag}：取值 {short(value)}，{zh}")
        self.left_out.append(Argument(flag, at))


def _may_be_several(word: Word) -> bool:
    """Whether an unquoted word behind others that no flag waits for may be any number of words, whatever its name."""
    return word.is_open and not any(gap.is_choice or _SINGLE.search(gap.shown) for gap in word.gaps)


def _takes_value(word: Word) -> bool:
    text = word.text
    return text.startswith("-") and "=" not in text and not word.gaps and not _SWITCH.match(text)


def _why(word: Word) -> tuple[str, str]:
    if any(gap.is_choice for gap in word.gaps):
        return "it depends on a condition of the script", "它取决于脚本中的条件"
    return "it is not known here", "此处不知道其内容"


def shown(word: Word) -> str:
    """The text, with what a choice may be."""
    text = word.text
    for gap in reversed(word.gaps):
        text = text[: gap.start] + gap.shown + text[gap.end :]
    return text


def is_conditional(word: Word, program: Word) -> bool:
    """Whether the word stands under a condition of a template under which the program does not stand."""
    file, offset = word.written.source(0)
    if not file.template.conditional:
        return False
    other, start = program.written.source(0)
    region = file.template.condition_at(offset)
    # Regions are nested: where the innermost one holds the program, so do all around it.
    return region is not None and not (file is other and region.holds(start))


def say_condition(word: Word, notes: Notes, *, name: str = "") -> None:
    """Say that a word, or the variable `name` with it, is left out."""
    said = f"{name}={word.text}" if name else word.text
    notes.add(
        word.at,
        f"{short(said)} is left out: it stands under a condition of the template",
        f"忽略 {short(said)}：它处于模板的条件之下",
    )


def _say_blank(word: Word, notes: Notes) -> None:
    match = _WITH_BLANK.match(word.text)
    if match is not None:
        notes.add(
            word.at,
            f"{short(word.text)} is one word: nothing splits it here, so the engine does not see {match[1]}",
            f"{short(word.text)} 是一个词：此处不会拆分，引擎看不到 {match[1]}",
        )


def _is_json(text: str) -> bool:
    start = text.find("=") + 1 if text.startswith("-") else 0
    if not text.startswith("{", start):
        return False
    try:
        return isinstance(json.loads(text[start:]), dict)
    except (ValueError, RecursionError):
        return False


def short(text: str) -> str:
    """A text for a sentence: on one line, at most 80 characters."""
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
