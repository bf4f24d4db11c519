"""diff: what differs between two states of catalog and rules, wherever each of them comes from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knockon.terms.bundle import Bundle, canonical

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Difference:
    """Keys by kind, sorted; a kind without keys is not there."""

    added: Mapping[str, tuple[str, ...]]
    changed: Mapping[str, Mapping[str, tuple[str, ...]]]
    """With the parts of the body that differ, by their names."""
    removed: Mapping[str, tuple[str, ...]]

    @property
    def is_empty(self) -> bool:
        """Whether both states are the same."""
        return not (self.added or self.changed or self.removed)


def diff(old: Bundle, new: Bundle) -> Difference:
    """Compare two bundles entry by entry."""
    before = {(entry.kind, entry.key): entry.body for entry in old.entries}
    after = {(entry.kind, entry.key): entry.body for entry in new.entries}
    changed: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind, key in sorted(before.keys() & after.keys()):
        one, other = before[kind, key], after[kind, key]
        if canonical(one) != canonical(other):
            parts = sorted(name for name in {*one, *other} if one.get(name, _ABSENT) != other.get(name, _ABSENT))
            changed.setdefault(kind, {})[key] = tuple(parts)
    return Difference(
        added=_by_kind(after.keys() - before.keys()),
        changed=changed,
        removed=_by_kind(before.keys() - after.keys()),
    )


def _by_kind(keys: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {}
    for kind, key in sorted(keys):
        groups.setdefault(kind, []).append(key)
    return {kind: tuple(group) for kind, group in groups.items()}
