"""Reading the plain bodies of a bundle. Curation checked their shape, so a wrong one here is a defect of ours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from knockon.terms.citation import Cite
from knockon.terms.words import CitationId, Json, Text

Body = Mapping[str, Json]


def string(body: Body, key: str, default: str = "") -> str:
    """The text under `key`."""
    return cast("str", body.get(key, default))


def strings(body: Body, key: str) -> tuple[str, ...]:
    """The texts listed under `key`; none when it is left out."""
    return tuple(cast("Sequence[str]", body.get(key, ())))


def part(body: Body, key: str) -> Body:
    """The mapping under `key`; empty when it is left out."""
    return cast("Body", body.get(key) or {})


def entries(body: Body, key: str) -> Iterator[tuple[str, Json]]:
    """The entries of the mapping under `key` by name, whatever their order in the file: a kept bundle has none."""
    return iter(sorted(part(body, key).items()))


def parts(body: Body, key: str) -> Sequence[Body]:
    """The mappings listed under `key`; none when it is left out."""
    return cast("Sequence[Body]", body.get(key) or ())


def number(body: Body, key: str) -> float | None:
    """The number under `key`; None when it is left out."""
    return cast("float | None", body.get(key))


def integer(body: Body, key: str) -> int | None:
    """The whole number under `key`; None when it is left out."""
    return cast("int | None", body.get(key))


def text(body: Body, key: str) -> Text:
    """The sentence in both languages under `key`; empty in both when it is left out."""
    pair = part(body, key)
    return Text(string(pair, "en"), string(pair, "zh"))


def cites(body: Body) -> tuple[Cite, ...]:
    """The pointers under `cite`: a bare citation id, or one with the place in it."""
    return tuple(
        Cite(CitationId(item))
        if isinstance(item, str)
        else Cite(CitationId(string(cast("Body", item), "ref")), string(cast("Body", item), "where"))
        for item in cast("Sequence[Json]", body.get("cite") or ())
    )


def written(value: Json) -> str:
    """An expression as text: YAML scalars that are no strings are literals of the language."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)
