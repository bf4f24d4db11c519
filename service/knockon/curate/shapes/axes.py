"""`catalog/axes.yaml`: the values of every axis, in their order."""

from typing import Annotated, Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from knockon.curate.shapes.base import NOT_EMPTY, Pair, Shape, Slug


class AxisValue(Shape):
    """One value of an axis."""

    name: Pair
    means: Pair


class Burden(AxisValue):
    """A value of the burdens."""

    carried: bool = False
    """Whether it goes with what is made from stage to stage: a technique of another stage feels it too."""


class Axes(Shape):
    """The axes; keys are the ids that cells and shifts use."""

    stages: Annotated[dict[Slug, AxisValue], NOT_EMPTY]
    layers: Annotated[dict[str, AxisValue], NOT_EMPTY]
    dimensions: Annotated[dict[Slug, AxisValue], NOT_EMPTY]
    burdens: Annotated[dict[Slug, Burden], NOT_EMPTY]

    @model_serializer(mode="wrap")
    def _with_order(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Say the order of the values too: bodies travel as canonical JSON, which sorts their keys."""
        body: dict[str, Any] = handler(self)
        return {**body, "order": {axis: list(values) for axis, values in body.items()}}
