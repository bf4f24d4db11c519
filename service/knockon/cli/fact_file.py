"""What stands under the keys of a file of facts; each complaint is at its key."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knockon.cli.settings_key import Settings, settings_of
from knockon.terms.errors import IntakeError, KnockonError, Problem
from knockon.terms.place import Position
from knockon.terms.words import JsonObject


@dataclass(frozen=True, slots=True)
class FactFile:
    """The values of a file of facts by key, each of the type it must have."""

    held: JsonObject
    places: Mapping[str, Position]
    path: str

    def text(self, key: str) -> str | None:
        """The text under a key; None where there is none."""
        value = self.held.get(key)
        if value is None or isinstance(value, str):
            return value or None
        if key == "engine_version" and isinstance(value, int | float):
            raise self._refused(key, value, "text in quotes, or 0.10 would read as 0.1")
        raise self._refused(key, value, "text")

    def whole(self, key: str) -> int | None:
        """The number under a key, 1 or more; None where there is none."""
        value = self.held.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
            return value
        raise self._refused(key, value, "a whole number, 1 or more")

    def sets(self) -> tuple[tuple[str, str], ...]:
        """(name, "name=value") of each fact."""
        facts = self.held.get("facts", {})
        if not isinstance(facts, dict):
            raise self._refused("facts", facts, "a mapping of fact to value")
        for name, value in facts.items():
            if value is None or isinstance(value, list | dict):
                raise self._refused(f"facts.{name}", value, "a number, text, true or false")
        return tuple((name, f"{name}={_written(value)}") for name, value in facts.items())

    def settings(self, engine: str | None, *, is_beside_command: bool) -> Settings | None:
        """The settings without a command; None where there are none."""
        held, at = self.held.get("settings"), self.places.get("settings")
        if held is None:
            return None
        if is_beside_command:
            what = "settings stand beside a command"
            raise IntakeError(Problem("set-twice", what, "one of both", "write the settings into the command", at))
        if engine is None:
            what = "settings of no named engine"
            raise IntakeError(Problem("no-engine", what, "engine: vllm, sglang or trtllm beside them", at=at))
        return settings_of(held, engine=engine, at=at, places=self.places)

    def _refused(self, key: str, value: Any, expected: str) -> KnockonError:
        at = self.places.get(key, Position(self.path, 1, 1))
        what = f"{key} cannot be {_written(value)[:80]}"
        return IntakeError(Problem("wrong-type", what, expected, at=at))


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
