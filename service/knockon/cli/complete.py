"""What the shell offers after TAB for names that are data: techniques, models, GPUs, profiles, rules.

A shell that asks must never see an error: nothing is offered where the catalog cannot be read.
"""

from collections.abc import Callable, Iterable

from knockon.terms.bundle import Bundle, Kind
from knockon.terms.errors import KnockonError


def techniques(incomplete: str) -> list[str]:
    """Technique ids that begin so."""
    return _offered(incomplete, lambda bundle: _keys(bundle, "technique"))


def models(incomplete: str) -> list[str]:
    """Models that begin so."""
    return _offered(incomplete, lambda bundle: _keys(bundle, "model"))


def gpus(incomplete: str) -> list[str]:
    """GPUs that begin so."""
    return _offered(incomplete, lambda bundle: _keys(bundle, "gpu"))


def profiles(incomplete: str) -> list[str]:
    """Profiles that begin so."""
    return _offered(incomplete, lambda bundle: _keys(bundle, "profile"))


def rules(incomplete: str) -> list[str]:
    """Rule ids that begin so."""
    return _offered(incomplete, lambda bundle: [*_keys(bundle, "couple"), *_keys(bundle, "diagnose")])


def axis(name: str) -> Callable[[str], list[str]]:
    """Offers the values of an axis: "stages", "layers" or "dimensions"."""

    def values(incomplete: str) -> list[str]:
        return _offered(incomplete, lambda bundle: _axis_values(bundle, name))

    return values


def _offered(incomplete: str, names: Callable[[Bundle], Iterable[str]]) -> list[str]:
    from knockon.assets import catalog_dir, rules_dir
    from knockon.curate.cache import cached_bundle

    try:
        known = names(cached_bundle(catalog_dir(), rules_dir()))
    except (KnockonError, OSError):
        return []
    return sorted(name for name in known if name.lower().startswith(incomplete.lower()))


def _keys(bundle: Bundle, kind: Kind) -> Iterable[str]:
    return bundle.by_kind.get(kind, {})


def _axis_values(bundle: Bundle, name: str) -> Iterable[str]:
    for _, body in bundle.of_kind("axes"):
        values = body.get(name)
        if isinstance(values, dict):
            yield from values
