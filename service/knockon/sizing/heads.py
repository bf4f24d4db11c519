"""Key/value heads under tensor parallelism: how many a rank holds, how often each is copied, who may share tokens."""

from dataclasses import dataclass

from knockon.sizing.worksheet import SGLANG, TRTLLM, VLLM, Engine, Worksheet, cdiv
from knockon.terms.words import Text

LATENT_KINDS = frozenset({"mla", "mla_sparse"})
# Kinds in which every layer that has key/value heads has the same number of them.
_HEAD_KINDS = frozenset({"mha", "gqa", "mqa", "sparse", "sliding", "hybrid_sliding", "hybrid_chunked", "hybrid_linear"})


@dataclass(frozen=True, slots=True)
class Sharding:
    """How the KV cache of one attention layer is spread over a tensor-parallel group."""

    attention_ranks: int
    """Ranks that share one request's attention (TP, without the part taken by attention data parallelism)."""
    heads_per_rank: int
    replicas: int
    is_latent: bool


def sharding_of(sheet: Worksheet, *, engine: Engine) -> Sharding | None:
    """The spread of heads over ranks; None, with the reason written down, when unknown or refused by the engine."""
    ranks = _attention_ranks(sheet, engine=engine)
    kind = sheet.text("attention_kind")
    if ranks is None:
        return None
    if kind in LATENT_KINDS or (kind == "hybrid_linear" and "kv_lora_rank" in sheet.facts):
        if not _query_heads_divide(sheet, ranks=ranks, engine=engine):
            return None
        sheet.step("kv_head_replicas", f"one latent, tensor_parallel_size = {ranks}", ranks)
        return Sharding(ranks, heads_per_rank=1, replicas=ranks, is_latent=True)
    heads = sheet.count("num_key_value_heads")
    # Heads that differ by layer are told by the pattern of layers and the heads of its kinds.
    by_layer = kind == "per_layer" and bool(sheet.text("layer_pattern"))
    if not (kind in _HEAD_KINDS or by_layer) or heads is None:
        _say_unknown(sheet, kind)
        return None
    sheet.step("H", "num_key_value_heads", heads)
    if not _query_heads_divide(sheet, ranks=ranks, engine=engine) or not _heads_divide(sheet, heads, ranks, engine):
        return None
    return _headed(sheet, heads=heads, ranks=ranks, engine=engine)


