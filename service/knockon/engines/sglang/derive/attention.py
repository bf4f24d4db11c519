"""Which attention kernels SGLang chooses, which pages they force, and of what type the KV cache is."""

from knockon.engines.seen import AS_ASKED, DEFAULT
from knockon.engines.sglang.derive.seen import (
    ATTENTION,
    BASE,
    DEEPSEEK_OVERRIDES,
    FAMILY_OVERRIDES,
    OVERRIDES,
    Seen,
)
from knockon.engines.sglang.families import (
    BLACKWELL_KERNELS,
    DEEPSEEK,
    MAYBE_SINKS,
    OTHER_KERNELS,
    OTHER_KERNELS_ON,
    OWN_KERNELS,
    SINKS,
)
from knockon.terms.words import Text

_V4, _WHISPER = "DeepseekV4ForCausalLM", "WhisperForConditionalGeneration"
# Old names of kernels (arg_groups/serving_hook.py:304; "nsa" is "dsa").
_RENAMED = {"compressed": "dsv4", "tokenspeed_mla": "cutedsl_mla", "nsa": "dsa"}
# Models with absorbed latent attention, for which FlashInfer is not deterministic (arg_groups/overrides.py:1048-1056).
_DETERMINISTIC_TRITON = frozenset({
    "DeepseekV2ForCausalLM", "DeepseekV32ForCausalLM", "DeepseekV3ForCausalLM", "Glm4MoeLiteForCausalLM",
    "GlmMoeDsaForCausalLM", "MistralLarge3ForCausalLM", "PixtralForConditionalGeneration",
})  # fmt: skip
# The sizes of pages that kernels take; where the asked one is none of them it becomes the last of these.
_PAGES = {
    "flashmla": (64,),
    "trtllm_mla": (32, 64),
    "cutedsl_mla": (32, 64),
    "trtllm_mha": (16, 32, 128, 64),
    "hpc_ops": (64,),
}
_FA4_PAGE, _SPARSE_PAGE, _V4_PAGE = 128, 64, 256
_SPARSE_PAGE_KNOWN = frozenset({"DeepseekV32ForCausalLM", "GlmMoeDsaForCausalLM"})


def derive(seen: Seen) -> None:
    """Tell what follows about attention kernels, pages and the KV type."""
    if not seen.is_set("dllm_algorithm") and seen.text("kv_cache_dtype") != "nvfp4":
        _kernels(seen)
        _pages(seen)
    _kv_type(seen)


def kernels_of(seen: Seen) -> tuple[str, str] | None:
    """The kernels of prefill and decode; None where they are not told."""
    base = seen.derived("attention_backend")
    if not isinstance(base, str):
        return None
    prefill = seen.derived("prefill_attention_backend") or seen.backend_asked("prefill_attention_backend") or base
    decode = seen.derived("decode_attention_backend") or seen.backend_asked("decode_attention_backend") or base
    return _renamed(str(prefill)), _renamed(str(decode))


def _renamed(name: str) -> str:
    return _RENAMED.get(name, name)


def _kernels(seen: Seen) -> None:
    prefill, decode = (seen.backend_asked(f"{phase}_attention_backend") for phase in ("prefill", "decode"))
    asked = seen.backend_asked("attention_backend")
    name, setting = "attention_backend", "exec.kernel.attention_backend"
    if seen.architecture == _V4:
        why = Text("this model has kernels of its own", "该模型使用专有内核")
        where = (FAMILY_OVERRIDES, "deepseek_v4.py, _deepseek_v4_overrides")
        seen.tell(name, setting, "dsv4", why, cite=where)
        return
    if prefill is not None and prefill == decode:
        why = Text("both phases ask for it", "两个阶段均指定该内核")
        where = (OVERRIDES, "_attention_backend_default, lines 1126-1131")
        seen.tell(name, setting, _renamed(prefill), why, cite=where)
    elif asked is not None:
        seen.tell(name, setting, _renamed(asked), AS_ASKED, cite=(OVERRIDES, "_attention_backend_default, line 1132"))
    else:
        _chosen(seen, is_untouched=prefill is None and decode is None)
    if seen.derived(name) == "fa3" and seen.text("kv_cache_dtype") == "fp8_e5m2":
        why = Text("FlashAttention 3 reads no fp8_e5m2", "FlashAttention 3 不支持 fp8_e5m2")
        where = (OVERRIDES, "_attention_backend_fa3_fp8_fallback, lines 1262-1270")
        seen.tell(name, setting, "triton", why, cite=where)
    if "cutedsl_mla" in (kernels_of(seen) or ()) and prefill is None:
        why = Text("CuteDSL only decodes", "CuteDSL 仅用于解码")
        where = (OVERRIDES, "_cutedsl_prefill_backend_fill, lines 1232-1259")
        seen.tell("prefill_attention_backend", "exec.kernel.prefill_attention_backend", "trtllm_mla", why, cite=where)


