"""What vLLM will run, after its own defaults and overrides: the configuration it makes of flags, model and GPU.

Only what can be derived is told. Most derivations were read in one release, so they are only told for it.
"""

from collections.abc import Mapping

from knockon.engines.base import Effective
from knockon.engines.release import release_of
from knockon.engines.vllm.derive import compiling, memory, model, others, parallel, scheduling, speculation
from knockon.engines.vllm.derive.seen import Seen
from knockon.engines.vllm.table import flag_table
from knockon.terms.fact import Fact

# Makers whose GPUs take other paths than those read here.
_OTHER_MAKERS = ("amd", "instinct", "gaudi", "ascend", "tpu", "xpu")


def effective_settings(facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
    """The settings as vLLM will run them, by the part of its configuration they belong to.

    Args:
        facts: all that is known of the deployment, what was asked for told by its origin.
        model_name: the model as the command names it, where it does.
    """
    seen = Seen(facts, model=model_name)
    if not _is_read(seen) or _is_other_maker(seen):
        parallel.experts(seen)
        return tuple(seen.told.values())
    model.derive(seen)
    parallel.derive(seen)
    speculation.derive(seen)
    memory.derive(seen)
    scheduling.derive(seen)
    compiling.derive(seen)
    others.derive(seen)
    return tuple(seen.told.values())


def _is_read(seen: Seen) -> bool:
    """Whether the release is the one whose source was read, or is not said."""
    asked = seen.text("engine_version")
    return asked is None or release_of(asked) == release_of(flag_table().version)


def _is_other_maker(seen: Seen) -> bool:
    name = (seen.text("gpu_name") or "").lower()
    return seen.is_on("runs_on_ascend") or any(maker in name for maker in _OTHER_MAKERS)
