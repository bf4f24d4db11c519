"""How the real server is asked, and when its stored past begins and ends."""

from knockon.sources.base import Taken
from knockon.sources.prometheus.api.ask import window_of
from knockon.sources.prometheus.api.client import server_at
from knockon.sources.prometheus.api.live import live
from tests.sources.vocabulary import shipped_vocabulary

# 2024-01-01 12:00:00 UTC, ten minutes before the end of what is stored.
BEGIN = 1_704_110_400
LENGTH = 600
END = BEGIN + LENGTH


def asked(url: str, *, to_s: float = END, length_s: float = LENGTH, **match: str) -> Taken:
    window = window_of(to_s=to_s, length_s=length_s, step_s=60)
    server = server_at(url, headers={}, timeout_s=30)
    return live(server, window, matchers=match, vocabulary=shipped_vocabulary())


def measured(taken: Taken) -> dict[tuple[str, str], object]:
    return {(one.name, one.replica): one.value for one in taken.readings if one.state == "measured"}