def _chosen(seen: Seen, *, is_untouched: bool) -> None:
    """The kernels that SGLang picks by itself: the model's own, those of deterministic runs, those of the GPU."""
    architecture, major = seen.architecture, seen.major
    name, setting = "attention_backend", "exec.kernel.attention_backend"
    if major is None or not architecture or architecture in OTHER_KERNELS:
        return
    if major in OTHER_KERNELS_ON.get(architecture, ()):
        return
    own = _own(seen, is_untouched=is_untouched)
    if own is not None:
        why = Text("this model's own on this GPU", "该模型在此 GPU 上的默认内核")
        is_deepseek = architecture in DEEPSEEK
        where = (DEEPSEEK_OVERRIDES, "lines 92-97 and 178-190") if is_deepseek else (FAMILY_OVERRIDES, architecture)
        seen.tell(name, setting, own, why, cite=where)
    elif seen.is_on("enable_deterministic_inference"):
        is_blackwell = seen.is_datacentre_blackwell or seen.is_desktop_blackwell
        blackwell = "triton" if architecture in _DETERMINISTIC_TRITON else "flashinfer"
        why = Text("deterministic inference", "确定性推理")
        where = (OVERRIDES, "_deterministic_attention_backend, lines 1092-1123")
        seen.tell(name, setting, blackwell if is_blackwell else "fa3", why, cite=where)
    else:
        where = (BASE, "get_default_attn_backend, lines 277-351")
        why = Text("chosen by GPU and kind of attention", "由 GPU 与注意力类型决定")
        seen.tell(name, setting, _by_gpu(seen), why, cite=where)


def _own(seen: Seen, *, is_untouched: bool) -> str | None:
    architecture = seen.architecture
    if architecture in DEEPSEEK and is_untouched:
        if seen.is_sparse:
            return "dsa"
        return "trtllm_mla" if seen.is_datacentre_blackwell else None
    kernels = OWN_KERNELS.get(architecture)
    needs_all_unset = architecture in ("GptOssForCausalLM", "InklingForConditionalGeneration")
    if kernels is not None and (is_untouched or not needs_all_unset):
        return kernels[0] if seen.is_datacentre_blackwell else kernels[1] if seen.is_hopper else kernels[2]
    needs_all_unset = architecture.startswith("MiMo")
    if seen.is_datacentre_blackwell and (is_untouched or not needs_all_unset):
        return BLACKWELL_KERNELS.get(architecture)
    return None


def _by_gpu(seen: Seen) -> str | None:
    latent = seen.is_latent
    if seen.architecture == _WHISPER:
        return "flashinfer"
    if latent is None:
        return None
    if latent:
        return "fa3" if seen.is_hopper else "flashinfer" if seen.is_datacentre_blackwell else "triton"
    branches, page = seen.asked("speculative_eagle_topk"), seen.asked("kv_block_size_tokens")
    has_chain = branches is None or (branches == 1 and page in (None, 1))
    if seen.is_hopper and has_chain:
        return "fa3"
    if seen.is_datacentre_blackwell and has_chain and (seen.drafts in (None, "DFLASH") or branches is not None):
        return "trtllm_mha"
    if seen.architecture in MAYBE_SINKS:
        return None
    return "triton" if seen.architecture in SINKS else "flashinfer"


def _pages(seen: Seen) -> None:
    kernels, asked = kernels_of(seen), seen.asked("kv_block_size_tokens")
    if kernels is None or seen.architecture in OTHER_KERNELS:
        return
    name, setting = "kv_block_size_tokens", "schedule.page_size"
    base = str(seen.derived("attention_backend"))
    if seen.architecture == _V4:
        why = Text("this model's pages", "该模型的页大小")
        seen.tell(name, setting, _V4_PAGE, why, cite=(FAMILY_OVERRIDES, "deepseek_v4.py, _deepseek_v4_overrides"))
        return
    if seen.is_sparse:
        if seen.architecture in _SPARSE_PAGE_KNOWN:
            why = Text("sparse attention's pages", "稀疏注意力的页大小")
            seen.tell(name, setting, _SPARSE_PAGE, why, cite=(DEEPSEEK_OVERRIDES, "lines 138-176"))
        return
    page, why, where = asked, AS_ASKED if asked is not None else DEFAULT, "_page_size_default, lines 1340-1363"
    used = {*kernels, base} | {seen.backend_asked("draft_attention_backend") or ""}
    for kernel, sizes in _PAGES.items():
        if kernel in used and (kernel != "trtllm_mla" or kernel in (base, kernels[1])) and page not in sizes:
            page, where = sizes[-1], "_mla_backend_page_constraints, lines 1143-1200"
            why = Text(f"{kernel} takes no other pages", f"{kernel} 只支持该页大小")
    branches = seen.number("speculative_eagle_topk") or 0
    if "fa4" in {*kernels, base} and seen.is_latent is False and seen.is_datacentre_blackwell and branches <= 1:
        page, where = _FA4_PAGE, "_fa4_page_constraint, lines 1273-1297"
        why = Text("FlashAttention 4 has one page size here", "FlashAttention 4 在此只有一种页大小")
    seen.tell(name, setting, 1 if page is None else page, why, cite=(OVERRIDES, where))


def _kv_type(seen: Seen) -> None:
    asked, name, setting = seen.asked("kv_cache_dtype"), "kv_cache_dtype", "exec.kernel.kv_cache_dtype"
    is_open = asked in (None, "auto")
    if seen.architecture == _V4:
        value = "fp8_e4m3" if is_open else asked
        why = Text("this model's KV cache is fp8", "该模型的 KV 缓存为 fp8") if is_open else AS_ASKED
        seen.tell(name, setting, value, why, cite=(OVERRIDES, "_deepseek_v4_kv_cache_dtype, lines 891-913"))
    elif seen.is_sparse and seen.architecture in DEEPSEEK and seen.major is not None:
        where = (OVERRIDES, "_dsa_kv_cache_dtype_default, lines 490-547")
        if is_open:
            value = "fp8_e4m3" if seen.major >= 10 else "bfloat16"
            why = Text("sparse attention's type on this GPU", "稀疏注意力在此 GPU 上的类型")
            seen.tell(name, setting, value, why, cite=where)
        else:
            seen.tell(name, setting, "bfloat16" if asked == "bf16" else asked, AS_ASKED, cite=where)
    elif not is_open:
        seen.tell(name, setting, asked, AS_ASKED, cite=(ATTENTION, "lines 186-190"))
