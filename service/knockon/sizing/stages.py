"""How a pipeline cuts the layers of a model into stages."""


def stage_counts(layers: int, stages: int) -> list[int]:
    """Layers of each stage; vLLM gives layers that are left over to the stages before the last, last of these first."""
    stages = min(stages, layers)
    counts = [layers // stages] * stages
    for index in range(layers % stages):
        counts[-2 - index] += 1
    return counts
