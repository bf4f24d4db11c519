"""Where one sizing writes down its steps and what it lacks, while it reckons."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from knockon.sizing.sizing import Step
from knockon.terms.words import Scalar, Text


@dataclass(slots=True)
class Worksheet:
    """Facts to read, steps taken so far, and reasons for what could not be told. Lives inside one call of `size`."""

    facts: Mapping[str, Scalar]
    steps: list[Step] = field(default_factory=list)
    reasons: dict[str, Text] = field(default_factory=dict)

    def count(self, name: str, default: int | None = None) -> int | None:
        """A positive whole fact; `default` when it is absent or not one."""
        value = self.facts.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            return default
        return value

    def size(self, name: str) -> int:
        """A parallel size; 1 when not given."""
        return self.count(name) or 1

    def text(self, name: str) -> str:
        """A text fact; empty when absent."""
        value = self.facts.get(name)
        return value if isinstance(value, str) else ""

    def is_on(self, name: str) -> bool:
        """Whether a switch is given and true."""
        return self.facts.get(name) is True

    def step(self, name: str, expression: str, value: int, unit: str = "1") -> int:
        """Write down a whole value and hand it back."""
        self.steps.append(Step(name, expression, value, unit))
        return value

    def note(self, name: str, expression: str, value: Scalar, unit: str = "1") -> None:
        """Write down a value that is not a whole number."""
        self.steps.append(Step(name, expression, value, unit))

    def lack(self, field_name: str, reason: Text) -> None:
        """Say why a field stays None; the first reason stands."""
        self.reasons.setdefault(field_name, reason)

    def needs(self, field_name: str, *names: str) -> None:
        """Say that a field stays None for want of facts."""
        missing = [name for name in names if name not in self.facts]
        wanted = ", ".join(missing or names)
        self.lack(field_name, Text(f"needs {wanted}", f"需要 {wanted}"))


@dataclass(frozen=True, slots=True)
class Engine:
    """What differs between engines in the arithmetic below."""

    name: str
    block_tokens: int
    """Tokens of a KV block when `kv_block_size_tokens` is not given."""
    latent_block_tokens: int
    """The same for MLA."""


# vLLM 0.33: config/cache.py:185 (16); the FlashMLA back-end wants 64. SGLang 0.5.23: arg_groups/fields/schedule.py:143.
# TensorRT-LLM: KvCacheConfig.tokens_per_block.
VLLM = Engine("vllm", block_tokens=16, latent_block_tokens=64)
SGLANG = Engine("sglang", block_tokens=1, latent_block_tokens=1)
TRTLLM = Engine("trtllm", block_tokens=32, latent_block_tokens=32)


def engine_of(sheet: Worksheet) -> Engine | None:
    """The engine whose arithmetic holds; vLLM's when none is named, None for an engine that is not known here."""
    name = sheet.text("engine").lower()
    if name in ("", "vllm"):
        return VLLM
    if name == "sglang":
        return SGLANG
    return TRTLLM if name in ("trtllm", "tensorrt-llm", "tensorrt_llm") else None


def cdiv(amount: int, part: int) -> int:
    """`amount` / `part`, rounded up."""
    return -(-amount // part)
