"""What a derivation of SGLang may look at: what every engine's may, and which GPU and kind of attention it meets."""

from collections.abc import Mapping

from knockon.engines import seen
from knockon.engines.sglang.families import LATENT, MAYBE_LATENT, MULTIMODAL, TEXT_UNLESS_ASKED
from knockon.terms.fact import Fact

OVERRIDES = "sglang-0.5.23-overrides"
BASE = "sglang-0.5.23-model-override-base"
DEEPSEEK_OVERRIDES = "sglang-0.5.23-deepseek-overrides"
FAMILY_OVERRIDES = "sglang-0.5.23-model-overrides"
MEMORY = "sglang-0.5.23-memory-hook"
GRAPHS = "sglang-0.5.23-cuda-graph-hook"
ATTENTION = "sglang-0.5.23-attention-hook"
PARALLEL = "sglang-0.5.23-parallel-hook"
EXPERTS = "sglang-0.5.23-moe-hook"
SPECULATION = "sglang-0.5.23-speculative-hook"
PAIRS = "sglang-0.5.23-pd-hook"
HOST_CACHE = "sglang-0.5.23-hicache-hook"
CAPABILITIES = "sglang-0.5.23-model-hook"
MODEL = "sglang-0.5.23-model-config"

_HOPPER, _DATACENTRE_BLACKWELL, _DESKTOP_BLACKWELL = 9, 10, 12
_OFF = (None, "none")


class Seen(seen.Seen):
    """Facts of one deployment under derivation. Not for use by two threads."""

    def __init__(self, facts: Mapping[str, Fact], *, model: str | None) -> None:
        """Look at `facts`; `model` is the name the command gives, where it gives one."""
        super().__init__(facts, model=model)
        self.major = self.capability[0] if self.capability else None

    @property
    def is_hopper(self) -> bool:
        """Compute capability 9."""
        return self.major == _HOPPER

    @property
    def is_datacentre_blackwell(self) -> bool:
        """Compute capability 10."""
        return self.major == _DATACENTRE_BLACKWELL

    @property
    def is_desktop_blackwell(self) -> bool:
        """Compute capability 12."""
        return self.major == _DESKTOP_BLACKWELL

    @property
    def is_latent(self) -> bool | None:
        """Whether SGLang serves the model's attention as latent; None where the class does not say."""
        if not self.architecture or self.architecture in MAYBE_LATENT:
            return None
        return self.architecture in LATENT

    @property
    def is_sparse(self) -> bool:
        """Whether the model picks tokens with an indexer (DeepSeek sparse attention)."""
        return self.text("attention_kind") == "mla_sparse"

    @property
    def is_multimodal(self) -> bool | None:
        """Whether images are served; None when nobody knows of an image encoder."""
        if self.is_on("language_model_only"):
            return False
        if self.architecture in TEXT_UNLESS_ASKED:
            return self.is_on("enable_multimodal")
        if self.architecture in MULTIMODAL:
            return True
        has_tower = self.value("has_vision_tower")
        return has_tower if isinstance(has_tower, bool) else None

    @property
    def attention_groups(self) -> int:
        """Groups of attention data parallelism."""
        derived = self.number("attention_data_parallel_size") or 1
        return derived if self.is_on("enable_attention_data_parallel") or "dwdp_size" in self.told else 1

    @property
    def role(self) -> str:
        """prefill, decode or none."""
        return self.text("disaggregation_mode") or "none"

    @property
    def drafts(self) -> str | None:
        """The method of speculative decoding, upper case as SGLang has it; None without."""
        method = self.text("speculative_method") if self.is_on("enable_speculative_decoding") else None
        return None if method is None else {"draft_model": "STANDALONE", "nextn": "EAGLE"}.get(method, method.upper())

    def backend_asked(self, name: str) -> str | None:
        """Kernels that were asked for; None where they are left to SGLang."""
        asked = self.asked(name)
        return None if asked in (None, "auto", "") else str(asked)

    def is_set(self, name: str) -> bool:
        """Whether a text names something else than nothing."""
        return self.value(name) not in _OFF
