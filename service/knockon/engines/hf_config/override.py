"""A config.json with what a launch command puts over it (vLLM's --hf-overrides, SGLang's --json-model-override-args).

vLLM 0.33.0, vllm/config/model.py:555-570 and vllm/transformers_utils/config.py:989-991: a part of the config that is
a config of its own takes an object's keys one by one; any other key takes the value whole.
"""

from collections.abc import Iterator

from knockon.engines.flags import nearest
from knockon.engines.hf_config.reader import LANGUAGE_PARTS
from knockon.terms.words import Json, JsonObject, Text

# Likeness (0 to 100) over which a key that the config has not is one of its keys misspelt.
_MISSPELT_MIN = 88


def overridden(config: JsonObject, overrides: JsonObject) -> dict[str, Json]:
    """`config` with `overrides` over it; neither is changed."""
    whole: dict[str, Json] = dict(config)
    for key, value in overrides.items():
        held = whole.get(key)
        if key.endswith("_config") and isinstance(held, dict) and isinstance(value, dict):
            whole[key] = overridden(held, value)
        else:
            whole[key] = value
    return whole


def stray_keys(config: JsonObject, overrides: JsonObject, *, prefix: str = "") -> Iterator[tuple[str, Text]]:
    """(dotted key, what is wrong) of overrides that change nothing: misspelt, or of a part inside the config."""
    for key, value in overrides.items():
        held = config.get(key)
        if isinstance(held, dict) and isinstance(value, dict) and key.endswith("_config"):
            yield from stray_keys(held, value, prefix=f"{prefix}{key}.")
        elif key not in config:
            part = next((part for part in LANGUAGE_PARTS if _has(config.get(part), key)), None)
            near = nearest(key, config, likeness_min=_MISSPELT_MIN)
            if part is not None:
                yield f"{prefix}{key}", Text(f"the model has it in {part}", f"该模型的此项位于 {part} 中")
            elif near:
                yield f"{prefix}{key}", Text(f"did you mean {near[0]}?", f"是否想写 {near[0]}？")


def _has(part: Json, key: str) -> bool:
    return isinstance(part, dict) and key in part
