"""Several texts in one question: what watches the same thing twice counts once, what is apart stays apart."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from knockon.sources.base import Taken
from knockon.sources.result_choice import judged
from knockon.terms.errors import NotFound
from knockon.terms.reading import Reading
from knockon.terms.series import Series
from knockon.terms.served import is_same_model
from knockon.terms.words import Text

# Kinds that watch a system from the same side. Where two of them give one reading it is the same thing measured twice,
# and adding it up would double a queue or a rate. The first counts as the better: an exporter's figure is of now, a log
# line of its interval, nvidia-smi's of a driver's average. What clients saw of a whole run comes before all.
_WATCHES = ("client", "inference-perf", "prometheus", "engine-log", "nvidia-smi", "aiperf")
_CLIENT = "client"
# Quantiles that clients and engine both measure; the first that both have counts.
_BOTH_SEE = ("ttft_s_p50", "ttft_s_p95", "ttft_s_p99", "e2e_s_p50", "e2e_s_p95", "e2e_s_p99")
_SHOWN_MAX = 4


def together(parts: Sequence[Taken], *, run: str | None = None) -> list[Taken]:
    """The parts, so that their readings can be put in one list.

    A reading that two kinds of text give is left out of the lesser one, with a note. Replicas of several texts that are
    called the same ("gpu=0" on two nodes) carry the name of their text from then on. Several texts of load generators
    are the runs of one sweep, of which one is judged: `run` names it. What a load generator measured of another model
    than the metrics are of is kept apart from them.

    Raises:
        NotFound: no run is called `run`.
    """
    parts = _one_sweep(parts, run)
    parts = _of_their_models(parts)
    parts = [*parts, *_client_and_server(parts)]
    kept = [_without_doubles(part, parts) for part in parts]
    names = Counter(key for part in kept for key in _keys(part))
    return [_told_apart(part, {key for key in _keys(part) if names[key] > 1}) for part in kept]


def _without_doubles(part: Taken, parts: Sequence[Taken]) -> Taken:
    if _side(part) not in _WATCHES:
        return part
    better = _WATCHES[: _WATCHES.index(_side(part))]
    measured = {
        reading.name
        for other in parts
        if _side(other) in better and not _is_apart(other)
        for reading in other.readings
        if reading.state == "measured"
    }
    doubles = list(dict.fromkeys(reading.name for reading in part.readings if reading.name in measured))
    if not doubles:
        return part
    listed = ", ".join(doubles)
    note = Text(
        f"{listed} of {part.filename} are left out: metrics given with it say the same of the same system",
        f"{part.filename} 中的 {listed} 不计：同时给出的指标已包含同一系统的这些读数",
    )
    return replace(
        part,
        readings=tuple(reading for reading in part.readings if reading.name not in measured),
        series=tuple(series for series in part.series if series.name not in measured),
        notes=(*part.notes, note),
    )


def _of_their_models(parts: Sequence[Taken]) -> list[Taken]:
    """The parts, with the readings of clients under their own model where the metrics are of others."""
    served = list(dict.fromkeys(one.model for part in parts if not part.runs for one in part.readings if one.model))
    return [_of_its_model(part, served) if part.runs and part.model and served else part for part in parts]


def _of_its_model(client: Taken, served: Sequence[str]) -> Taken:
    told = [is_same_model(client.model, one) for one in served]
    if True in told:
        return client
    listed = ", ".join(served[:_SHOWN_MAX]) + (" …" if len(served) > _SHOWN_MAX else "")
    if None in told:
        note = Text(
            f"{client.filename} is of model {client.model} and the metrics given with it are of {listed}: they are "
            "taken for the same",
            f"{client.filename} 的模型为 {client.model}，同时给出的指标属于 {listed}：视为同一模型",
        )
        return replace(client, notes=(*client.notes, note))
    note = Text(
        f"{client.filename} is of model {client.model} and the metrics given with it are of {listed}: they are not put "
        "together",
        f"{client.filename} 的模型为 {client.model}，同时给出的指标属于 {listed}：不合并判断",
    )
    readings = tuple(replace(one, model=client.model) for one in client.readings)
    return replace(client, readings=readings, notes=(*client.notes, note))


def _is_apart(client: Taken) -> bool:
    return bool(client.runs and client.model) and any(one.model == client.model for one in client.readings)


def _side(part: Taken) -> str:
    """From where the part was measured."""
    return _CLIENT if part.runs else part.source


def _one_sweep(parts: Sequence[Taken], run: str | None) -> list[Taken]:
    """The parts, with the texts that have runs as one of them, in the place of the first."""
    clients = [part for part in parts if part.runs]
    if not clients:
        if run is not None:
            raise NotFound("run", run, fix="only results of load generators have runs")
        return list(parts)
    if len(clients) == 1 and run is None:
        return list(parts)
    whole = judged(_joined(clients), run)
    return [whole if part is clients[0] else part for part in parts if part is clients[0] or not part.runs]


def _joined(clients: Sequence[Taken]) -> Taken:
    first = clients[0]
    if len(clients) == 1:
        return first
    names = [one.name for part in clients for one in part.runs]
    # "rate 8" says more than a file's name, as long as it is the only one; runs without a load are numbers only.
    are_telling = len(set(names)) == len(names) and not any(name.isdecimal() for name in names)
    runs = [
        one if are_telling else replace(one, name=f"{PurePath(part.filename).name}: {one.name}")
        for part in clients
        for one in part.runs
    ]
    engines = {part.engine for part in clients}
    return replace(
        first,
        readings=(),
        engine=first.engine if len(engines) == 1 else None,
        facts=tuple(dict.fromkeys(fact for part in clients for fact in part.facts)),
        notes=tuple(dict.fromkeys(note for part in clients for note in part.notes if note not in part.about_runs)),
        about_runs=(),
        runs=tuple(runs),
        filename=", ".join(PurePath(part.filename).name for part in clients[:_SHOWN_MAX])
        + (" …" if len(clients) > _SHOWN_MAX else ""),
    )


def _client_and_server(parts: Sequence[Taken]) -> list[Taken]:
    """What the clients' latency and the engine's say of one another, where both were measured.

    An engine that is slower than its clients saw it is impossible: definitions or windows differ. Clients that are
    slower than the engine wait elsewhere, which is a reading of its own.
    """
    client = next((part for part in parts if _side(part) == _CLIENT and not _is_apart(part)), None)
    servers = [part for part in parts if _side(part) in ("inference-perf", "prometheus")]
    if client is None or not servers:
        return []
    found: list[Reading] = []
    for name in _BOTH_SEE:
        seen, served = _value(client, name), max((_value(part, name) or 0.0 for part in servers), default=0.0)
        if not seen or not served:
            continue
        said = f"{name}: {seen:.4g} s seen by clients, {served:.4g} s by the engine"
        if served > seen:
            found.append(Reading("client_server_factor", served / seen, said, quality="derived"))
        elif name.startswith("ttft_s_"):
            found.append(Reading("ttft_outside_engine_ratio", 1 - served / seen, said, quality="derived"))
        break
    return [Taken(tuple(found))] if found else []


def _value(part: Taken, name: str) -> float | None:
    values = [
        float(one.value)
        for one in part.readings
        if one.name == name and isinstance(one.value, int | float) and not isinstance(one.value, bool)
    ]
    return max(values, default=None)


def _keys(part: Taken) -> set[tuple[str, str, str]]:
    return {_key(one) for one in _named(part)}


def _named(part: Taken) -> Iterable[Reading | Series]:
    yield from part.readings
    yield from part.series


def _key(one: Reading | Series) -> tuple[str, str, str]:
    return (one.name, one.model, one.replica)


def _told_apart(part: Taken, shared: set[tuple[str, str, str]]) -> Taken:
    """`part` with its file's name before the replicas that another text has too."""
    if not shared:
        return part

    def called(replica: str) -> str:
        return f"{part.filename}: {replica}" if replica else part.filename

    return replace(
        part,
        readings=tuple(
            replace(reading, replica=called(reading.replica)) if _key(reading) in shared else reading
            for reading in part.readings
        ),
        series=tuple(
            replace(series, replica=called(series.replica)) if _key(series) in shared else series
            for series in part.series
        ),
    )
