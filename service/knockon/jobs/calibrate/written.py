"""A calibrated profile as YAML: the same measurements give the same bytes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knockon.jobs.calibrate.base import Calibrated
from knockon.rules.profile import Profile, Threshold
from knockon.rules.rulebook import Rulebook
from knockon.terms.citation import Cite
from knockon.terms.words import CitationId, Text

HISTORY, SWEEP = CitationId("calibration-history"), CitationId("calibration-sweep")


@dataclass(frozen=True, slots=True)
class Key:
    """What a profile is called and what it is for."""

    name: str
    """A slug; the file's name too."""
    base: str = "default"
    hardware: str = "any"
    engine: str = "any"
    model: str = "any"
    load: str = "any"
    load_when: str = ""


def profile_of(key: Key, levels: Sequence[Calibrated], rulebook: Rulebook, *, checked: str, is_sweep: bool) -> Profile:
    """The profile of `levels`; `checked` is an ISO date."""
    cite = Cite(SWEEP if is_sweep else HISTORY)
    whole = f"{key.hardware} × {key.engine} × {key.model} × {key.load}"
    return Profile(
        name=key.name,
        title=Text(f"Calibrated for {whole}", f"已标定：{whole}"),
        base=key.base,
        hardware=key.hardware,
        engine=key.engine,
        model=key.model,
        load=key.load,
        load_when_text=key.load_when,
        calibrated=True,
        thresholds={
            one.level.threshold: Threshold(
                value=one.new,
                unit=_unit(rulebook, one.level.threshold),
                provenance="measured" if is_sweep else "history",
                checked=checked,
                cite=(cite,),
                samples=one.samples,
                says=one.says,
                interval=(one.low, one.high),
            )
            for one in sorted(levels, key=lambda one: one.level.threshold)
        },
    )


def _unit(rulebook: Rulebook, key: str) -> str:
    return rulebook.profiles["default"].thresholds[key].unit


def document(profile: Profile) -> str:
    """The file `rules/profiles/<name>.yaml`."""
    return "\n".join(_lines(profile)) + "\n"


def _lines(profile: Profile) -> Iterator[str]:
    yield f"name: {profile.name}"
    yield f"title: {_pair(profile.title)}"
    yield f"base: {profile.base}"
    parts = {key: str(getattr(profile, key)) for key in ("hardware", "engine", "model", "load")}
    if profile.load_when_text:
        parts["load_when"] = profile.load_when_text
    yield "for:"
    yield from (f"  {key}: {_scalar(value)}" for key, value in parts.items())
    yield f"calibrated: {str(profile.calibrated).lower()}"
    yield "thresholds:"
    for key, one in profile.thresholds.items():
        yield f"  {key}:"
        yield f"    value: {one.value!r}"
        yield f"    unit: {_scalar(one.unit)}"
        yield f"    provenance: {one.provenance}"
        yield f"    checked: {one.checked}"
        yield f"    samples: {one.samples}"
        if one.interval is not None:
            yield f"    interval: [{one.interval[0]!r}, {one.interval[1]!r}]"
        if one.says is not None:
            yield f"    says: {_pair(one.says)}"
        yield f"    cite: [{', '.join(each.ref for each in one.cite)}]"


def _pair(text: Text) -> str:
    return f"{{en: {_scalar(text.en)}, zh: {_scalar(text.zh)}}}"


def _scalar(text: str) -> str:
    """A YAML scalar: JSON's strings are YAML's too."""
    return json.dumps(text, ensure_ascii=False)
