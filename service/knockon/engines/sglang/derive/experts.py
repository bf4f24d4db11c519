"""Which kernels SGLang chooses for the experts of a model."""

from knockon.engines.seen import AS_ASKED
from knockon.engines.sglang.derive.seen import FAMILY_OVERRIDES, OVERRIDES, Seen
from knockon.terms.words import Text

# Models whose experts go to TRT-LLM kernels on datacentre Blackwell, in fp8 or 16 bits
# (arg_groups/overrides.py:810-831, model_overrides/qwen3_moe.py).
_DEEPSEEK = frozenset({"DeepseekV32ForCausalLM", "DeepseekV3ForCausalLM", "GlmMoeDsaForCausalLM"})
_QWEN = frozenset({"Qwen3MoeForCausalLM", "Qwen3NextForCausalLM", "Qwen3_5MoeForConditionalGeneration"})
_FULL_BITS = 16


def derive(seen: Seen) -> None:
    """Tell which kernels run the experts."""
    asked, name, setting = seen.text("moe_backend"), "moe_backend", "exec.moe.moe_runner_backend"
    if asked is None or not seen.number("num_experts"):
        return
    if asked not in ("auto", "megamoe"):
        seen.tell(name, setting, asked, AS_ASKED, cite=("sglang-0.5.23-moe-hook", "handle_moe_kernel_config"))
        return
    if asked == "megamoe" or seen.asked("quantization") is not None or seen.derived("all2all_backend") != "none":
        return
    is_plain = seen.text("checkpoint_quantization") == "fp8" or (
        seen.text("checkpoint_quantization") is None and seen.number("checkpoint_weight_bits") in (None, _FULL_BITS)
    )
    is_remapped = seen.is_on("enable_expert_load_balancing") or (seen.number("num_redundant_experts") or 0) > 0
    if seen.is_datacentre_blackwell and is_plain and not is_remapped and seen.architecture in _DEEPSEEK | _QWEN:
        why = Text("this model's own on this GPU", "该模型在此 GPU 上的默认内核")
        where = (
            (OVERRIDES, "_deepseek_moe_quant_resolution, lines 810-831")
            if seen.architecture in _DEEPSEEK
            else (FAMILY_OVERRIDES, "qwen3_moe.py")
        )
        seen.tell(name, setting, "flashinfer_trtllm", why, cite=where)
    elif (
        seen.architecture == "GptOssForCausalLM"
        and seen.text("checkpoint_quantization") == "mxfp4"
        and (seen.is_datacentre_blackwell or seen.is_desktop_blackwell)
    ):
        why = Text("MXFP4 experts on Blackwell", "Blackwell 上的 MXFP4 专家")
        seen.tell(name, setting, "flashinfer_mxfp4", why, cite=(FAMILY_OVERRIDES, "gpt_oss.py"))
