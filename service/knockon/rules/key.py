"""Whether a profile is for what is judged: its key set against what is known of hardware, engine, model and load."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from knockon.backends.python.reasons import evidence, lacking
from knockon.backends.python.walk import judge_one
from knockon.expr.condition import parsed
from knockon.rules.profile import Profile
from knockon.terms.truth import Truth
from knockon.terms.words import Scalar, Text

ANY = ("", "any")
"""What a part of a key says that fits everything."""

Same = Callable[[str, str], bool | None]
"""Whether two names of a part of the key mean the same; None where that cannot be told."""

_PARTS: Mapping[str, Text] = {
    "hardware": Text("hardware", "硬件"),
    "engine": Text("engine", "引擎"),
    "model": Text("model", "模型"),
}


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a profile is for what is judged. `truth` is UNKNOWN where a part of its key cannot be told."""

    truth: Truth
    why: tuple[Text, ...]
    """What does not fit, or cannot be told; nothing where all fits."""


def fit_of(
    profile: Profile, known: Mapping[str, str | None], values: Mapping[str, Scalar], *, same: Mapping[str, Same]
) -> Fit:
    """Set the key of `profile` against what is judged.

    Args:
        profile: its own key counts; what its base is for does not.
        known: what is judged, by "hardware", "engine", "model"; None where it is not known.
        values: readings and facts, for the condition on the load.
        same: how names are compared, by part; plain texts where a part is not in it.
    """
    truths: list[Truth] = []
    why: list[Text] = []
    for part, word in _PARTS.items():
        wanted, found = str(getattr(profile, part)), known.get(part)
        if wanted in ANY:
            continue
        is_same = None if found is None else same.get(part, _same)(wanted, found)
        truths.append(Truth.of(is_same))
        if is_same is False:
            en = f"the profile {profile.name} is for {word.en} {wanted}, and this is {found}"
            why.append(Text(en, f"档案 {profile.name} 适用于{word.zh} {wanted}，而此处为 {found}"))
        elif is_same is None:
            en = f"the profile {profile.name} is for {word.en} {wanted}; whether this is cannot be told"
            why.append(Text(en, f"档案 {profile.name} 适用于{word.zh} {wanted}；无法判断此处是否如此"))
    if profile.load_when_text:
        truth, said = _of_load(profile, values)
        truths.append(truth)
        why += said
    is_apart = Truth.FALSE in truths
    return Fit(Truth.FALSE if is_apart else Truth.UNKNOWN if Truth.UNKNOWN in truths else Truth.TRUE, tuple(why))


def _of_load(profile: Profile, values: Mapping[str, Scalar]) -> tuple[Truth, list[Text]]:
    node = parsed(profile.load_when_text)
    truth = judge_one(node, values)
    if truth is Truth.FALSE:
        failed = ", ".join(atom.text for atom in evidence(node, values) if atom.truth is Truth.FALSE)
        en = f"the profile {profile.name} is for another load: {failed} does not hold"
        return truth, [Text(en, f"档案 {profile.name} 适用于其他负载：{failed} 不成立")]
    if truth is Truth.UNKNOWN:
        needs = ", ".join(lacking(node, values))
        en = f"the profile {profile.name} is for the load {profile.load}; whether this is one takes {needs}"
        return truth, [Text(en, f"档案 {profile.name} 适用于负载 {profile.load}；判断需要 {needs}")]
    return truth, []


def _same(wanted: str, found: str) -> bool:
    return wanted.casefold() == found.casefold()
