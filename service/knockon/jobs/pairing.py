"""Two launches that serve together: the prefill side of a decode launch, as facts of that launch (`peer_…`).

Nothing says that two launches belong together but that they lie together: they are a pair where they stand in one file,
or where of the files read as one set only one starts prefill and only one starts decode. What several prefill launches
do not agree on is not taken from any of them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from knockon.jobs.deployment import Deployment, deployment_of
from knockon.jobs.described import Described
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.model import repository_of
from knockon.terms.errors import KnockonError
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import Scalar, Text

Side = Literal["prefill", "decode"]

# What begins so in the vocabulary is the fact of the rest of the name, of the other side.
_PEER = "peer_"
_SAME_MODEL = "peer_model_same"
# Connectors of vLLM that hand KV from one instance to another; others keep it for the same instance as well, and then
# an instance that sends and receives is no half of a pair.
_HANDS_OVER = frozenset({
    "NixlConnector", "NixlPullConnector", "NixlPushConnector", "MooncakeConnector", "P2pNcclConnector",
    "MoRIIOConnector",
})  # fmt: skip
# Keeps KV for the same instance as well, and hands it over only where the roles say so.
_HANDS_OVER_BY_ROLE = "LMCacheConnectorV1"
_TELLING = frozenset({"disaggregation_mode", "kv_role", "kv_connector", "kv_transceiver_configured"})
_WORDS = re.compile(r"[a-z]+")
_ROLES: Mapping[Scalar, Side] = {"kv_producer": "prefill", "kv_consumer": "decode"}


@dataclass(frozen=True, slots=True)
class _Half:
    """A launch that is one side of a pair, wherever the other one is."""

    index: int
    described: Described
    side: Side
    engine: str
    model: str | None


def paired(knowledge: Knowledge, described: Sequence[Described]) -> list[Described]:
    """The same launches; those that decode know what their prefill side is, where that can be told.

    Args:
        knowledge: catalog and rules.
        described: the launches of files that were read as one set.
    """
    told = list(described)
    halves = [half for index, one in enumerate(described) if (half := _half(index, one)) is not None]
    prefills = [half for half in halves if half.side == "prefill"]
    decodes = [half for half in halves if half.side == "decode"]
    if not prefills or not decodes:
        return told
    facts_of: dict[int, Deployment | None] = {}
    for decode in decodes:
        chosen = _prefills_of(decode, prefills, decodes)
        sides = [_deployment(knowledge, half, facts_of) for half in (decode, *chosen)]
        known = [side for side in sides if side is not None]
        if len(known) > 1 and len(known) == len(sides):
            told[decode.index] = _with_peer(knowledge, decode, chosen, known)
    return told


def _half(index: int, one: Described) -> _Half | None:
    read = one.asked.configured if one.asked is not None else None
    if read is None:
        return None
    side = _side({fact.name: fact.value for fact in read.facts if fact.name in _TELLING}, f"{one.kind}/{one.name}")
    if side is None:
        return None
    named = (one.asked.model if one.asked else None) or read.model
    return _Half(index, one, side, read.engine, repository_of(named) if named else None)


def _side(facts: Mapping[str, Scalar], name: str) -> Side | None:
    mode = facts.get("disaggregation_mode")
    if mode in ("prefill", "decode"):
        return "prefill" if mode == "prefill" else "decode"
    role = facts.get("kv_role")
    if facts.get("kv_connector") in _HANDS_OVER:
        # Both ways is the usual role with NIXL: which side it is, only the name says.
        return _ROLES.get(role) or _named_side(name) if role is not None else None
    if facts.get("kv_connector") == _HANDS_OVER_BY_ROLE:
        return _ROLES.get(role) if role is not None else None
    # TensorRT-LLM's servers need not say their side: the one in front sends each what it is there for.
    if facts.get("kv_transceiver_configured") is True:
        return _named_side(name) or _side_by_phase(name)
    return None


def _named_side(name: str) -> Side | None:
    is_prefill, is_decode = "prefill" in name.lower(), "decode" in name.lower()
    if is_prefill == is_decode:
        return None
    return "prefill" if is_prefill else "decode"


def _side_by_phase(name: str) -> Side | None:
    words = set(_WORDS.findall(name.lower()))
    is_context, is_generation = bool(words & {"ctx", "context"}), bool(words & {"gen", "generation"})
    if is_context == is_generation:
        return None
    return "prefill" if is_context else "decode"


def _prefills_of(decode: _Half, prefills: Sequence[_Half], decodes: Sequence[_Half]) -> list[_Half]:
    """The prefill launches that may send to this one; none where nothing says which."""
    of_engine = [half for half in prefills if half.engine == decode.engine]
    beside = [half for half in of_engine if half.described.path == decode.described.path]
    if not beside:
        if len({half.described.path for half in (*prefills, *decodes)}) != 2 or _is_mixed(prefills, decodes):
            return []
        beside = of_engine
    same = [half for half in beside if half.model == decode.model]
    if same:
        return same
    # What another decode launch of the same model is there for is not this one's.
    taken = {half.model for half in decodes}
    return [half for half in beside if half.model not in taken] if len({half.model for half in beside}) == 1 else []


def _is_mixed(prefills: Sequence[_Half], decodes: Sequence[_Half]) -> bool:
    return bool({half.described.path for half in prefills} & {half.described.path for half in decodes})


def _deployment(knowledge: Knowledge, half: _Half, held: dict[int, Deployment | None]) -> Deployment | None:
    if half.index not in held:
        try:
            assert half.described.asked is not None, "a half was read"
            held[half.index] = deployment_of(knowledge, half.described.asked)
        except KnockonError:
            # It is told when it is its turn.
            held[half.index] = None
    return held[half.index]


def _with_peer(
    knowledge: Knowledge, decode: _Half, prefills: Sequence[_Half], known: Sequence[Deployment]
) -> Described:
    own, *theirs = known
    names = [name for name in knowledge.rulebook.vocabulary.names if name.startswith(_PEER) and name != _SAME_MODEL]
    # The launch it is named by is the first; what is taken is the same in all of them.
    label = f"the prefill launch {_label(prefills[0].described)}"
    facts: list[Fact] = []
    for name in names:
        held = [side.facts.get(name.removeprefix(_PEER)) for side in theirs]
        first = held[0]
        if first is not None and all(fact is not None and fact.value == first.value for fact in held):
            where = f" ({first.origin.at})" if first.origin.at else ""
            facts.append(Fact(name, first.value, Origin("derived", f"{first.origin.text} of {label}{where}")))
    is_same = _is_same_model([own.model, *(side.model for side in theirs)])
    if is_same is not None:
        facts.append(Fact(_SAME_MODEL, is_same, Origin("derived", f"the model as it is named here and by {label}")))
    asked = decode.described.asked
    assert asked is not None, "a half was read"
    assert asked.configured is not None, "a half was read"
    note = Text(
        f"judged together with {label}, which sends to it",
        f"与发送方（预填充启动项 {_label(prefills[0].described)}）一并判断",
    )
    configured = replace(asked.configured, notes=(*asked.configured.notes, note))
    return replace(decode.described, asked=replace(asked, configured=configured, found=(*asked.found, *facts)))


def _label(one: Described) -> str:
    return one.launch or one.path


def _is_same_model(models: Iterable[str | None]) -> bool | None:
    """Whether the names are one; None where one is a path, which may hold the model that another names."""
    named = {repository_of(model) for model in models if model}
    if len(named) == 1:
        return True
    return False if named and not any(_is_path(model) for model in named) else None


def _is_path(model: str) -> bool:
    return model.startswith((".", "/", "~", "\\")) or model.count("/") != 1
