"""What SGLang will run, after its own defaults and overrides: what its resolution makes of flags, model and GPU.

Only what can be derived is told. The derivations were read in one release and for CUDA, so they are only told there.
"""

from collections.abc import Mapping

from knockon.engines.base import Effective
from knockon.engines.release import release_of
from knockon.engines.sglang.derive import attention, experts, graphs, memory, parallel, scheduling, speculation
from knockon.engines.sglang.derive.seen import Seen
from knockon.engines.sglang.table import flag_table
from knockon.terms.fact import Fact

# Makers whose GPUs take other paths than those read here.
_OTHER_MAKERS = ("amd", "instinct", "gaudi", "ascend", "tpu", "xpu", "musa")
_CUDA = (None, "auto", "cuda")


def effective_settings(facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
    """The settings as SGLang will run them, by the part of its configuration they belong to.

    Args:
        facts: all that is known of the deployment, what was asked for told by its origin.
        model_name: the model as the command names it, where it does.
    """
    seen = Seen(facts, model=model_name)
    if not _is_read(seen) or _is_other_maker(seen):
        return ()
    parallel.derive(seen)
    attention.derive(seen)
    experts.derive(seen)
    graphs.derive(seen)
    memory.derive(seen)
    scheduling.derive(seen)
    speculation.derive(seen)
    return tuple(seen.told.values())


def _is_read(seen: Seen) -> bool:
    """Whether the release is the one whose source was read, or is not said."""
    asked = seen.text("engine_version")
    return asked is None or release_of(asked) == release_of(flag_table().version)


def _is_other_maker(seen: Seen) -> bool:
    name = (seen.text("gpu_name") or "").lower()
    device = seen.asked("device")
    return any(maker in name for maker in _OTHER_MAKERS) or str(device or "cuda").partition(":")[0] not in _CUDA
