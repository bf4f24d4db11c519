"""What the described deployment should reach under the measured load."""

from typing import Any

from knockon.api.scalars import Value
from knockon.api.shape import Resolver, field, path, shows
from knockon.api.types.words import Text
from knockon.jobs import expect


@shows(expect.Basis)
class Basis:
    """A number that the expectation rests on."""

    name: str = field("What it is.")
    value: Value = field("The number.")
    origin: str = field("Where it comes from: a reading, a datasheet, a profile, or the arithmetic itself.")


def _of_band(attribute: str) -> Resolver:
    return path("band", attribute)


def _of_roofline(attribute: str) -> Resolver:
    return path("roofline", attribute)


def _basis(root: expect.Expectation) -> Any:
    return [expect.Basis(*row) for row in expect.basis_rows(root)]


@shows(expect.Expectation)
class ExpectedThroughput:
    """Generated tokens per second that the deployment should reach under the measured load."""

    low: float | None = field(
        "What a healthy deployment seldom misses; null where it cannot be computed.", resolver=_of_band("low")
    )
    central: float | None = field("What is usual; null where it cannot be computed.", resolver=_of_band("central"))
    high: float | None = field(
        "The roofline, which the GPUs cannot pass; null where it cannot be computed.", resolver=_of_band("high")
    )
    said: float | None = field("What a person expects, which wins over the band; null where nobody said it.")
    fraction: float | None = field("What was measured over the roofline; null where it is not known.")
    bound_by: str | None = field(
        "What the roofline comes from, bandwidth or compute; null where there is none.",
        resolver=_of_roofline("bound_by"),
    )
    decode_step_s: float | None = field(
        "Least seconds of one step of the batch; null where there is no roofline.",
        resolver=_of_roofline("decode_step_s"),
    )
    prefill_s: float | None = field(
        "Least seconds to prefill one prompt; null where there is no roofline.", resolver=_of_roofline("prefill_s")
    )
    basis: list[Basis] = field("Every number that it rests on.", resolver=_basis)
    refused: Text | None = field("Why it cannot be computed; null where it is.")
