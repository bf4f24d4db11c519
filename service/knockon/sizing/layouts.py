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
    head_norms: Literal["", "shared", "each"] = ""
    """Norms over query and key: one per layer shared by the heads, or one weight for every element of every head."""
    mlp_matrices: int = 3
    """Matrices of an MLP: gate, up and down; two without a gate."""
    norms: int = 2
    """Norm vectors of one layer, each as wide as the model."""
    shared_expert_gate: bool = False


_DENSE = Layout()
_LATENT = Layout(expert_width="moe_intermediate_size")

# Read from the models' implementations in transformers and vLLM; families that are missing are not reckoned.
LAYOUTS: Mapping[str, Layout] = {
    "llama": _DENSE,
    "mistral": _DENSE,
    "granite": _DENSE,
    "gemma": _DENSE,
    "phi3": _DENSE,
    "qwen2": Layout(qkv_bias=True),
    "qwen3": Layout(head_norms="shared"),
    "mixtral": Layout(expert_width="intermediate_size"),
    "qwen2_moe": Layout(expert_width="moe_intermediate_size", qkv_bias=True, shared_expert_gate=True),
    "qwen3_moe": Layout(expert_width="moe_intermediate_size", head_norms="shared"),
    "minimax_m2": Layout(expert_width="intermediate_size", head_norms="each"),
    "glm4_moe": Layout(expert_width="moe_intermediate_size", qkv_bias=True),
    "deepseek_v2": _LATENT,
    "deepseek_v3": _LATENT,
    "kimi_k2": _LATENT,
}
