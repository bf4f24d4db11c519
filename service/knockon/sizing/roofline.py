"""The roofline: how many tokens a second a deployment can generate at most, from what its GPUs can read and compute."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from knockon.sizing.size import size
from knockon.sizing.sizing import Step
from knockon.sizing.traffic import Traffic, traffic_of
from knockon.sizing.worksheet import Worksheet, engine_of
from knockon.terms.words import Scalar, Text

# The first generation whose arithmetic units multiply four-bit floats, by compute capability.
_MULTIPLIES_FOUR_BITS = 10
# More ranks than this are on several machines, as machines are built.
_GPUS_OF_A_NODE = 8
# Ranks of a tensor-parallel group wait for one another in every layer, beside what every layer takes on one GPU.
_WAITS_IN_A_GROUP = 2


@dataclass(frozen=True, slots=True)
class Load:
    """What the deployment is asked to do, on average."""

    running: float
    """Requests generated at once, over all replicas; above 0."""
    prompt_tokens: float
    output_tokens: float
    """Tokens generated for one request; 1 or more."""
    cached_ratio: float = 0.0
    """Share of the prompt tokens that are not computed again, 0..1."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What one GPU can do, as a datasheet or a measurement says."""

    bandwidth_bytes_per_s: float
    dense_flops: Mapping[str, float]
    """Peak without sparsity by number format ("bf16", "fp8", …)."""
    measured_flops: float | None = None
    """What was measured on this very machine in the format in use; taken instead of a peak."""


@dataclass(frozen=True, slots=True)
class Roofline:
    """Tokens generated a second by the whole deployment, and the floors behind them."""

    tokens_per_s: float
    """Where reading, decoding and prefilling hide behind one another: nothing is faster."""
    serial_tokens_per_s: float
    """Where prefill and decode take turns and nothing else takes time: what shares of engines are measured against."""
    tokens_per_step: float
    """Tokens that all replicas generate in the time of one step of a stage."""
    decode_step_s: float
    """Least time of one step of the batch."""
    prefill_s: float
    """Least time to prefill one prompt."""
    bound_by: Literal["bandwidth", "compute"]
    """What the least time of a step comes from."""
    layers: int
    """Layers that a step runs through on one stage, counted again where ranks wait for one another."""
    format: str
    """The number format whose peak was taken."""
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Shares:
    """What engines reach of a roofline, as measured on many of them."""

    share: float
    """Of the serial roofline, 0..1, where layers take no time of their own."""
    layer_overhead_s: float
    """Time that a layer takes beside reading and computing."""
    low_share: float
    """The low end over the central value, 0..1."""


