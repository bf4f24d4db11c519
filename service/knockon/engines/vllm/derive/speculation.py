"""What vLLM makes of speculative decoding, and which of its model runners serves it."""

import re

from knockon.engines.vllm.derive.seen import SPECULATION, WHOLE, Seen
from knockon.terms.words import Text

_LOOKUP_TOKENS = 5
_SUFFIX_TREE_DEPTH = 24
_OWN_WEIGHTS = frozenset({"draft_model", "eagle", "eagle3", "mtp", "dflash", "dspark"})
_LOOKUP = frozenset({"ngram", "ngram_gpu"})
_NOT_V2 = frozenset({"suffix", "custom_class"})
_PARALLEL_IN_V2 = frozenset({"dflash", "dspark"})


def derive(seen: Seen) -> None:
    """Tell what follows about speculation and the model runner."""
    if seen.is_on("enable_speculative_decoding"):
        _method(seen)
        _lookup(seen)
        _draft(seen)
        _lookahead(seen)
    _runner(seen)
    _length(seen)


def is_speculating(seen: Seen) -> bool | None:
    """Whether a drafter runs; None when nobody said and no default is known."""
    said = seen.value("enable_speculative_decoding")
    return said if isinstance(said, bool) else None


def _method(seen: Seen) -> None:
    asked, model = seen.text("speculative_method"), seen.text("draft_model")
    where = (SPECULATION, "lines 1234-1250 and 1428-1480")
    name, setting = "speculative_method", "speculative.method"
    if asked is not None and re.fullmatch(r".+_mtp", asked):
        why = Text(f"{asked} is an old name of mtp", f"{asked} 为 mtp 的旧名")
        seen.tell(name, setting, "mtp", why, cite=where)
    elif asked is not None and (asked != "draft_model" or model is None):
        seen.tell(name, setting, asked, Text("as asked", "按指定"), cite=where)
    elif model in ("ngram", "[ngram]"):
        seen.tell(name, setting, "ngram", Text("model ngram", "model 为 ngram"), cite=where)
    elif model is not None:
        # vLLM goes by the drafter's name, then by its config, which is not seen here.
        for part, value in (("eagle-", "eagle"), ("eagle3", "eagle3"), ("dflash", "dflash"), ("dspark", "dspark")):
            if part in model.lower():
                why = Text(f"the drafter's name holds {part}", f"草稿模型名含 {part}")
                seen.tell(name, setting, value, why, cite=where)
                return
        told = seen.text("speculative_method_in_use")
        if told is not None:
            seen.tell(name, setting, told, Text("the drafter's family", "草稿模型所属的族"), cite=where)


def _lookup(seen: Seen) -> None:
    method = seen.derived("speculative_method")
    least, most = seen.number("prompt_lookup_tokens_min"), seen.number("prompt_lookup_tokens_max")
    where = (SPECULATION, "lines 1304-1331")
    if method in _LOOKUP:
        default = (least or most or _LOOKUP_TOKENS, most or least or _LOOKUP_TOKENS)
        said = Text("as asked, or the other bound, or 5", "按指定；否则取另一端；否则为 5")
        seen.tell("prompt_lookup_tokens_min", "speculative.prompt_lookup_min", default[0], said, cite=where)
        seen.tell("prompt_lookup_tokens_max", "speculative.prompt_lookup_max", default[1], said, cite=where)
    if method == "suffix" and seen.number("num_speculative_tokens") is None:
        why = Text("the depth of the suffix tree", "后缀树深度")
        seen.tell(
            "num_speculative_tokens",
            "speculative.num_speculative_tokens",
            _SUFFIX_TREE_DEPTH,
            why,
            cite=(SPECULATION, "lines 1732-1741"),
        )
    elif seen.number("num_speculative_tokens") is not None:
        seen.tell(
            "num_speculative_tokens",
            "speculative.num_speculative_tokens",
            seen.number("num_speculative_tokens"),
            Text("as asked", "按指定"),
            cite=(SPECULATION, "lines 1559-1582"),
        )


def _draft(seen: Seen) -> None:
    if seen.derived("speculative_method") not in _OWN_WEIGHTS:
        return
    asked = seen.asked("draft_tensor_parallel_size")
    value = asked if asked is not None else seen.number("tensor_parallel_size")
    why = Text("as asked", "按指定") if asked is not None else Text("the target's", "与目标模型相同")
    seen.tell("draft_tensor_parallel_size", "speculative.draft_tp", value, why, cite=(SPECULATION, "lines 1848-1870"))


def _lookahead(seen: Seen) -> None:
    method, tokens = seen.derived("speculative_method"), seen.number("num_speculative_tokens")
    if not isinstance(method, str) or tokens is None or method == "dspark":
        return
    extra = {"dflash": tokens + 1, "draft_model": tokens, "eagle": tokens, "eagle3": tokens, "mtp": tokens}
    why = Text("positions that the drafter writes past the request", "草稿模型在请求之后写入的位置数")
    seen.tell("lookahead_tokens", "num_lookahead_tokens", extra.get(method, 0), why, cite=(WHOLE, "lines 625-652"))


def _length(seen: Seen) -> None:
    """A draft model that reads less than the target shortens the target (config/vllm.py:3018-3051)."""
    wanted, drafts = seen.number("max_model_len"), seen.number("draft_max_model_len")
    drafts = seen.number("draft_max_position_embeddings") if drafts is None else drafts
    if seen.derived("speculative_method") != "draft_model" or seen.derived("uses_model_runner_v2") is not True:
        return
    if wanted is not None and drafts is not None and drafts < wanted:
        why = Text("what the draft model reads", "草稿模型可读取的长度")
        seen.tell("max_model_len", "model.max_model_len", drafts, why, cite=(WHOLE, "lines 3018-3051"))


def _runner(seen: Seen) -> None:
    speculating, method = is_speculating(seen), seen.derived("speculative_method")
    where = (WHOLE, "lines 730-766 and 3053-3087")
    if speculating is None or (speculating and method is None):
        return
    said = seen.asked("vllm_use_v2_model_runner")
    if isinstance(said, bool):
        value, why = said, Text("VLLM_USE_V2_MODEL_RUNNER", "VLLM_USE_V2_MODEL_RUNNER")
    elif seen.is_on("enable_dual_batch_overlap") or (seen.number("ubatch_size") or 0) > 1:
        value, why = False, Text("microbatches are not served by runner V2", "V2 runner 不支持微批")
    elif method in _NOT_V2:
        value, why = False, Text(f"runner V2 has no {method} drafting", f"V2 runner 不支持 {method}")
    elif seen.is_on("use_parallel_drafting") and method not in _PARALLEL_IN_V2:
        value, why = (
            False,
            Text(
                "runner V2 drafts in parallel only with DFlash and DSpark", "V2 runner 仅支持 DFlash 与 DSpark 并行草拟"
            ),
        )
    elif seen.is_on("use_heterogeneous_vocab"):
        value, why = False, Text("runner V2 has no drafts of another vocabulary", "V2 runner 不支持不同词表的草稿")
    elif (
        seen.value("distributed_executor_backend") == "external_launcher"
        and (seen.number("pipeline_parallel_size") or 1) > 1
    ):
        value, why = (
            False,
            Text("runner V2 has no pipeline under an external launcher", "V2 runner 不支持外部启动器下的流水线并行"),
        )
    else:
        value, why = True, Text("nothing asked for is missing in it", "所用功能均受支持")
    seen.tell("uses_model_runner_v2", "use_v2_model_runner", value, why, cite=where)
