"""The one word that `check` says of a deployment: what the rules found, and what kept it from being judged whole."""

from knockon.jobs.deployment import Deployment
from knockon.rules.couple import Judgement
from knockon.terms.words import CheckVerdict


def verdict_of(judgement: Judgement, deployment: Deployment) -> CheckVerdict:
    """The rules' verdict; UNKNOWN instead of FINE where a flag is not known, for nobody can tell what it does."""
    return verdict_with(judgement.verdict, deployment)


def verdict_with(by_rules: CheckVerdict, deployment: Deployment) -> CheckVerdict:
    """The same of the rules' verdict alone."""
    is_silent = by_rules is CheckVerdict.FINE
    return CheckVerdict.UNKNOWN if is_silent and deployment.unknown_flags else by_rules
