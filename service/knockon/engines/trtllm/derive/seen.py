"""What a derivation of TensorRT-LLM may look at: what every engine's may, and which drafts and attention it meets."""

from knockon.engines import seen

ARGUMENTS = "trtllm-arguments"
CREATOR = "trtllm-executor-creator"
ENGINE = "trtllm-model-engine"
DRAFTS = "trtllm-speculation-interface"
MODELS = "trtllm-modeling-utils"
MAPPING = "trtllm-mapping"

_LATENT = ("mla", "mla_sparse")
_PLAIN = ("mha", "gqa", "mqa")
# Compute capabilities that reuse and cut prompts of latent attention (py_executor_creator.py, is_mla branch).
_LATENT_GPUS = frozenset({(9, 0), (10, 0), (10, 3), (12, 0)})


class Seen(seen.Seen):
    """Facts of one deployment under derivation. Not for use by two threads."""

    @property
    def kind(self) -> str | None:
        """How the model attends, where TensorRT-LLM's branches for it were read: latent or plain; None otherwise."""
        kind = self.text("attention_kind")
        return "latent" if kind in _LATENT else "plain" if kind in _PLAIN else None

    @property
    def takes_latent(self) -> bool | None:
        """Whether the GPU reuses and cuts prompts of latent attention; None where it is not known."""
        return None if self.capability is None else self.capability in _LATENT_GPUS

    @property
    def drafts(self) -> str | None:
        """The method of speculative decoding; None without, or where it is not said."""
        return self.text("speculative_method") if self.is_on("enable_speculative_decoding") else None

    @property
    def drafts_unknown(self) -> bool:
        """Whether something is drafted and nobody knows how."""
        return self.is_on("enable_speculative_decoding") and self.text("speculative_method") is None
