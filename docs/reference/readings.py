"""The page "Which reading for what I saw": walls by kinds of evidence, with the readings and the rules they settle."""

import re
from collections.abc import Iterable, Sequence

from docs.reference.markdown import both, code, link, page, table, titled
from docs.reference.vocabulary import possible, value_type
from knockon.expr.names import names_in
from knockon.jobs.knowledge import Knowledge
from knockon.rules.hierarchy import HEALTHY
from knockon.rules.rule import DiagnoseRule
from knockon.rules.rulebook import Rulebook

# How the name of a reading says what kind of evidence it is; the first that fits counts. (kind, what was seen, pattern)
KINDS: Sequence[tuple[str, str, str]] = (
    (
        "expectation",
        "how far it is from what it should be: roofline, line rate, the sum of needs, what was hoped for",
        (
            r"expect|roofline|ceiling|floor|wanted|_demand_|^(collective_bus|link_raw|sm_clock|output_length)_share"
            r"|efficiency|data_rate_|host_step_f|^mfu_|_over_quota_|model_bandwidth|slow$|impossible|requested_"
            r"|prefix_(share|cache)"
        ),
    ),
    ("spread", "how uneven it is over ranks, replicas, requests or runs: highest over mean", r"_spread_|uneven"),
    (
        "trend",
        "how it changes with time, load, length or size",
        (
            r"_slope_|_trend_|_growth_|_grows?(_|$)|falls|flat_over|jumped|clock_fall|_time_to_full|after_idle"
            r"|load_independent|discontinuity|_constant$"
        ),
    ),
    (
        "gain",
        "what a change of one thing brought: the speed with it over the speed without, or how much slower",
        (
            r"_gain_|_slowdown_|_speed_factor|_fall_factor|_mixed_factor|^quantized_|slot_cap|disagreement"
            r"|client_server|ab_difference|only_through|_trades$|_cancelled$"
        ),
    ),
    (
        "share",
        "its share of a step, of a request or of a run",
        r"_share_ratio$|_outside_engine_|bubble|(wait|throttled)_ratio$",
    ),
    (
        "queue",
        "what waits for it, how many or how long",
        r"waiting|queue|in_flight|blocked|_wait_seen|tokens_full|concurrency|running_count",
    ),
    (
        "busy",
        "how full or busy its resource is",
        r"_busy_|utilization|_active_ratio|occupancy|usage|cpu_ratio|fragmentation|headroom|_power_|power_|temperature",
    ),
    ("time", "how long it takes, or how much there is of it", r"_s(_p\d+)?$|_s_|_count$|_bytes|tokens_|per_s$|_ratio$"),
    ("event", "that it was seen, or is so: an error, a line in the log, a setting", r""),
)


def kind_of(name: str) -> str:
    """The kind of evidence that a reading is, by its name."""
    return next(kind for kind, _, pattern in KINDS if re.search(pattern, name))


def readings_page(knowledge: Knowledge) -> str:
    """The kinds, the matrix of walls by kinds, and for each wall its readings with the rules that use them."""
    book = knowledge.rulebook
    walls = [wall for wall in book.walls.values() if wall.id != HEALTHY]
    squares = {wall.id: _square(book, [rule for rule in book.diagnose if rule.wall == wall.id]) for wall in walls}
    kinds = [kind for kind, _, _ in KINDS]
    matrix = table(
        ["wall", *kinds],
        ([link(wall.id, f"#{wall.id}"), *(_count(squares[wall.id], kind) for kind in kinds)] for wall in walls),
    )
    parts: list[str] = []
    for wall in walls:
        rows = (
            [
                kind,
                code(name),
                value_type(info := book.vocabulary.names[name]),
                possible(info),
                both(info.means),
                ", ".join(sorted(rules)),
            ]
            for kind in kinds
            for name, rules in squares[wall.id].items()
            if kind_of(name) == kind
        )
        parts += [f"### {wall.id}", f"{titled(wall.name)}. {both(wall.means)}", table(_COLUMNS, rows)]
    return page(
        "Which reading for what I saw",
        "From a report to readings: find the wall that the number is about and the kind of evidence that it is; the "
        "square names the reading. Enter what was seen for every wall it is about, not only for the one you suspect: "
        "evidence against a wall is as good as evidence for another. Two figures of an experiment are one reading, a "
        "factor: the speed with the change over the speed without. What is worked out from figures that were seen is "
        "as good as they are; say `estimated` only of what nobody stated or measured, and leave out a share you "
        "would only guess from the suspected cause. Where phases or sizes give opposite results, enter those of the "
        "one that the complaint is about. A figure has one reading, the narrowest that fits it; what follows by "
        "arithmetic from it (a complement, a difference, its share) is the same figure, and is entered beside it only "
        "where a sentence says so. A rule marked with * needs that reading alone; it speaks with less confidence "
        "until its second observation is there.",
        "rules/",
        "## Kinds of evidence",
        table(["kind", "what was seen"], ([kind, seen] for kind, seen, _ in KINDS)),
        "## Walls by kinds of evidence",
        "How many readings there are.",
        matrix,
        "## Readings of each wall",
        *parts,
    )


_COLUMNS = ("kind", "reading", "type", "possible", "means", "rules")


def _count(square: dict[str, list[str]], kind: str) -> str:
    return str(sum(kind_of(name) == kind for name in square) or "")


def _square(book: Rulebook, rules: Iterable[DiagnoseRule]) -> dict[str, list[str]]:
    """Readings that the conditions of `rules` name, with these rules; * behind one that needs no other reading."""
    found: dict[str, list[str]] = {}
    for rule in rules:
        readings = sorted(name for name in names_in(rule.when) if name in book.readings)
        for name in readings:
            found.setdefault(name, []).append(f"{rule.id}{'*' if len(readings) == 1 else ''}")
    return found
