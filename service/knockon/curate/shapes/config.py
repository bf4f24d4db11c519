"""What a model's `config` may hold: the keys of a config.json that facts are read from, their types and their ranges.

The readers of such files take the same keys with the same ranges (a test holds the two together). Other keys may
stand beside them, as long as none looks like a slip of one of these.
"""

from collections.abc import Mapping

# No model has more of anything, parameters aside; a larger number is a slip, and columns hold 64 bits.
COUNT_MAX = 1_000_000_000

LANGUAGE_PARTS = ("thinker_config", "text_config", "llm_config", "language_config", "language_model_config")
"""Where multimodal models keep the config of their language model; the same keys stand in them."""

_FROM_ONE = (
    # layers
    "num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers", "decoder_sparse_step",
    "full_attention_interval", "attn_layer_period", "expert_layer_period", "interleave_moe_layer_step",
    "no_rope_layer_interval", "sliding_window_pattern", "_sliding_window_pattern", "moe_layer_freq",
    # heads
    "num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads", "num_key_value_heads",
    "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads", "multi_query_group_num", "swa_num_key_value_heads",
    "num_global_key_value_heads", "head_dim", "kv_channels", "attention_head_dim", "hidden_size_per_head",
    "swa_head_dim", "swa_v_head_dim", "global_head_dim", "v_head_dim", "index_head_dim", "index_topk",
    "kv_lora_rank", "q_lora_rank",
    # widths
    "hidden_size", "n_embd", "d_model", "vocab_size", "padded_vocab_size", "intermediate_size", "ffn_hidden_size",
    "ffn_config.ffn_hidden_size", "intermediate_size_mlp", "moe_intermediate_size",
    "routed_expert_hidden_size", "moe_latent_size",
    # lengths
    "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length", "max_target_positions",
    "max_sequence_length", "max_seq_length", "seq_len", "attention_chunk_size",
    # experts
    "num_experts_per_tok", "num_experts_per_token", "moe_top_k", "ffn_config.moe_top_k",
    # layers that keep a state
    "linear_num_key_heads", "linear_num_value_heads", "linear_key_head_dim", "linear_value_head_dim",
    "linear_conv_kernel_dim", "mamba_num_heads", "mamba_n_heads", "mamba_head_dim", "mamba_headdim", "mamba_d_state",
    "mamba_d_conv", "mamba_d_ssm", "mamba_dt_rank", "mamba_expand", "expand", "mamba_n_groups", "mamba_ngroups",
    "ssm_state_size", "state_size", "time_step_rank", "conv_kernel", "conv_dim", "conv_L_cache", "n_groups",
    "linear_attn_config.num_heads", "linear_attn_config.head_dim", "linear_attn_config.short_conv_kernel_size",
    # the image encoder
    "vision_config.num_heads", "vision_config.num_attention_heads",
    # the checkpoint
    "quantization_config.bits", "quantization_config.w_bit",
)  # fmt: skip
_FROM_ZERO = (
    "qk_rope_head_dim", "qk_nope_head_dim", "shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
    "shared_intermediate_size", "dense_intermediate_size", "n_shared_experts", "num_shared_experts",
    "first_k_dense_replace", "sliding_window", "max_window_layers",
    "num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts", "ffn_config.moe_num_experts",
    "num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "num_kv_shared_layers",
    "attn_layer_offset", "expert_layer_offset", "index_n_heads", "index_topk_freq", "blocksparse_block_size",
)  # fmt: skip

COUNTS: Mapping[str, int] = {**dict.fromkeys(_FROM_ONE, 1), **dict.fromkeys(_FROM_ZERO, 0)}
"""Whole numbers, or a list with one for each layer: by key, dotted where it stands inside another, the smallest."""

COUNT_LISTS = frozenset({
    "mlp_only_layers", "hybrid_layer_pattern", "attn_type_list", "no_rope_layers", "compress_ratios",
    "linear_attn_config.full_attn_layers", "linear_attn_config.kda_layers",
})  # fmt: skip
"""Lists of whole numbers from 0."""
FLAGS = frozenset({
    "new_decoder_architecture", "multi_query", "multi_query_attention", "use_sliding_window", "is_encoder_decoder",
    "tie_word_embeddings", "attention_bias", "attention_sinks", "attention_k_eq_v", "attn_output_gate", "use_qk_norm",
    "add_swa_attention_sink_bias", "add_full_attention_sink_bias",
})  # fmt: skip
TEXTS = frozenset({
    "model_type", "dtype", "torch_dtype", "mamba_ssm_dtype", "mamba_ssm_cache_dtype", "hybrid_override_pattern",
    "quantization_config.quant_method", "quantization_config.quant_algo", "quantization_config.kv_cache_quant_algo",
})  # fmt: skip
TEXT_LISTS = frozenset({"architectures", "layer_types", "layers_block_type", "mlp_layer_types"})
MAPPINGS = frozenset({
    *LANGUAGE_PARTS, "quantization_config", "compression_config", "quantization_config.config_groups", "attn_config",
    "ffn_config", "linear_attn_config",
})  # fmt: skip
ANYTHING = frozenset({
    "vision_config", "vision_tower", "img_processor", "visual", "block_configs", "cross_attention_layers",
    "lightning_ratio", "sparse_attention_config", "rope_scaling", "rope_parameters", "use_bidirectional_attention",
    "quantization_config.quantization", "quantization_config.group_size", "quantization_config.q_group_size",
    "quantization_config.weight_block_size", "quantization_config.kv_cache_scheme", "quantization_config.sym",
    "quantization_config.load_in_4bit", "quantization_config.load_in_8bit", "quantization_config.zero_point",
    "quantization_config.desc_act", "quantization_config.ignore", "quantization_config.ignored_layers",
    "quantization_config.exclude_modules", "quantization_config.modules_to_not_convert",
})  # fmt: skip
"""Of interest only in that they are there, or read leniently."""

KNOWN = frozenset({*COUNTS, *COUNT_LISTS, *FLAGS, *TEXTS, *TEXT_LISTS, *MAPPINGS, *ANYTHING})

# Of several keys for one thing the first that is given counts.
QUERY_HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
KV_HEADS = ("num_key_value_heads", "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads", "multi_query_group_num")
LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
EXPERTS = ("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts", "ffn_config.moe_num_experts")
EXPERTS_PER_TOKEN = ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "ffn_config.moe_top_k")
DENSE_LAYERS = ("first_k_dense_replace",)
