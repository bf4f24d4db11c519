"""Which profile is meant, and whether it is for what is judged."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from knockon.catalog.catalog import Catalog
from knockon.curate.document import Document
from knockon.curate.single import read_single
from knockon.expr.check import check_condition
from knockon.expr.condition import parsed
from knockon.expr.vocabulary import nearest
from knockon.jobs.knowledge import Knowledge
from knockon.rules.build import profile_of
from knockon.rules.key import Fit, fit_of
from knockon.rules.profile import Profile
from knockon.rules.rulebook import Rulebook
from knockon.rules.thresholds import in_force
from knockon.terms.errors import CurationError, ExpressionError, Problem
from knockon.terms.served import is_same_model
from knockon.terms.words import Scalar

_SUFFIXES = (".yaml", ".yml")


def profile_named(knowledge: Knowledge, named: str) -> tuple[Knowledge, str]:
    """The knowledge with the profile that `named` means, and what the profile is called there.

    Args:
        knowledge: has the profiles that go by their name.
        named: the name of one of them, or the path of a file (.yaml) that holds one.

    Raises:
        CurationError: the file is no profile, or has thresholds that no rule knows; with every problem and its place.
        NotFound, KnockonError: its base is not known, or is itself.
    """
    if not named.endswith(_SUFFIXES):
        return knowledge, named
    body, document = read_single(Path(named), "profile")
    profile = profile_of(body)
    if problems := list(_problems(profile, document, knowledge.rulebook)):
        raise CurationError(problems)
    profiles = {**knowledge.rulebook.profiles, profile.name: profile}
    in_force(profiles, profile.name)
    return replace(knowledge, rulebook=replace(knowledge.rulebook, profiles=profiles)), profile.name


def _problems(profile: Profile, document: Document, rulebook: Rulebook) -> Iterator[Problem]:
    known = rulebook.profiles["default"].thresholds
    for key, threshold in profile.thresholds.items():
        at = document.key_at("thresholds", key)
        if key not in known:
            near = nearest(key, tuple(known))
            fix = f"did you mean {near[0]}?" if near else "`knockon profile show` lists every threshold"
            yield Problem("unknown-threshold", f"no threshold is called {key!r}", "", fix, at)
        elif threshold.unit != known[key].unit:
            what = f"{key} is in {threshold.unit}"
            yield Problem("wrong-unit", what, known[key].unit, "", document.at("thresholds", key, "unit"))
    if profile.load_when_text:
        try:
            check_condition(parsed(profile.load_when_text), rulebook.vocabulary, text=profile.load_when_text)
        except ExpressionError as error:
            yield replace(error.problem, at=document.at("for", "load_when"))


def fit_in(
    catalog: Catalog, profile: Profile, values: Mapping[str, Scalar], *, engine: str | None, model: str | None
) -> Fit:
    """Whether `profile` is for what `values` (readings and facts), the engine and the served model say.

    A GPU is the same by any of its names, a model by the last part of its own.
    """
    gpu = values.get("gpu_name")
    known = {
        "hardware": gpu if isinstance(gpu, str) else None,
        "engine": engine if engine is not None else _text(values, "engine"),
        "model": model,
    }

    def same_gpu(wanted: str, found: str) -> bool | None:
        ids = [{one.id for one in catalog.gpus_named(name)} for name in (wanted, found)]
        if not all(ids):
            return True if wanted.casefold() in found.casefold() else None
        return bool(ids[0] & ids[1])

    return fit_of(profile, known, values, same={"hardware": same_gpu, "model": is_same_model})


def _text(values: Mapping[str, Scalar], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) else None
