"""The functions of the language: min, max, abs, ceil, floor. Numbers in, a number out."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """One function: how many arguments it takes (`arguments_max` None = any number), and whether it gives an int."""

    name: str
    arguments_min: int
    arguments_max: int | None
    gives_int: bool = False

    @property
    def takes(self) -> str:
        """How many arguments, for people."""
        if self.arguments_max is None:
            return f"{self.arguments_min} or more values"
        return f"{self.arguments_min} value" + ("s" if self.arguments_min > 1 else "")


FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        Function("min", 2, None),
        Function("max", 2, None),
        Function("abs", 1, 1),
        Function("ceil", 1, 1, gives_int=True),
        Function("floor", 1, 1, gives_int=True),
    )
}
