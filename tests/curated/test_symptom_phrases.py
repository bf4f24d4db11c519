"""What people type when something is wrong is found among the symptoms, in English and in Chinese."""

import pytest

from knockon.catalog.symptom import phrases_of, recognise
from tests.shipped import shipped

TYPED = {
    "collective-hang": ["NCCL timeout", "training hang", "job stuck", "NCCL 超时", "训练卡死"],
    "cost-high": ["cost too high", "too expensive", "成本太高", "太贵"],
    "out-of-memory": ["OOM", "out of memory", "CUDA out of memory", "OOMKilled", "memory fragmentation", "爆显存"],
    "gpu-idle": ["GPU idle", "low GPU utilization", "MFU low", "GPU 空闲", "GPU 利用率低"],
    "loss-spikes": ["loss spike", "NaN loss", "loss 突增", "loss NaN"],
    "startup-slow": ["slow start", "cold start", "autoscaling slow", "启动慢", "冷启动", "扩容慢"],
    "tail-latency": ["tail latency", "high p99", "尾延迟", "P99 高"],
    "one-rank-slow": ["stragglers", "expert imbalance", "uneven GPUs", "掉队者", "负载不均", "专家不均"],
    "checkpoint-slow": ["slow checkpoint", "checkpoint takes too long", "检查点慢", "存 checkpoint 慢"],
    "preemptions": ["preemption", "requests get preempted", "抢占"],
    "ttft-high": ["TTFT high", "slow first token", "首 token 慢"],
    "decode-slow": ["slow decode", "ITL high", "解码慢"],
    "throughput-flat": ["throughput low", "throughput drops under load", "吞吐低", "吞吐下降"],
    "queue-growing": ["queue grows", "requests pile up", "排队"],
    "prefix-hit-low": ["cache hit rate low", "prefix cache misses", "缓存命中率低"],
    "quality-drop": ["gibberish output", "accuracy drops", "乱码", "精度下降"],
    "clocks-drop": ["GPU throttling", "power limit", "降频"],
    "host-cpu-high": ["host CPU high", "CPU 打满"],
    "data-wait": ["data loader slow", "数据加载慢"],
    "scaling-poor": ["all-reduce slow", "network slow", "通信慢", "all-reduce 慢"],
    "memory-tight": ["KV cache full", "memory pressure", "显存不足"],
    "requests-fail": ["requests time out", "429 errors", "请求超时"],
    "process-dies": ["crash", "pods restart", "服务重启", "崩溃"],
    "drafts-refused": ["low acceptance rate", "接受率低"],
    "memory-grows": ["memory leak", "内存泄漏"],
    "training-slow": ["slow training", "训练慢"],
}


@pytest.mark.parametrize(("symptom", "typed"), [(key, typed) for key, row in TYPED.items() for typed in row])
def test_what_people_type_is_found(symptom: str, typed: str) -> None:
    found = recognise(typed, phrases_of(shipped().catalog.symptoms.values()))

    assert (found.symptoms, found.not_understood) == ((symptom,), ())


def test_every_single_symptom_is_typed_here_or_seen_with_others() -> None:
    single = {key for key, one in shipped().catalog.symptoms.items() if not one.of}

    assert single - TYPED.keys() == {"each-layer-fine", "end-to-end-slow", "gpu-busy"}
