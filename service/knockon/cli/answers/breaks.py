"""The answer of `breaks`: hop by hop, what turning a technique on does to the rest."""

from collections.abc import Iterable, Sequence

from knockon.catalog.hop import Ambiguity, End, EndKind, FeedbackLoop, Hop, HopKind
from knockon.catalog.indexes import RelationOf
from knockon.catalog.technique import Technique
from knockon.cli.answers.ages import age_data, age_words
from knockon.cli.answers.facts import facts_data
from knockon.cli.answers.shifts import relation_data, size_data
from knockon.cli.answers.sources import cited_data, sources_block, text_data
from knockon.cli.answers.words import TONES, Speaker, arrow, counted, dim, name, times
from knockon.formats.base import Block, Branch, Bullets, Item, Marked, Page, Paragraph, Section, Tree, Verdict, Words
from knockon.jobs.age import Ages
from knockon.jobs.breaks import BreaksAnswer
from knockon.terms.truth import Truth
from knockon.terms.words import CheckVerdict, Json, QuantityId, RuleId, TechniqueId, Text

_KINDS: dict[HopKind, Text] = {
    HopKind.EATS: Text("eats the gain of", "吃掉其收益："),
    HopKind.VIOLATES: Text("works against what is needed by", "违背其前提："),
    HopKind.CONFLICTS: Text("conflicts with", "冲突于"),
    HopKind.DEGRADES: Text("degrades", "损害"),
    HopKind.REQUIRES: Text("requires", "需要"),
    HopKind.STRANDS: Text("strands", "使其失去依赖："),
    HopKind.UNRELIEVES: Text("takes the relief away from", "使其失去缓解："),
    HopKind.FIRES: Text("brings nearer the rule", "使规则更接近触发："),
}


def data(answer: BreaksAnswer, ages: Ages) -> dict[str, Json]:
    """The answer for programs; `after` is the index in `hops` of the hop before."""
    breaks = answer.breaks
    deployment = answer.deployment
    return {
        "technique": breaks.technique.id,
        "depth": breaks.depth,
        "assumed": dict(breaks.assumed),
        "hops": [_hop_data(hop, ages) for hop in breaks.hops],
        "does_not_apply": [_hop_data(hop, ages) for hop in breaks.does_not_apply],
        "ambiguous": [
            {
                "quantity": one.quantity,
                "rising": list(one.rising),
                "falling": list(one.falling),
                "inherited": one.inherited,
            }
            for one in breaks.ambiguous
        ],
        "loops": [
            {
                "quantities": list(one.loop.quantities),
                "kind": one.loop.kind,
                "truth": one.truth.name.lower(),
                "ends": text_data(one.loop.ends),
            }
            for one in breaks.loops
        ],
        "eased_by": [
            {"technique": one.technique, "relation": relation_data(one.relation, ages)} for one in breaks.eased_by
        ],
        "truncated": breaks.truncated,
        "facts": facts_data(deployment, ages.knowledge.rulebook.vocabulary) if deployment else [],
        "revision": answer.revision,
    }


_HITS_SHOWN_MAX = 5
"""Techniques that are hit in one way at one quantity, unless all are asked for: a common one is the gain of fifty."""


def page(answer: BreaksAnswer, ages: Ages, *, language: str, is_verbose: bool = False) -> Page:
    """A tree of hops, then what is ambiguous, what comes back to itself, and what does not apply."""
    speaker = Speaker(language, ages.knowledge.catalog)
    breaks = answer.breaks
    hits_max = len(breaks.hops) if is_verbose else _HITS_SHOWN_MAX
    teller = _Teller(speaker, ages, breaks.technique, hits_max=hits_max)
    blocks: list[Block] = [_verdict(answer, speaker)]
    if answer.deployment is None:
        blocks.append(
            Paragraph(
                speaker.say(
                    "No deployment is given, so conditions on it cannot be told (?). Give one with --deployment.",
                    "未给出部署，其条件无法判断（?）。可用 --deployment 给出。",
                )
            )
        )
    root: Words = [Marked(breaks.technique.id, "strong"), speaker.say(" is turned on", " 开启")]
    blocks.append(Tree([Branch(root, teller.branches(breaks.hops, None))]))
    if breaks.truncated:
        blocks.append(Paragraph(speaker.say("There is more; ask for fewer hops.", "还有更多；请减少跳数。")))
    if breaks.ambiguous:
        items = [Item(teller.ambiguity(one)) for one in breaks.ambiguous if not one.inherited]
        blocks.append(Section(speaker.say("Pushed both ways", "方向不明"), [Bullets(items)]))
    if breaks.loops:
        items = [Item(teller.loop(one)) for one in breaks.loops]
        blocks.append(Section(speaker.say("Feedback loops", "反馈回路"), [Bullets(items)]))
    if breaks.eased_by:
        items = [Item(_easing(one, speaker, ages)) for one in breaks.eased_by]
        blocks.append(Section(speaker.say("What eases it", "可缓解它的技术"), [Bullets(items)]))
    if breaks.does_not_apply:
        items = [Item(teller.hop(hop)) for hop in breaks.does_not_apply]
        blocks.append(Section(speaker.say("Does not apply here", "此处不适用"), [Bullets(items)]))
    sources = speaker.catalog.sources(cite for hop in teller.told for cite in hop.cite)
    blocks.append(Section(speaker.say("Sources", "来源"), [sources_block(speaker, sources)]))
    blocks.append(Paragraph([dim(speaker.say(f"revision {answer.revision}", f"版本 {answer.revision}"))]))
    return Page(blocks)


