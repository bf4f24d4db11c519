"""What SGLang's source says of classes of models: kinds of attention, and what it sets for them by itself."""

# sglang/srt/configs/model_config.py:1366-1527
LATENT = frozenset({
    "BailingMoeV2_5ForCausalLM", "BailingMoeV3ForCausalLM", "BailingMoeV3VLForConditionalGeneration",
    "DeepseekV2ForCausalLM", "DeepseekV32ForCausalLM", "DeepseekV3ForCausalLM", "Dots3NoteForCausalLM",
    "DotsVLMForCausalLM", "GigaChat35ForCausalLM", "Glm4MoeLiteForCausalLM", "Glm5NextForConditionalGeneration",
    "GlmMoeDsaForCausalLM", "HYV4ForCausalLM", "KimiK25ForConditionalGeneration", "KimiK3ForConditionalGeneration",
    "KimiK3LinearForCausalLM", "KimiLinearForCausalLM", "KimiVLForConditionalGeneration", "LongcatFlashForCausalLM",
    "MiniCPM3ForCausalLM", "MistralLarge3ForCausalLM", "SarvamMLAForCausalLM",
})  # fmt: skip
# Latent or not as further keys of the config say.
MAYBE_LATENT = frozenset({"DeepseekVL2ForCausalLM", "PixtralForConditionalGeneration"})

# Models whose attention defaults are those of DeepSeek-V3 (arg_groups/model_overrides/deepseek_v2.py).
DEEPSEEK = frozenset({
    "DeepseekV32ForCausalLM", "DeepseekV3ForCausalLM", "GlmMoeDsaForCausalLM", "KimiK25ForConditionalGeneration",
    "LongcatFlashForCausalLM", "MistralLarge3ForCausalLM",
})  # fmt: skip
# (attention kernels on datacentre Blackwell, on Hopper, elsewhere) where a model has its own
# (arg_groups/model_overrides/gpt_oss.py, llama4.py, gemma4.py, exaone.py, olmo2.py, beam.py, inkling.py).
OWN_KERNELS = {
    "GptOssForCausalLM": ("trtllm_mha", "fa3", "triton"),
    "Llama4ForConditionalGeneration": ("trtllm_mha", "fa3", "triton"),
    "Llama4ForCausalLM": ("trtllm_mha", "fa3", "triton"),
    "Gemma4ForConditionalGeneration": ("trtllm_mha", "triton", "triton"),
    "Gemma4ForCausalLM": ("trtllm_mha", "triton", "triton"),
    "Gemma4UnifiedForConditionalGeneration": ("trtllm_mha", "triton", "triton"),
    "InklingForConditionalGeneration": ("fa4", "fa4", "triton"),
}
# Kernels that the class sets on datacentre Blackwell only; elsewhere those of all models.
BLACKWELL_KERNELS = {
    "MiMoV2ForCausalLM": "fa4",
    "MiMoV2FlashForCausalLM": "fa4",
    "Lfm2ForCausalLM": "flashinfer",
    "Lfm2MoeForCausalLM": "flashinfer",
    "FalconH1ForCausalLM": "triton",
    "JetNemotronForCausalLM": "triton",
}
# Models whose kernels follow from more than class and GPU: nothing is told of them.
OTHER_KERNELS = frozenset({
    "BeamForCausalLM", "DiffusionGemmaForBlockDiffusion", "Dots3NoteForCausalLM", "EmbeddingGemma2Model",
    "Exaone4ForCausalLM", "ExaoneMoEForCausalLM", "ExaoneMoeForCausalLM", "Glm5NextForConditionalGeneration",
    "HYV4ForCausalLM", "HrmTextForCausalLM", "IQuestQ1ForCausalLM", "KimiK3ForConditionalGeneration",
    "MiniCPMForCausalLM", "MiniCPMSALAForCausalLM", "MiniMaxM3SparseForCausalLM",
    "MiniMaxM3SparseForConditionalGeneration", "MossVLForConditionalGeneration", "MuseSparkForConditionalGeneration",
    "Olmo2ForCausalLM", "PixtralForConditionalGeneration", "Step3VLForConditionalGeneration", "Step3p5ForCausalLM",
    "Step3p7ForConditionalGeneration",
})  # fmt: skip
# The same, on GPUs of these major compute capabilities only.
_BLACKWELL, _HOPPER = frozenset({10, 11, 12}), frozenset({9})
OTHER_KERNELS_ON = {
    **dict.fromkeys((
        "GraniteMoeHybridForCausalLM", "InternS2MobiusForConditionalGeneration",
        "InternS2PreviewForConditionalGeneration", "JetVLMForConditionalGeneration",
        "MiniCPMV4_6ForConditionalGeneration", "MiniCPMV4_7ForConditionalGeneration", "NemotronHForCausalLM",
        "NemotronHPuzzleForCausalLM", "NemotronH_Omni_Reasoning_V3", "Qwen3NextForCausalLM",
        "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForConditionalGeneration", "Qwen4ExpForConditionalGeneration",
    ), _BLACKWELL),
    **dict.fromkeys(("Qwen3VLForConditionalGeneration", "Qwen3VLMoeForConditionalGeneration"), _HOPPER),
}  # fmt: skip
# Learned sinks, which FlashInfer does not know (configs/model_config.py:88-96, 1273-1289).
SINKS = frozenset({"GptOssForCausalLM", "GraniteMoeSWAForCausalLM", "GraniteSWAForCausalLM"})
MAYBE_SINKS = frozenset({"MiMoV2FlashForCausalLM", "MiMoV2ForCausalLM"})

