"""A command with the switch that a technique names is not told to be without the technique."""

import re
from collections.abc import Iterator

from knockon.backends.python.walk import judge_one
from knockon.engines import read_command
from knockon.engines.meant import facts_set_by
from knockon.manifests.command import split_command
from knockon.terms.errors import IntakeError
from knockon.terms.fact import values_of
from knockon.terms.truth import Truth
from knockon.terms.words import TechniqueId
from tests.shipped import shipped

PROGRAMS = {
    "vllm": "vllm serve m",
    "sglang": "python3 -m sglang.launch_server --model-path m",
    "trtllm": "trtllm-serve m",
    "tgi": "text-generation-launcher --model-id m",
}
BESIDE = {
    "dcp-all-to-all": "--decode-context-parallel-size 2",
    "block-verification": "--speculative-algorithm EAGLE",
    "decode-side-prefix-cache": "--disaggregation-mode decode",
    "dynamic-chunk-pp": "--pp-size 2",
    "dynamic-pd-roles": "--disaggregation-mode prefill",
    "dynamic-spec-length": "--speculative-algorithm EAGLE",
    "kv-transfer-nixl": "--disaggregation-mode prefill",
    "kv-write-policy": "--enable-hierarchical-cache",
    "lora-dynamic-loading": "--enable-lora",
    "lora-load-overlap": "--enable-lora",
    "mm-encoder-dp": "--tensor-parallel-size 2",
    "page-first-kv-layout": "--enable-hierarchical-cache",
    "relaxed-acceptance": "--speculative-algorithm EAGLE",
    "round-robin-expert-placement": "--enable-expert-parallel",
    "specinfer-tree": "--speculative-algorithm EAGLE",
    "speculation-overlap-scheduling": '--speculative-config \'{"method": "eagle3"}\'',
}
"""What a switch asks for beside it."""
TOLD_BY_WHAT_FOLLOWS = {
    ("cuda-graphs", "sglang"),
    ("expert-parallelism", "vllm"),
    ("medusa", "tgi"),
    ("ngram-spec", "tgi"),
    ("paged-attention", "vllm"),
    ("paged-attention", "sglang"),
    ("recurrent-state-snapshots", "vllm"),
}
"""Their flag states something else, from which the engine tells the rest; a model in TGI may draft by its own heads."""
ANY_CHOICE = {"--dllm-algorithm"}
"""Flags of which every choice is the technique."""
TOLD_LEAST = 100
"""So many there were when this was written; where it falls, switches are no longer read."""


def command_of(engine: str, switch: str) -> str | None:
    """The command that the words of a switch make, None where they are no whole setting or turn something off."""
    program = PROGRAMS.get(engine)
    if program is None or switch.startswith("--disable-"):
        return None
    if re.fullmatch(r"--[\w-]+( [\w.]+)?", switch):
        return f"{program} {switch}"
    if re.fullmatch(r"[A-Z][A-Z_0-9]*=\w+", switch):
        return f"{switch} {program}"
    if found := re.fullmatch(r"(--speculative-config) (\w+)( \w+)?", switch):
        value = f'"{found[3].strip()}"' if found[3] else "true"
        return f"{program} {found[1]} '{{\"{found[2]}\": {value}}}'"
    if engine == "trtllm" and (found := re.fullmatch(r"([a-z_.]+):? (\w+)", switch)):
        return f"{program} --set {found[1]}={found[2]}"
    return None


def switched_on() -> Iterator[tuple[str, str]]:
    """Techniques that a deployment shows, with a command for each switch that is a whole setting."""
    for id_, technique in shipped().catalog.techniques.items():
        for switch in technique.switches if technique.detect_text else ():
            if command := command_of(switch.engine, switch.switch):
                yield id_, f"{command} {BESIDE.get(id_, '')}" if switch.engine != "trtllm" else command


