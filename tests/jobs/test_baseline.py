"""Baseline files: what is written is read again, and what is none is refused with its place."""

import json

import pytest

from knockon.jobs.baseline import Known, baseline_text, read_baseline
from knockon.terms.errors import IntakeError

TWO = [Known("b.yaml", "Deployment/b", "K001", "b" * 32), Known("a.yaml", "", "K004", "a" * 32)]


def test_what_is_written_is_read_again() -> None:
    assert read_baseline(baseline_text(TWO), path="base.json") == {"a" * 32, "b" * 32}
    assert read_baseline(baseline_text([]), path="base.json") == frozenset()


def test_file_is_sorted_one_finding_a_line_each_once() -> None:
    assert baseline_text([*TWO, TWO[0]]).splitlines() == [
        "{",
        '  "version": 1,',
        '  "findings": [',
        f'    {{"rule": "K004", "path": "a.yaml", "launch": "", "fingerprint": "{"a" * 32}"}},',
        f'    {{"rule": "K001", "path": "b.yaml", "launch": "Deployment/b", "fingerprint": "{"b" * 32}"}}',
        "  ]",
        "}",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "base.json:1:2: not JSON: Expecting property name enclosed in double quotes; expected a baseline; "),
        ("[]", 'base.json:1:1: this is no baseline; expected "version": 1; '),
        ('{"version": 2, "findings": []}', 'base.json:1:1: this is no baseline; expected "version": 1; '),
        ('{"version": true, "findings": []}', 'base.json:1:1: this is no baseline; expected "version": 1; '),
        ('{"version": 1}', 'base.json:1:1: there are no findings in it; expected "findings": […]; '),
        (json.dumps({"version": 1, "findings": [{"fingerprint": "a"}, {}]}), "base.json:1:1: finding 2 has no "),
        ("[" * 100_000, "base.json:1:1: nested too deep; expected a baseline; "),
    ],
    ids=["cut off", "a list", "newer", "no number", "empty", "without a fingerprint", "deep"],
)
def test_what_is_no_baseline_is_refused(text: str, said: str) -> None:
    with pytest.raises(IntakeError) as caught:
        read_baseline(text, path="base.json")

    assert str(caught.value).startswith(said)
