"""What people tell is compared with known reports: only where they tell enough, and never over a rule."""

import json
from dataclasses import replace

import pytest

from knockon.jobs.diagnose import DiagnoseAnswer, diagnose
from knockon.rules.hierarchy import INSUFFICIENT, SPEAK_MIN
from knockon.rules.precedent import OPEN, Precedent, Precedents
from knockon.sources import read_source, read_told
from knockon.sources.base import Taken
from knockon.terms.reading import Reading
from knockon.terms.words import WallId
from tests.shipped import shipped

SLOW_FEEDING = (
    "Images are decoded from network storage by few workers, and every epoch the trainer waits for the loader"
)


def report(id_: str, wall: str, words: str) -> Precedent:
    return Precedent(id_, f"https://example.org/{id_}", WallId(wall), words, {})


KNOWN = replace(
    shipped(),
    precedents=Precedents(
        [
            report("io-1", "io", "the trainer waits for images that few workers decode from network storage"),
            report("io-2", "io", "every epoch the loader reads images over the network"),
            report("host-1", "host", "kernels are launched one by one and python is busy"),
            report("host-2", "host", "the tokenizer holds the lock"),
            report("open-1", OPEN, "it is somehow slow for everybody since yesterday and nothing else is said of it"),
        ]
    ),
)


def told(words: str, *parts: Taken) -> DiagnoseAnswer:
    vocabulary = shipped().rulebook.vocabulary
    return diagnose(KNOWN, [read_told(words, vocabulary, filename="a ticket"), *parts])


def test_words_alone_come_to_the_wall_of_like_reports_with_their_addresses() -> None:
    answer = told(SLOW_FEEDING)

    assert answer.diagnosis.verdict == "io"
    first = answer.diagnosis.hypotheses[0]
    assert (first.rule.kind, first.rule.gives_way) == ("like-reports-of-io", True)
    assert SPEAK_MIN <= first.confidence < 0.6
    assert answer.resemblance is not None
    assert [one.precedent.source for one in answer.resemblance.nearest] == [
        "https://example.org/io-1",
        "https://example.org/io-2",
    ]


def test_a_rule_that_speaks_goes_before_likeness() -> None:
    full = Taken(readings=(Reading("kv_cache_usage_ratio", 0.99, "a dashboard"), Reading("waiting_count", 40, "one")))

    answer = told(SLOW_FEEDING, full)

    assert answer.diagnosis.verdict == "memory"
    like = next(one for one in answer.diagnosis.hypotheses if one.rule.gives_way)
    assert like.confidence < SPEAK_MIN
    assert [doubt.en for doubt in like.doubts] == ["what the readings say themselves goes before likeness"]


def test_reports_without_a_cause_name_no_wall() -> None:
    answer = told("It is somehow slow for everybody since yesterday, nothing else is said of it")

    assert answer.diagnosis.verdict == INSUFFICIENT
    assert answer.resemblance is not None
    assert answer.resemblance.wall == OPEN


@pytest.mark.parametrize("words", ["", "slow", "the loader waits"])
def test_few_words_are_like_nothing(words: str) -> None:
    assert told(words).resemblance is None


def test_measurements_alone_are_compared_with_nothing() -> None:
    gauges = read_source("data_wait_share_ratio: 0.01\n", filename="x", vocabulary=shipped().rulebook.vocabulary)

    assert diagnose(KNOWN, [gauges]).resemblance is None


def test_a_report_tells_with_its_observations_what_it_is_like() -> None:
    written = {
        "symptom": "The trainer waits every epoch",
        "observations": [
            {"metric": "workers that decode images", "value": 2},
            {"metric": "network storage", "value": "yes"},
        ],
    }
    taken = read_source(json.dumps(written), filename="r", vocabulary=shipped().rulebook.vocabulary)

    answer = diagnose(KNOWN, [taken])

    assert taken.told == "The trainer waits every epoch; workers that decode images; network storage yes"
    assert answer.diagnosis.verdict == "io"


def test_a_healthy_precedent_never_makes_a_system_healthy() -> None:
    fine = replace(KNOWN, precedents=Precedents([report("fine", "healthy", SLOW_FEEDING), *KNOWN.precedents.held]))
    taken = read_told(SLOW_FEEDING, shipped().rulebook.vocabulary, filename="a ticket")

    answer = diagnose(fine, [taken])

    assert answer.resemblance is not None
    assert answer.resemblance.wall == "healthy"
    assert answer.diagnosis.verdict == INSUFFICIENT


def test_what_is_worked_out_cannot_be_entered() -> None:
    answer = diagnose(KNOWN, [Taken(readings=(Reading("precedent_wall", "io", "somebody"),))])

    assert [(one.name, one.why) for one in answer.intake.invalid] == [
        ("precedent_wall", "it is worked out from what is told, never measured")
    ]
