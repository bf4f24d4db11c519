"""Observations of one thing at several levels: "step 1 gpu" beside "step 2 gpus", "tput c8" beside "tput c64".

What the number counts says what a change of it means; a bare number counts what the one setting of that value is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from knockon.sources.readings.contrast import Contrast, speed
from knockon.sources.readings.measure import kind_of
from knockon.sources.readings.observation import Seen
from knockon.sources.readings.words import Bag, words

# Two results nearer than this are one result measured twice.
_SAME = 1.05
# As many times the load has to add nothing before throughput is called flat.
_LOAD_GROWS = 2
_NOT_DEVICES = frozenset({"cpu", "memory", "kv", "disk"})
# As many times the context has to be as long before what it costs is looked at.
_CONTEXT_GROWS = 4
_DECODE = frozenset({"decode", "itl", "output", "generation"})
# Words of names that are of a collective.
_COLLECTIVES = frozenset({"reduce", "communication", "busbw", "algbw", "collective", "gather", "scatter"})
# Settings of which the number of a name may be the value, with the reading that says what another value did.
_SETTINGS = {
    "max_num_seqs": "slots_gain_factor",
    "max_num_batched_tokens": "setting_gain_factor",
    "chunked_prefill_size_tokens": "setting_gain_factor",
    "kv_block_size_tokens": "setting_gain_factor",
    "num_speculative_tokens": "setting_gain_factor",
    "data_parallel_size": "",
    "tensor_parallel_size": "",
    "pipeline_parallel_size": "",
}


@dataclass(frozen=True, slots=True)
class _At:
    seen: Seen
    number: int


def over_levels(seen: Sequence[Seen], settings: Mapping[str, int]) -> Iterator[Contrast]:
    """The readings that observations of one thing at several levels give.

    `settings` are the whole numbers of the configuration by the names of their facts.
    """
    for (of, rest), rows in _grouped(seen).items():
        ordered = sorted(rows, key=lambda row: row.number)
        fewest, most = ordered[0], ordered[-1]
        if fewest.number == most.number:
            continue
        if of in ("devices", "tensor"):
            yield from _more_devices(of, rest, fewest, most)
        elif of in ("batch", "load"):
            yield from _more_work(of, rest, fewest, most)
        elif of == "bytes" and rest & _COLLECTIVES and (value := speed(most.seen, fewest.seen)) is not None:
            yield Contrast("message_size_gain_factor", value, most.seen, fewest.seen)
        elif of == "threads" and "data" not in rest:
            yield from _more_threads(ordered)
        elif of == "context" and rest & _DECODE and most.number >= _CONTEXT_GROWS * fewest.number:
            value = speed(fewest.seen, most.seen)
            yield from [Contrast("context_slowdown_factor", value, most.seen, fewest.seen)] if value else ()
        elif of in ("workers", "threads") and "data" in rest and (value := speed(most.seen, fewest.seen)) is not None:
            yield Contrast("loader_workers_gain_factor", value, most.seen, fewest.seen)
        elif of in ("", "chunk"):
            yield from _other_setting(ordered, settings)


def _grouped(seen: Sequence[Seen]) -> Mapping[tuple[str, Bag], list[_At]]:
    found: dict[tuple[str, Bag], list[_At]] = {}
    for one in seen:
        at = words().at_level(one.metric) if one.numbers else None
        if at is not None and at[0]:
            rest, level = at
            kind = kind_of(one.unit).of
            found.setdefault((level.of, rest | {f"in {kind}"}), []).append(_At(one, level.number))
    return {key: rows for key, rows in found.items() if len(rows) > 1}


def _more_devices(of: str, rest: Bag, fewest: _At, most: _At) -> Iterator[Contrast]:
    if "usage" in rest:
        if rest & _NOT_DEVICES:
            return
        value = speed(most.seen, fewest.seen, takes_shares=True)
        if value is not None:
            yield Contrast("parallel_utilization_factor", value, most.seen, fewest.seen)
        return
    value = speed(most.seen, fewest.seen)
    if value is None:
        return
    if rest & _COLLECTIVES and not kind_of(most.seen.unit).is_higher_better:
        yield Contrast("collective_growth_factor", 1 / value, most.seen, fewest.seen)
        return
    # A step on n devices has, if the batch of each stays, n times the samples; taken so, the slower reading is not
    # guessed. A step that tensor parallelism splits is one and the same.
    is_step = of == "devices" and "step" in rest and not kind_of(most.seen.unit).is_higher_better
    value *= most.number / fewest.number if is_step else 1
    reading = "prefill_parallel_speed_factor" if "prompt" in rest else "parallel_speed_factor"
    yield Contrast(reading, value, most.seen, fewest.seen)
    if of == "devices" and fewest.number == 1 and reading == "parallel_speed_factor":
        yield Contrast("parallel_efficiency_ratio", value / most.number, most.seen, fewest.seen)


def _more_threads(rows: Sequence[_At]) -> Iterator[Contrast]:
    """How much faster fewer threads are than the most, where they are."""
    most = rows[-1]
    gains = [(value, row) for row in rows[:-1] if (value := speed(row.seen, most.seen)) is not None]
    if gains:
        value, best = max(gains, key=lambda gain: gain[0])
        if value > _SAME:
            yield Contrast("fewer_threads_gain_factor", value, best.seen, most.seen)


def _more_work(of: str, rest: Bag, fewest: _At, most: _At) -> Iterator[Contrast]:
    # How long it takes says nothing of how much was done in that time.
    if not kind_of(most.seen.unit).is_higher_better and "mfu" not in rest:
        return
    value = speed(most.seen, fewest.seen, takes_shares=True)
    if value is None:
        return
    yield Contrast("batch_gain_factor", value, most.seen, fewest.seen)
    if of == "load" and most.number >= _LOAD_GROWS * fewest.number and value <= _SAME:
        yield Contrast("throughput_flat_over_load", value=True, over=most.seen, under=fewest.seen)


def _other_setting(rows: Sequence[_At], settings: Mapping[str, int]) -> Iterator[Contrast]:
    """What another value of a setting did, where one of the numbers is the value in use of one setting alone."""
    for row in rows:
        names = [name for name in _SETTINGS if settings.get(name) == row.number]
        if len(names) != 1 or not _SETTINGS[names[0]]:
            continue
        # Fewer slots are no relief.
        others = [
            other
            for other in rows
            if other.number > row.number or (other.number < row.number and names[0] != "max_num_seqs")
        ]
        gains = [(value, other) for other in others if (value := speed(other.seen, row.seen)) is not None]
        if gains:
            value, best = max(gains, key=lambda gain: gain[0])
            yield Contrast(_SETTINGS[names[0]], value, best.seen, row.seen)
        return


def capped(seen: Sequence[Seen]) -> Iterator[Contrast]:
    """Slots of two deployments: "max_num_seqs serve" beside "max_num_seqs vllm"; the fewer are those that limit."""
    slots = words().bag("max_num_seqs")
    found = [one for one in seen if len(one.numbers) == 1 and slots <= words().bag(one.metric)]
    numbers = {one.numbers[0] for one in found}
    if len(found) == len(numbers) == 2 and min(numbers) > 0:
        fewer, more = sorted(found, key=lambda one: one.numbers[0])
        yield Contrast("slot_cap_factor", fewer.numbers[0] / more.numbers[0], fewer, more)
