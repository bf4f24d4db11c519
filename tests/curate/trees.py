"""A small whole tree that lints clean, and ways to break it in one place."""

from collections.abc import Mapping
from pathlib import Path

from knockon.curate.lint import lint_tree

TODAY = "2026-11-29"

TREE: Mapping[str, str] = {
    "catalog/axes.yaml": """\
stages:
  inference: {name: {en: Inference, zh: 推理}, means: {en: Serving, zh: 服务}}
layers:
  L4: {name: {en: Models, zh: 模型}, means: {en: Algorithms, zh: 算法}}
  L5: {name: {en: Engines, zh: 引擎}, means: {en: One engine, zh: 单个引擎}}
dimensions:
  storage: {name: {en: Storage, zh: 存储}, means: {en: Memory, zh: 显存}}
  network: {name: {en: Network, zh: 网络}, means: {en: Links, zh: 链路}}
burdens:
  latency: {name: {en: Latency, zh: 延迟}, means: {en: Waiting, zh: 等待}}
""",
    "catalog/cells.yaml": """\
- {cell: [inference, L4, storage], state: impossible, why: {en: For the test, zh: 用于测试}, cite: [paper]}
""",
    "catalog/citations/all.yaml": """\
paper: {title: A paper, kind: paper, url: "https://example.org/paper", checked: 2026-11-29, depth: abstract}
values: {title: What we saw, kind: experience, checked: 2026-11-28, depth: read}
""",
    "catalog/techniques/inference/sharding.yaml": """\
id: sharding
name: {en: Sharding, zh: 切分}
aliases:
  en: [SH, --shard]
  zh: [分片]
cells:
  - [inference, L5, storage]
  - [inference, L4, network]
mechanism: split-by-token
goal: {en: Hold more, zh: 装得更多}
adds_devices: false
summary:
  en: >-
    Splits the cache
    by token.
  zh: 按 token 切分缓存。
shifts:
  - effect: gain
    onto: storage
    quantity: cache_tokens
    change: up
    when: shard_size > 1
    size: {text: {en: Doubles, zh: 翻倍}, factor: 2, basis: arithmetic}
    says: {en: Fewer copies, zh: 副本更少}
    cite: [{ref: paper, where: section 3}]
  - effect: cost
    onto: network
    quantity: link_bytes
    change: up
    when: 'engine == "it''s" or shard_size > 1'
    says: {en: More traffic, zh: 流量更多}
    inferred: false
    cite: [paper]
needs:
  - {says: {en: Copies, zh: 有副本}, when: shard_size <= head_count, cite: [paper]}
relations:
  - {kind: contrasts, to: copying, says: {en: The other way, zh: 另一种方式}, cite: [paper]}
engines:
  vllm: {switch: --dtype, since: "0.10"}
detect: shard_size > 1
former_ids: [splitting]
cite: [paper]
""",
    "catalog/techniques/inference/copying.yaml": """\
id: copying
name: {en: Copying, zh: 复制}
cells: [[inference, L5, network]]
mechanism: copy
goal: {en: Send less, zh: 少传}
summary: {en: Copies it., zh: 复制。}
shifts:
  - {effect: cost, onto: storage, quantity: cache_tokens, change: down, says: {en: Less, zh: 变少}, cite: [paper]}
cite: [paper]
""",
    "catalog/quantities/storage.yaml": """\
cache_tokens:
  name: {en: Cache tokens, zh: 缓存 token 数}
  of: storage
  unit: token
  better: up
  means: {en: What fits, zh: 能装多少}
  influences:
    - {on: wait_s, sign: "-", when: queue_count > 0, says: {en: Room, zh: 有空间}, cite: [paper]}
""",
    "catalog/quantities/network.yaml": """\
link_bytes:
  {name: {en: Traffic, zh: 流量}, of: network, unit: byte, better: down, means: {en: Sent, zh: 发送量}}
""",
    "catalog/quantities/latency.yaml": """\
wait_s:
  {name: {en: Wait, zh: 等待}, of: latency, unit: s, better: down, means: {en: Waiting, zh: 等待时间}}
""",
    "catalog/models/small.yaml": """\
owner/small: {aliases: [small], config: {num_hidden_layers: 2, rope_scaling: null}, parameters: 1000, cite: [paper]}
""",
    "catalog/gpus.yaml": """\
one: {name: GPU One, memory_bytes: 85899345920, compute_capability: "9.0", dense_flops: {bf16: 9.9e+14}, cite: [paper]}
""",
    "rules/vocabulary.yaml": """\
facts:
  shard_size: {type: int, min: 1, max: 64, group: parallelism, means: {en: Shards, zh: 份数}}
  head_count: {type: int, min: 1, group: model, means: {en: Heads, zh: 头数}}
  memory_bytes: {type: int, unit: byte, group: hardware, means: {en: Memory, zh: 显存}, how: --gpu NAME}
  engine: {type: text, options: [vllm, "it's"], group: engine, means: {en: Engine, zh: 引擎}}
  version: {type: version, group: engine, means: {en: Version, zh: 版本}}
  is_eager: {type: bool, group: engine, means: {en: Eager, zh: 即时}}
readings:
  cache_ratio:
    {type: number, min: 0, max: 1, class: resource, item: memory, means: {en: Used, zh: 已用}, how: {vllm: "vllm:x"}}
  queue_count: {type: int, class: context, means: {en: Waiting, zh: 排队数}, how: {any: look}}
""",
    "rules/walls.yaml": """\
memory: {name: {en: Memory, zh: 显存}, layers: [L5], dimension: storage, means: {en: Full, zh: 已满}}
cache: {name: {en: Cache, zh: 缓存}, layers: [L5], dimension: storage, means: {en: Full, zh: 已满}, parent: memory}
""",
    "rules/profiles/default.yaml": """\
name: default
title: {en: Experience, zh: 经验}
for: {hardware: any}
thresholds:
  cache_high: {value: 0.9, unit: "1", provenance: experience, checked: 2026-11-29, cite: [values]}
""",
    "rules/profiles/big.yaml": """\
name: big
title: {en: Big, zh: 大}
base: default
thresholds:
  cache_high: {value: 1, unit: "1", provenance: measured, checked: 2026-11-29, samples: 3, cite: [values]}
""",
    "rules/symptoms.yaml": """\
slow:
  name: {en: slow, zh: 慢}
  aliases: {en: [too slow]}
  measure: [queue_count]
  layers:
    L5: {judgement: likely, says: {en: It waits, zh: 在等}, inferred: true, cite: [paper]}
""",
    "rules/precedents/own.yaml": """\
checkout-7: {source: https://example.org/7, checked: 2026-11-29, wall: cache, told: waits, readings: {queue_count: 9}}
EE-1: {source: https://example.org/1, checked: 2026-11-29, told: "slow, nobody knows why"}
""",
    "rules/couple/K001-copies.yaml": """\
id: K001
name: {en: Copies, zh: 副本}
verdict: degraded
when: >-
  shard_size > head_count
  and engine in ("vllm",)
because: [copying]
says: {en: "Held {copies} times", zh: "存 {copies} 份"}
derive:
  - {name: copies, value: shard_size / head_count, says: {en: "{copies:number}", zh: "{copies:number}"}}
  - {name: spare, value: memory_bytes - 1GiB, unit: byte, says: {en: "{spare:bytes}", zh: "{spare:bytes}"}}
shifts:
  - {gains: network, onto: storage, quantity: cache_tokens, factor: 1 / copies}
fixes:
  - says: {en: "Use {shard_size}", zh: "用 {shard_size}"}
    technique: sharding
    set: {shard_size: copies}
    range: [1, copies]
    when: copies > 1
    knock_on: [{en: Traffic, zh: 流量}]
remarks: [{en: Silent, zh: 无日志}]
asked_with: [memory_bytes]
cite: [paper]
checked: 2026-11-29
examples:
  - {name: eight on four, given: {shard_size: 8, head_count: 4, engine: vllm}, expect: fires}
  - {name: four on four, given: {shard_size: 4, head_count: 4, engine: vllm}, expect: silent}
  - {name: nothing known, given: {}, expect: unknown}
""",
    "rules/diagnose/D001-full.yaml": """\
id: D001
name: {en: Full, zh: 已满}
wall: memory
layer: L5
dimension: storage
when: cache_ratio > threshold.cache_high
says: {en: "{cache_ratio:percent} over {threshold.cache_high}", zh: "{cache_ratio:percent} 超过 {threshold.cache_high}"}
observes: [cache_ratio, queue_count]
supports: [queue_count > 0]
against: [queue_count == 0]
confidence: 0.7
confirm: {en: Lower the load, zh: 降低负载}
advice: [{en: Shard, zh: 切分}]
cite: [values]
checked: 2026-11-29
examples:
  - {name: full, given: {cache_ratio: 0.95}, expect: fires}
  - {name: at the level, given: {cache_ratio: 0.9}, expect: silent}
  - {name: not measured, given: {queue_count: 3}, expect: unknown}
kind: full
""",
}

TECHNIQUE = "catalog/techniques/inference/sharding.yaml"
COUPLE = "rules/couple/K001-copies.yaml"
DIAGNOSE = "rules/diagnose/D001-full.yaml"
VOCABULARY = "rules/vocabulary.yaml"


def written(folder: Path, files: Mapping[str, str | bytes | None] = TREE) -> tuple[Path, Path]:
    """Write `files` over the small tree (None takes one away); gives the catalog and the rules folder."""
    for name, content in {**TREE, **files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / "catalog", folder / "rules"


def changed(name: str, old: str, new: str) -> dict[str, str]:
    """One file of the small tree with `old`, which must stand there once, replaced by `new`."""
    assert TREE[name].count(old) == 1, f"{old!r} stands {TREE[name].count(old)} times in {name}"
    return {name: TREE[name].replace(old, new)}


def complaints(folder: Path, files: Mapping[str, str | bytes | None]) -> list[str]:
    """What lint says of the small tree with `files` written over it; paths start at the tree."""
    catalog_dir, rules_dir = written(folder, files)
    return [str(problem).replace(f"{folder}/", "") for problem in lint_tree(catalog_dir, rules_dir, today=TODAY)]
