"""Shell text → the words of the one command in it, with their positions. Nothing is expanded and nothing is run."""

from collections.abc import Sequence

from knockon.manifests.base import File
from knockon.manifests.lexer import tokens_of
from knockon.manifests.tokens import REDIRECTIONS, Raw, Token, as_written
from knockon.manifests.written import Written, whole
from knockon.terms.argument import Argument
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import COMMAND_ARGUMENTS_MAX, COMMAND_TEXT_MAX
from knockon.terms.place import Position

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
    script = whole(File(path, text))
    assigned: list[Argument] = []
    mains: list[list[Argument]] = []
    for command in _commands(tokens_of(script), script):
        program = _program(command)
        if program in _COMPOUND:
            what = f"{program!r} starts a compound command"
            raise _problem("compound-command", what, "one plain command", command[0].at)
        if program in _ASSIGNING:
            assigned += [word for word in command[1:] if "=" in word.text and not word.text.startswith("-")]
        elif program == "":
            assigned += command
        elif program not in _ASIDE and not _activates(command):
            mains.append(command)
    if not mains:
        what = "there is no command that starts an engine"
        raise _problem("no-command", what, "for example `vllm serve MODEL`", Position(path, 1, 1))
    if len(mains) > 1:
        what = f"{mains[1][0].text!r} starts a second command"
        raise _problem("several-commands", what, "one command", mains[1][0].at)
    if len(mains[0]) > COMMAND_ARGUMENTS_MAX:
        at = mains[0][COMMAND_ARGUMENTS_MAX].at
        raise LimitExceeded("the number of words of the command", limit=COMMAND_ARGUMENTS_MAX, at=at)
    return [*assigned, *mains[0]]


def _commands(tokens: Sequence[Token], script: Written) -> list[list[Argument]]:
    """The simple commands, without redirections and without what output is piped into."""
    commands: list[list[Argument]] = [[]]
    ends = {-1}
    is_piped = False
    skips_next = False
    for token in tokens:
        if isinstance(token, Raw):
            if not skips_next and not is_piped:
                commands[-1].append(Argument(as_written(script, token.parts), script.at(token.start)))
                ends.add(token.end)
            skips_next = False
            continue
        skips_next = token.text in REDIRECTIONS
        if skips_next:
            # `2>` and `1>`: the number is the redirection's, not a word of the command.
            if commands[-1] and commands[-1][-1].text.isdigit() and token.start in ends:
                commands[-1].pop()
            continue
        is_piped = token.text in _PIPES or (is_piped and token.text == "\n" and not commands[-1])
        commands.append([])
    return [command for command in commands if command]


def _program(command: Sequence[Argument]) -> str:
    """The program of a simple command after its assignments; empty when it only assigns."""
    rest = [word for word in command if not _is_assignment(word.text)]
    return rest[0].text.rsplit("/", 1)[-1] if rest else ""


def _activates(command: Sequence[Argument]) -> bool:
    """`conda activate x`, which only prepares, against `conda run x vllm serve …`."""
    return len(command) > 1 and command[1].text == "activate"


def _is_assignment(text: str) -> bool:
    name, equals, _ = text.partition("=")
    return bool(equals) and name.isidentifier() and name.isascii()


def _problem(code: str, what: str, expected: str, at: Position | None) -> IntakeError:
    return IntakeError(Problem(code=code, what=what, expected=expected, at=at))
