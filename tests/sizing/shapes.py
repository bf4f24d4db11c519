"""Facts of models that the sizing tests share."""

from knockon.terms.words import Scalar

GIB = 1024**3

QWEN3_235B: dict[str, Scalar] = {
    "attention_kind": "gqa",
    "num_hidden_layers": 94,
    "num_attention_heads": 64,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "max_model_len": 40960,
}
LLAMA_8B: dict[str, Scalar] = {
    "attention_kind": "gqa",
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "max_model_len": 131072,
}
LLAMA_70B: dict[str, Scalar] = {**LLAMA_8B, "num_hidden_layers": 80, "num_attention_heads": 64}
QWEN3_30B: dict[str, Scalar] = {**QWEN3_235B, "num_hidden_layers": 48, "num_attention_heads": 32}
DEEPSEEK_V3: dict[str, Scalar] = {
    "attention_kind": "mla",
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
    "max_model_len": 163840,
}
# As if every layer attended to the whole sequence: what the engine plans with its hybrid manager off.
GEMMA3_27B_FULL: dict[str, Scalar] = {**LLAMA_8B, "num_hidden_layers": 62, "num_key_value_heads": 16}
GPT_OSS_120B_FULL: dict[str, Scalar] = {**LLAMA_70B, "num_hidden_layers": 36, "head_dim": 64}
GPT_OSS_20B: dict[str, Scalar] = {
    "attention_kind": "hybrid_sliding",
    "layer_pattern": "sf" * 12,
    "num_hidden_layers": 24,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "sliding_window": 128,
    "max_model_len": 131072,
    "max_num_batched_tokens": 8192,
}
# States in 32 bits, as the golden values were made.
QWEN3_NEXT: dict[str, Scalar] = {
    "attention_kind": "hybrid_linear",
    "layer_pattern": "mmmf" * 12,
    "num_hidden_layers": 48,
    "num_attention_heads": 16,
    "num_key_value_heads": 2,
    "head_dim": 256,
    "linear_state_kind": "gated_delta",
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_size": 4,
    "mamba_ssm_cache_dtype": "float32",
    "max_model_len": 131072,
}
# With everything that the weights follow from.
LLAMA_3_8B: dict[str, Scalar] = {
    **LLAMA_8B,
    "text_model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
    "num_experts": 0,
    "model_dtype": "bfloat16",
}
MIXTRAL_8X7B: dict[str, Scalar] = {
    **LLAMA_3_8B,
    "text_model_type": "mixtral",
    "vocab_size": 32000,
    "num_experts": 8,
    "num_experts_per_tok": 2,
    "moe_layer_count": 32,
}
