"""`catalog/axes.yaml`: the values of every axis, in their order."""

from typing import Annotated

from knockon.curate.shapes.base import NOT_EMPTY, Pair, Shape, Slug


class AxisValue(Shape):
    """One value of an axis."""

    name: Pair
    means: Pair


class Axes(Shape):
    """The axes; keys are the ids that cells and shifts use."""

    stages: Annotated[dict[Slug, AxisValue], NOT_EMPTY]
    layers: Annotated[dict[str, AxisValue], NOT_EMPTY]
    dimensions: Annotated[dict[Slug, AxisValue], NOT_EMPTY]
    burdens: Annotated[dict[Slug, AxisValue], NOT_EMPTY]
