"""What a derivation may look at: the facts, what of them was asked for, and what was derived before it."""

from collections.abc import Mapping

from knockon.engines.base import Effective
from knockon.terms.citation import Cite
from knockon.terms.fact import Fact
from knockon.terms.words import CitationId, Scalar, Text

_ASKED = frozenset({"set", "flag", "env", "file"})

AS_ASKED = Text("as asked", "按指定")
DEFAULT = Text("the default", "默认")


class Seen:
    """Facts of one deployment under derivation. Not for use by two threads."""

    def __init__(self, facts: Mapping[str, Fact], *, model: str | None) -> None:
        """Look at `facts`; `model` is the name the command gives, where it gives one."""
        self.facts = facts
        self.model = model
        self.told: dict[str, Effective] = {}
        self.architecture = self.text("architecture") or ""

    def tell(self, name: str, setting: str, value: Scalar | None, why: Text, *, cite: tuple[str, str]) -> None:
        """Keep one result; a value of None says nothing.

        Args:
            name: the fact's name.
            setting: what the engine's configuration calls it.
            value: what the engine will run.
            why: the reason, for people.
            cite: the citation's id and the place in it.
        """
        if value is None:
            return
        fact = self.facts.get(name)
        asked = fact if fact is not None and fact.origin.kind in _ASKED else None
        self.told[name] = Effective(
            name=name,
            setting=setting,
            value=value,
            asked=asked.value if asked else None,
            why=why,
            cite=(Cite(CitationId(cite[0]), cite[1]),),
            at=asked.origin.at if asked else None,
        )

    def asked(self, name: str) -> Scalar | None:
        """What a person asked for; None when nobody did."""
        fact = self.facts.get(name)
        return fact.value if fact is not None and fact.origin.kind in _ASKED else None

    def value(self, name: str) -> Scalar | None:
        """What was derived, else what is known."""
        told = self.told.get(name)
        if told is not None:
            return told.value
        fact = self.facts.get(name)
        return None if fact is None else fact.value

    def derived(self, name: str) -> Scalar | None:
        """What was derived; None where it could not be told."""
        told = self.told.get(name)
        return None if told is None else told.value

    def is_on(self, name: str) -> bool:
        """Whether `value` is true."""
        return self.value(name) is True

    def number(self, name: str) -> int | None:
        """`value` where it is a whole number."""
        value = self.value(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def text(self, name: str) -> str | None:
        """`value` where it is text."""
        value = self.value(name)
        return value if isinstance(value, str) else None

    def came_by(self, name: str, word: str) -> bool:
        """Whether a fact's origin speaks of `word`: two flags may state one fact."""
        fact = self.facts.get(name)
        return fact is not None and word in fact.origin.text

    @property
    def capability(self) -> tuple[int, int] | None:
        """The GPU's compute capability, (9, 0); None when it is not known or not of NVIDIA."""
        said = self.text("gpu_compute_capability")
        major, _, minor = (said or "").partition(".")
        return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None
