"""Prometheus' own `promtool` as the judge of what the PromQL back-end writes: many conditions in one run.

Each condition gets series of its own, told apart by a label, and two questions: does it hold, does it fail? Whichever
answers with a sample is the truth; where neither does, it is UNKNOWN.
"""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from knockon.backends.base import Asked
from knockon.backends.promql.terms import number
from knockon.backends.promql.written import guarded, written
from knockon.expr.arithmetic import settled
from knockon.expr.check import check_condition
from knockon.expr.given import with_given
from knockon.expr.names import names_in
from knockon.expr.nodes import And, Arithmetic, Compare, Node, Number, Or
from knockon.expr.normal import normal
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.errors import KnockonError, Problem, Unsupported
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar

# A run over some thousand conditions takes seconds; one that hangs must not hang its caller.
_RUN_SECONDS_MAX = 300
# UNKNOWN whatever is known: a division by zero.
_NEVER_TOLD = Compare(">", Arithmetic("/", Number(1), Number(0)), Number(0))
_NOT_FINITE = {"nan": "NaN", "inf": "+Inf", "-inf": "-Inf"}
# Cases that share one storage: making one costs milliseconds, and each question searches all series in it.
_CASES_TOGETHER = 30
_FAILED = re.compile(r"# case (\d+) (holds|fails)\b")


def judged(asked: Sequence[Asked], vocabulary: Vocabulary) -> list[Truth | None]:
    """The truth of each condition on its values, by PromQL; None where PromQL has no words for it.

    Raises:
        NameProblem, UnitProblem: a condition that does not hold.
        KnockonError: promtool is not installed, or refuses what was written.
    """
    for one in asked:
        check_condition(one.condition, vocabulary)
    return _judged([Asked(normal(one.condition), one.values) for one in asked], vocabulary)


def judged_with_texts(asked: Sequence[Asked], vocabulary: Vocabulary) -> list[Truth | None]:
    """The same, with texts and versions worked in first as an export does with facts: then there are words for all."""
    for one in asked:
        check_condition(one.condition, vocabulary)
    return _judged([Asked(_without_texts(one, vocabulary), one.values) for one in asked], vocabulary)


def _judged(asked: Sequence[Asked], vocabulary: Vocabulary) -> list[Truth | None]:
    """The truth of each condition, which is in normal form."""
    tests: list[dict[str, Any]] = []
    supported: set[int] = set()
    for index, one in enumerate(asked):
        try:
            questions = _questions(index, one.condition, vocabulary)
        except Unsupported:
            continue
        if len(supported) % _CASES_TOGETHER == 0:
            tests.append({"interval": "1m", "input_series": [], "promql_expr_test": []})
        supported.add(index)
        tests[-1]["promql_expr_test"] += questions
        tests[-1]["input_series"] += _series(index, one, vocabulary)
    failed = _failed({"tests": tests})
    return [_truth(index, failed) if index in supported else None for index in range(len(asked))]


def run(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `promtool` to its end, with its output; raises KnockonError when it is not installed."""
    program = shutil.which("promtool")
    if program is None:
        what = "promtool, which comes with Prometheus, is not installed"
        raise KnockonError(Problem("promtool-missing", what, fix="install Prometheus, or put promtool on the PATH"))
    command = [program, *arguments]
    # The user's own program on files that were written here.
    return subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=False, timeout=_RUN_SECONDS_MAX, cwd=folder
    )


def series_name(name: str) -> str:
    """The metric of a name in test series: `threshold.x` has a dot, which metrics may not have."""
    return f"knockon:{name.replace('.', ':')}"


def sample(info: NameInfo, value: Scalar) -> str | None:
    """The value as a sample; None where it is of another type than the vocabulary says, or is no number."""
    if info.type == "bool":
        return str(int(value)) if isinstance(value, bool) else None
    if not info.is_numeric or isinstance(value, bool | str):
        return None
    if settled(value) is not None:
        return number(value)
    # A whole number that no sample can hold is left out.
    return _NOT_FINITE.get(str(value))


def _without_texts(one: Asked, vocabulary: Vocabulary) -> Node:
    words = {
        name: value
        for name, value in one.values.items()
        if isinstance(value, str) and (info := vocabulary.get(name)) is not None and not info.is_numeric
    }
    return _told(with_given(normal(one.condition), words, vocabulary), vocabulary)


def _told(node: Node, vocabulary: Vocabulary) -> Node:
    """`node` with what hangs on a text that nobody gave made UNKNOWN."""
    if isinstance(node, And | Or):
        return type(node)(tuple(_told(item, vocabulary) for item in node.items))
    has_text = any(vocabulary.info(name).type in ("text", "version") for name in names_in(node))
    return _NEVER_TOLD if has_text else node


def _questions(index: int, condition: Node, vocabulary: Vocabulary) -> list[dict[str, Any]]:
    def selector(name: str) -> str:
        return f'{series_name(name)}{{case="{index}"}}'

    both = written(condition, vocabulary, selector=guarded(selector, vocabulary))
    told = {"holds": both.holds, "fails": both.fails}
    return [
        {
            "expr": f"count({expression}) # case {index} {question}",
            "eval_time": "0s",
            "exp_samples": [{"labels": "{}", "value": 1}],
        }
        for question, expression in told.items()
    ]


def _series(index: int, one: Asked, vocabulary: Vocabulary) -> list[dict[str, str]]:
    found = []
    for name in sorted(names_in(one.condition) & one.values.keys()):
        held = sample(vocabulary.info(name), one.values[name])
        if held is not None:
            found.append({"series": f'{series_name(name)}{{case="{index}"}}', "values": held})
    return found


def _failed(tests: Mapping[str, Any]) -> set[tuple[int, str]]:
    """The questions that no sample answered."""
    with tempfile.TemporaryDirectory(prefix="knockon-promtool-") as folder:
        file = Path(folder) / "tests.yaml"
        # JSON is YAML, and has no traps of quoting.
        file.write_text(json.dumps(tests), encoding="utf-8")
        done = run("test", "rules", str(file))
    failed = {(int(found[1]), found[2]) for found in _FAILED.finditer(done.stdout + done.stderr)}
    if (done.returncode != 0) != bool(failed):
        said = (done.stderr or done.stdout).strip()[-2000:]
        raise KnockonError(Problem("promtool-refused", f"promtool cannot run what was written: {said}"))
    return failed


def _truth(index: int, failed: set[tuple[int, str]]) -> Truth:
    holds, fails = (index, "holds") not in failed, (index, "fails") not in failed
    if holds and fails:
        raise AssertionError(f"PromQL says of condition {index} that it both holds and fails")
    return Truth.TRUE if holds else Truth.FALSE if fails else Truth.UNKNOWN
