"""What the described deployment should reach under the measured load: the contract's JSON, and its part of the page."""

from collections.abc import Sequence

from knockon.cli.answers.words import Speaker, dim, name, number
from knockon.formats.base import Block, Column, KeyValues, Paragraph, Section, Table, Words
from knockon.jobs.expect import Expectation, basis_rows
from knockon.rules.fill import shown
from knockon.terms.words import Json

_PER_SECOND = "token/s"


def expectation_data(expectation: Expectation) -> dict[str, Json]:
    """The contract's object."""
    band, roofline, refused = expectation.band, expectation.roofline, expectation.refused
    return {
        "low": band.low if band else None,
        "central": band.central if band else None,
        "high": band.high if band else None,
        "said": expectation.said,
        "roofline_fraction_ratio": expectation.fraction,
        "bound_by": roofline.bound_by if roofline else None,
        "decode_step_s": roofline.decode_step_s if roofline else None,
        "prefill_s": roofline.prefill_s if roofline else None,
        "number_format": roofline.format if roofline else None,
        "basis": [{"name": name, "value": value, "from": origin} for name, value, origin in basis_rows(expectation)],
        "refused": refused.en if refused else None,
        "refused_zh": refused.zh if refused else None,
    }


def expectation_section(expectation: Expectation, speaker: Speaker, *, is_verbose: bool) -> Section:
    """The band, or why there is none; the numbers it rests on where asked for."""
    title = speaker.say("Expected throughput", "预期吞吐")
    if expectation.band is None:
        why = speaker.of(expectation.refused) if expectation.refused else ""
        return Section(title, [Paragraph([speaker.say("cannot be computed: ", "无法计算："), dim(why)])])
    blocks: list[Block] = [KeyValues(_pairs(expectation, speaker))]
    if is_verbose:
        blocks.append(_basis(expectation, speaker))
    return Section(title, blocks)


def _pairs(expectation: Expectation, speaker: Speaker) -> list[tuple[str, Words]]:
    band, roofline = expectation.band, expectation.roofline
    assert band is not None
    assert roofline is not None
    limits = {
        "bandwidth": speaker.say("reading memory", "读取显存"),
        "compute": speaker.say("arithmetic", "计算"),
    }
    pairs: list[tuple[str, Words]] = [
        (speaker.say("seldom below", "很少低于"), number(_rounded(band.low), _PER_SECOND)),
        (speaker.say("usual", "通常"), number(_rounded(band.central), _PER_SECOND)),
        (
            speaker.say("never above", "不会超过"),
            [number(_rounded(band.high), _PER_SECOND), dim(f" ({limits[roofline.bound_by]}, {roofline.format})")],
        ),
    ]
    if expectation.said is not None:
        pairs.append((speaker.say("as you said", "您给出的预期"), number(expectation.said, _PER_SECOND)))
    if expectation.fraction is not None:
        said = f"{expectation.fraction:.1%}"
        pairs.append((speaker.say("measured", "实测"), speaker.say(f"{said} of the roofline", f"roofline 的 {said}")))
    return pairs


def _rounded(value: float) -> float:
    """Three digits: the band is no better known than that."""
    return float(f"{value:.3g}")


def _basis(expectation: Expectation, speaker: Speaker) -> Table:
    columns = [
        Column(speaker.say("rests on", "依据"), wraps=False),
        Column(speaker.say("value", "值"), align="right", wraps=False),
        Column(speaker.say("from", "来源")),
    ]
    rows: list[Sequence[Words]] = [
        [[name(what)], shown(value), [dim(origin)]] for what, value, origin in basis_rows(expectation)
    ]
    return Table(columns, rows)
