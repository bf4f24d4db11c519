"""Reads the commands that start SGLang's server."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from knockon.engines.base import Configured, Effective, Given, Start
from knockon.engines.flags import read_flags
from knockon.engines.program import module_of, program_of
from knockon.engines.reading import Asked, configured
from knockon.engines.sglang.asked import sglang_facts
from knockon.engines.sglang.effective import effective_settings
from knockon.engines.sglang.table import flag_table
from knockon.terms.argument import Argument
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject

_MODULES = frozenset({"sglang.launch_server", "sglang.srt.server"})


class Sglang:
    """SGLang."""

    name = "sglang"

    def recognises(self, arguments: Sequence[Argument]) -> Start | None:
        """`sglang serve …` or `python -m sglang.launch_server …`."""
        if program_of(arguments) == "sglang" and len(arguments) > 1 and arguments[1].text == "serve":
            return Start(2, "sglang serve")
        module = module_of(arguments)
        if module is not None and module.name in _MODULES:
            return Start(module.index, f"python -m {module.name}")
        return None

    def read(
        self,
        arguments: Sequence[Argument],
        *,
        version: str | None = None,
        environment: Sequence[Given] = (),
        files: Mapping[str, JsonObject] | None = None,
    ) -> Configured:
        """Read the words after the program; see `Engine.read`."""
        table = flag_table()
        asked = Asked(version, environment, files or {})
        return _with_attention_groups(
            configured(
                table,
                read_flags(arguments, table),
                asked,
                model_flags=("--model-path",),
                override_flag="--json-model-override-args",
            )
        )

    def follow(self, stated: Mapping[str, Fact]) -> dict[str, Fact]:
        """What was stated, with what SGLang makes of it; see `Engine.follow`."""
        return {**sglang_facts(stated), **stated}

    def effective(self, facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
        """What SGLang will run; see `Engine.effective`."""
        return effective_settings(facts, model_name=model_name)


def _with_attention_groups(read: Configured) -> Configured:
    """`--enable-dp-attention` makes the data parallel size that of attention inside the tensor parallel group."""
    facts = read.by_name()
    enabled, size = facts.get("enable_attention_data_parallel"), facts.get("data_parallel_size")
    if enabled is None or enabled.value is not True or size is None or "attention_data_parallel_size" in facts:
        return read
    origin = Origin(enabled.origin.kind, f"{enabled.origin.text} with {size.origin.text}", enabled.origin.at)
    return replace(read, facts=(*read.facts, Fact("attention_data_parallel_size", size.value, origin)))
