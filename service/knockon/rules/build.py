"""Bundle bodies to a rulebook: the one place where rule YAML becomes values."""

from collections.abc import Mapping, Sequence
from typing import Literal, cast

from knockon.expr.vocabulary import NameInfo, Type, Vocabulary
from knockon.rules.precedent import OPEN, Precedent, Precedents
from knockon.rules.profile import Profile, Threshold
from knockon.rules.rule import CoupleRule, DiagnoseRule, Example, Fix, RuleShift, Step
from knockon.rules.rulebook import ReadingKind, Rulebook
from knockon.rules.wall import Wall
from knockon.terms.body import Body, cites, entries, integer, number, part, parts, string, strings, text, written
from knockon.terms.bundle import Bundle
from knockon.terms.ondemand import Listed, OnDemand
from knockon.terms.unit import parse_unit
from knockon.terms.words import CheckVerdict, Json, QuantityId, RuleId, Scalar, TechniqueId, Text, WallId

DEFAULT_PROFILE = "default"

_Stated = tuple[Literal["fact", "reading"], Body]


def build_rulebook(bundle: Bundle) -> Rulebook:
    """The rulebook of `bundle`. Conditions are parsed when they are first asked for."""
    profiles = {key: profile_of(body) for key, body in bundle.of_kind("profile")}
    vocabulary: Body = next((body for _, body in bundle.of_kind("vocabulary")), {})
    couple = bundle.made("couple", lambda _, body: _couple(body))
    diagnose = bundle.made("diagnose", lambda _, body: _diagnose(body))
    readings = part(vocabulary, "readings")
    return Rulebook(
        vocabulary=vocabulary_of(vocabulary, profiles.get(DEFAULT_PROFILE)),
        readings=OnDemand(dict.fromkeys(sorted(readings)), lambda name, _: _reading_kind(name, part(readings, name))),
        couple=Listed(couple),
        diagnose=Listed(diagnose),
        walls={WallId(key): _wall(key, body) for key, body in bundle.of_kind("wall")},
        profiles=profiles,
        by_id=OnDemand(
            {RuleId(key): rules for rules in (couple, diagnose) for key in rules},
            lambda key, rules: rules[key],
        ),
    )


def build_precedents(bundle: Bundle) -> Precedents:
    """The precedents of `bundle`, counted when they are first asked."""
    return Precedents(Listed(bundle.made("precedent", _precedent)))


def vocabulary_of(body: Body, default_profile: Profile | None) -> Vocabulary:
    """The names a condition may use: facts, readings, and `threshold.x` for every threshold of the default profile."""
    facts, readings = part(body, "facts"), part(body, "readings")
    stated: dict[str, _Stated | NameInfo] = {name: ("fact", part(facts, name)) for name in sorted(facts)}
    stated |= {name: ("reading", part(readings, name)) for name in sorted(readings)}
    for key, threshold in (default_profile.thresholds if default_profile else {}).items():
        name = f"threshold.{key}"
        stated[name] = NameInfo(
            name=name,
            kind="threshold",
            type="number",
            unit=parse_unit(threshold.unit),
            means=threshold.says or Text(key, key),
        )
    return Vocabulary(OnDemand(stated, _named))


def _named(name: str, held: _Stated | NameInfo) -> NameInfo:
    return held if isinstance(held, NameInfo) else _name_info(name, *held)


def _name_info(name: str, kind: Literal["fact", "reading"], body: Body) -> NameInfo:
    return NameInfo(
        name=name,
        kind=kind,
        type=cast("Type", string(body, "type")),
        unit=parse_unit(string(body, "unit", "1")),
        minimum=number(body, "min"),
        maximum=number(body, "max"),
        above=number(body, "above"),
        options=strings(body, "options"),
        means=text(body, "means"),
        group_or_class=string(body, "group") or string(body, "class"),
        how=_how(body),
    )


def _how(body: Body) -> Mapping[str, str]:
    return {engine: str(said) for engine, said in entries(body, "how")}


def _reading_kind(name: str, body: Body) -> ReadingKind:
    item = string(body, "item") or None
    quantile = part(body, "quantile")
    share = number(quantile, "share")
    return ReadingKind(
        name,
        string(body, "class"),
        item,
        string(body, "over_replicas", "mean"),
        _how(body),
        quantile=(string(quantile, "of"), share) if share is not None else None,
    )


def _wall(key: str, body: Body) -> Wall:
    parent = string(body, "parent")
    return Wall(
        id=WallId(key),
        name=text(body, "name"),
        layers=strings(body, "layers"),
        dimension=string(body, "dimension"),
        means=text(body, "means"),
        parent=WallId(parent) if parent else None,
        relieved_by=strings(body, "relieved_by"),
        stages=strings(body, "stages") or ("inference",),
        crosses_text=string(body, "crosses"),
        refuted_by_texts=strings(body, "refuted_by"),
    )


