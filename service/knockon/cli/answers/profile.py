"""Profiles as `profile list` and `profile show` answer with them."""

from collections.abc import Mapping, Sequence

from knockon.cli.answers.sources import cited_data, sources_block, text_data
from knockon.cli.answers.words import Speaker, dim, name
from knockon.formats.base import Column, KeyValues, Marked, Page, Section, Table, Verdict, Words
from knockon.jobs.knowledge import Knowledge
from knockon.rules.fill import shown
from knockon.rules.profile import Profile
from knockon.rules.thresholds import InForce
from knockon.terms.words import Json


def listed_data(profiles: Sequence[Profile], knowledge: Knowledge) -> dict[str, Json]:
    """Every profile in short."""
    return {"profiles": [_profile_data(one) for one in profiles], "revision": knowledge.revision}


def listed_page(profiles: Sequence[Profile], speaker: Speaker) -> Page:
    """Every profile in a row."""
    rows: list[Sequence[Words]] = [
        [[name(one.name)], speaker.of(one.title), one.base or "—", _keyed(one), _calibrated(one, speaker)]
        for one in profiles
    ]
    columns = [
        Column(speaker.say("profile", "档案"), wraps=False),
        Column(speaker.say("title", "标题")),
        Column(speaker.say("based on", "基于")),
        Column(speaker.say("for", "适用于")),
        Column(""),
    ]
    return Page([Table(columns, rows)])


def shown_data(profile: Profile, thresholds: Mapping[str, InForce], knowledge: Knowledge) -> dict[str, Json]:
    """One profile with every threshold in force under it."""
    return {
        **_profile_data(profile),
        "thresholds": [
            {
                "name": key,
                "value": held.threshold.value,
                "unit": held.threshold.unit,
                "profile": held.profile,
                "provenance": held.threshold.provenance,
                "checked": held.threshold.checked,
                "samples": held.threshold.samples,
                "interval": list(held.threshold.interval) if held.threshold.interval else None,
                "says": text_data(held.threshold.says) if held.threshold.says else None,
                "sources": cited_data(knowledge.catalog, held.threshold.cite),
            }
            for key, held in sorted(thresholds.items())
        ],
        "revision": knowledge.revision,
    }


def shown_page(profile: Profile, thresholds: Mapping[str, InForce], speaker: Speaker) -> Page:
    """One profile with every threshold, those of its base marked by that name."""
    rows: list[Sequence[Words]] = [
        [
            [name(key)],
            [Marked(shown(held.threshold.value), "strong")],
            held.threshold.provenance,
            [dim(held.profile)],
            speaker.of(held.threshold.says) if held.threshold.says else "",
        ]
        for key, held in sorted(thresholds.items())
    ]
    columns = [
        Column(speaker.say("threshold", "阈值"), wraps=False),
        Column(speaker.say("value", "值"), align="right", wraps=False),
        Column(speaker.say("comes from", "出处"), wraps=False),
        Column(speaker.say("profile", "档案"), wraps=False),
        Column(speaker.say("means", "含义")),
    ]
    facts: list[tuple[str, Words]] = [
        (speaker.say("for", "适用于"), _keyed(profile)),
        (speaker.say("based on", "基于"), profile.base or "—"),
    ]
    cites = [cite for held in thresholds.values() for cite in held.threshold.cite]
    return Page(
        [
            Verdict(profile.name, "strong", f"{speaker.of(profile.title)} ({_calibrated(profile, speaker)})"),
            KeyValues(facts),
            Table(columns, rows),
            Section(speaker.say("Sources", "来源"), [sources_block(speaker, speaker.catalog.sources(cites))]),
        ]
    )


def _profile_data(profile: Profile) -> dict[str, Json]:
    return {
        "name": profile.name,
        "title": text_data(profile.title),
        "base": profile.base,
        "for": {
            "hardware": profile.hardware,
            "engine": profile.engine,
            "model": profile.model,
            "load": profile.load,
            "load_when": profile.load_when_text or None,
        },
        "calibrated": profile.calibrated,
    }


def _keyed(profile: Profile) -> str:
    return " × ".join(part for part in (profile.hardware, profile.engine, profile.model, profile.load) if part) or "—"


def _calibrated(profile: Profile, speaker: Speaker) -> str:
    if profile.calibrated:
        return speaker.say("calibrated", "已标定")
    return speaker.say("not calibrated: no physical limits", "未标定：并非物理极限")
