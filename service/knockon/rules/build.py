"""Bundle bodies to a rulebook: the one place where rule YAML becomes values."""

from collections.abc import Mapping
from typing import Any

from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.rules.profile import Profile, Threshold
from knockon.rules.rule import CoupleRule, DiagnoseRule, Example, Fix, Rule, RuleShift, Step
from knockon.rules.rulebook import ReadingKind, Rulebook
from knockon.rules.wall import Wall
from knockon.terms.bundle import Bundle
from knockon.terms.citation import Cite
from knockon.terms.unit import parse_unit
from knockon.terms.words import CheckVerdict, CitationId, QuantityId, RuleId, TechniqueId, Text, WallId

DEFAULT_PROFILE = "default"

# Bodies were validated by their shapes before they came here (curate/shapes), or written by us (store).
Body = Mapping[str, Any]


def build_rulebook(bundle: Bundle) -> Rulebook:
    """The rulebook of `bundle`. Raises ExpressionError for a condition that does not parse."""
    profiles = {key: _profile(body) for key, body in bundle.of_kind("profile")}
    vocabulary_body: Body = next((body for _, body in bundle.of_kind("vocabulary")), {"facts": {}, "readings": {}})
    couple = tuple(_couple(body) for _, body in bundle.of_kind("couple"))
    diagnose = tuple(_diagnose(body) for _, body in bundle.of_kind("diagnose"))
    rules: list[Rule] = [*couple, *diagnose]
    return Rulebook(
        vocabulary=vocabulary_of(vocabulary_body, profiles.get(DEFAULT_PROFILE)),
        readings={name: _reading_kind(name, body) for name, body in vocabulary_body["readings"].items()},
        couple=couple,
        diagnose=diagnose,
        walls={WallId(key): _wall(key, body) for key, body in bundle.of_kind("wall")},
        profiles=profiles,
        by_id={rule.id: rule for rule in rules},
    )


def vocabulary_of(body: Body, default_profile: Profile | None) -> Vocabulary:
    """The names a condition may use: facts, readings, and `threshold.x` for every threshold of the default profile."""
    names = {name: _name_info(name, "fact", info) for name, info in body["facts"].items()}
    names |= {name: _name_info(name, "reading", info) for name, info in body["readings"].items()}
    for key, threshold in (default_profile.thresholds if default_profile else {}).items():
        name = f"threshold.{key}"
        names[name] = NameInfo(
            name=name,
            kind="threshold",
            type="number",
            unit=parse_unit(threshold.unit),
            means=threshold.says or Text(key, key),
        )
    return Vocabulary(names)


def text_of(body: Body) -> Text:
    """A language pair."""
    return Text(body["en"], body.get("zh", ""))


def cites_of(items: list[Any]) -> tuple[Cite, ...]:
    """The `cite` list of a claim: plain ids or {ref, where}."""
    return tuple(
        Cite(CitationId(item)) if isinstance(item, str) else Cite(CitationId(item["ref"]), item.get("where", ""))
        for item in items
    )


def _name_info(name: str, kind: Any, body: Body) -> NameInfo:
    how = body.get("how", {})
    return NameInfo(
        name=name,
        kind=kind,
        type=body["type"],
        unit=parse_unit(body.get("unit", "1")),
        minimum=body.get("min"),
        maximum=body.get("max"),
        options=tuple(body.get("options", ())),
        means=text_of(body["means"]),
        group_or_class=body.get("group") or body.get("class", ""),
        how={"any": how} if isinstance(how, str) else dict(how),
    )


def _reading_kind(name: str, body: Body) -> ReadingKind:
    return ReadingKind(
        name, body["class"], body.get("item"), body.get("over_replicas", "mean"), dict(body.get("how", {}))
    )


def _wall(key: str, body: Body) -> Wall:
    return Wall(
        id=WallId(key),
        name=text_of(body["name"]),
        layers=tuple(body["layers"]),
        dimension=body["dimension"],
        means=text_of(body["means"]),
        parent=WallId(body["parent"]) if "parent" in body else None,
    )


