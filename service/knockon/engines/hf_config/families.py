"""What is known of model families by their `model_type`: which attend plainly, which do not, and their defaults."""

from collections.abc import Mapping

# Decoders in which every layer attends to the whole sequence with heads of one size, as their implementations in
# transformers and vLLM read the same config keys. Whether MHA, GQA or MQA is told by the head counts.
PLAIN = frozenset({
    "apertus", "aquila", "arcee", "arctic", "bailing_moe", "bailing_moe_v2", "baichuan", "bloom", "chatglm", "codegen",
    "codellama", "cohere", "dbrx", "deepseek", "dots1", "ernie4_5", "ernie4_5_moe", "exaone", "falcon", "flex_olmo",
    "gemma", "glm", "glm4", "glm4_moe", "glm4v_moe_text", "glm4v_text", "gpt2", "gpt_bigcode", "gpt_neox", "gptj",
    "granite", "granitemoe", "granitemoeshared", "grok-1", "helium", "hunyuan_v1_dense", "hunyuan_v1_moe", "internlm",
    "internlm2", "internlm3", "jais", "llama", "mimo", "minicpm", "minimax_m2", "ministral3", "mistral", "mistral3",
    "mixtral", "mpt", "nemotron", "olmo", "olmo2", "olmoe", "opt", "orion", "persimmon", "phi", "phi3", "phi3_v",
    "phi4mm", "phimoe", "qwen", "qwen2", "qwen2_5_omni_text", "qwen2_5_vl", "qwen2_5_vl_text", "qwen2_moe", "qwen2_vl",
    "qwen2_vl_text", "qwen3", "qwen3_moe", "qwen3_omni_moe_text", "qwen3_vl", "qwen3_vl_moe", "qwen3_vl_moe_text",
    "qwen3_vl_text", "RefinedWeb", "RefinedWebModel", "seed_oss", "skywork", "smollm3", "solar", "stablelm",
    "stablelm_epoch", "starcoder2", "telechat2", "xverse", "Yi",
})  # fmt: skip

# Families in which layers or heads differ, whatever else the config says.
NOT_PLAIN: Mapping[str, str] = {
    # A window in some layers, the whole sequence in others.
    "cohere2": "hybrid_sliding",
    "exaone4": "hybrid_sliding",
    "gemma2": "hybrid_sliding",
    "gemma3": "hybrid_sliding",
    "gemma3_text": "hybrid_sliding",
    "gemma3n": "hybrid_sliding",
    "gemma3n_text": "hybrid_sliding",
    "gemma4": "hybrid_sliding",
    "gemma4_text": "hybrid_sliding",
    "gpt_oss": "hybrid_sliding",
    "mimo_v2_flash": "hybrid_sliding",
    "olmo3": "hybrid_sliding",
    "step3p5": "hybrid_sliding",
    "step3p7": "hybrid_sliding",
    "llama4": "hybrid_chunked",
    "llama4_text": "hybrid_chunked",
    # State-space or linear layers beside attention.
    "bailing_hybrid": "hybrid_linear",
    "bamba": "hybrid_linear",
    "falcon_h1": "hybrid_linear",
    "granitemoehybrid": "hybrid_linear",
    "jamba": "hybrid_linear",
    "kimi_linear": "hybrid_linear",
    "lfm2": "hybrid_linear",
    "lfm2_moe": "hybrid_linear",
    "minimax": "hybrid_linear",
    "minimax_text_01": "hybrid_linear",
    "nemotron_h": "hybrid_linear",
    "plamo2": "hybrid_linear",
    "qwen3_5": "hybrid_linear",
    "qwen3_5_moe": "hybrid_linear",
    "qwen3_5_moe_text": "hybrid_linear",
    "qwen3_5_text": "hybrid_linear",
    "qwen3_next": "hybrid_linear",
    "qwen4_exp": "hybrid_linear",
    "recurrent_gemma": "hybrid_linear",
    "zamba": "hybrid_linear",
    "zamba2": "hybrid_linear",
    # Nothing but states.
    "falcon_mamba": "linear",
    "mamba": "linear",
    "mamba2": "linear",
    "rwkv": "linear",
    # Full attention chosen by an indexer, or over compressed keys.
    "deepseek_v32": "mla_sparse",
    "glm_moe_dsa": "mla_sparse",
    "deepseek_ref": "compressed",
    "deepseek_v4": "compressed",
    "minimax_m3": "sparse",
    "minimax_m3_vl": "sparse",
    "phi3small": "sparse",
    # Layers that differ one from another, layers over another sequence, and what fits none of these.
    "deci": "per_layer",
    "nemotron-nas": "per_layer",
    "openelm": "per_layer",
    "bart": "cross",
    "mllama": "cross",
    "mllama_text_model": "cross",
    "t5": "cross",
    "whisper": "cross",
    # Has a latent in its config but its engines cache the expanded heads.
    "minicpm3": "other",
}

