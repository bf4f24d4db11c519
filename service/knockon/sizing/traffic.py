"""What one decode step and one prefilled token cost a GPU: bytes read and operations done, stage by stage."""

from collections.abc import Sequence
from dataclasses import dataclass

from knockon.sizing.heads import Sharding, sharding_of, shared_tokens
from knockon.sizing.matrices import Elements
from knockon.sizing.mixed import is_mixed, kinds_of
from knockon.sizing.plan import LayerKind
from knockon.sizing.precision import Precision, precision_of
from knockon.sizing.row import row_bytes
from knockon.sizing.weights import Held, held_of
from knockon.sizing.worksheet import VLLM, Engine, Worksheet
from knockon.terms.words import Text

_FIELD = "roofline"


@dataclass(frozen=True, slots=True)
class Traffic:
    """The work of one GPU of the stage that works most, as functions of the load."""

    held: Held
    precision: Precision
    kinds: tuple[LayerKind, ...]
    """The layers of the whole model with the bytes that one token (or state) takes in each, on one rank."""
    window: int
    chunk: int
    shared: int
    """Ranks that share the tokens of a sequence."""
    stages: int
    attention_groups: int
    """Groups of ranks of one replica that each attend to requests of their own."""
    replicas: int
    experts_over_replicas: bool
    """Whether one copy of the experts serves the tokens of all replicas."""
    visited_ratio: float
    """Share of the routed experts that one token visits; 1 where there are none."""
    attention_flops: float
    """Operations of one token with one cached token, in one layer, on one rank."""

    def decode_bytes(self, tokens: float, context: float, *, alike: bool = False) -> float:
        """Bytes that a GPU reads for one step of `tokens` sequences of one replica, each `context` tokens long.

        Where tokens are `alike` they visit the same experts, as a benchmark of repeated prompts does; else all experts
        are as likely.
        """
        seen = self.visited_ratio if alike else self.distinct_ratio(tokens)
        weights = max(self._weight_bytes(index, seen) for index in range(len(self.held.stages)))
        return weights + tokens / self.attention_groups * self._cache_bytes(context) / self.stages

    def decode_flops(self, tokens: float, context: float) -> float:
        """Operations of a GPU for that step."""
        head = 2 * float(self.held.table)
        per_token = max(self._matrix_flops(part) for part in self.held.stages)
        return tokens / self.attention_groups * (per_token + head + self._attended(context))

    def prefill_flops(self, tokens: float, prompt: float) -> float:
        """Operations of a GPU for `tokens` tokens of prompts of `prompt` tokens; each attends to half of its prompt."""
        per_token = max(self._matrix_flops(part) for part in self.held.stages)
        return tokens / self.attention_groups * (per_token + self._attended(prompt / 2))

    def distinct_ratio(self, tokens: float) -> float:
        """Share of the routed experts that `tokens` tokens of one replica visit together, if all are as likely."""
        together = tokens * (self.replicas if self.experts_over_replicas else 1)
        return float(1 - (1 - self.visited_ratio) ** together)

    def _weight_bytes(self, index: int, seen: float) -> float:
        part, precision = self.held.stages[index], self.precision
        # Tokens are looked up in the first table; only a table that the last stage multiplies by is read whole.
        looked_up = self.held.table if index == 0 and not (self.held.is_tied and len(self.held.stages) == 1) else 0
        kept = max(part.kept - looked_up, 0) * precision.kept
        routed = float(part.experts * precision.experts) * seen
        return float(part.linear * precision.linear + kept) + routed

    def _matrix_flops(self, part: Elements) -> float:
        return 2 * (float(part.linear) + float(part.experts) * self.visited_ratio)

    def _cache_bytes(self, context: float) -> float:
        return sum(len(kind.positions) * kind.bytes * self._read(kind, context) for kind in self.kinds)

    def _attended(self, context: float) -> float:
        layers = sum(len(kind.positions) * self._seen(kind, context) for kind in self.kinds if kind.kind != "state")
        return layers * self.attention_flops / self.stages

    def _seen(self, kind: LayerKind, context: float) -> float:
        """Tokens of a sequence that a layer looks at."""
        if kind.kind == "sliding" and self.window:
            return min(context, self.window)
        if kind.kind == "chunk" and self.chunk:
            return min(context, self.chunk)
        return context

    def _read(self, kind: LayerKind, context: float) -> float:
        return 1.0 if kind.kind == "state" else self._seen(kind, context) / self.shared


def traffic_of(sheet: Worksheet, *, engine: Engine) -> Traffic | None:
    """The traffic of a deployment; None, with the reason written down under "roofline", when it cannot be told."""
    attends = sheet.text("attention_kind") != "linear"
    sharding = sharding_of(sheet, engine=engine) if attends else None
    held = held_of(sheet, sharding, engine=engine) if sharding is not None or not attends else None
    precision = precision_of(sheet) if held is not None else None
    kinds = _kinds(sheet, sharding, engine=engine) if precision is not None else None
    shared = shared_tokens(sheet, sharding, engine=engine) if sharding is not None else 1
    ratio = _visited_ratio(sheet)
    if held is None or precision is None or kinds is None or shared is None or ratio is None:
        sheet.lack(_FIELD, next(iter(sheet.reasons.values()), Text("the model's shape is not known", "未知模型形状")))
        return None
    ranks = sheet.size("tensor_parallel_size")
    experts = sheet.facts.get("num_experts")
    return Traffic(
        held=held,
        precision=precision,
        kinds=tuple(kinds),
        window=sheet.count("sliding_window") or 0,
        chunk=sheet.count("attention_chunk_tokens") or 0,
        shared=shared,
        stages=len(held.stages),
        attention_groups=ranks // sharding.attention_ranks if sharding is not None else 1,
        replicas=sheet.size("data_parallel_size"),
        experts_over_replicas=engine is VLLM and bool(experts),
        visited_ratio=ratio,
        attention_flops=_attention_flops(sheet, ranks=sharding.attention_ranks if sharding is not None else ranks),
    )


def _kinds(sheet: Worksheet, sharding: Sharding | None, *, engine: Engine) -> Sequence[LayerKind] | None:
    if is_mixed(sheet):
        return kinds_of(sheet, sharding, engine=engine)
    if sheet.text("attention_kind") == "mla_sparse":
        sheet.lack(
            _FIELD,
            Text("what sparse attention reads of the cache is not reckoned here", "此处不计算稀疏注意力读取的缓存量"),
        )
        return None
    layers = sheet.count("num_hidden_layers")
    row = None if sharding is None else row_bytes(sheet, sharding, engine=engine)
    if layers is None or row is None:
        return None
    return (LayerKind("full", tuple(range(layers)), row),)


def _visited_ratio(sheet: Worksheet) -> float | None:
    experts, visited = sheet.facts.get("num_experts"), sheet.count("num_experts_per_tok")
    if not isinstance(experts, int) or experts < 1:
        return 1.0
    if visited is None:
        sheet.needs(_FIELD, "num_experts_per_tok")
        return None
    return min(1.0, visited / experts)


def _attention_flops(sheet: Worksheet, *, ranks: int) -> float:
    """Two products of every query head with a cached row, two operations an element."""
    heads = sheet.size("num_attention_heads")
    latent = sheet.count("kv_lora_rank")
    if latent:
        return 2 * heads * (2 * latent + (sheet.count("qk_rope_head_dim") or 0)) / ranks
    head = sheet.count("head_dim") or 0
    return 2 * heads * (head + (sheet.count("v_head_dim") or head)) / ranks
