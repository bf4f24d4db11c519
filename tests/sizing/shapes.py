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
