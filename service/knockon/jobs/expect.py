"""The expectation: how many tokens a second the described deployment should generate under the measured load."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from knockon.catalog.catalog import Catalog
from knockon.catalog.machine import Gpu
from knockon.rules.intake import Intake, Observed, worked_out
from knockon.rules.thresholds import InForce
from knockon.sizing.roofline import Band, Load, Machine, Refusal, Roofline, Shares, band_of, roofline
from knockon.terms.errors import NotFound
from knockon.terms.fact import Fact, values_of
from knockon.terms.reading import Reading
from knockon.terms.words import Scalar, Text

_GOT = "output_tokens_per_s"
_SAID = "expected_output_tokens_per_s"
_BELOW = "throughput_below_expectation"
_FRACTION = "roofline_fraction_ratio"
# What counts for more than the roofline: the batch, the lengths or the GPU are then not what was said.
_FRACTION_MAX = 1.05
# One look at the batch stands for the window only where generation at its speed would need about so many sequences.
_BATCH_DRIFT_MAX = 2.0


@dataclass(frozen=True, slots=True)
class Basis:
    """One number that the expectation rests on, with where it comes from."""

    name: str
    value: Scalar
    origin: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """A band of generated tokens per second; `band` None, with the reason, where it cannot be computed."""

    band: Band | None
    fraction: float | None
    """What was measured over the roofline; None where nothing was measured."""
    basis: tuple[Basis, ...] = ()
    roofline: Roofline | None = None
    refused: Text | None = None
    """Why there is no band."""
    said: float | None = None
    """What a person expects; it wins over the band."""


@dataclass(slots=True)
class _Gathered:
    """Numbers on their way into the roofline, each written down with its origin; the first that is lacking refuses."""

    observed: Mapping[str, Observed]
    facts: Mapping[str, Fact]
    basis: list[Basis] = field(default_factory=list)
    lacks: list[Text] = field(default_factory=list)

    def reading(self, *names: str) -> float | None:
        """The first of `names` that was observed."""
        for name in names:
            seen = self.observed.get(name)
            if seen is not None and not isinstance(seen.value, str | bool):
                self.basis.append(Basis(name, seen.value, seen.origin))
                return float(seen.value)
        return None

    def lack(self, en: str, zh: str) -> None:
        """Write down what is not known."""
        self.lacks.append(Text(en, zh))


def expected(
    catalog: Catalog, facts: Mapping[str, Fact], observed: Mapping[str, Observed], thresholds: Mapping[str, InForce]
) -> Expectation:
    """The band for the deployment of `facts` under the load of `observed`.

    Args:
        catalog: knows the GPUs' peaks.
        facts: of the deployment; what is lacking is the reason of a refusal.
        observed: readings as the rules see them.
        thresholds: the shares that engines reach, by plain key.
    """
    got, said = _number(observed, _GOT), _number(observed, _SAID)
    gathered = _Gathered(observed, facts)
    machine = _machine(catalog, gathered)
    load = _load(gathered)
    shares = _shares(thresholds, gathered)
    if "model_type" not in facts and "text_model_type" not in facts:
        gathered.lack("the model is not known", "未知模型")
    if machine is None or load is None or shares is None or gathered.lacks:
        en, zh = ("; ".join(lack.en for lack in gathered.lacks), "；".join(lack.zh for lack in gathered.lacks))
        return Expectation(None, None, refused=Text(en, zh), said=said)
    found = roofline(values_of(facts), machine, load)
    if isinstance(found, Refusal):
        return Expectation(None, None, refused=found.reason, said=said)
    band = band_of(found, shares)
    fraction = None if got is None else got / band.high
    return Expectation(band, fraction, tuple(gathered.basis), found, said=said)


def with_expectation(intake: Intake, expectation: Expectation) -> Intake:
    """`intake` with the readings that follow from the expectation; what was measured or said is never replaced."""
    band = expectation.band
    if band is None:
        return intake
    behind = ", ".join(basis.name for basis in expectation.basis)
    added: dict[str, Observed] = {}
    if expectation.said is None:
        values: dict[str, Scalar] = {
            _SAID: band.central,
            f"{_SAID}_low": band.low,
            f"{_SAID}_high": band.high,
        }
        got = _number(intake.observed, _GOT)
        if got is not None and expectation.fraction is not None and expectation.fraction <= _FRACTION_MAX:
            values[_BELOW] = got < band.low
        added = {name: worked_out(name, value, f"roofline, from {behind}") for name, value in values.items()}
    invalid: tuple[Reading, ...] = ()
    if expectation.fraction is not None:
        if expectation.fraction <= _FRACTION_MAX:
            added[_FRACTION] = worked_out(_FRACTION, min(1.0, expectation.fraction), f"{_GOT} over the roofline")
        else:
            invalid = (_impossible(expectation.fraction, band),)
    kept = {name: seen for name, seen in added.items() if name not in intake.observed}
    return replace(intake, observed={**intake.observed, **kept}, invalid=(*intake.invalid, *invalid))


def _impossible(fraction: float, band: Band) -> Reading:
    why = (
        f"{fraction:.3g} of what the GPUs can do at all ({band.high:.4g} token/s): running_count, the request lengths, "
        "the model or the GPU are not what was said"
    )
    return Reading(_FRACTION, None, "roofline", state="invalid", why=why, raw=f"{fraction:.3g}")


def _machine(catalog: Catalog, gathered: _Gathered) -> Machine | None:
    name = gathered.facts.get("gpu_name")
    gpu = _gpu(catalog, str(name.value)) if name is not None else None
    bandwidth = gathered.reading("memory_bandwidth_ceiling_bytes_per_s")
    flops = gathered.reading("compute_ceiling_flops")
    if bandwidth is None and gpu is not None and gpu.memory_bandwidth_bytes_per_s is not None:
        bandwidth = gpu.memory_bandwidth_bytes_per_s
        gathered.basis.append(Basis("gpu_memory_bandwidth_bytes_per_s", bandwidth, f"datasheet of {gpu.name}"))
    if flops is None and gpu is not None:
        for format_, peak in gpu.dense_flops.items():
            gathered.basis.append(Basis(f"dense_flops_{format_}", peak, f"datasheet of {gpu.name}"))
    if bandwidth is None or (flops is None and (gpu is None or not gpu.dense_flops)):
        gathered.lack("what the GPU can do is not known", "未知 GPU 的能力")
        return None
    return Machine(bandwidth, gpu.dense_flops if gpu is not None else {}, flops)


def _gpu(catalog: Catalog, name: str) -> Gpu | None:
    try:
        return catalog.gpu(name)
    except NotFound:
        return None


def _load(gathered: _Gathered) -> Load | None:
    running = _running(gathered)
    prompt = _mean_length(gathered, "prompt_tokens_per_s", "prompt_tokens_p50")
    output = _mean_length(gathered, _GOT, "output_tokens_p50")
    if running is None:
        gathered.lack("the batch is not known: measure running_count", "未知批量：请测量 running_count")
    if prompt is None or output is None:
        gathered.lack(
            "request lengths are not known: measure prompt_tokens_p50 and output_tokens_p50",
            "未知请求长度：请测量 prompt_tokens_p50 与 output_tokens_p50",
        )
    if running is None or prompt is None or output is None:
        return None
    cached = gathered.reading("prefix_cache_hit_ratio") or 0.0
    return Load(running, prompt, max(1.0, output), min(1.0, cached))


def _running(gathered: _Gathered) -> float | None:
    running = gathered.reading("running_count")
    if running is None:
        return _offered(gathered)
    got, each = _number(gathered.observed, _GOT), _number(gathered.observed, "itl_s_p50")
    if got is not None and each is not None and 0 < got * each < running / _BATCH_DRIFT_MAX:
        generating = got * each
        said = f"{_GOT} x itl_s_p50; running_count = {running:g} is of another moment than the window"
        gathered.basis[-1] = Basis("running_count", generating, said)
        return generating
    return running if running > 0 else None


def _offered(gathered: _Gathered) -> float | None:
    """What clients keep in flight, as far as the engine runs it at once."""
    offered = gathered.reading("concurrency_count")
    limit, replicas = gathered.facts.get("max_num_seqs"), gathered.facts.get("data_parallel_size")
    if offered is None or limit is None or isinstance(limit.value, str | bool):
        return offered or None
    most = limit.value * (replicas.value if replicas is not None and isinstance(replicas.value, int) else 1)
    if most < offered:
        gathered.basis.append(Basis("max_num_seqs", limit.value, limit.origin.text))
    return min(offered, most) or None


def _mean_length(gathered: _Gathered, rate: str, median: str) -> float | None:
    """Tokens of one request: what passes a second over the requests of a second, else the median."""
    tokens, requests = _number(gathered.observed, rate), _number(gathered.observed, "requests_per_s")
    if tokens and requests:
        mean = tokens / requests
        gathered.basis.append(Basis(f"{rate.removesuffix('_per_s')}_mean", mean, f"{rate} / requests_per_s"))
        return mean
    return gathered.reading(median)


def _shares(thresholds: Mapping[str, InForce], gathered: _Gathered) -> Shares | None:
    names = ("expectation_share", "expectation_layer_overhead_s", "expectation_low_share")
    held = [thresholds[name] for name in names if name in thresholds]
    if len(held) < len(names):
        gathered.lack("the profile has no shares of the roofline", "配置档案没有 roofline 占比")
        return None
    for name, one in zip(names, held, strict=True):
        count = f", {one.threshold.samples} samples" if one.threshold.samples else ""
        said = f"profile {one.profile}: {one.threshold.provenance}{count}"
        gathered.basis.append(Basis(name, one.threshold.value, said))
    return Shares(*(one.threshold.value for one in held))


def _number(observed: Mapping[str, Observed], name: str) -> float | None:
    seen = observed.get(name)
    return None if seen is None or isinstance(seen.value, str | bool) else float(seen.value)


def basis_rows(expectation: Expectation) -> Iterator[tuple[str, Scalar, str]]:
    """(name, value, origin) of everything the band rests on, the steps of the roofline last."""
    for one in expectation.basis:
        yield one.name, one.value, one.origin
    for step in expectation.roofline.steps if expectation.roofline else ():
        yield step.name, step.value, step.expression