def _profile(body: Body) -> Profile:
    keyed = body.get("for", {})
    return Profile(
        name=body["name"],
        title=text_of(body["title"]),
        base=body.get("base"),
        hardware=keyed.get("hardware", ""),
        engine=keyed.get("engine", ""),
        model=keyed.get("model", ""),
        load=keyed.get("load", ""),
        calibrated=body.get("calibrated", False),
        thresholds={key: _threshold(threshold) for key, threshold in body["thresholds"].items()},
    )


def _threshold(body: Body) -> Threshold:
    return Threshold(
        value=body["value"],
        unit=body["unit"],
        provenance=body["provenance"],
        checked=body["checked"],
        cite=cites_of(body["cite"]),
        samples=body.get("samples", 0),
        says=text_of(body["says"]) if "says" in body else None,
    )


def _couple(body: Body) -> CoupleRule:
    return CoupleRule(
        id=RuleId(body["id"]),
        name=text_of(body["name"]),
        verdict=CheckVerdict(body["verdict"]),
        when=parse(body["when"]),
        when_text=body["when"],
        says=text_of(body["says"]),
        because=tuple(TechniqueId(item) for item in body["because"]),
        derive=tuple(_step(item) for item in body.get("derive", ())),
        shifts=tuple(_shift(item) for item in body.get("shifts", ())),
        fixes=tuple(_fix(item) for item in body.get("fixes", ())),
        cite=cites_of(body["cite"]),
        examples=_examples(body),
        asked_with=tuple(body.get("asked_with", ())),
        remarks=tuple(text_of(item) for item in body.get("remarks", ())),
    )


def _step(body: Body) -> Step:
    value = str(body["value"])
    return Step(body["name"], parse(value), value, body.get("unit", "1"), text_of(body["says"]))


def _shift(body: Body) -> RuleShift:
    factor = str(body["factor"]) if "factor" in body else ""
    return RuleShift(
        gains=body["gains"],
        onto=body["onto"],
        quantity=QuantityId(body["quantity"]),
        factor=parse(factor) if factor else None,
        factor_text=factor,
    )


def _fix(body: Body) -> Fix:
    bounds = body.get("range")
    return Fix(
        says=text_of(body["says"]),
        technique=TechniqueId(body["technique"]) if "technique" in body else None,
        sets={name: parse(_literal(value)) for name, value in body.get("set", {}).items()},
        range=(parse(_literal(bounds[0])), parse(_literal(bounds[1]))) if bounds else None,
        knock_on=tuple(text_of(item) for item in body.get("knock_on", ())),
        when=parse(body["when"]) if "when" in body else None,
    )


def _literal(value: Any) -> str:
    # YAML scalars that are not strings are literals of the language; strings are expressions.
    return (
        value if isinstance(value, str) else ("true" if value else "false") if isinstance(value, bool) else repr(value)
    )


def _diagnose(body: Body) -> DiagnoseRule:
    return DiagnoseRule(
        id=RuleId(body["id"]),
        name=text_of(body["name"]),
        wall=WallId(body["wall"]),
        layer=body["layer"],
        dimension=body["dimension"],
        when=parse(body["when"]),
        when_text=body["when"],
        says=text_of(body["says"]),
        observes=tuple(body["observes"]),
        supports=tuple(parse(item) for item in body.get("supports", ())),
        against=tuple(parse(item) for item in body.get("against", ())),
        outranks=tuple(RuleId(item) for item in body.get("outranks", ())),
        confidence=body["confidence"],
        confirm=text_of(body["confirm"]),
        advice=tuple(text_of(item) for item in body.get("advice", ())),
        cite=cites_of(body["cite"]),
        examples=_examples(body),
    )


def _examples(body: Body) -> tuple[Example, ...]:
    return tuple(Example(item["name"], dict(item["given"]), item["expect"]) for item in body.get("examples", ()))
