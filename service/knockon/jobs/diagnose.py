"""diagnose: which wall do these readings hit? Hypotheses with evidence, what is missing, the operator gate."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from knockon.jobs.deployment import Asked, Deployment, deployment_of
from knockon.jobs.expect import Expectation, expected, with_expectation
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.literals import assigned_all
from knockon.rules.coverage import Coverage, coverage
from knockon.rules.diagnose import Diagnosis
from knockon.rules.diagnose import diagnose as judged
from knockon.rules.intake import Intake, take
from knockon.rules.profile import Profile
from knockon.rules.thresholds import InForce, in_force
from knockon.rules.validity import trusted
from knockon.sources.base import Taken
from knockon.terms.fact import Fact, values_of
from knockon.terms.reading import Reading
from knockon.terms.words import Text


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


def diagnose(
    knowledge: Knowledge,
    taken: Sequence[Taken],
    *,
    profile: str = "default",
    sets: Sequence[str] = (),
    asked: Asked | None = None,
) -> DiagnoseAnswer:
    """Judge the readings of `taken` (several sources are merged) under `profile`.

    Args:
        sets: `reading=value` texts; they replace what the sources say under the same name.
        asked: the deployment behind the readings, where it is known.

    Raises:
        NotFound: unknown profile, or unknown reading in `sets`. IntakeError: a value that cannot be.
    """
    rulebook = knowledge.rulebook
    thresholds = in_force(rulebook.profiles, profile)
    said = assigned_all(sets, rulebook.vocabulary, kind="reading")
    readings = [reading for part in taken for reading in part.readings if reading.name not in said]
    readings += [Reading(name, value, f"--set {name}={value}") for name, (value, _) in said.items()]
    intake = take(rulebook, readings, about=asked.model if asked else None)
    deployment = deployment_of(knowledge, asked) if asked else None
    engine = next((part.engine for part in taken if part.engine), None)
    facts = _facts(taken, deployment)
    known = {f"threshold.{key}": held.threshold.value for key, held in thresholds.items()} | values_of(facts)
    # Nothing is expected from readings that are not to be trusted.
    sound, _ = trusted(rulebook, intake, known)
    expectation = expected(knowledge.catalog, facts, sound.observed, thresholds)
    intake = with_expectation(intake, expectation)
    diagnosis = judged(rulebook, intake, known)
    return DiagnoseAnswer(
        diagnosis=diagnosis,
        intake=diagnosis.intake,
        coverage=coverage(rulebook, intake.observed.keys(), has_config=_has_key_config(knowledge, facts)),
        profile=rulebook.profiles[profile],
        thresholds=thresholds,
        deployment=deployment,
        engine=engine,
        expectation=expectation,
        notes=(*(note for part in taken for note in part.notes), *_about_one_model(intake)),
        revision=knowledge.revision,
    )


def _facts(taken: Sequence[Taken], deployment: Deployment | None) -> dict[str, Fact]:
    """What is known of the deployment; a given one wins over what the readings' texts say."""
    known = {fact.name: fact for part in taken for fact in part.facts}
    return known | dict(deployment.facts if deployment else {})


def _has_key_config(knowledge: Knowledge, facts: Iterable[str]) -> bool:
    # What the machine is says nothing about how the engine was set up.
    known = (knowledge.rulebook.vocabulary.get(name) for name in facts)
    return any(info is not None and info.group_or_class in ("engine", "parallelism") for info in known)


def _about_one_model(intake: Intake) -> Iterator[Text]:
    if intake.set_aside:
        others = ", ".join(sorted({reading.model for reading in intake.set_aside}))
        yield Text(
            f"only the readings of {intake.model} are judged, those of {others} are set aside; --model chooses another",
            f"只判断 {intake.model} 的读数，{others} 的读数不计；用 --model 选择其他模型",
        )