# Classes that take more than text (configs/model_config.py:2391-2472).
MULTIMODAL = frozenset({
    "BailingMM2NativeForConditionalGeneration", "BailingMMNativeForConditionalGeneration",
    "BailingMoeV3VLForConditionalGeneration", "CLIPModel", "Cohere2VisionForConditionalGeneration",
    "Cosmos3EdgeForConditionalGeneration", "DeepseekOCRForCausalLM", "DeepseekVL2ForCausalLM",
    "DiffusionGemmaForBlockDiffusion", "Dots3NoteForCausalLM", "DotsOCRForCausalLM", "DotsVLMForCausalLM",
    "EmbeddingGemma2Model", "Ernie4_5_VLMoeForConditionalGeneration", "Gemma3ForConditionalGeneration",
    "Gemma3nForConditionalGeneration", "Gemma4ForConditionalGeneration", "Gemma4UnifiedForConditionalGeneration",
    "Glm4vForConditionalGeneration", "Glm4vMoeForConditionalGeneration", "Glm5NextForConditionalGeneration",
    "GlmAsrForConditionalGeneration", "GlmImageForConditionalGeneration", "GlmOcrForConditionalGeneration",
    "Grok1AForCausalLM", "Grok1VForCausalLM", "InternS1ForConditionalGeneration",
    "InternS1ProForConditionalGeneration", "InternS2MobiusForConditionalGeneration",
    "InternS2PreviewForConditionalGeneration", "InternVLChatModel", "JetVLMForConditionalGeneration",
    "KimiK25ForConditionalGeneration", "KimiVLForConditionalGeneration", "Lfm2VlForConditionalGeneration",
    "LightOnOCRForConditionalGeneration", "Llama4ForConditionalGeneration", "LlavaForConditionalGeneration",
    "LlavaLlamaForCausalLM", "LlavaMistralForCausalLM", "LlavaQwenForCausalLM", "LlavaVidForCausalLM",
    "LocateAnythingForConditionalGeneration", "MiDashengLMModel", "MiMoV2ASRForCausalLM", "MiniCPMO", "MiniCPMV",
    "MiniMaxM3SparseForConditionalGeneration", "Mistral3ForConditionalGeneration", "MllamaForConditionalGeneration",
    "MossVLForConditionalGeneration", "MultiModalityCausalLM", "MuseGlimmerForConditionalGeneration",
    "MuseSparkForConditionalGeneration", "NVILAForConditionalGeneration", "NVILALiteForConditionalGeneration",
    "NemotronH_Nano_Omni_Reasoning_V3", "NemotronH_Nano_VL_V2", "NemotronH_Omni_Reasoning_V3", "POINTSV15ChatModel",
    "PaddleOCRVLForConditionalGeneration", "Phi4MMForCausalLM", "PixtralForConditionalGeneration",
    "Qwen2AudioForConditionalGeneration", "Qwen2VLForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration",
    "Qwen3ASRForConditionalGeneration", "Qwen3OmniMoeForConditionalGeneration", "Qwen3VLForConditionalGeneration",
    "Qwen3VLMoeForConditionalGeneration", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForConditionalGeneration",
    "Qwen4ExpForConditionalGeneration", "Sarashina2VisionForCausalLM", "Step3VLForConditionalGeneration",
    "Step3p7ForConditionalGeneration", "StepVLForConditionalGeneration", "UnlimitedOCRForCausalLM",
    "VoxtralForConditionalGeneration", "WhisperForConditionalGeneration",
})  # fmt: skip
# Multimodal classes whose prefill keeps its graph (configs/model_config.py:2501-2516).
GRAPHS_WITH_IMAGES = frozenset({
    "Cohere2VisionForConditionalGeneration", "Glm5NextForConditionalGeneration",
    "InternS2MobiusForConditionalGeneration", "KimiK25ForConditionalGeneration", "KimiK3ForConditionalGeneration",
    "MiniMaxM3SparseForCausalLM", "MiniMaxM3SparseForConditionalGeneration", "MuseGlimmerForConditionalGeneration",
    "MuseSparkForConditionalGeneration", "PaddleOCRVLForConditionalGeneration", "Qwen3_5ForConditionalGeneration",
    "Qwen3_5MoeForConditionalGeneration", "Qwen4ExpForConditionalGeneration",
})  # fmt: skip
# Classes served as text models unless --enable-multimodal is given (configs/model_config.py:690-704).
TEXT_UNLESS_ASKED = frozenset({
    "Gemma3ForConditionalGeneration", "InklingForConditionalGeneration", "Llama4ForConditionalGeneration",
    "Step3VLForConditionalGeneration",
})  # fmt: skip
# Multimodal classes whose prompts are not cut (configs/model_config.py:2553-2567).
WHOLE_PROMPTS = frozenset({
    "CLIPModel", "Grok1AForCausalLM", "Grok1VForCausalLM", "LlavaLlamaForCausalLM", "MllamaForConditionalGeneration",
    "MossVLForConditionalGeneration",
})  # fmt: skip
# Windowed layers get whole KV pools (arg_groups/model_overrides/gemma2_gemma3.py, olmo2.py).
NO_WINDOW_POOLS = frozenset({
    "Gemma2ForCausalLM", "Gemma3ForCausalLM", "Gemma3ForConditionalGeneration", "Gemma3nForCausalLM",
    "Gemma3nForConditionalGeneration", "Olmo2ForCausalLM",
})  # fmt: skip

