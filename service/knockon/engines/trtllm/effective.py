"""What TensorRT-LLM will run, after its own defaults and overrides, with its PyTorch backend.

Only what can be derived is told. The derivations were read in the 1.4 line and for NVIDIA GPUs, so they are only told
there.
"""

from collections.abc import Mapping

from knockon.engines.base import Effective
from knockon.engines.release import within
from knockon.engines.trtllm.derive import cache, graphs, limits, scheduling
from knockon.engines.trtllm.derive.seen import Seen
from knockon.terms.fact import Fact

_READ_SINCE, _READ_UNTIL = "1.4.0rc0", "1.5.0rc0"
_BACKEND = "pytorch"


def effective_settings(facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
    """The settings as TensorRT-LLM will run them, by the part of its configuration they belong to.

    Args:
        facts: all that is known of the deployment, what was asked for told by its origin.
        model_name: the model as the command names it, where it does.
    """
    seen = Seen(facts, model=model_name)
    release = seen.text("engine_version")
    if release is not None and not within(release, since=_READ_SINCE, until=_READ_UNTIL):
        return ()
    if seen.text("backend") not in (None, _BACKEND):
        return ()
    limits.derive(seen)
    cache.derive(seen)
    scheduling.derive(seen)
    graphs.derive(seen)
    return tuple(seen.told.values())
