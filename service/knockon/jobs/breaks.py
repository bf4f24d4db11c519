"""breaks: what does this technique break, in general or in one deployment?"""

from dataclasses import dataclass

from knockon.catalog.breaks import breaks as broken
from knockon.catalog.hop import Breaks
from knockon.jobs.deployment import Asked, Deployment, deployment_of
from knockon.jobs.knowledge import Knowledge
from knockon.terms.fact import values_of

# Shift, influence, and what that takes from others: the shortest answer that reads like a reason.
DEPTH_DEFAULT = 3


@dataclass(frozen=True, slots=True)
class BreaksAnswer:
    """The whole answer; `deployment` is None where none was given, conditions on facts are UNKNOWN then."""

    breaks: Breaks
    deployment: Deployment | None
    revision: str


def breaks(
    knowledge: Knowledge, technique: str, *, depth: int = DEPTH_DEFAULT, asked: Asked | None = None
) -> BreaksAnswer:
    """Follow the effects of turning a technique on, given by any of its names.

    Raises:
        NotFound: no technique goes by that name. IntakeError, LimitExceeded: `depth` is out of range, or what
            `deployment_of` raises.
    """
    deployment = deployment_of(knowledge, asked) if asked is not None else None
    answer = broken(
        knowledge.catalog,
        knowledge.catalog.technique(technique),
        depth=depth,
        facts=values_of(deployment.facts) if deployment is not None else None,
        rules=knowledge.rulebook.couple,
        vocabulary=knowledge.rulebook.vocabulary,
    )
    return BreaksAnswer(answer, deployment, knowledge.revision)