def verdict(id_: str, command: str) -> Truth:
    """What `detect` says of the facts of a command; UNKNOWN where a flag is named without the value it takes."""
    technique = shipped().catalog.techniques[TechniqueId(id_)]
    assert technique.detect is not None
    try:
        facts = read_command(split_command(command, path="x")).by_name()
    except IntakeError:
        return Truth.UNKNOWN
    return judge_one(technique.detect, values_of(facts), vocabulary=shipped().rulebook.vocabulary)


def test_no_switch_leaves_its_technique_out() -> None:
    commands = sorted(switched_on())

    assert [(id_, command) for id_, command in commands if verdict(id_, command) is Truth.FALSE] == []


def test_most_switches_are_told() -> None:
    told = [id_ for id_, command in switched_on() if verdict(id_, command) is Truth.TRUE]

    assert len(told) >= TOLD_LEAST


def test_a_flag_of_a_technique_states_what_tells_of_it() -> None:
    silent = [
        (id_, switch.engine, flag)
        for id_, technique in shipped().catalog.techniques.items()
        for switch in technique.switches
        if technique.detect_text and switch.engine in PROGRAMS and (id_, switch.engine) not in TOLD_BY_WHAT_FOLLOWS
        for flag in re.findall(r"^--[\w-]+", switch.switch)
        if not facts_set_by(switch.engine, flag) & names_of(technique.detect_text)
    ]

    assert silent == []


def names_of(condition: str) -> frozenset[str]:
    """The names in a condition, its texts left out."""
    return frozenset(re.findall(r"[a-z_][a-z_0-9]*", re.sub(r'"[^"]*"', "", condition)))


def test_a_flag_with_a_value_tells_its_technique() -> None:
    given = {
        "allreduce-rmsnorm-fusion": "sglang serve m --flashinfer-allreduce-fusion-backend auto",
        "api-server-scaleout": "sglang serve m --tokenizer-worker-num 4",
        "distributed-weight-data-parallelism": "trtllm-serve m --set dwdp_config.dwdp_size=4",
        "dcp-all-to-all": "sglang serve m --tp-size 8 --dcp-size 2 --dcp-comm-backend fi_a2a",
        "deepep-ht": "sglang serve m --moe-a2a-backend deepep",
        "deepep-ll": "sglang serve m --moe-a2a-backend deepep",
        "encoder-cuda-graphs": "SGLANG_VIT_ENABLE_CUDA_GRAPH=1 sglang serve m",
        "dynamic-spec-length": (
            "vllm serve m --speculative-config '{\"num_speculative_tokens_per_batch_size\": [[1, 8, 4]]}'"
        ),
        "flashinfer": "ATTENTION=flashinfer text-generation-launcher --model-id m",
        "grammar-mask-precompute": "sglang serve m --grammar-backend xgrammar",
        "kv-admission-watermark": "sglang serve m --schedule-conservativeness 1.3",
        "kv-cache-size-override": "sglang serve m --max-total-tokens 100000",
        "kv-pool-split-ratio": "trtllm-serve m --set kv_cache_config.pool_ratio=[0.5,0.5]",
        "kv-cache-events": 'sglang serve m --kv-events-config \'{"publisher": "zmq"}\'',
        "lmcache-remote-kv": "vllm serve m --kv-offloading-backend lmcache --kv-offloading-size 8",
        "low-precision-indexer-cache": "sglang serve m --enable-deepseek-v4-fp4-indexer",
        "low-precision-recurrent-state": "trtllm-serve m --set kv_cache_config.mamba_ssm_cache_dtype=float16",
        "moe-expert-offload": "sglang serve m --enable-paged-experts",
        "mm-encoder-dp": "sglang serve m --mm-enable-dp-encoder --tp-size 2",
        "ngram-spec": 'vllm serve m --speculative-config \'{"method": "ngram_gpu"}\'',
        "one-sided-all-to-all": "TRTLLM_FORCE_COMM_METHOD=NVLINK_ONE_SIDED trtllm-serve m",
        "piecewise-cuda-graphs": 'vllm serve m --compilation-config \'{"cudagraph_mode": "FULL_AND_PIECEWISE"}\'',
        "pooling-model-serving": "sglang serve m --is-embedding",
        "prefill-context-parallelism": "sglang serve m --enable-prefill-cp",
        "relaxed-acceptance": ("trtllm-serve m --set speculative_config.use_relaxed_acceptance_for_thinking=true"),
        "queue-length-cap": "vllm serve m --max-num-queued-reqs 512",
        "ray-distributed-executor": "sglang serve m --use-ray",
        "request-audit-log": "sglang serve m --log-requests",
        "sleep-mode-serving": "sglang serve m --enable-memory-saver",
        "symmetric-memory-collectives": "VLLM_USE_NCCL_SYMM_MEM=1 vllm serve m",
        "tracing-otel": "sglang serve m --enable-trace",
    }

    assert [id_ for id_, command in given.items() if verdict(id_, command) is not Truth.TRUE] == []


