"""Which releases find what, where nobody named the release: both answers, each with its releases."""

from collections.abc import Sequence

from knockon.cli.answers.words import TONES, Speaker
from knockon.formats.base import Column, Marked, Section, Table, Words
from knockon.jobs.releases import ByRelease, Span
from knockon.terms.words import Json


def by_release_data(one: ByRelease | None) -> Json:
    """The releases that find it and those that surely do not; null where all that can be told agree."""
    if one is None:
        return None
    return {"found_in": _spans_data(one.found_in), "not_found_in": _spans_data(one.not_found_in)}


def other_releases_data(found: Sequence[ByRelease]) -> Json:
    """What only earlier releases find."""
    return [
        {
            "rule": one.rule.id,
            "verdict": one.rule.verdict.value,
            "name": one.rule.name.en,
            "says": one.finding.says.en,
            "says_zh": one.finding.says.zh,
            "found_in": _spans_data(one.found_in),
            "not_found_in": _spans_data(one.not_found_in),
        }
        for one in found
        if one.finding is not None
    ]


def releases_line(one: ByRelease, speaker: Speaker) -> str:
    """Both answers in one sentence: "vLLM from 0.11.0 on: degraded; before 0.11.0: not found."."""
    verdict = speaker.verdict(one.rule.verdict.value)
    found, silent = _listed(one.found_in, speaker), _listed(one.not_found_in, speaker)
    if not silent:
        return speaker.say(f"In releases {found}: {verdict}.", f"{found}的版本：{verdict}。")
    return speaker.say(
        f"In releases {found}: {verdict}; {silent}: not so.", f"{found}的版本：{verdict}；{silent}的版本：不成立。"
    )


def other_releases_section(found: Sequence[ByRelease], speaker: Speaker) -> Section:
    """A row for each thing that only earlier releases find."""
    rows: list[Sequence[Words]] = [
        [
            _listed(one.found_in, speaker),
            [Marked(speaker.verdict(one.rule.verdict.value), TONES[one.rule.verdict])],
            [Marked(one.rule.id, "strong"), " ", speaker.of(one.finding.says)],
        ]
        for one in found
        if one.finding is not None
    ]
    columns = [
        Column(speaker.say("releases", "版本"), wraps=False),
        Column(speaker.say("then", "则"), wraps=False),
        Column(speaker.say("because", "原因")),
    ]
    return Section(speaker.say("In other releases", "在其他版本中"), [Table(columns, rows)])


def _listed(spans: Sequence[Span], speaker: Speaker) -> str:
    return speaker.say(", ", "、").join(speaker.of(span.says) for span in spans)


def _spans_data(spans: Sequence[Span]) -> Json:
    return [{"since": one.since, "before": one.before} for one in spans]
