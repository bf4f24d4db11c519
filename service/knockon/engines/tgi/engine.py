"""Reads the commands that start Text Generation Inference's launcher."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from knockon.engines.base import Configured, Effective, Given, Start
from knockon.engines.flags import read_flags
from knockon.engines.images import release_in
from knockon.engines.program import is_image, program_of
from knockon.engines.reading import Asked, configured
from knockon.engines.table import FlagTable, load_table
from knockon.terms.argument import Argument
from knockon.terms.fact import Fact, Origin
from knockon.terms.words import JsonObject

_IMAGES = ("text-generation-inference",)
_GIVEN = "prefix_caching_given"


class Tgi:
    """Text Generation Inference."""

    name = "tgi"

    def recognises(self, arguments: Sequence[Argument]) -> Start | None:
        """`text-generation-launcher …`, or the words after its image."""
        if program_of(arguments) == "text-generation-launcher":
            return Start(1, "text-generation-launcher")
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
        asked = Asked(version, environment, files or {})
        return configured(
            table,
            read_flags(arguments, table),
            asked,
            model_flags=("--model-id",),
            override_flag="",
            positionals_max=0,
        )

    def follow(self, stated: Mapping[str, Fact]) -> dict[str, Fact]:
        """What was stated, and whether prefix reuse was asked for: adapters turn it off where it was not."""
        reuse = stated.get("enable_prefix_caching")
        if reuse is None:
            return dict(stated)
        origin = Origin("derived", "as asked")
        return {_GIVEN: Fact(_GIVEN, reuse.origin.kind != "engine-default", origin), **stated}

    def effective(self, facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
        """Nothing: what the launcher adds and overrides is not derived."""
        del facts, model_name
        return ()


def flag_table() -> FlagTable:
    """The flags of the launcher."""
    return load_table(Path(__file__).with_name("flags.yaml"))
