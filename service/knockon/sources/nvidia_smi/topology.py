"""The matrix of `nvidia-smi topo -m`: no readings, but what a person must know of the links between GPUs."""

import re

from knockon.terms.words import Text

_COLOUR = re.compile("\x1b\\[[0-9;]{0,20}m")
_HEADER = re.compile(r"\s*GPU0\b.*\b(?:CPU|NUMA) Affinity")
_GPU = re.compile(r"GPU\d+")
_BEGINNING_LINES = 5


def looks_like_topology(lines: list[str]) -> bool:
    """Whether the header of the matrix is among the first lines."""
    return any(_HEADER.match(_plain(line)) for line in lines[:_BEGINNING_LINES])


def topology_note(lines: list[str], filename: str) -> Text:
    """How the GPUs of the matrix are linked."""
    rows = [_plain(line).split() for line in lines if _GPU.match(_plain(line))]
    rows = [row for row in rows if row and _GPU.fullmatch(row[0]) and "X" in row]
    links = sorted({word for row in rows for word in row[1 : len(rows) + 1]} - {"X"})
    if len(rows) < 2:
        return Text(f"{filename} is the topology of one GPU: it has no links", f"{filename} 只有一张 GPU，没有卡间链路")
    listed = ", ".join(links)
    return Text(
        f"{filename}: {len(rows)} GPUs, linked by {listed} (NV is NVLink, the others go over PCIe or the host)",
        f"{filename}：{len(rows)} 张 GPU，链路为 {listed}（NV 为 NVLink，其余经 PCIe 或主机）",
    )


def _plain(line: str) -> str:
    return _COLOUR.sub("", line[:4_000])
