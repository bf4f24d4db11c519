import pytest
from hypothesis import given
from hypothesis import strategies as st

from knockon.catalog.rank import search
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import ASKED_TEXT_MAX
from tests.shipped import shipped
from tests.texts import texts

CATALOG = shipped().catalog
NAMES = sorted(
    {
        (name, one.id)
        for one in CATALOG.live
        for name in (one.id, *(alias for group in one.aliases.values() for alias in group))
    }
)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("DCP", "decode-context-parallelism"),
        ("--enable-prefix-caching", "prefix-caching"),
        ("投机解码", "speculative-decoding"),
        ("speclative decodng", "speculative-decoding"),
        ("KV quantisation", "kv-cache-quantization"),
        ("TENSOR_PARALLEL", "tensor-parallelism"),
        ("张量并行", "tensor-parallelism"),
        ("flashattention", "flash-attention"),
    ],
)
def test_what_is_meant_comes_first(words: str, expected: str) -> None:
    assert search(CATALOG, words, limit=5)[0].technique == expected


# What people type, and the technique that comes first, or is one of the first three (after `·`).
MEANT = """
quantized kv caches                              kv-cache-quantization
how do I quantise the KV cache                   kv-cache-quantization
quantisation of weigths                        · weight-quantization
speculatve decoding with a draft model           speculative-decoding
continous batching                               continuous-batching
in-flight batching of requests                   continuous-batching
chunked prefil                                   chunked-prefill
PagedAtention                                    paged-attention
pagedattention blocks                            paged-attention
prefix caching across requests                   prefix-caching
reuse the prompt prefix                        · prefix-caching
disaggregate prefill and decode                  prefill-decode-disaggregation
prefill decode split                             prefill-decode-disaggregation
expert paralel                                   expert-parallelism
expert load balancing in MoE                     moe-expert-load-balancing
ring attention for long context                  ring-attention
recompute activations to save memory             activation-checkpointing
check pointing asynchronous                      asynchronous-checkpointing
shard optimizer states                           zero-optimizer-sharding
ZeRO stage 3 FSDP full sharding                  fully-sharded-data-parallel
offload optimizer to CPU memory                  zero-offload
mixed precission training                        mixed-precision-training
pipeline bubbles zero                            zero-bubble-pipeline
pipeline parallelism schedule 1F1B             · pipeline-parallel-training
deduplicate training data                        data-deduplication
near duplicate removal minhash                   data-deduplication
LLM as a judge                                   llm-as-judge
red teaming of models                            red-team-scan
rate limiting by tokens                          token-rate-limiting
gang scheduling of jobs                          gang-scheduling
lora adapters served together                    multi-lora-serving
CUDA graph capture                               cuda-graphs
KV cache offload to host memory                  kv-cache-offload
load balancing of requests by prefix             prefix-aware-routing
semantic cache                                   semantic-response-cache
structured pruning of weights                    structured-pruning-serving
guided decoding with a grammar                   structured-output
constrained json output                          structured-output
tensor parallel communication overlap          · token-split-overlap
knowledge distilation                          · on-policy-distillation
Data-constrained multi-epoch scaling             multi-epoch-repetition
Regression-based data mixture                    data-mixing
Muon orthogonalized momentum                     muon-optimizer
PXN and cross-NIC rail routing                   multi-rail-transport
Graceful preemption with checkpoint on signal    graceful-preemption-exit
PII masking at the gateway                       pii-redaction
TLS between nodes and clients                    tls-serving
Program-level scheduling for agents              program-aware-scheduling
Engine metrics and dashboards                    engine-metrics-export
Runtime prefill-decode role switching            dynamic-pd-roles
Attention engine with JIT kernels                flashinfer
Second-order weight quantization                 gptq
Per-tenant cache partition                       kv-salting
投机采样解码                                     speculative-decoding
KV缓存的量化                                     kv-cache-quantization
如何量化权重                                   · weight-quantization
连续批处理调度                                   continuous-batching
前缀缓存复用                                     prefix-caching
预填充与解码分离                                 prefill-decode-disaggregation
专家并行负载均衡                               · moe-expert-load-balancing
流水线并行气泡                                   zero-bubble-pipeline
请求限流                                         token-rate-limiting
低秩微调                                         lora
watermarking                                     text-watermark
torch.compile for serving                        torch-compile-inference
推測解碼                                         speculative-decoding
專家並行                                         expert-parallelism
overlap of all-to-all                          · expert-all-to-all-overlap
all to all                                     · hierarchical-all-to-all
pinned memory                                    pinned-host-memory
cold start                                       serverlessllm-loading
冷启动                                           serverlessllm-loading
token bucket                                     token-rate-limiting
guardrail model                                  safety-classifier-model
Tree of Thoughts                                 tree-of-thoughts
torch.compile                                  · torch-compile-inference
RAG reranking                                    reranker
plain PPO                                        proximal-policy-optimization
benchmark canary                                 benchmark-canary
paged attn                                       paged-attention
推理服务的自动扩缩容                             variant-autoscaling
"""


