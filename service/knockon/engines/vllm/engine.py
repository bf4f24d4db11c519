"""Reads the commands that start vLLM."""

import re
from collections.abc import Mapping, Sequence

from knockon.engines.base import Configured, Effective, Given, Start
from knockon.engines.flags import read_flags
from knockon.engines.images import release_in
from knockon.engines.program import is_image, module_of, program_of
from knockon.engines.reading import Asked, configured
from knockon.engines.release import release_of
from knockon.engines.vllm.ascend import ascend_facts
from knockon.engines.vllm.attention import attention_facts
from knockon.engines.vllm.classes import class_facts
from knockon.engines.vllm.drafts import draft_facts
from knockon.engines.vllm.earlier import TURNS, earlier_facts
from knockon.engines.vllm.effective import effective_settings
from knockon.engines.vllm.table import flag_table
from knockon.engines.vllm.weights import weight_facts
from knockon.terms.argument import Argument
from knockon.terms.fact import Fact, Origin
from knockon.terms.place import Position
from knockon.terms.words import JsonObject

# The API server has lived in these modules; all take the flags of `vllm serve`, the model by --model.
_MODULES = frozenset(
    {
        "vllm.entrypoints.openai.api_server",
        "vllm.entrypoints.api_server",
        "vllm.entrypoints.launchers.api_server.entry",
    }
)
_IMAGES = ("vllm-openai", "vllm-openai-rocm")
_SIZE_MAX = "cudagraph_capture_size_max"
_GRAPHS_OFF = "cudagraphs_off_by_mode"
_LEVEL = re.compile(r"-O=?(.+)")
# vllm/utils/argparse_utils.py: up to 0.11.2 `-O` is the compilation config, and a number its level.
_LEVELS_OF_OPTIMIZATION = "0.12.0"


class Vllm:
    """vLLM."""

    name = "vllm"

    def recognises(self, arguments: Sequence[Argument]) -> Start | None:
        """`vllm serve …`, `python -m vllm.entrypoints.openai.api_server …`, or the words after its server image."""
        if program_of(arguments) == "vllm" and len(arguments) > 1 and arguments[1].text == "serve":
            return Start(2, "vllm serve")
        module = module_of(arguments)
        if module is not None and module.name in _MODULES:
            return Start(module.index, f"python -m {module.name}")
        if not is_image(arguments, names=_IMAGES):
            return None
        return Start(1, arguments[0].text, version=release_in(arguments[0].text, engine=self.name))

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
        taken = read_flags(_levels_spelled_out(arguments, version), table)
        asked = Asked(version, environment, files or {}, turns=TURNS)
        return configured(table, taken, asked, model_flags=("--model",), override_flag="--hf-overrides")

    def follow(self, stated: Mapping[str, Fact]) -> dict[str, Fact]:
        """What was stated, with what vLLM makes of it; see `Engine.follow`."""
        drafts = draft_facts(stated)
        return {
            **attention_facts({**drafts, **stated}),
            **weight_facts(stated),
            **drafts,
            **class_facts(stated),
            **_listed_size(stated),
            **_graphs_off(stated),
            **stated,
            **ascend_facts(stated),
            **earlier_facts(stated),
        }

    def effective(self, facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
        """What vLLM will run; see `Engine.effective`."""
        return effective_settings(facts, model_name=model_name)


def _listed_size(stated: Mapping[str, Fact]) -> dict[str, Fact]:
    """The largest CUDA graph where only a list of sizes was given."""
    listed = stated.get("cudagraph_listed_size_max")
    return {} if listed is None else {_SIZE_MAX: Fact(_SIZE_MAX, listed.value, listed.origin)}


def _graphs_off(stated: Mapping[str, Fact]) -> dict[str, Fact]:
    """Whether the graph mode, or level 0 of optimization where no mode is named, captures nothing; eager mode aside."""
    mode, level = stated.get("cudagraph_mode"), stated.get("optimization_level")
    if mode is not None:
        value, why = mode.value == "NONE", f"cudagraph_mode {mode.value}"
    else:
        value = level is not None and level.value == 0
        why = f"optimization level {level.value}" if level is not None else "no graph mode is named"
    return {_GRAPHS_OFF: Fact(_GRAPHS_OFF, value, Origin("derived", why))}


def _levels_spelled_out(arguments: Sequence[Argument], version: str | None) -> list[Argument]:
    """`-O3`, `-O=3` and `-O 3` as the flag they stand for: the level of optimization, or of compilation before it."""
    is_before = version is not None and release_of(version) < release_of(_LEVELS_OF_OPTIMIZATION)
    spelled = "--compilation-config.level" if is_before else "--optimization-level"
    words: list[Argument] = []
    for index, word in enumerate(arguments):
        level = _LEVEL.fullmatch(word.text)
        following = arguments[index + 1].text if index + 1 < len(arguments) else ""
        if word.text == "-O":
            is_object = is_before and following.startswith("{")
            words.append(Argument("--compilation-config" if is_object else spelled, word.at))
        elif is_before and word.text.startswith("-O."):
            words.append(Argument("--compilation-config" + word.text.removeprefix("-O"), word.at))
        elif level is not None and not word.text.startswith("-O."):
            at: Position | None = word.at and word.at.right(word.text.index(level[1]))
            words += [Argument(spelled, word.at), Argument(level[1], at)]
        else:
            words.append(word)
    return words