# Hybrid models whose states are in the prefix tree, and those that can keep an extra buffer of them
# (arg_groups/overrides.py:369-435).
STATES_IN_TREE = frozenset({
    "BailingMoeV2_5ForCausalLM", "BailingMoeV3ForCausalLM", "FalconH1ForCausalLM", "JetNemotronForCausalLM",
    "KimiK3ForConditionalGeneration", "KimiLinearForCausalLM", "Lfm2ForCausalLM", "Lfm2MoeForCausalLM",
    "NemotronHForCausalLM", "NemotronHPuzzleForCausalLM", "Qwen3NextForCausalLM", "Qwen3_5ForCausalLM",
    "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration",
    "Qwen4ExpForConditionalGeneration", "ZayaForCausalLM",
})  # fmt: skip
EXTRA_BUFFER = STATES_IN_TREE - {"JetNemotronForCausalLM", "Lfm2ForCausalLM", "Lfm2MoeForCausalLM", "ZayaForCausalLM"}

# Models that bring their own draft layers (arg_groups/speculative_hook.py:1121-1137).
OWN_DRAFTS = frozenset({
    "BailingMoeForCausalLM", "BailingMoeV2ForCausalLM", "BailingMoeV2_5ForCausalLM", "DeepseekV32ForCausalLM",
    "DeepseekV3ForCausalLM", "DeepseekV4ForCausalLM", "Glm4MoeForCausalLM", "Glm4MoeLiteForCausalLM",
    "GlmMoeDsaForCausalLM", "HYV3ForCausalLM", "HYV4ForCausalLM", "MistralLarge3ForCausalLM",
    "PixtralForConditionalGeneration", "Qwen4ExpForConditionalGeneration",
})  # fmt: skip
# All-reduce is fused with the norm behind it where the GPU can (arg_groups/overrides.py:927-951).
FUSED_ALLREDUCE = frozenset({
    "DeepseekV32ForCausalLM", "DeepseekV3ForCausalLM", "DeepseekV4ForCausalLM", "Glm4MoeForCausalLM",
    "Glm4MoeLiteForCausalLM", "GlmMoeDsaForCausalLM", "GptOssForCausalLM", "InternS2PreviewForConditionalGeneration",
    "KimiK25ForConditionalGeneration", "MistralLarge3ForCausalLM", "NemotronHForCausalLM",
    "NemotronHPuzzleForCausalLM", "NemotronH_Omni_Reasoning_V3", "Qwen3MoeForCausalLM", "Qwen3NextForCausalLM",
    "Qwen3VLMoeForConditionalGeneration", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForConditionalGeneration",
    "Qwen4ExpForConditionalGeneration",
})  # fmt: skip