@pytest.mark.parametrize("line", MEANT.strip().splitlines())
def test_what_is_asked_in_other_words_comes_first(line: str) -> None:
    words, expected = line.rsplit(maxsplit=1)
    first = 3 if words.endswith("·") else 1

    assert expected in [hit.technique for hit in search(CATALOG, words.rstrip("· "), limit=first)]


@given(st.sampled_from(NAMES))
def test_hyphens_and_case_do_not_count(named: tuple[str, str]) -> None:
    words = named[0].casefold().replace("-", " ")

    assert search(CATALOG, words.replace(" ", "-").upper(), limit=20) == search(CATALOG, words, limit=20)


@given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=3))
def test_what_fits_far_less_well_than_the_best_is_left_out(named: list[tuple[str, str]]) -> None:
    hits = search(CATALOG, " ".join(name for name, _ in named), limit=100)

    assert all(hit.score >= hits[0].score / 2 for hit in hits)


@given(st.sampled_from(NAMES))
def test_what_was_found_is_a_name_of_the_technique(named: tuple[str, str]) -> None:
    for hit in search(CATALOG, f"{named[0]} of models", limit=20):
        assert bool(hit.matched) is (hit.where not in {"goal", "summary"})
        assert not hit.matched or hit.technique in CATALOG.indexes.technique_names.find(hit.matched)


@given(st.sampled_from(NAMES))
def test_every_name_finds_its_technique_with_the_full_score(named: tuple[str, str]) -> None:
    name, technique = named

    found = {hit.technique: hit.score for hit in search(CATALOG, name, limit=100)}

    assert found[technique] == 100


@given(texts(max_size=40))
def test_any_text_gives_hits_in_falling_order_and_each_technique_once(words: str) -> None:
    hits = search(CATALOG, words, limit=20)

    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.technique for hit in hits}) == len(hits) <= 20
    assert all(0 < hit.score <= 100 for hit in hits)


def test_words_of_the_goal_are_found_where_no_name_has_them() -> None:
    hits = {hit.technique: hit.where for hit in search(CATALOG, "one pass over memory", limit=20)}

    assert "goal" in hits.values() or "summary" in hits.values()


@pytest.mark.parametrize("words", ["", "   ", "-_-"])
def test_nothing_finds_nothing(words: str) -> None:
    assert search(CATALOG, words, limit=5) == ()


@pytest.mark.parametrize(
    "words",
    [
        "zzzxqj wvvk", "nope", "qwxyz", "asdf", "xkcd", "foo bar baz", "the of and", "how do I do that", "hello world",
        "how to cook pasta", "my favourite football team", "what is the weather in paris", "the best pizza recipe",
        "lorem ipsum dolor sit amet", "今天天气很好", "如何做红烧肉", "巴黎旅游攻略", "xqzw " * 200,
    ],
)  # fmt: skip
def test_nonsense_finds_nothing(words: str) -> None:
    assert search(CATALOG, words, limit=5) == ()


def test_text_longer_than_any_name_is_refused() -> None:
    with pytest.raises(LimitExceeded):
        search(CATALOG, "x" * (ASKED_TEXT_MAX + 1), limit=5)
