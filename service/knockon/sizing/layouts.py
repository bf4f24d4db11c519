"""Which weights a family's decoder has: what cannot be told from the numbers of a config.json alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Layout:
    """The weights of one decoder layer beside attention and MLP matrices, as the family's implementation has them."""

    expert_width: Literal["", "moe_intermediate_size", "intermediate_size"] = ""
    """The fact that says how wide one expert is; empty for families without experts."""
    qkv_bias: bool = False
    output_bias: bool = False
    head_norms: Literal["", "shared", "each"] = ""
    """Norms over query and key: one per layer shared by the heads, or one weight for every element of every head."""
    mlp_matrices: int = 3
    """Matrices of an MLP: gate, up and down; two without a gate."""
    mlp_bias: bool = False
    expert_bias: bool = False
    norms: int = 2
    """Norm vectors of one layer, each as wide as the model."""
    norm_bias: bool = False
    shared_expert_gate: bool = False
    query_gate: bool = False
    """Whether the query projection is twice as wide, for a gate on the attention's output."""
    shared_expert: Literal["", "intermediate_size"] = ""
    """The fact that says how wide a shared expert is that the config does not count."""
    dense_beside_experts: bool = False
    """Whether layers with experts have a dense MLP too."""


_DENSE = Layout()
_LATENT = Layout(expert_width="moe_intermediate_size")
_NEXT = Layout(expert_width="moe_intermediate_size", head_norms="shared", shared_expert_gate=True, query_gate=True)

# Read from the models' implementations in transformers and vLLM; families that are missing are not reckoned.
LAYOUTS: Mapping[str, Layout] = {
    "llama": _DENSE,
    "mistral": _DENSE,
    "ministral3": _DENSE,
    "granite": _DENSE,
    "gemma": _DENSE,
    "phi3": _DENSE,
    "internlm2": _DENSE,
    "Yi": _DENSE,
    "smollm3": _DENSE,
    "qwen2": Layout(qkv_bias=True),
    "qwen2_vl_text": Layout(qkv_bias=True),
    "qwen2_5_vl_text": Layout(qkv_bias=True),
    "qwen3": Layout(head_norms="shared"),
    "qwen3_vl_text": Layout(head_norms="shared"),
    "gemma2": Layout(norms=4),
    "gemma3_text": Layout(norms=4, head_norms="shared"),
    "glm": Layout(qkv_bias=True),
    "glm4": Layout(qkv_bias=True, norms=4),
    "chatglm": Layout(qkv_bias=True),
    "olmo2": Layout(head_norms="each"),
    "cohere": Layout(norms=1),
    "cohere2": Layout(norms=1),
    "falcon": Layout(mlp_matrices=2, norms=1, norm_bias=True),
    "phi": Layout(mlp_matrices=2, norms=1, norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True),
    "starcoder2": Layout(mlp_matrices=2, norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True),
    "opt": Layout(mlp_matrices=2, norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True),
    "mixtral": Layout(expert_width="intermediate_size"),
    "phimoe": Layout(expert_width="intermediate_size", qkv_bias=True, output_bias=True, norm_bias=True),
    "olmoe": Layout(expert_width="intermediate_size", head_norms="each"),
    "qwen2_moe": Layout(expert_width="moe_intermediate_size", qkv_bias=True, shared_expert_gate=True),
    "qwen3_moe": Layout(expert_width="moe_intermediate_size", head_norms="shared"),
    "qwen3_vl_moe_text": Layout(expert_width="moe_intermediate_size", head_norms="shared"),
    "qwen3_next": _NEXT,
    "qwen3_5_text": Layout(head_norms="shared", query_gate=True),
    "qwen3_5_moe_text": _NEXT,
    "minimax_m2": Layout(expert_width="intermediate_size", head_norms="each"),
    "glm4_moe": Layout(expert_width="moe_intermediate_size", qkv_bias=True),
    "gpt_oss": Layout(expert_width="intermediate_size", qkv_bias=True, output_bias=True, expert_bias=True),
    "llama4_text": Layout(expert_width="intermediate_size", shared_expert="intermediate_size"),
    "mimo_v2_flash": Layout(expert_width="moe_intermediate_size"),
    "jamba": Layout(expert_width="intermediate_size"),
    "nemotron_h": Layout(expert_width="moe_intermediate_size", mlp_matrices=2, norms=1),
    "falcon_h1": _DENSE,
    "mamba2": Layout(norms=1),
    "gemma4_text": Layout(
        expert_width="moe_intermediate_size", norms=7, head_norms="shared", dense_beside_experts=True
    ),
    "deepseek_v2": _LATENT,
    "deepseek_v3": _LATENT,
    "glm4_moe_lite": _LATENT,
    "kimi_k2": _LATENT,
    "kimi_linear": _LATENT,
}