class _Teller:
    """Tells hops in words."""

    def __init__(self, speaker: Speaker, ages: Ages, asked: Technique, *, hits_max: int) -> None:
        self._speaker = speaker
        self._ages = ages
        self._asked = asked
        self._hits_max = hits_max
        self.told: list[Hop] = []
        """The hops of the tree that were told."""

    def branches(self, hops: Sequence[Hop], after: int | None) -> list[Branch]:
        """The hops right after one, each with what comes after it; of many alike the nearest."""
        here = [(index, hop) for index, hop in enumerate(hops) if hop.after == after]
        hits: dict[HopKind, list[tuple[int, Hop]]] = {}
        for index, hop in here:
            if hop.target.kind is EndKind.TECHNIQUE and hop.source.kind is EndKind.QUANTITY:
                hits.setdefault(hop.kind, []).append((index, hop))
        left = {
            index
            for alike in hits.values()
            for index, _ in sorted(alike, key=lambda one: self._distance(one[1]))[self._hits_max :]
        }
        shown = [(index, hop) for index, hop in here if index not in left]
        self.told += (hop for _, hop in shown)
        told = [Branch(self.hop(hop), self.branches(hops, index)) for index, hop in shown]
        return [*told, *([Branch(self._left(len(left)), [])] if left else [])]

    def _left(self, count: int) -> Words:
        more = self._speaker.say(
            f"{counted(count, 'more technique is', 'more techniques are')} hit there: --verbose, or --format json",
            f"另有 {count} 项技术在此受影响：见 --verbose 或 --format json",
        )
        return [dim(more)]

    def _distance(self, hop: Hop) -> tuple[bool, bool, bool, str]:
        """What holds comes first, then what stands in a cell of the technique that was asked for, or in its layer."""
        key = TechniqueId(hop.target.id)
        cells, own = self._speaker.catalog.techniques[key].cells, self._asked.cells
        is_apart = not set(cells) & set(own)
        return hop.truth is not Truth.TRUE, is_apart, cells[0].layer != own[0].layer, key

    def hop(self, hop: Hop) -> Words:
        """One hop: what moves or is hit, whether its condition holds, how much, and why."""
        words: list[str | Marked] = []
        if hop.kind in _KINDS:
            words += [dim(self._speaker.of(_KINDS[hop.kind])), " "]
        words += [self._end(hop.target, worsens=hop.worsens)]
        if hop.target.kind is EndKind.QUANTITY:
            words.append(dim(f" ({self._dimension(QuantityId(hop.target.id))})"))
        if hop.size and hop.size.factor is not None:
            words.append(f" {times(hop.size.factor)}")
        sign = {Truth.TRUE: " ✓ ", Truth.FALSE: " ✗ ", Truth.UNKNOWN: " ? "}[hop.truth]
        if hop.kind is HopKind.FIRES:
            # The condition of a rule is long, and `check` derives it; whether it fires here is what counts.
            return [*words, dim(sign), *age_words(hop, self._ages, self._speaker)]
        words += [": ", self._speaker.of(hop.says)]
        if hop.when_text:
            words += [dim(sign), name(hop.when_text)]
        if hop.inferred:
            words.append(dim(self._speaker.say(" (inferred)", "（推断）")))
        return [*words, *age_words(hop, self._ages, self._speaker)]

    def ambiguity(self, one: Ambiguity) -> Words:
        """A quantity pushed both ways, with the hop that pushes it last on each side."""
        hops = self._hops(one)
        quantity = self._speaker.quantity(one.quantity)
        return [Marked(quantity, "strong"), ": ", *hops]

    def loop(self, one: FeedbackLoop) -> Words:
        """A feedback loop as the quantities it runs through."""
        keys = [*one.loop.quantities, one.loop.quantities[0]]
        kind = {
            "reinforcing": self._speaker.say("grows by itself", "自我增强"),
            "damping": self._speaker.say("damps itself", "自我抑制"),
        }[one.loop.kind]
        doubt = f" {self._speaker.truth(one.truth)}" if one.truth is not Truth.TRUE else ""
        ends = self._speaker.of(one.loop.ends)
        path = " → ".join(self._speaker.quantity(key) for key in keys)
        return [path, " — ", Marked(kind, "strong"), dim(doubt), f": {ends}" if ends else ""]

    def _hops(self, one: Ambiguity) -> list[str | Marked]:
        up = self._speaker.say(f"up after {len(one.rising)} hops", f"{len(one.rising)} 跳后上升")
        down = self._speaker.say(f"down after {len(one.falling)} hops", f"{len(one.falling)} 跳后下降")
        which = self._speaker.say("which is stronger is not known", "孰强孰弱未知")
        return [self._speaker.listed((up, down)), "; ", which]

    def _end(self, end: End, *, worsens: bool | None) -> Marked:
        match end.kind:
            case EndKind.QUANTITY:
                said = f"{self._speaker.quantity(QuantityId(end.id))} {arrow(end.sign)}".strip()
                return Marked(said, "warn" if worsens else "good" if worsens is False else "strong")
            case EndKind.TECHNIQUE:
                return name(TechniqueId(end.id))
            case EndKind.RULE:
                rule = self._ages.knowledge.rulebook.by_id.get(RuleId(end.id))
                tone = TONES.get(getattr(rule, "verdict", CheckVerdict.NOTE), "strong")
                return Marked(f"{end.id} {self._speaker.of(rule.name)}" if rule else end.id, tone)

    def _dimension(self, key: QuantityId) -> str:
        found = self._speaker.catalog.quantities.get(key)
        return self._speaker.onto(found.of) if found else ""


