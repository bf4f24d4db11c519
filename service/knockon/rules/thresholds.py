"""Which thresholds are in force: a profile laid over its bases."""

from collections.abc import Mapping
from dataclasses import dataclass

from knockon.expr.vocabulary import nearest
from knockon.rules.profile import Profile, Threshold
from knockon.terms.errors import KnockonError, NotFound, Problem

_BASES_MAX = 8


@dataclass(frozen=True, slots=True)
class InForce:
    """One threshold in force and the profile it comes from."""

    threshold: Threshold
    profile: str


def in_force(profiles: Mapping[str, Profile], name: str) -> dict[str, InForce]:
    """Every threshold of profile `name` by plain key, bases included; raises NotFound, or KnockonError for a circle."""
    chain: list[Profile] = []
    wanted: str | None = name
    while wanted is not None:
        if wanted not in profiles:
            raise NotFound(
                "profile",
                wanted,
                suggestions=nearest(wanted, profiles),
                fix=f"known profiles: {', '.join(sorted(profiles))}",
            )
        if any(profile.name == wanted for profile in chain) or len(chain) >= _BASES_MAX:
            raise KnockonError(Problem("profile-circle", f"profile {name!r} is based on itself through {wanted!r}"))
        chain.append(profiles[wanted])
        wanted = profiles[wanted].base
    found: dict[str, InForce] = {}
    for profile in reversed(chain):
        found |= {key: InForce(threshold, profile.name) for key, threshold in profile.thresholds.items()}
    return found


def values_in_force(profiles: Mapping[str, Profile], name: str) -> dict[str, float]:
    """`threshold.x` → value, as conditions name them."""
    return {f"threshold.{key}": held.threshold.value for key, held in in_force(profiles, name).items()}