@dataclass(frozen=True, slots=True)
class Band:
    """Tokens generated a second: what is seldom missed, what is usual, what cannot be passed."""

    low: float
    central: float
    high: float


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no roofline."""

    reason: Text


def roofline(facts: Mapping[str, Scalar], machine: Machine, load: Load) -> Roofline | Refusal:
    """The roofline of a deployment under a load.

    Args:
        facts: values by fact name, as for `size`.
        machine: each of its GPUs.
        load: what it is asked to do.

    Returns:
        Tokens a second, or why they cannot be told: a model or layout that is not reckoned, a configuration that does
        not fit into memory, something beside the model that generates or reads.
    """
    sheet = Worksheet(facts)
    engine = engine_of(sheet)
    if engine is None:
        return Refusal(
            Text(
                f"the arithmetic of {sheet.text('engine')} is not known here",
                f"此处不知道 {sheet.text('engine')} 的算法",
            )
        )
    refusal = _refusal(sheet)
    traffic = traffic_of(sheet, engine=engine) if refusal is None else None
    if traffic is None:
        return Refusal(refusal or sheet.reasons.get("roofline", Text("the model's shape is not known", "未知模型形状")))
    format_, flops = _peak(sheet, machine)
    if flops is None:
        return Refusal(
            Text(f"the GPU's dense peak for {format_} is not known", f"未知该 GPU 在 {format_} 下的稠密峰值")
        )
    misfit = _misfit(sheet)
    return Refusal(misfit) if misfit else _reckoned(sheet, traffic, machine, load, format_=format_, flops=flops)


def band_of(found: Roofline, shares: Shares) -> Band:
    """The band of what an engine reaches under the load of `found`."""
    step_s = found.tokens_per_step / found.serial_tokens_per_s
    central = found.tokens_per_step / (step_s / shares.share + found.layers * shares.layer_overhead_s)
    return Band(central * shares.low_share, central, found.tokens_per_s)


def _reckoned(
    sheet: Worksheet, traffic: Traffic, machine: Machine, load: Load, *, format_: str, flops: float
) -> Roofline:
    # A pipeline works on as many parts of the batch as it has stages.
    tokens = max(1.0, load.running / (traffic.replicas * traffic.stages))
    context = load.prompt_tokens + load.output_tokens / 2
    fresh = load.prompt_tokens * (1 - load.cached_ratio)
    read_s = traffic.decode_bytes(tokens, context) / machine.bandwidth_bytes_per_s
    compute_s = traffic.decode_flops(tokens, context) / flops
    # For every token generated a part of the next request's prompt is prefilled.
    prefill_step_s = traffic.prefill_flops(tokens * fresh / load.output_tokens, load.prompt_tokens) / flops
    decode_s = max(read_s, compute_s)
    least_read_s = traffic.decode_bytes(tokens, context, alike=True) / machine.bandwidth_bytes_per_s
    together_s = max(least_read_s, compute_s + prefill_step_s)
    waits = _WAITS_IN_A_GROUP if sheet.size("tensor_parallel_size") > 1 else 1
    per_step = min(load.running / traffic.stages, tokens * traffic.replicas)
    context_said = f"{load.prompt_tokens:g} + {load.output_tokens:g} / 2"
    sheet.note("sequences_per_step", f"{load.running:g} / (DP {traffic.replicas} x PP {traffic.stages})", tokens)
    sheet.note("context_tokens", context_said, context, "token")
    if traffic.visited_ratio < 1:
        said = f"1 - (1 - {traffic.visited_ratio:.4g}) ^ tokens of a step"
        sheet.note("experts_read_ratio", said, traffic.distinct_ratio(tokens))
    sheet.note("decode_bytes", "weights + KV cache of a step", traffic.decode_bytes(tokens, context), "byte")
    sheet.note("decode_read_s", f"decode_bytes / {machine.bandwidth_bytes_per_s:.4g} byte/s", read_s, "s")
    sheet.note(
        "decode_compute_s", f"{traffic.decode_flops(tokens, context):.4g} FLOP / {flops:.4g} FLOP/s", compute_s, "s"
    )
    sheet.note(
        "prefill_per_step_s",
        f"{fresh:g} / {load.output_tokens:g} prompt tokens for each generated",
        prefill_step_s,
        "s",
    )
    return Roofline(
        tokens_per_s=per_step / together_s,
        serial_tokens_per_s=per_step / (decode_s + prefill_step_s),
        tokens_per_step=per_step,
        decode_step_s=decode_s * traffic.stages,
        prefill_s=traffic.prefill_flops(fresh, load.prompt_tokens) / flops * traffic.stages,
        layers=-(-sheet.size("num_hidden_layers") // traffic.stages) * waits,
        bound_by="bandwidth" if together_s == least_read_s else "compute",
        format=format_,
        steps=tuple(sheet.steps),
    )


def _refusal(sheet: Worksheet) -> Text | None:
    """What generates or reads beside the model's own steps, so that its steps bound nothing."""
    if sheet.is_on("enable_speculative_decoding"):
        return Text(
            "with speculative decoding a step gives more than one token, by a share that is not known beforehand",
            "投机解码时一步产出多于一个 token，比例无法预知",
        )
    if sheet.count("cpu_offload_bytes"):
        return Text("weights that are kept in host memory are not reckoned here", "此处不计算留在主机内存中的权重")
    if sheet.text("disaggregation_mode") in ("prefill", "decode"):
        return Text("half of a disaggregated pair is not reckoned here", "此处不计算 PD 分离的一半")
    if sheet.size("tensor_parallel_size") > _GPUS_OF_A_NODE:
        return Text(
            "ranks of one group on several machines wait for a network that is not reckoned here",
            "同组 rank 跨多台机器，要等待此处不计算的网络",
        )
    return None


def _misfit(sheet: Worksheet) -> Text | None:
    sizes = size(sheet.facts)
    memory, weights = sheet.count("gpu_memory_bytes"), sizes.weights_bytes_per_gpu
    if memory is not None and weights is not None and weights > memory:
        return Text(
            f"the weights do not fit: {weights} bytes on a GPU of {memory}",
            f"权重放不下：{weights} 字节，而 GPU 为 {memory}",
        )
    if sizes.available_kv_cache_bytes_at_most == 0:
        return Text("the weights leave no memory for the KV cache", "权重未给 KV 缓存留下显存")
    if sizes.fits is False:
        return Text(
            "one request of max_model_len tokens does not fit into the KV cache",
            "KV 缓存放不下一个 max_model_len 长的请求",
        )
    return None


def _peak(sheet: Worksheet, machine: Machine) -> tuple[str, float | None]:
    """The format that the matrices are multiplied in, and its peak."""
    formats = _formats(sheet)
    if machine.measured_flops is not None:
        return formats[0], machine.measured_flops
    known = [name for name in formats if name in machine.dense_flops]
    if not known:
        return formats[0], None
    fastest = max(known, key=lambda name: machine.dense_flops[name])
    return fastest, machine.dense_flops[fastest]


def _formats(sheet: Worksheet) -> tuple[str, ...]:
    """Formats the arithmetic may be done in; the fastest of them bounds it.

    Weights of four bits and of eight bits on GPUs without such units are widened before they are multiplied.
    """
    method = (sheet.text("checkpoint_quantization") or sheet.text("quantization")).lower()
    bits = sheet.count("checkpoint_weight_bits")
    major = sheet.text("gpu_compute_capability").partition(".")[0]
    capability = int(major) if major.isdigit() else None
    wide = ("bf16", "fp16")
    if method in ("", "none") or "awq" in method or "gptq" in method:
        return wide
    if bits == 4:
        return ("fp4", "fp8", *wide) if capability is None or capability >= _MULTIPLIES_FOUR_BITS else wide
    return ("fp8", "int8", *wide)
