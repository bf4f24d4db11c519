"""Waiver files: what they cover, until when, and what is refused with its place."""

from datetime import date

import pytest

from knockon.jobs.waiver import Subject, Waiver, read_waivers
from knockon.terms.errors import CurationError

ENTRY = """\
waivers:
  - rule: K001
    path: deploy/**/*.yaml
    reason: >-
      The new image
      comes in spring.
    expires: 2027-01-31
"""


def waiver(**changes: str) -> Waiver:
    keys = {"rule": "K001", "path": "deploy/*.yaml", "reason": "why", "expires": "2027-01-31"} | changes
    (read,) = read_waivers("waivers:\n- " + "\n  ".join(f"{key}: '{value}'" for key, value in keys.items()), path="w")
    return read


def subject(**changes: object) -> Subject:
    said = {"rule": "K001", "path": "deploy/a.yaml", "kind": "Deployment", "name": "qwen", "settings": ()} | changes
    return Subject(**said)  # type: ignore[arg-type]


def problems_of(text: str) -> list[str]:
    with pytest.raises(CurationError) as caught:
        read_waivers(text, path="knockon.waivers.yaml")
    return [str(problem) for problem in caught.value.problems]


def test_entry_is_read_with_its_place() -> None:
    (read,) = read_waivers(ENTRY, path="knockon.waivers.yaml")

    assert (read.rule, read.path, read.reason) == ("K001", "deploy/**/*.yaml", "The new image comes in spring.")
    assert (read.expires, read.launch, read.setting) == (date(2027, 1, 31), None, None)
    assert str(read.at) == "knockon.waivers.yaml:2:5"


def test_it_holds_through_its_last_day() -> None:
    assert [waiver().is_expired(date(2027, *day)) for day in ((1, 30), (1, 31), (2, 1))] == [False, False, True]


@pytest.mark.parametrize(
    ("glob", "path", "reaches"),
    [
        ("a.yaml", "a.yaml", True),
        ("a.yaml", "deploy/a.yaml", False),
        ("*.yaml", "deploy/a.yaml", False),
        ("deploy/*", "deploy/a.yaml", True),
        ("deploy/*", "deploy/x/a.yaml", False),
        ("deploy/**", "deploy/x/y/a.yaml", True),
        ("**/a.yaml", "a.yaml", True),
        ("**/a.yaml", "deploy/x/a.yaml", True),
        ("**/a.yaml", "deploy/ba.yaml", False),
        ("deploy/**/a.yaml", "deploy/a.yaml", True),
        ("?.yaml", "a.yaml", True),
        ("?.yaml", "/.yaml", False),
        ("a.yaml", "a-yaml", False),
        ("**", "<command>", True),
        ("./a.yaml", "a.yaml", True),
    ],
)
def test_star_stays_inside_a_folder_and_two_stars_do_not(glob: str, path: str, reaches: bool) -> None:
    assert waiver(path=glob).covers(subject(path=path)) is reaches


@pytest.mark.parametrize(
    ("changes", "about", "covers"),
    [
        ({"rule": "K002"}, {}, False),
        ({"launch": "qwen"}, {}, True),
        ({"launch": "Deployment/qwen"}, {}, True),
        ({"launch": "StatefulSet/qwen"}, {}, False),
        ({"launch": "llama"}, {}, False),
        ({"setting": "tensor_parallel_size"}, {}, False),
        ({"setting": "tensor_parallel_size"}, {"settings": (("tensor_parallel_size", 8),)}, True),
        ({"setting": "tensor_parallel_size=8"}, {"settings": (("tensor_parallel_size", 8),)}, True),
        ({"setting": "tensor_parallel_size = 4"}, {"settings": (("tensor_parallel_size", 8),)}, False),
        ({"setting": "enforce_eager=true"}, {"settings": (("enforce_eager", True),)}, True),
    ],
)
def test_launch_and_setting_narrow_it(changes: dict[str, str], about: dict[str, object], covers: bool) -> None:
    assert waiver(**changes).covers(subject(**about)) is covers


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["knockon.waivers.yaml:1:1: the file is empty"]),
        ("waivers: {}", ["knockon.waivers.yaml:1:1: the file holds no waivers; expected one list under `waivers:`"]),
        (
            "waivers:\n  - K001\n",
            ["knockon.waivers.yaml:2:5: a waiver is a mapping; expected rule, path, reason, expires"],
        ),
        (
            "waivers:\n  - {rule: K001, path: '**', expires: 2027-01-31}\n",
            ["knockon.waivers.yaml:2:5: the waiver has no reason; expected each needs rule, path, reason, expires"],
        ),
        (
            "waivers:\n  - {rule: K001, path: '**', reason: x, expires: 2027-02-30}\n",
            ["knockon.waivers.yaml:2:50: expires cannot be '2027-02-30'; expected a day such as 2027-01-31"],
        ),
        (
            "waivers:\n  - {rule: 1, path: '**', reason: ' ', expires: soon, untill: x}\n",
            [
                "knockon.waivers.yaml:2:12: rule cannot be 1; expected text",
                "knockon.waivers.yaml:2:35: reason cannot be ' '; expected text",
                "knockon.waivers.yaml:2:49: expires cannot be 'soon'; expected a day such as 2027-01-31",
                "knockon.waivers.yaml:2:55: 'untill' is not understood here; expected rule, path, reason, expires, ",
            ],
        ),
        (
            "waivers:\n  - rule: K001\n    rule: K002\n",
            ["knockon.waivers.yaml:3:5: "],
        ),
    ],
    ids=["empty", "no list", "no mapping", "no reason", "no day", "several", "twice"],
)
def test_what_does_not_hold_is_refused_with_its_place(text: str, said: list[str]) -> None:
    found = problems_of(text)

    assert len(found) == len(said)
    assert [one for one, wanted in zip(found, said, strict=True) if not one.startswith(wanted)] == []
