"""`catalog new`: what the command line left out is asked for on the terminal; then the file is written and checked."""

import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from shutil import copytree

import typer

from knockon.cli.show import write
from knockon.cli.trees import trees
from knockon.curate.translations import FILE_NAME
from knockon.curate.tree import read_tree
from knockon.expr.vocabulary import Vocabulary
from knockon.jobs.drafted import check_when, need_of, size_of, switch_of
from knockon.jobs.fmt import translations_with
from knockon.jobs.knowledge import Knowledge, knowledge_of
from knockon.jobs.lint import lint
from knockon.jobs.new import Draft, NewFile, check_answer, listed
from knockon.terms.errors import CurationError, IntakeError, KnockonError, Problem
from knockon.terms.words import Text

_ASKS: Mapping[str, str] = {
    "name": "Name in English",
    "name-zh": "Name in Chinese",
    "stage": "Stage (data, training, inference, validation, governance)",
    "layer": "Layer (L1 to L7)",
    "dimension": "Dimension (compute, storage, network, scheduling, data, energy)",
    "mechanism": "Mechanism, as a slug; techniques that can replace one another share it",
    "goal": "What is it for, in English",
    "goal-zh": "What is it for, in Chinese",
    "summary": "How does it work, in English",
    "summary-zh": "How does it work, in Chinese",
    "gain": "Quantities that get better, by id (`knockon catalog list quantities`)",
    "cost": "Quantities that get worse, by id",
    "cite": "Sources, by id of catalog/citations/",
}


_MAY_ASK: Mapping[str, str] = {
    "alias": "What else people call or type for it",
    "when": "Condition under which it gains and costs, like tensor_parallel_size > 1",
    "size": "How much, as QUANTITY=ENGLISH|CHINESE|BASIS",
    "need": "What it assumes, as ENGLISH|CHINESE or ENGLISH|CHINESE|CONDITION",
    "switch": "What turns it on in an engine, as ENGINE=SWITCH or ENGINE=SWITCH@RELEASE",
}
"""What a technique may have; an empty answer leaves it out, and `when` is one condition."""


@dataclass(slots=True)
class Answers:
    """What was given and typed, so that nothing is lost where it cannot be written."""

    key: str
    where: Sequence[str] = ()
    """Further words of the command."""
    lines: dict[str, list[str]] = field(default_factory=dict)
    """By the names of their options without dashes."""
    were_asked: bool = False

    @property
    def command(self) -> str:
        """The command that gives all of them again."""
        options = (f"--{name}={line}" for name, lines in self.lines.items() for line in lines)
        return shlex.join(("knockon", "catalog", "new", self.key, *options, *self.where))


@contextmanager
def told_again(answers: Answers) -> Iterator[None]:
    """Where it ends badly after somebody typed: first the command with all that was typed, to be mended and run."""
    try:
        yield
    except (KnockonError, KeyboardInterrupt):
        if answers.were_asked and answers.lines:
            typer.echo(
                f"\n# nothing is written; your answers, to be mended and run again:\n{answers.command}", err=True
            )
        raise


def draft_of(
    knowledge: Knowledge,
    key: str,
    given: Mapping[str, str | None],
    optional: Mapping[str, Sequence[str]],
    *,
    answers: Answers,
) -> Draft:
    """The draft of technique `key` from the options, by their names without dashes; lists have commas between items.

    What was left out is asked for on the terminal, each answer until it holds. What is `optional` is asked for only
    where something else is, and Enter leaves it out. `answers` keeps what was said so far.

    Raises:
        IntakeError: something is missing and nobody is at a terminal to ask, or what was given does not hold.
        NotFound: what was given names nothing known. ExpressionError: a condition does not hold.
    """
    catalog = knowledge.catalog
    missing = [name for name, value in given.items() if not value]
    if missing and not (sys.stdin and sys.stdin.isatty()):
        options = ", ".join(f"--{name}" for name in missing)
        raise IntakeError(
            Problem("missing-option", f"{options}: not given", "all of them, or a terminal to ask on", "see --help")
        )
    for name, value in {"id": key, **given}.items():
        if name not in missing:
            check_answer(catalog, name, value or "")
    for name, lines in optional.items():
        for line in lines:
            _check_optional(knowledge, name, line)
    answers.were_asked = bool(missing)
    answers.lines |= {name: [value] for name, value in given.items() if value}
    answers.lines |= {name: list(lines) for name, lines in optional.items() if lines}
    said: dict[str, str] = {}
    for name, value in given.items():
        said[name] = value or _asked(name, partial(check_answer, catalog, name))
        answers.lines[name] = [said[name]]
    more: dict[str, list[str]] = {}
    for name, lines in optional.items():
        more[name] = list(lines)
        for line in _asked_for_more(knowledge, name) if missing and not lines else ():
            more[name].append(line)
            answers.lines[name] = more[name]
    return _drafted(key, said, more, knowledge.rulebook.vocabulary)


