"""One snapshot through 200 rules against zen-engine; a million snapshots through 100 rules, Polars against the loop."""

import random
import statistics
import time
from collections.abc import Callable, Mapping

import polars as pl
import zen

from knockon.backends import BACKENDS
from knockon.backends.polars.compiled import Frames
from knockon.backends.python.compiled import Rules
from knockon.expr.parse import parse
from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.truth import Truth

NAMES = [f"reading{number}_ratio" for number in range(60)]
ONE_RULES, MANY_RULES = 200, 100
SNAPSHOTS, LOOPED = 1_000_000, 50_000
GOAL_ONE, GOAL_MANY = 5, 20
REPEATS = 300


def rules(*, rounds: int, seconds: float) -> None:
    """Print both ratios; `rounds` of each, in turns. `seconds` is the service's and means nothing here."""
    del seconds
    vocabulary = Vocabulary({name: NameInfo(name, "reading", "number", minimum=0, maximum=1) for name in NAMES})
    source = random.Random(1)
    texts = [condition(source) for _ in range(ONE_RULES)]
    one(texts, vocabulary, source, rounds)
    many(texts[:MANY_RULES], vocabulary, source, rounds)


def condition(source: random.Random) -> str:
    """Three comparisons of a reading with a level each, readable by both engines."""
    names = source.sample(NAMES, 3)
    return " and ".join(f"{name} {source.choice('<>')} {source.random():.3f}" for name in names)


def one(texts: list[str], vocabulary: Vocabulary, source: random.Random, rounds: int) -> None:
    compiled = BACKENDS["python"].compile([parse(text) for text in texts], vocabulary)
    assert isinstance(compiled, Rules)
    explain = compiled.explain
    # The peer's fastest mode: one compiled expression that is the list of all conditions. It gives two truths.
    peer = zen.compile_expression(f"[{', '.join(texts)}]")
    known = {name: source.random() for name in NAMES}
    partly = {name: value for name, value in known.items() if source.random() < 0.8}
    fired = [told is not Truth.FALSE for told in explain(known)]
    assert fired == peer.evaluate(known), "both must say the same before anyone measures"
    ways: Mapping[str, Callable[[], object]] = {
        "zen-engine, two truths": lambda: peer.evaluate(known),
        "Knock-on, evidence of what fired": lambda: explain(known),
        "the same, a fifth unknown": lambda: explain(partly),
    }
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.process_time()
            for _ in range(REPEATS):
                way()
            spent[name].append((time.process_time() - start) / REPEATS)
    print(f"\nrules: one snapshot through {ONE_RULES} rules, {sum(fired)} of which fire, median CPU of {rounds} rounds")
    base = statistics.median(spent["zen-engine, two truths"])
    for name, times in spent.items():
        middle = statistics.median(times)
        print(f"  {name:36} {middle * 1e6:8.1f} us   {base / middle:5.1f} x   (goal {GOAL_ONE} or more)")


def many(texts: list[str], vocabulary: Vocabulary, source: random.Random, rounds: int) -> None:
    nodes = [parse(text) for text in texts]
    loop, frames = BACKENDS["python"].compile(nodes, vocabulary), BACKENDS["polars"].compile(nodes, vocabulary)
    assert isinstance(frames, Frames)
    columns = {name: [source.random() if source.random() < 0.98 else None for _ in range(LOOPED)] for name in NAMES}
    part = pl.DataFrame(columns)
    frame = pl.concat([part] * (SNAPSHOTS // LOOPED), rechunk=True)
    snapshots = [
        {name: value for name, value in row.items() if value is not None} for row in part.iter_rows(named=True)
    ]
    in_loop, in_frame, counts = [], [], []
    for _ in range(min(rounds, 3)):
        start = time.perf_counter()
        for snapshot in snapshots:
            loop.judge(snapshot)
        in_loop.append((time.perf_counter() - start) * SNAPSHOTS / LOOPED)
        start = time.perf_counter()
        counts = frames.counts(frame)
        in_frame.append(time.perf_counter() - start)
    judged = [loop.judge(snapshot) for snapshot in snapshots]
    fired = [sum(truths[index] is Truth.TRUE for truths in judged) for index in range(len(nodes))]
    assert [fires for fires, _ in counts] == [count * (SNAPSHOTS // LOOPED) for count in fired], "both must agree"
    best, middle = min(in_loop), statistics.median(in_loop)
    print(f"\nrules: {SNAPSHOTS:,} snapshots through {MANY_RULES} rules; wall time, best and median")
    print(f"  in-process loop (of {LOOPED:,}, scaled) {best:8.2f} s {middle:8.2f} s")
    print(f"  Polars                          {min(in_frame):8.2f} s {statistics.median(in_frame):8.2f} s", end="   ")
    print(f"{best / min(in_frame):.0f} x   (goal {GOAL_MANY} or more)")
