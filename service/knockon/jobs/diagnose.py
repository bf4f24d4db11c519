"""diagnose: which wall do these readings hit? Hypotheses with evidence, what is missing, the operator gate."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from knockon.jobs.deployment import Asked, Deployment, deployment_of
from knockon.jobs.expect import Expectation, expected, with_expectation
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.literals import assigned_all
from knockon.jobs.precedents import resembling, with_resemblance
from knockon.jobs.profiles import fit_in
from knockon.jobs.timeline import Look, OverTime, TimeAsked, follow, look_at
from knockon.rules.coverage import Coverage, coverage
from knockon.rules.diagnose import NOTHING_HELD, Diagnosis
from knockon.rules.diagnose import diagnose as judged
from knockon.rules.intake import Intake, take
from knockon.rules.key import Fit
from knockon.rules.last_seen import still_seen
from knockon.rules.precedent import Resemblance
from knockon.rules.profile import Profile
from knockon.rules.thresholds import InForce, in_force
from knockon.rules.trends import with_trends
from knockon.rules.validity import trusted
from knockon.sources.base import Taken
from knockon.terms.fact import Fact, values_of
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.words import Scalar, Text

# A note for each is to be read before the verdict; the whole list stands below it.
_REFUSED_MAX = 3


@dataclass(frozen=True, slots=True)
class DiagnoseAnswer:
    """The whole answer."""

    diagnosis: Diagnosis
    intake: Intake
    coverage: Coverage
    profile: Profile
    thresholds: dict[str, InForce]
    deployment: Deployment | None
    engine: str | None
    expectation: Expectation
    notes: tuple[Text, ...]
    revision: str
    readings: tuple[Reading, ...]
    """As they were handed over, before any of them was judged."""
    facts: Mapping[str, Fact]
    """What is known of the deployment, from its description and from the sources."""
    fit: Fit
    """Whether the profile is for what was judged."""
    model: str | None = None
    """The model that was measured, as the deployment or its texts call it; None where they do not, or say several."""
    resemblance: Resemblance | None = None
    """Reports like what people told, and what caused those; None where nobody told anything."""
    over_time: OverTime | None = None
    """What the series say beyond their last values; None where there are none."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What readings are judged on: the rules, what is known of the deployment, and the thresholds in force."""

    knowledge: Knowledge
    facts: Mapping[str, Fact]
    thresholds: Mapping[str, InForce]
    """By plain key."""

    @property
    def known(self) -> dict[str, Scalar]:
        """Thresholds (`threshold.x` → value) and facts, as conditions name them."""
        values = {f"threshold.{key}": held.threshold.value for key, held in self.thresholds.items()}
        return values | values_of(self.facts)

    def expectation_of(self, intake: Intake) -> Expectation:
        """What the deployment should reach; nothing is expected from readings that are not to be trusted."""
        sound, _ = trusted(self.knowledge.rulebook, intake, self.known)
        return expected(self.knowledge.catalog, self.facts, sound.observed, self.thresholds)

    def look_at(
        self, series: Sequence[Series], constants: Sequence[Reading], *, asked: TimeAsked, about: str | None = None
    ) -> Look | None:
        """The instants of `series`, each with what follows from its readings; see jobs/timeline.py."""
        return look_at(
            self.knowledge.rulebook,
            series,
            constants,
            asked=asked,
            about=about,
            completed=lambda seen: with_expectation(seen, self.expectation_of(seen)),
        )