def _headed(sheet: Worksheet, *, heads: int, ranks: int, engine: Engine) -> Sharding:
    if ranks > heads:
        replicas = sheet.step("kv_head_replicas", f"TP / H = {ranks} / {heads}", ranks // heads)
    else:
        replicas = sheet.step("kv_head_replicas", f"1, as TP = {ranks} <= H = {heads}", 1)
    per_rank = max(1, heads // ranks)
    expression = f"max(1, H / TP) = max(1, {heads} / {ranks})"
    if engine is SGLANG:
        # sglang/srt/configs/model_config.py:1700-1711: heads are spread over the groups that share tokens.
        groups = max(1, ranks // sheet.size("decode_context_parallel_size"))
        per_rank = max(1, heads // groups)
        expression = f"max(1, H / (TP / DCP)) = max(1, {heads} / {groups})"
    elif engine is TRTLLM:
        per_rank = cdiv(heads, ranks)
        expression = f"ceil(H / TP) = ceil({heads} / {ranks})"
    sheet.step("kv_heads_per_rank", expression, per_rank)
    return Sharding(ranks, heads_per_rank=per_rank, replicas=replicas, is_latent=False)


def shared_tokens(sheet: Worksheet, sharding: Sharding, *, engine: Engine) -> int | None:
    """The DCP size: ranks that share the tokens of one head. None, with the reason, when the engine refuses it."""
    dcp = sheet.size("decode_context_parallel_size")
    refusal = _dcp_refusal(sheet, sharding, dcp=dcp, engine=engine) if dcp > 1 else None
    if refusal is None:
        return dcp
    for name in ("kv_bytes_per_token_per_gpu", "kv_cache_tokens", "max_concurrency", "needed_bytes", "fits"):
        sheet.lack(name, refusal)
    return None


def _dcp_refusal(sheet: Worksheet, sharding: Sharding, *, dcp: int, engine: Engine) -> Text | None:
    ranks, pcp = sharding.attention_ranks, sheet.size("prefill_context_parallel_size")
    if engine is TRTLLM:
        return Text(
            "TensorRT-LLM shares tokens by its Helix setting, whose arithmetic is not done here",
            "TensorRT-LLM 按其 Helix 设置分摊 token，此处不做其算术",
        )
    # vLLM 0.33 config/parallel.py:594-607; SGLang 0.5.23 arg_groups/parallel_hook.py:240-290.
    if engine is VLLM and pcp > 1:
        if dcp not in (1, pcp, ranks * pcp):
            return Text(
                f"vLLM refuses DCP = {dcp}: with PCP = {pcp} it may be 1, {pcp} or {ranks * pcp}",
                f"vLLM 拒绝 DCP = {dcp}：PCP = {pcp} 时只能为 1、{pcp} 或 {ranks * pcp}",
            )
    elif ranks % dcp:
        return Text(
            f"{engine.name} refuses DCP = {dcp}: it does not divide TP = {ranks}",
            f"{engine.name} 拒绝 DCP = {dcp}：它不能整除 TP = {ranks}",
        )
    if engine is not VLLM or sharding.is_latent:
        return None
    # vLLM 0.33 config/model.py:1579-1608; the release is that of the rules K004, K005 and K007.
    if sharding.replicas < 2:
        return Text(
            f"vLLM refuses DCP = {dcp} since 0.11.1: every KV head is held once, as TP = {ranks} <= H",
            f"vLLM 自 0.11.1 起拒绝 DCP = {dcp}：TP = {ranks} <= H，每个 KV 头只存一份",
        )
    if dcp > sharding.replicas:
        return Text(
            f"vLLM refuses DCP = {dcp} since 0.11.1: more than TP / H = {sharding.replicas}",
            f"vLLM 自 0.11.1 起拒绝 DCP = {dcp}：大于 TP / H = {sharding.replicas}",
        )
    query, heads = sheet.count("num_attention_heads"), sheet.count("num_key_value_heads")
    if query is not None and heads is not None and (query // heads) % dcp:
        return Text(
            f"vLLM refuses DCP = {dcp} since 0.11.1: no divisor of the {query // heads} query heads of one KV head",
            f"vLLM 自 0.11.1 起拒绝 DCP = {dcp}：它不能整除一个 KV 头的 {query // heads} 个查询头",
        )
    return None


def _attention_ranks(sheet: Worksheet, *, engine: Engine) -> int | None:
    ranks = sheet.size("tensor_parallel_size")
    if engine is VLLM or not sheet.is_on("enable_attention_data_parallel"):
        return ranks
    if engine is TRTLLM:
        return sheet.step("attention_ranks", "1, as each rank keeps its own requests", 1)
    groups = sheet.size("attention_data_parallel_size")
    if ranks % groups:
        _refuse(
            sheet,
            Text(
                f"SGLang refuses attention data parallelism: {groups} does not divide TP = {ranks}",
                f"SGLang 拒绝该注意力数据并行：{groups} 不能整除 TP = {ranks}",
            ),
        )
        return None
    return sheet.step("attention_ranks", f"TP / attention DP = {ranks} / {groups}", ranks // groups)


def _heads_divide(sheet: Worksheet, heads: int, ranks: int, engine: Engine) -> bool:
    # vLLM 0.33 model_executor/layers/linear.py:1066-1071 divides exactly; TensorRT-LLM rounds up instead.
    if heads % ranks == 0 or ranks % heads == 0:
        return True
    if engine is TRTLLM and ranks < heads:
        return True
    _refuse(
        sheet,
        Text(
            f"{engine.name} cannot spread H = {heads} KV heads over TP = {ranks}: neither divides the other",
            f"{engine.name} 无法把 H = {heads} 个 KV 头分到 TP = {ranks} 上：两者互不整除",
        ),
    )
    return False


def _query_heads_divide(sheet: Worksheet, *, ranks: int, engine: Engine) -> bool:
    # vLLM 0.33 config/model.py:1557-1564.
    query = sheet.count("num_attention_heads")
    if query is None or query % ranks == 0:
        return True
    _refuse(
        sheet,
        Text(
            f"{engine.name} cannot run TP = {ranks}: it does not divide the {query} query heads",
            f"{engine.name} 无法以 TP = {ranks} 运行：它不能整除 {query} 个查询头",
        ),
    )
    return False


def _say_unknown(sheet: Worksheet, kind: str) -> None:
    for name in ("kv_head_replicas", "kv_heads_per_rank", *_CACHE_FIELDS):
        if not kind or kind in _HEAD_KINDS:
            sheet.needs(name, "attention_kind", "num_key_value_heads")
        else:
            sheet.lack(
                name,
                Text(f"the KV cache of {kind} attention is not reckoned here", f"此处不计算 {kind} 注意力的 KV 缓存"),
            )


def _refuse(sheet: Worksheet, reason: Text) -> None:
    for name in ("kv_head_replicas", "kv_heads_per_rank", "weights_bytes_per_gpu", *_CACHE_FIELDS):
        sheet.lack(name, reason)


_CACHE_FIELDS = (
    "kv_bytes_per_token_per_gpu",
    "kv_bytes_per_stored_token",
    "kv_cache_tokens",
    "max_concurrency",
    "needed_bytes",
    "fits",
)
