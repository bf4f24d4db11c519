"""What a derivation of vLLM may look at: what every engine's may, and the traits of the model's class."""

from collections.abc import Mapping

from knockon.engines import seen
from knockon.engines.vllm.architectures import traits_of
from knockon.terms.fact import Fact

MODEL = "vllm-0.33-model-config"
ARGUMENTS = "vllm-0.33-arguments"
WHOLE = "vllm-0.33-vllm-config"
PARALLEL = "vllm-0.33-parallel-config"
FAMILIES = "vllm-0.33-model-defaults"
SPECULATION = "vllm-0.33-speculative-config"
SCHEDULER = "vllm-0.33-scheduler-config"
COMPILATION = "vllm-0.33-compilation-config"


class Seen(seen.Seen):
    """Facts of one deployment under derivation. Not for use by two threads."""

    def __init__(self, facts: Mapping[str, Fact], *, model: str | None) -> None:
        """Look at `facts`; `model` is the name the command gives, where it gives one."""
        super().__init__(facts, model=model)
        self.traits = traits_of(self.architecture) if self.architecture else None

    def has(self, trait: str) -> bool | None:
        """Whether the model's class has a trait; None for a class that vLLM's registry lacks."""
        return None if self.traits is None else trait in self.traits