def test_no_alias_is_a_flag_of_many_choices_where_the_switch_names_one() -> None:
    bare = [
        (id_, flag)
        for id_, technique in shipped().catalog.techniques.items()
        for flag in technique.aliases.get("en", ())
        for switch in technique.switches
        if flag.startswith("--") and switch.engine in PROGRAMS and switch.switch.startswith(f"{flag} ")
        if re.fullmatch(r"[\w.]+( or [\w.]+)*", switch.switch.removeprefix(f"{flag} "))
    ]

    assert [(id_, flag) for id_, flag in bare if flag not in ANY_CHOICE] == []


def test_a_setting_that_another_has_to_bring_into_force_is_no_technique_alone() -> None:
    given = {
        "block-verification": "sglang serve m --speculative-use-block-verification",
        "dcp-all-to-all": "vllm serve m --dcp-comm-backend a2a",
        "decode-side-prefix-cache": "sglang serve m --disaggregation-decode-enable-radix-cache",
        "draft-kv-quantization": "sglang serve m --speculative-draft-kv-cache-dtype fp8_e4m3",
        "dynamic-chunk-pp": "sglang serve m --enable-dynamic-chunking",
        "dynamic-pd-roles": "sglang serve m --enable-pd-role-switch",
        "dynamic-spec-length": "sglang serve m --speculative-adaptive",
        "kv-cache-events": "sglang serve m --kv-events-config '{}'",
        "kv-quantization-skip-layers": "vllm serve m --kv-cache-dtype-skip-layers sliding_window",
        "kv-transfer-nixl": "sglang serve m --disaggregation-transfer-backend nixl",
        "kv-write-policy": "sglang serve m --hicache-write-policy write_back",
        "lmcache-remote-kv": "vllm serve m --kv-offloading-backend lmcache",
        "lora-dynamic-loading": "VLLM_ALLOW_RUNTIME_LORA_UPDATING=1 vllm serve m",
        "lora-load-overlap": "sglang serve m --enable-lora-overlap-loading",
        "lpm-scheduling": "sglang serve m --schedule-policy lpm --disable-radix-cache",
        "mm-encoder-dp": "vllm serve m --mm-encoder-tp-mode data",
        "page-first-kv-layout": "sglang serve m --hicache-mem-layout page_first",
        "relaxed-acceptance": "sglang serve m --speculative-accept-threshold-single 0.5",
        "specinfer-tree": "sglang serve m --speculative-eagle-topk 4",
    }

    assert [id_ for id_, command in given.items() if verdict(id_, command) is Truth.TRUE] == []


def test_a_name_that_a_checkpoint_has_as_well_is_no_quantization_at_load_by_itself() -> None:
    named = verdict("online-quantization", "vllm serve m --quantization mxfp8")
    of_its_own = verdict("online-quantization", "vllm serve m --quantization fp8_per_tensor")

    assert (named, of_its_own) == (Truth.UNKNOWN, Truth.TRUE)
