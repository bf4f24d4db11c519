"""Values that are made when somebody asks for them: one question needs a few of the thousands that a revision has."""

from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from typing import Generic, TypeVar, overload

Key = TypeVar("Key")
Value = TypeVar("Value")
Source = TypeVar("Source")
Default = TypeVar("Default")

_ABSENT = object()


class OnDemand(Mapping[Key, Value], Generic[Key, Source, Value]):
    """A mapping whose values are made of their sources, each once and then kept in place of its source.

    Several threads may read it: what two of them make at once is the same, and the first one stays.
    """

    __slots__ = ("_keys", "_made", "_make", "_sources", "_whole")

    def __init__(self, sources: Mapping[Key, Source], make: Callable[[Key, Source], Value]) -> None:
        """Nothing is made yet; keys keep the order of `sources`."""
        self._sources = dict(sources)
        self._make = make
        self._keys = tuple(self._sources)
        self._made: dict[Key, Value] = {}
        self._whole: dict[Key, Value] | None = None

    def __getitem__(self, key: Key) -> Value:
        if key in self._made:
            return self._made[key]
        try:
            source = self._sources[key]
        except KeyError:
            # Another thread made it since.
            return self._made[key]
        made = self._made.setdefault(key, self._make(key, source))
        self._sources.pop(key, None)
        return made

    @overload
    def get(self, key: Key, default: None = None) -> Value | None: ...
    @overload
    def get(self, key: Key, default: Value) -> Value: ...
    @overload
    def get(self, key: Key, default: Default) -> Value | Default: ...
    def get(self, key: Key, default: object = None) -> object:
        """The value of a key, or else `default`: conditions look names up so often that an exception would be felt."""
        held = self._made.get(key, _ABSENT)
        if held is not _ABSENT:
            return held
        if key in self:
            return self[key]
        return default

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._made or key in self._sources or key in self._made

    def values(self) -> ValuesView[Value]:
        """Everything, made now where it was not yet."""
        return self._complete().values()

    def items(self) -> ItemsView[Key, Value]:
        """Everything with its key, made now where it was not yet."""
        return self._complete().items()

    def _complete(self) -> dict[Key, Value]:
        if self._whole is None:
            self._whole = {key: self[key] for key in self._keys}
        return self._whole

    def __repr__(self) -> str:
        return f"OnDemand({self._complete()!r})"


class Listed(Sequence[Value], Generic[Key, Source, Value]):
    """The values of an `OnDemand` by their place; equal to a sequence of equal values."""

    __slots__ = ("_keys", "_values")

    def __init__(self, values: OnDemand[Key, Source, Value]) -> None:
        """In the order of its keys."""
        self._keys = tuple(values)
        self._values = values

    @overload
    def __getitem__(self, place: int) -> Value: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Value]: ...
    def __getitem__(self, place: int | slice) -> Value | Sequence[Value]:
        if isinstance(place, slice):
            return tuple(self._values[key] for key in self._keys[place])
        return self._values[self._keys[place]]

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[Value]:
        """All of them, made now where they were not yet; a diagnosis goes through them many times."""
        return iter(self._values.values())

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as of every mutable sequence: making changes what it holds

    def __repr__(self) -> str:
        return f"Listed({tuple(self)!r})"
