"""Shell text → the words of the one command in it, with their positions. Nothing is expanded and nothing is run."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.engines.base import Argument
from knockon.engines.program import program_of
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import COMMAND_ARGUMENTS_MAX, COMMAND_TEXT_MAX
from knockon.terms.place import Position

# Longest first, so that `&&` is not read as two `&`.
# fmt: off
_OPERATORS = (
    "&>>", "<<<", "&&", "||", ";;", "|&", "&>", ">>", ">&", "<<", "<&", ";", "&", "|", ">", "<", "(", ")", "\n",
)
# fmt: on
_REDIRECTIONS = frozenset({"&>>", "<<<", "&>", ">>", ">&", "<<", "<&", ">", "<"})
_PIPES = frozenset({"|", "|&"})
# Commands before or after the engine that say nothing about it; what `export` assigns is kept.
# fmt: off
_ASIDE = frozenset([
    "cd", "echo", "set", "source", ".", "ulimit", "mkdir", "sleep", "pip", "pip3", "unset", ":", "true", "wait",
    "shopt", "module", "export", "declare", "printf", "date", "hostname", "umask", "trap", "exit",
    "nvidia-smi", "rm",
])
# fmt: on
_COMPOUND = frozenset({"if", "for", "while", "until", "case", "function", "{", "do", "then", "select", "[["})
_ASSIGNING = frozenset({"export", "declare"})


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    at: Position
    is_operator: bool = False


def split_command(text: str, *, path: str) -> list[Argument]:
    """The words of the one command in `text`, quotes removed, environment assignments in front.

    Backslash-newline, both kinds of quotes, comments, redirections, pipes and lines that only prepare (`cd`, `export`)
    are understood as a POSIX shell does; `$NAME` stays as it stands. What `export` assigns goes in front.

    Args:
        text: shell text, at most COMMAND_TEXT_MAX characters.
        path: what the positions say the text is.

    Raises:
        IntakeError: an open quote, a compound command, no command, or more than one.
        LimitExceeded: too much text or too many words.
    """
    if len(text) > COMMAND_TEXT_MAX:
        raise LimitExceeded("the command's text", limit=COMMAND_TEXT_MAX, found=len(text), at=Position(path, 1, 1))
    assigned: list[Argument] = []
    mains: list[list[Argument]] = []
    for command in _commands(_Scan(text, path).words()):
        program = _program(command)
        if program in _COMPOUND:
            raise _problem(
                "compound-command", f"{program!r} starts a compound command", "one plain command", command[0].at
            )
        if program in _ASSIGNING:
            assigned += [word for word in command[1:] if "=" in word.text and not word.text.startswith("-")]
        elif program == "":
            assigned += command
        elif program not in _ASIDE and not _activates(command):
            mains.append(command)
    if not mains:
        raise _problem(
            "no-command",
            "there is no command that starts an engine",
            "for example `vllm serve MODEL`",
            Position(path, 1, 1),
        )
    if len(mains) > 1:
        raise _problem(
            "several-commands", f"{mains[1][0].text!r} starts a second command", "one command", mains[1][0].at
        )
    return [*assigned, *mains[0]]


def arguments_of(words: Sequence[str], *, path: str = "<command>") -> list[Argument]:
    """Words that a shell has split already, with their places in the words joined by blanks.

    Raises:
        LimitExceeded: too much text or too many words.
    """
    if len(words) > COMMAND_ARGUMENTS_MAX:
        raise LimitExceeded("the number of words of the command", limit=COMMAND_ARGUMENTS_MAX, found=len(words))
    arguments: list[Argument] = []
    column = 1
    for word in words:
        arguments.append(Argument(word, Position(path, 1, column)))
        column += len(word) + 1
    if column - 1 > COMMAND_TEXT_MAX:
        raise LimitExceeded("the command's text", limit=COMMAND_TEXT_MAX, found=column - 1)
    return arguments


def _commands(words: Sequence[_Word]) -> list[list[Argument]]:
    """The simple commands, without redirections and without what output is piped into."""
    commands: list[list[Argument]] = [[]]
    is_piped = False
    skips_next = False
    for word in words:
        if word.is_operator:
            skips_next = word.text in _REDIRECTIONS
            if skips_next:
                # `2>` and `1>`: the number is the redirection's, not a word of the command.
                last = commands[-1][-1] if commands[-1] else None
                if last is not None and last.text.isdigit() and last.at and last.at.right(len(last.text)) == word.at:
                    commands[-1].pop()
                continue
            is_piped = word.text in _PIPES or (is_piped and word.text == "\n" and not commands[-1])
            commands.append([])
        elif skips_next:
            skips_next = False
        elif not is_piped:
            commands[-1].append(Argument(word.text, word.at))
    return [command for command in commands if command]


def _program(command: Sequence[Argument]) -> str:
    """The program of a simple command after its assignments; empty when it only assigns."""
    rest = [word for word in command if not _is_assignment(word.text)]
    return program_of(rest[:1]) if rest else ""


def _activates(command: Sequence[Argument]) -> bool:
    """`conda activate x`, which only prepares, against `conda run x vllm serve …`."""
    return len(command) > 1 and command[1].text == "activate"


def _is_assignment(text: str) -> bool:
    name, equals, _ = text.partition("=")
    return bool(equals) and name.isidentifier() and name.isascii()


class _Scan:
    """One pass over shell text."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.path = path
        self.offset = 0
        self.line = 1
        self.line_start = 0

    def words(self) -> list[_Word]:
        """Every word and operator in order.

        Raises:
            IntakeError: an open quote.
            LimitExceeded: more than COMMAND_ARGUMENTS_MAX words.
        """
        words: list[_Word] = []
        while self._to_word():
            at = self._at()
            operator = next((each for each in _OPERATORS if self.text.startswith(each, self.offset)), None)
            if operator is not None:
                self._forward(len(operator))
                words.append(_Word(operator, at, is_operator=True))
            else:
                words.append(_Word(self._word(), at))
            if len(words) > COMMAND_ARGUMENTS_MAX:
                raise LimitExceeded("the number of words of the command", limit=COMMAND_ARGUMENTS_MAX, at=at)
        return words

    def _to_word(self) -> bool:
        """Skip blanks, joined lines and comments; false at the end."""
        while self.offset < len(self.text):
            character = self.text[self.offset]
            if character == "#":
                end = self.text.find("\n", self.offset)
                self._forward((end if end >= 0 else len(self.text)) - self.offset)
            elif self.text.startswith("\\\n", self.offset):
                self._forward(2)
            elif character in " \t\r\f\v":
                self._forward(1)
            else:
                return True
        return False

    def _word(self) -> str:
        parts: list[str] = []
        while self.offset < len(self.text):
            character = self.text[self.offset]
            if character in " \t\r\f\v" or any(self.text.startswith(each, self.offset) for each in _OPERATORS):
                break
            if character == "'":
                parts.append(self._single_quoted())
            elif character == '"':
                parts.append(self._double_quoted())
            elif character == "\\":
                escaped = self.text[self.offset + 1 : self.offset + 2]
                parts.append("" if escaped == "\n" else escaped)
                self._forward(2)
            else:
                parts.append(character)
                self._forward(1)
        return "".join(parts)

    def _single_quoted(self) -> str:
        end = self.text.find("'", self.offset + 1)
        if end < 0:
            raise self._open_quote("'")
        inside = self.text[self.offset + 1 : end]
        self._forward(end + 1 - self.offset)
        return inside

    def _double_quoted(self) -> str:
        opened = self._open_quote('"')
        self._forward(1)
        parts: list[str] = []
        while self.offset < len(self.text):
            character = self.text[self.offset]
            if character == '"':
                self._forward(1)
                return "".join(parts)
            escaped = self.text[self.offset + 1 : self.offset + 2]
            if character == "\\" and escaped and escaped in '$`"\\\n':
                parts.append("" if escaped == "\n" else escaped)
                self._forward(2)
            else:
                parts.append(character)
                self._forward(1)
        raise opened

    def _open_quote(self, quote: str) -> IntakeError:
        return _problem("open-quote", f"the quote {quote} is not closed", f"a closing {quote}", self._at())

    def _at(self) -> Position:
        return Position(self.path, self.line, self.offset - self.line_start + 1)

    def _forward(self, characters: int) -> None:
        passed = self.text[self.offset : self.offset + characters]
        newlines = passed.count("\n")
        if newlines:
            self.line += newlines
            self.line_start = self.offset + passed.rindex("\n") + 1
        self.offset += characters


def _problem(code: str, what: str, expected: str, at: Position | None) -> IntakeError:
    return IntakeError(Problem(code=code, what=what, expected=expected, at=at))
