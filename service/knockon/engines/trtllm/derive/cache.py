"""The KV cache as TensorRT-LLM runs it: reuse, blocks, share of memory, chunks of prompts."""

from knockon.engines.seen import AS_ASKED, DEFAULT
from knockon.engines.trtllm.derive.seen import ARGUMENTS, CREATOR, Seen
from knockon.terms.words import Text

_WITHOUT_REUSE = frozenset({"FLASHINFER", "FLASHINFER_STAR_ATTENTION"})
_WITHOUT_CHUNKS = "FLASHINFER_STAR_ATTENTION"
# KV types whose latents are not reused (py_executor_creator.py, is_mla branch).
_UNSHARED_LATENTS = frozenset({"nvfp4", "int8"})


def derive(seen: Seen) -> None:
    """Tell what follows about the KV cache."""
    name, where = "kv_cache_free_gpu_memory_ratio", (ARGUMENTS, "KvCacheConfig, free_gpu_memory_fraction")
    share = seen.value(name)
    if isinstance(share, (int, float)):
        why = AS_ASKED if seen.asked(name) is not None else DEFAULT
        seen.tell(name, "kv_cache_config.free_gpu_memory_fraction", share, why, cite=where)
    _reuse(seen)
    _chunks(seen)
    _blocks(seen)


def _reuse(seen: Seen) -> None:
    name, setting = "enable_prefix_caching", "kv_cache_config.enable_block_reuse"
    off = _reuse_off(seen)
    if off is not None:
        seen.tell(name, setting, False, off, cite=(CREATOR, "create_py_executor, kv_cache_config.enable_block_reuse"))
    elif _is_settled(seen):
        asked = seen.asked(name)
        why = AS_ASKED if asked is not None else DEFAULT
        seen.tell(name, setting, asked is not False, why, cite=(ARGUMENTS, "KvCacheConfig, enable_block_reuse"))


def _reuse_off(seen: Seen) -> Text | None:
    kernels = seen.text("attention_backend")
    if seen.is_on("force_deterministic"):
        return Text("FORCE_DETERMINISTIC excludes it", "FORCE_DETERMINISTIC 与之互斥")
    if kernels in _WITHOUT_REUSE:
        return Text(f"the {kernels} kernels reuse none", f"{kernels} 内核不支持复用")
    if seen.kind == "latent" and seen.takes_latent is False:
        return Text("latents are not reused on this GPU", "该 GPU 不支持复用 MLA 隐向量")
    if seen.kind == "latent" and seen.text("kv_cache_dtype") in _UNSHARED_LATENTS:
        return Text("latents of this type are not reused", "该类型的隐向量不支持复用")
    return None


def _is_settled(seen: Seen) -> bool:
    """Whether nothing else that was read may still turn reuse off."""
    if seen.kind == "latent":
        return seen.takes_latent is True and seen.text("kv_cache_dtype") in ("auto", "fp8")
    return seen.kind == "plain" and seen.number("max_beam_width") == 1 and not seen.drafts_unknown


def _chunks(seen: Seen) -> None:
    name, setting = "enable_chunked_prefill", "enable_chunked_prefill"
    asked = seen.asked(name)
    where = (CREATOR, "create_py_executor, enable_chunked_context")
    if asked is not True:
        seen.tell(name, setting, False, AS_ASKED if asked is False else DEFAULT, cite=where)
    elif seen.text("attention_backend") == _WITHOUT_CHUNKS:
        why = Text(f"the {_WITHOUT_CHUNKS} kernels take whole prompts", f"{_WITHOUT_CHUNKS} 内核只处理完整提示")
        seen.tell(name, setting, False, why, cite=where)
    elif seen.kind == "latent" and seen.takes_latent is False:
        why = Text("latent attention takes whole prompts on this GPU", "该 GPU 上 MLA 只处理完整提示")
        seen.tell(name, setting, False, why, cite=where)
    elif seen.kind == "plain" or (seen.kind == "latent" and seen.takes_latent):
        seen.tell(name, setting, True, AS_ASKED, cite=where)


def _blocks(seen: Seen) -> None:
    name, setting = "kv_block_size_tokens", "kv_cache_config.tokens_per_block"
    where = (CREATOR, "create_py_executor, tokens_per_block")
    if seen.text("attention_backend") == "VANILLA":
        why = Text("VANILLA attention keeps a step in one block", "VANILLA 注意力把整步放进一个块")
        seen.tell(name, setting, seen.number("max_num_batched_tokens"), why, cite=where)
    elif seen.kind == "plain":
        why = AS_ASKED if seen.asked(name) is not None else DEFAULT
        seen.tell(name, setting, seen.number(name), why, cite=where)