# Implementations that take the query heads' number when the config names no key/value heads.
MHA_BY_DEFAULT = frozenset({
    "baichuan", "bloom", "codegen", "deepseek", "gpt2", "gpt_neox", "gptj", "internlm", "jais", "llama", "mpt", "opt",
    "persimmon", "phi", "phi3", "qwen", "xverse",
})  # fmt: skip

# One key/value head where `multi_query` is set, unless the newer decoder is.
MULTI_QUERY_SWITCH = frozenset({"falcon", "gpt_bigcode", "RefinedWeb", "RefinedWebModel"})

# Families whose class has a head size of its own, so that hidden_size / num_attention_heads would be a guess.
OWN_HEAD_DIM = frozenset({
    "gemma", "gemma2", "gemma3", "gemma3_text", "gemma3n_text", "gemma4_text", "glm", "glm4", "gpt_oss", "minimax_m2",
    "qwen3", "qwen3_moe", "qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "seed_oss",
})  # fmt: skip

# The class default of tie_word_embeddings in transformers, where a config leaves it out.
TIED_BY_DEFAULT: Mapping[str, bool] = {
    **dict.fromkeys(
        ("gemma", "gemma2", "gemma3", "gemma3_text", "cohere", "cohere2", "gemma4", "gemma4_text", "gpt2"), True
    ),
    **dict.fromkeys(
        (
            "deepseek_v2", "deepseek_v3", "glm4_moe", "kimi_k2", "llama", "minimax_m2", "mistral", "mixtral", "phi3",
            "llama4", "llama4_text", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen3_5", "qwen3_5_moe",
            "qwen3_5_moe_text", "qwen3_5_text", "qwen3_next", "qwen3_vl_text",
        ),
        False,
    ),
}  # fmt: skip

# Families of which some members have experts; the others of PLAIN have none unless their config says so.
EVERY_LAYER_HAS_EXPERTS = frozenset({
    "dbrx", "gemma4", "gemma4_text", "gpt_oss", "granitemoe", "minimax_m2", "mixtral", "olmoe", "phimoe", "qwen3_5_moe",
    "qwen3_5_moe_text",
})  # fmt: skip

# Families whose attention has learned sinks: vLLM 0.33 hands `sinks` to their attention layers (model_executor/models).
SINKS = frozenset({"gpt_oss", "laguna", "mimo_v2", "mimo_v2_flash", "openai_privacy_filter"})
# Have them where their config lists kinds of layers (vLLM 0.33 model_executor/models/granite.py:109).
SINKS_BY_LAYERS = frozenset({"granite", "granitemoe"})

# Image tokens see one another in both directions: vLLM 0.33 transformers_utils/model_arch_config_convertor.py:358-367.
BIDIRECTIONAL_IMAGES = frozenset({"bagel", "gemma3", "molmo2", "moondream3", "paligemma"})

# The families that vLLM 0.33 serves with latent attention where the config has a latent
# (transformers_utils/model_arch_config_convertor.py:297-322).
LATENT = frozenset({
    "axk1", "bailing_hybrid", "deepseek_mtp", "deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_v4",
    "deepseek_v41", "dots3_note", "glm4_moe_lite", "glm4_moe_lite_mtp", "glm5_next", "glm5_next_text", "glm_moe_dsa", "hy_v4",
    "kimi_k2", "kimi_linear", "longcat_flash", "pangu_ultra_moe",
})  # fmt: skip