def diagnose(
    knowledge: Knowledge,
    taken: Sequence[Taken],
    *,
    profile: str = "default",
    sets: Sequence[str] = (),
    asked: Asked | None = None,
    time_asked: TimeAsked | None = None,
) -> DiagnoseAnswer:
    """Judge the readings of `taken` (several sources are merged) under `profile`.

    Where the sources have series, rules that wait before they fire or stop are judged by their course, and trends are
    readings.

    Args:
        sets: `reading=value` texts; they replace what the sources say under the same name.
        asked: the deployment behind the readings, where it is known.
        time_asked: how series are to be looked at.

    Raises:
        NotFound: unknown profile, or unknown reading in `sets`. IntakeError: a value that cannot be.
    """
    rulebook = knowledge.rulebook
    thresholds = in_force(rulebook.profiles, profile)
    said = {name: value for name, (value, _) in assigned_all(sets, rulebook.vocabulary, kind="reading").items()}
    time_asked = time_asked or TimeAsked()
    readings, series = _measured(taken, said, gap_s=time_asked.gap_s)
    deployment = deployment_of(knowledge, asked) if asked else None
    about = deployment.model if deployment else None
    intake = take(rulebook, readings, about=about)
    ground = Ground(knowledge, _facts(taken, deployment), thresholds)
    look = ground.look_at(series, readings, asked=time_asked, about=about)
    followed = follow(rulebook, look, ground.known) if look else None
    intake = with_trends(intake, followed.trends, rulebook.readings) if followed else intake
    expectation = ground.expectation_of(intake)
    resemblance = resembling(knowledge.precedents, taken, said, intake)
    intake = with_resemblance(with_expectation(intake, expectation), resemblance)
    engine = next((part.engine for part in taken if part.engine), None)
    values = {**values_of(ground.facts), **intake.values}
    served = about or _served(taken, intake)
    fit = fit_in(knowledge.catalog, rulebook.profiles[profile], values, engine=engine, model=served)
    diagnosis = judged(rulebook, intake, ground.known, held=followed.held if followed else NOTHING_HELD)
    return DiagnoseAnswer(
        diagnosis=diagnosis,
        intake=diagnosis.intake,
        coverage=coverage(rulebook, intake.observed.keys(), has_config=_has_key_config(knowledge, ground.facts)),
        profile=rulebook.profiles[profile],
        thresholds=thresholds,
        deployment=deployment,
        engine=engine,
        expectation=expectation,
        notes=(*_notes(taken, intake), *fit.why),
        revision=knowledge.revision,
        fit=fit,
        model=served,
        over_time=followed,
        readings=tuple(readings),
        resemblance=resemblance,
        facts=ground.facts,
    )


def _measured(
    taken: Sequence[Taken], said: Mapping[str, Scalar], *, gap_s: float | None
) -> tuple[list[Reading], list[Series]]:
    """The readings as of now and those over time; what was said by hand replaces both."""
    series = [one for part in taken for one in part.series if one.name not in said]
    readings = [reading for part in taken for reading in part.readings if reading.name not in said]
    by_hand = [Reading(name, value, f"--set {name}={value}") for name, value in said.items()]
    return still_seen([*readings, *by_hand], series, gap_s=gap_s), series


def _served(taken: Sequence[Taken], intake: Intake) -> str | None:
    """The one model that what is judged is about, as its texts call it; what a load generator asked for comes first."""
    if intake.model:
        return intake.model
    asked = {part.model for part in taken if part.model}
    served = {reading.model for part in taken for reading in part.readings if reading.model}
    models = asked or served
    return models.pop() if len(models) == 1 else None


def _facts(taken: Sequence[Taken], deployment: Deployment | None) -> dict[str, Fact]:
    """What is known of the deployment; a given one wins over what the readings' texts say."""
    known = {fact.name: fact for part in taken for fact in part.facts}
    return known | dict(deployment.facts if deployment else {})


def _has_key_config(knowledge: Knowledge, facts: Iterable[str]) -> bool:
    # What the machine is says nothing about how the engine was set up.
    known = (knowledge.rulebook.vocabulary.get(name) for name in facts)
    return any(info is not None and info.group_or_class in ("engine", "parallelism") for info in known)


def _notes(taken: Sequence[Taken], intake: Intake) -> Iterator[Text]:
    """What is to be known before the verdict is read."""
    yield from (note for part in taken for note in part.notes)
    yield from _refused(intake)
    yield from _about_one_model(intake)


def _refused(intake: Intake) -> Iterator[Text]:
    """That readings were refused, and why: the verdict below is made without them."""
    for one in intake.invalid[:_REFUSED_MAX]:
        of = f" ({one.replica})" if one.replica else ""
        yield Text(
            f"{one.name}{of} is not used: {one.why}",
            f"未采用 {one.name}{of}：{one.why}",
        )
    if more := len(intake.invalid[_REFUSED_MAX:]):
        yield Text(f"{more} more readings are not used, see below", f"另有 {more} 个读数未采用，见下文")


def _about_one_model(intake: Intake) -> Iterator[Text]:
    if intake.set_aside:
        aside = sorted({reading.model for reading in intake.set_aside})
        others, more = ", ".join(aside[:_NAMED_MAX]), len(aside) - _NAMED_MAX
        rest, rest_zh = (f" and {more} more", f" 等另 {more} 个模型") if more > 0 else ("", "")
        yield Text(
            f"only the readings of {intake.model} are judged, those of {others}{rest} are set aside; "
            "a deployment whose model is named chooses another",
            f"只判断 {intake.model} 的读数，{others}{rest_zh} 的读数不计；部署中写明的模型可改选其他",
        )


# Models named in a note; a gateway may serve thousands.
_NAMED_MAX = 5