def profile_of(body: Body) -> Profile:
    """One profile, from a body that curation has let through."""
    keyed, thresholds = part(body, "for"), part(body, "thresholds")
    return Profile(
        name=string(body, "name"),
        title=text(body, "title"),
        base=string(body, "base") or None,
        hardware=string(keyed, "hardware"),
        engine=string(keyed, "engine"),
        model=string(keyed, "model"),
        load=string(keyed, "load"),
        calibrated=body.get("calibrated") is True,
        load_when_text=string(keyed, "load_when"),
        thresholds={key: _threshold(part(thresholds, key)) for key in sorted(thresholds)},
    )


def _threshold(body: Body) -> Threshold:
    return Threshold(
        value=cast("float", body["value"]),
        unit=string(body, "unit"),
        provenance=string(body, "provenance"),
        checked=string(body, "checked"),
        cite=cites(body),
        samples=integer(body, "samples") or 0,
        says=text(body, "says") if "says" in body else None,
        calibrated_by=strings(body, "calibrated_by"),
        interval=_interval(body),
    )


def _interval(body: Body) -> tuple[float, float] | None:
    ends = cast("Sequence[float]", body.get("interval") or ())
    return (ends[0], ends[1]) if ends else None


def _couple(body: Body) -> CoupleRule:
    return CoupleRule(
        id=RuleId(string(body, "id")),
        name=text(body, "name"),
        verdict=CheckVerdict(string(body, "verdict")),
        when_text=string(body, "when"),
        says=text(body, "says"),
        because=tuple(TechniqueId(item) for item in strings(body, "because")),
        derive=tuple(_step(item) for item in parts(body, "derive")),
        shifts=tuple(_shift(item) for item in parts(body, "shifts")),
        fixes=tuple(_fix(item) for item in parts(body, "fixes")),
        cite=cites(body),
        examples=_examples(body),
        asked_with=strings(body, "asked_with"),
        remarks=_texts(body, "remarks"),
        read_in=string(body, "read_in"),
        checked=string(body, "checked"),
    )


def _step(body: Body) -> Step:
    return Step(string(body, "name"), written(body["value"]), string(body, "unit", "1"), text(body, "says"))


def _shift(body: Body) -> RuleShift:
    return RuleShift(
        gains=string(body, "gains"),
        onto=string(body, "onto"),
        quantity=QuantityId(string(body, "quantity")),
        factor_text=written(body["factor"]) if "factor" in body else "",
    )


def _fix(body: Body) -> Fix:
    technique = string(body, "technique")
    bounds = cast("list[Json]", body.get("range") or [])
    return Fix(
        says=text(body, "says"),
        technique=TechniqueId(technique) if technique else None,
        set_texts={name: written(value) for name, value in entries(body, "set")},
        range_texts=(written(bounds[0]), written(bounds[1])) if bounds else None,
        knock_on=_texts(body, "knock_on"),
        when_text=string(body, "when"),
    )


def _diagnose(body: Body) -> DiagnoseRule:
    return DiagnoseRule(
        id=RuleId(string(body, "id")),
        name=text(body, "name"),
        kind=string(body, "kind"),
        wall=WallId(string(body, "wall")),
        layer=string(body, "layer"),
        dimension=string(body, "dimension"),
        when_text=string(body, "when"),
        says=text(body, "says"),
        observes=strings(body, "observes"),
        support_texts=strings(body, "supports"),
        against_texts=strings(body, "against"),
        outranks=tuple(RuleId(item) for item in strings(body, "outranks")),
        confidence=cast("float", body["confidence"]),
        confirm=text(body, "confirm"),
        advice=_texts(body, "advice"),
        cite=cites(body),
        examples=_examples(body),
        refute=text(body, "refute") if "refute" in body else None,
        invalidates=strings(body, "invalidates"),
        told_apart_by=strings(body, "told_apart_by"),
        gives_way=body.get("gives_way") is True,
        asked_with=strings(body, "asked_with"),
        leave_text=string(body, "leave"),
        for_s=number(body, "for_s") or 0.0,
        keep_firing_for_s=number(body, "keep_firing_for_s") or 0.0,
        checked=string(body, "checked"),
    )


def _precedent(key: str, body: Body) -> Precedent:
    return Precedent(
        id=key,
        source=string(body, "source"),
        wall=WallId(string(body, "wall")) or OPEN,
        told=string(body, "told"),
        readings=cast("Mapping[str, Scalar]", part(body, "readings")),
    )


def _texts(body: Body, key: str) -> tuple[Text, ...]:
    return tuple(Text(string(pair, "en"), string(pair, "zh")) for pair in parts(body, key))


def _examples(body: Body) -> tuple[Example, ...]:
    return tuple(
        Example(string(item, "name"), cast("Mapping[str, Scalar]", part(item, "given")), string(item, "expect"))
        for item in parts(body, "examples")
    )