def _drafted(key: str, said: Mapping[str, str], more: Mapping[str, Sequence[str]], vocabulary: Vocabulary) -> Draft:
    return Draft(
        id=key,
        name=Text(said["name"], said["name-zh"]),
        stage=said["stage"],
        layer=said["layer"],
        dimension=said["dimension"],
        mechanism=said["mechanism"],
        goal=Text(said["goal"], said["goal-zh"]),
        summary=Text(said["summary"], said["summary-zh"]),
        gains=listed(said["gain"]),
        costs=listed(said["cost"]),
        cite=listed(said["cite"]),
        aliases=[one for one in dict.fromkeys(more["alias"]) if one != key],
        when="".join(more["when"]),
        sizes=[size_of(line) for line in more["size"]],
        needs=[need_of(line, vocabulary) for line in more["need"]],
        switches=[switch_of(line) for line in more["switch"]],
    )


def _check_optional(knowledge: Knowledge, name: str, line: str) -> None:
    check_answer(knowledge.catalog, name, line)
    match name:
        case "when":
            check_when(line, knowledge.rulebook.vocabulary)
        case "size":
            knowledge.catalog.quantity(size_of(line).quantity)
        case "need":
            need_of(line, knowledge.rulebook.vocabulary)
        case "switch":
            switch_of(line)


def _asked_for_more(knowledge: Knowledge, name: str) -> Iterator[str]:
    """Answers until one is empty; there is one condition at most."""

    def check(line: str) -> None:
        if line:
            _check_optional(knowledge, name, line)

    while line := _asked(name, check, default=""):
        yield line
        if name == "when":
            break


def _asked(name: str, check: Callable[[str], None], *, default: str | None = None) -> str:
    question = _ASKS[name] if default is None else f"{_MAY_ASK[name]} (Enter: none)"
    while True:
        try:
            answer = str(typer.prompt(question, default=default, show_default=False)).strip()
        except typer.Abort as error:
            raise KeyboardInterrupt from error
        try:
            check(answer)
        except KnockonError as error:
            typer.echo(str(error.problem), err=True)
        else:
            return answer


def knowledge_in(catalog: str | None, rules: str | None) -> Knowledge:
    """What the new technique comes to; raises CurationError."""
    return knowledge_of(read_tree(*trees(catalog, rules)))


def written(made: NewFile, catalog: str | None, rules: str | None, *, dry_run: bool) -> None:
    """Write the file and its translations' record, and say what stands near it.

    Raises:
        KnockonError: it cannot be written, or lint would complain of the tree with it; then nothing is written.
    """
    near = f"# near it: {', '.join(made.alike)}\n" if made.alike else ""
    catalog_dir, rules_dir = trees(catalog, rules)
    if dry_run:
        # What a real run would say can be known only of the tree with the file in it.
        with tempfile.TemporaryDirectory(prefix="knockon-new-") as folder:
            copy = Path(folder, "catalog")
            copytree(catalog_dir, copy)
            _written(made, copy, rules_dir, shown=catalog_dir)
        write(near + made.text, is_json=False)
        return
    _written(made, catalog_dir, rules_dir, shown=catalog_dir)
    write("".join((near, f"wrote {catalog_dir / made.path}\n", _TO_DO)), is_json=False)


def _written(made: NewFile, catalog_dir: Path, rules_dir: Path, *, shown: Path) -> None:
    """Write the file into `catalog_dir`, which complaints call `shown`; raises as `written` does."""
    file = catalog_dir / made.path
    before = lint(catalog_dir, rules_dir)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(made.text)
    except OSError as error:
        what = f"{shown / made.path} cannot be written: {error.strerror or type(error).__name__}"
        raise IntakeError(Problem("unwritable-file", what, "a file that is not there yet")) from error
    with _undone_on_failure(file, catalog_dir / FILE_NAME):
        record = translations_with(catalog_dir, rules_dir, file)
        if record is not None:
            record.file.write_text(record.text, encoding="utf-8", newline="\n")
        # One file that is refused makes the whole tree refused, for the next new technique, too.
        if found := _new_in(lint(catalog_dir, rules_dir), before):
            raise CurationError([_shown(problem, catalog_dir, shown) for problem in found])


def _shown(problem: Problem, folder: Path, shown: Path) -> Problem:
    """The same at the file that it is about, where a copy was looked at."""
    if problem.at is None or not Path(problem.at.path).is_relative_to(folder):
        return problem
    path = shown / Path(problem.at.path).relative_to(folder)
    return replace(problem, at=replace(problem.at, path=str(path)))


@contextmanager
def _undone_on_failure(new: Path, record: Path) -> Iterator[None]:
    """Take the new file away and put the record back as it was, unless all goes well."""
    kept = record.read_bytes() if record.is_file() else None
    try:
        yield
    except BaseException:
        new.unlink(missing_ok=True)
        if kept is not None:
            record.write_bytes(kept)
        raise


def _new_in(after: Sequence[Problem], before: Sequence[Problem]) -> list[Problem]:
    """The complaints that were not there before: lines of the record move, and counts in a sentence change."""
    said = {(problem.code, problem.what) for problem in before} | {(problem.code, problem.at) for problem in before}
    return [one for one in after if (one.code, one.what) not in said and (one.code, one.at) not in said]


_TO_DO = "# write in `says` what the source says of each gain, cost and need, and take `inferred` away there\n"
