"""Chains of pointers that come back to where they began."""

from collections.abc import Iterator, Mapping, Sequence


def circles(links: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """The shortest way round from the first member of each circle, that member at both ends."""
    for start in links:
        ways: dict[str, tuple[str, ...]] = {target: (start, target) for target in links[start]}
        waiting = list(ways)
        while waiting and start not in ways:
            here = waiting.pop(0)
            for target in links.get(here, ()):
                if target not in ways:
                    ways[target] = (*ways[here], target)
                    waiting.append(target)
        if start in ways and start == min(ways[start]):
            yield ways[start]
