"""What is known of a deployment: facts, sizes, flags that nobody knows."""

from typing import Any

from knockon.api.context import Info, knowledge_of
from knockon.api.scalars import BigInt, Value
from knockon.api.shape import field, pairs, path, shows
from knockon.api.types.source import Source
from knockon.api.types.words import Assigned, FactOrigin, Position, Setting, Text
from knockon.catalog import source
from knockon.engines import base
from knockon.jobs import bad_input
from knockon.sizing import sizing
from knockon.terms import fact, words

CANNOT = "null when it cannot be told; `reasons` says why"


def _unit(root: fact.Fact, info: Info) -> str | None:
    known = knowledge_of(info).rulebook.vocabulary.names.get(root.name)
    return str(known.unit) if known else None


@shows(fact.Fact)
class Fact:
    """A named value of a deployment."""

    name: str = field("Name, as in `vocabulary`.")
    value: Value = field("Value.")
    unit: str | None = field("Its unit; 1 for none, null when the vocabulary does not have the name.", resolver=_unit)
    origin: FactOrigin = field("What kind of place it came from.", resolver=path("origin", "kind"))
    from_: str = field("Where it came from, for people.", name="from", resolver=path("origin", "text"))
    at: Position | None = field("Where it stands; null when it stands in no text.", resolver=path("origin", "at"))


def _effective_unit(root: base.Effective, info: Info) -> str | None:
    known = knowledge_of(info).rulebook.vocabulary.names.get(root.name)
    return str(known.unit) if known else None


def _effective_sources(root: base.Effective, info: Info) -> tuple[source.Source, ...]:
    # A catalog of one's own need not have the citations of the engine's source.
    known = knowledge_of(info).catalog.citations
    return tuple(source.Source(known[cite.ref], cite.where) for cite in root.cite if cite.ref in known)


@shows(base.Effective)
class Effective:
    """One setting as the engine will run it, after its own defaults and overrides."""

    name: str = field("Name, as in `vocabulary`.")
    setting: str = field("What the engine's own configuration calls it.")
    value: Value = field("What it will run.")
    unit: str | None = field(
        "Its unit; 1 for none, null when the vocabulary does not have the name.", resolver=_effective_unit
    )
    asked: Value | None = field("What was asked for; null when nobody asked.")
    is_overridden: bool = field("Whether the engine runs something else than was asked.")
    why: Text = field("The reason.")
    at: Position | None = field("Where it was asked; null when it stands in no text.")
    sources: list[Source] = field("Where the engine's source says so.", resolver=_effective_sources)


@shows(base.UnknownFlag)
class UnknownFlag:
    """A flag the engine's table does not have."""

    flag: str = field("The flag as it was given.")
    value: str | None = field("The words that followed it; null when none did.")
    suggestions: list[str] = field("The nearest flags, best first.")
    at: Position | None = field("Where it stands; null when that is not known.")


@shows(bad_input.BadInput)
class BadInput:
    """A name in the description that nothing goes by, while all the rest was answered."""

    code: str = field("Stable kind, for programs: `unknown-flag`, `unknown-model`.")
    name: str = field("The name as it was given.")
    what: Text = field("What is wrong.")
    expected: Text = field("What was expected.")
    fix: Text = field("What to do.")
    suggestions: list[str] = field("The nearest names that are known, best first; empty when none is near.")
    at: Position | None = field("Where it stands; null when it stands in no text.")


@shows(base.Refused)
class RefusedSetting:
    """A flag or value that the engine itself will not start with, whatever the rules say."""

    flag: str = field("The flag; empty for a word that belongs to none.")
    value: str = field("The value as it was given.")
    why: Text = field("Why it is refused.")
    at: Position | None = field("Where it stands; null when it stands in no text.")


@shows(sizing.Step)
class SizingStep:
    """One line of a derivation, with the numbers put in."""

    name: str = field("What is computed.")
    expression: str = field("How.")
    value: Value = field("The result.")
    unit: str = field("Its unit.")


def _band(root: sizing.Sizing) -> Any:
    return root.kv_cache_tokens_band


def _reason(name: str, reason: words.Text) -> Assigned:
    return Assigned(name, reason.en)


@shows(sizing.Sizing)
class Sizing:
    """Sizes on one GPU. A size is null when it cannot be told; `reasons` says why; it never is a guess."""

    kv_head_replicas: int | None = field(f"Copies of each KV head in one tensor-parallel group; {CANNOT}.")
    kv_heads_per_rank: int | None = field(f"KV heads on one rank; {CANNOT}.")
    kv_bytes_per_token_per_gpu: float | None = field(f"KV bytes of one token on one GPU; {CANNOT}.")
    weights_bytes_per_gpu: BigInt | None = field(f"Weights on the GPU that holds most, in bytes; {CANNOT}.")
    kv_cache_tokens: BigInt | None = field(f"Tokens the KV pool of one replica holds; {CANNOT}.")
    kv_cache_tokens_band: list[BigInt] | None = field(
        "Lowest and highest `kvCacheTokens` where the pool had to be estimated; else null.", resolver=_band
    )
    max_concurrency: float | None = field(f"Requests of full length the pool holds at once; {CANNOT}.")
    needed_bytes: BigInt | None = field(f"KV bytes per GPU for one request of full length; {CANNOT}.")
    fits: bool | None = field(f"Whether the pool holds one request of full length; {CANNOT}.")
    longest_that_fits: BigInt | None = field(f"Largest `max_model_len` of which the pool holds one request; {CANNOT}.")
    concurrency_that_fits: int | None = field(f"Whole requests of full length the pool holds at once; {CANNOT}.")
    steps: list[SizingStep] = field("How the sizes were computed.")
    reasons: list[Setting] = field(
        "Why a size cannot be told, by its snake_case name.", resolver=pairs("reasons", _reason)
    )