def _verdict(answer: BreaksAnswer, speaker: Speaker) -> Verdict:
    breaks = answer.breaks
    worse = _reached(hop.target.id for hop in breaks.hops if hop.worsens)
    hit = _reached(hop.target.id for hop in breaks.hops if hop.target.kind is EndKind.TECHNIQUE)
    rules = _reached(hop.target.id for hop in breaks.hops if hop.target.kind is EndKind.RULE)
    said = speaker.say(
        f"in {counted(breaks.depth, 'hop')}: {counted(worse, 'quantity gets', 'quantities get')} worse, "
        f"{counted(hit, 'technique is', 'techniques are')} hit, {counted(rules, 'rule comes', 'rules come')} nearer",
        f"{breaks.depth} 跳之内：{worse} 个量变差，{hit} 项技术受影响，{rules} 条规则更接近触发",
    )
    return Verdict(breaks.technique.id, "strong", said)


def _reached(ids: Iterable[str]) -> int:
    return len(set(ids))


def _easing(held: RelationOf, speaker: Speaker, ages: Ages) -> Words:
    return [name(held.technique), ": ", speaker.of(held.relation.says), *age_words(held.relation, ages, speaker)]


def _hop_data(hop: Hop, ages: Ages) -> Json:
    return {
        "kind": hop.kind.value,
        "from": _end_data(hop.source),
        "to": _end_data(hop.target),
        "depth": hop.depth,
        "after": hop.after,
        "when": hop.when_text,
        "truth": hop.truth.name.lower(),
        "along": hop.along.name.lower(),
        "effect": hop.effect.value if hop.effect else None,
        "size": size_data(hop.size),
        "worsens": hop.worsens,
        "inferred": hop.inferred,
        **age_data(hop, ages),
        "says": hop.says.en,
        "says_zh": hop.says.zh,
        "sources": cited_data(ages.knowledge.catalog, hop.cite),
    }


def _end_data(end: End) -> Json:
    return {"kind": end.kind.value, "id": end.id, "sign": end.sign}
