"""Feedback loops between quantities: a rise that comes back to itself, growing (reinforcing) or shrinking (damping)."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from knockon.catalog.quantity import Influence, Quantity
from knockon.terms.words import QuantityId, Text


@dataclass(frozen=True, slots=True)
class Loop:
    """One cycle: `influences[i]` leads from `quantities[i]` to the next one, the last back to the first."""

    quantities: tuple[QuantityId, ...]
    """Starts at the quantity whose id sorts first."""
    influences: tuple[Influence, ...]

    @property
    def sign(self) -> int:
        """+1 when a rise comes back as a rise, -1 when it comes back as a fall."""
        product = 1
        for influence in self.influences:
            product *= influence.sign
        return product

    @property
    def kind(self) -> str:
        """`reinforcing` or `damping`."""
        return "reinforcing" if self.sign > 0 else "damping"

    @property
    def ends(self) -> Text:
        """What ends it, as curators noted; empty when they did not."""
        return next((influence.loop for influence in self.influences if influence.loop.en), Text("", ""))

    @staticmethod
    def of(quantities: tuple[QuantityId, ...], influences: tuple[Influence, ...]) -> "Loop":
        """The loop, turned so that it starts at the quantity whose id sorts first."""
        turn = quantities.index(min(quantities))
        return Loop(quantities[turn:] + quantities[:turn], influences[turn:] + influences[:turn])


def shortest_loops(quantities: Mapping[QuantityId, Quantity]) -> tuple[Loop, ...]:
    """The shortest loop through each influence, each loop once, shortest first.

    Every quantity and influence that takes part in any loop takes part in one of these; longer loops made of the same
    influences are left out, since their number can grow exponentially (see loops.py for all of them).
    """
    loops: dict[tuple[int, ...], Loop] = {}
    for key, quantity in quantities.items():
        back: dict[QuantityId, tuple[tuple[QuantityId, Influence], ...] | None] = {}
        for influence in quantity.influences:
            if influence.on not in back:
                back[influence.on] = _path(quantities, influence.on, key)
            path = back[influence.on]
            if path is not None:
                loop = Loop.of((key, *(at for at, _step in path)), (influence, *(step for _at, step in path)))
                loops.setdefault(tuple(map(id, loop.influences)), loop)
    return tuple(sorted(loops.values(), key=lambda loop: (len(loop.quantities), loop.quantities, loop.sign)))


def _path(
    quantities: Mapping[QuantityId, Quantity], start: QuantityId, end: QuantityId
) -> tuple[tuple[QuantityId, Influence], ...] | None:
    """The shortest way from `start` to `end` as (quantity left, influence taken); empty when they are the same."""
    if start == end:
        return ()
    came: dict[QuantityId, tuple[QuantityId, Influence]] = {}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        quantity = quantities.get(at)
        for influence in quantity.influences if quantity else ():
            if influence.on == start or influence.on in came:
                continue
            came[influence.on] = (at, influence)
            if influence.on == end:
                return _unwound(came, start, end)
            queue.append(influence.on)
    return None


def _unwound(
    came: Mapping[QuantityId, tuple[QuantityId, Influence]], start: QuantityId, end: QuantityId
) -> tuple[tuple[QuantityId, Influence], ...]:
    steps: list[tuple[QuantityId, Influence]] = []
    at = end
    while at != start:
        steps.append(came[at])
        at = came[at][0]
    return tuple(reversed(steps))
