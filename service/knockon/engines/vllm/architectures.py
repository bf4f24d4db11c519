"""What vLLM's model classes say of themselves, by architecture: architectures.txt."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

# What --runner and --convert become by the end of a name, first match first (vllm/config/model.py:2343-2361 of 0.33.0).
_ENDS: tuple[tuple[str, str, str], ...] = (
    ("ForCausalLM", "generate", "none"),
    ("ForConditionalGeneration", "generate", "none"),
    ("ChatModel", "generate", "none"),
    ("LMHeadModel", "generate", "none"),
    ("ForTextEncoding", "pooling", "embed"),
    ("EmbeddingModel", "pooling", "embed"),
    ("ForSequenceClassification", "pooling", "classify"),
    ("ForTokenClassification", "pooling", "classify"),
    ("ForAudioClassification", "pooling", "classify"),
    ("ForImageClassification", "pooling", "classify"),
    ("ForVideoClassification", "pooling", "classify"),
    ("ClassificationModel", "pooling", "classify"),
    ("ForRewardModeling", "pooling", "embed"),
    ("RewardModel", "pooling", "embed"),
    ("Model", "pooling", "embed"),
)


def traits_of(architecture: str) -> frozenset[str] | None:
    """The traits of an architecture, in the words of architectures.txt; None for one that vLLM's registry lacks."""
    return _table().get(architecture)


def by_name_of(architecture: str, *, runner: str | None = None) -> tuple[str, str] | None:
    """The runner and the conversion that vLLM takes from the end of a name; None when no ending fits.

    Args:
        architecture: the class name in the model's config.json.
        runner: only endings of this runner count.
    """
    for end, one, convert in _ENDS:
        if architecture.endswith(end) and runner in (None, one):
            return one, convert
    return None


@cache
def _table() -> Mapping[str, frozenset[str]]:
    lines = Path(__file__).with_name("architectures.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {name: frozenset(traits) for name, *traits in rows}
