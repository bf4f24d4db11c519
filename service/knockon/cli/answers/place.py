"""The answer of `place`: which cell, what is in it, and how something new stands to that."""

from collections.abc import Mapping, Sequence

from knockon.catalog.grid import CellState
from knockon.catalog.place import Beside, Placement, Resident, Standing
from knockon.cli.answers.sources import cell_data, sources_block, sources_data, text_data
from knockon.cli.answers.words import Speaker, dim, name, names
from knockon.formats.base import Block, Column, Marked, Page, Paragraph, Section, Table, Tone, Verdict, Words
from knockon.jobs.knowledge import Knowledge
from knockon.jobs.place import PlaceAnswer
from knockon.terms.words import Json, Text

_STANDINGS: Mapping[Standing, tuple[Text, Tone]] = {
    Standing.REPLACEMENT: (Text("replacement", "替代"), "warn"),
    Standing.ALTERNATIVE: (Text("alternative", "另一条路线"), "strong"),
    Standing.COMBINATION: (Text("combination", "组合"), "strong"),
    Standing.NEW_DIRECTION: (Text("new direction", "新方向"), "good"),
    Standing.UNDECIDED: (Text("undecided", "未定"), "dim"),
    Standing.IMPOSSIBLE: (Text("impossible", "不可能"), "bad"),
}
_STATES: Mapping[CellState, Text] = {
    CellState.OCCUPIED: Text("occupied", "已占据"),
    CellState.UNEXPLORED: Text("empty: unexplored", "空：未探索"),
    CellState.KNOWN_EMPTY: Text("empty, and it is known why", "空：原因已知"),
    CellState.IMPOSSIBLE: Text("impossible", "不可能"),
}
_HOW: Mapping[str, Text] = {
    "other layer": Text("other layer", "相邻层"),
    "other dimension": Text("other dimension", "其他维度"),
    "other stage": Text("other stage", "其他阶段"),
}


def data(answer: PlaceAnswer, knowledge: Knowledge) -> dict[str, Json]:
    """The answer for programs."""
    del knowledge
    placement = answer.placement
    return {
        "cell": cell_data(placement.cell),
        "also": [cell_data(cell) for cell in placement.also],
        "mechanism": placement.mechanism or None,
        "unknown": list(placement.unknown),
        "almost": list(placement.almost),
        "standing": placement.standing.value,
        "to": list(placement.to),
        "rule": placement.rule,
        "because": placement.because.en,
        "because_zh": placement.because.zh,
        "state": {
            "state": placement.state.state.value,
            "count": placement.state.count,
            "homes": placement.state.homes,
            "why": text_data(placement.state.why) if placement.state.why else None,
            "sources": sources_data(placement.state.sources),
        },
        "residents": [
            {
                "technique": one.technique.id,
                "is_home": one.is_home,
                "standing": one.standing.value,
                "mechanism": one.technique.mechanism,
                "combines": list(one.combines),
                "shared_gains": list(one.shared_gains),
                "shared_costs": list(one.shared_costs),
            }
            for one in placement.residents
        ],
        "neighbours": [
            {"cell": cell_data(one.cell), "how": one.how, "techniques": list(one.techniques)}
            for one in placement.neighbours
        ],
        "revision": answer.revision,
    }


def page(answer: PlaceAnswer, knowledge: Knowledge, *, language: str) -> Page:
    """The standing first, then who is in the cell and who is next to it."""
    speaker = Speaker(language, knowledge.catalog)
    placement = answer.placement
    said, tone = _STANDINGS[placement.standing]
    blocks: list[Block] = [Verdict(speaker.of(said), tone, _why(placement, speaker)), _cell(placement, speaker)]
    if placement.unknown:
        blocks.append(Paragraph(_unknown(placement, speaker)))
    if placement.state.why:
        blocks.append(Paragraph(speaker.of(placement.state.why)))
        blocks.append(Section(speaker.say("Sources", "来源"), [sources_block(speaker, placement.state.sources)]))
    if placement.residents:
        title = speaker.say("In this cell", "此格之内")
        blocks.append(Section(title, [_residents(placement.residents, speaker)]))
    if placement.neighbours:
        title = speaker.say("Next to it", "邻近格子")
        blocks.append(Section(title, [_neighbours(placement.neighbours, speaker)]))
    blocks.append(Paragraph([dim(speaker.say(f"revision {answer.revision}", f"版本 {answer.revision}"))]))
    return Page(blocks)


def _why(placement: Placement, speaker: Speaker) -> Words:
    words: list[str | Marked] = [speaker.of(placement.because)]
    if placement.standing is Standing.UNDECIDED:
        words += [speaker.say(" Say it with ", "请用 "), name("--mechanism"), speaker.say(".", " 说明。")]
    # Of a mechanism that nobody has, all of the cell are others; they stand in the table.
    if placement.to and not placement.unknown:
        words += [" ", *names(placement.to)]
    return words


def _unknown(placement: Placement, speaker: Speaker) -> Words:
    said: list[str | Marked] = [
        speaker.say("No technique works by a mechanism called ", "没有技术使用名为 "),
        *names(placement.unknown),
        speaker.say("", " 的机制"),
    ]
    if placement.almost:
        said += [speaker.say("; almost the same is ", "；拼写相近的有 "), *names(placement.almost)]
    elif placement.residents:
        said.append(speaker.say("; those of the cell are listed below", "；此格已有的机制见下"))
    return [*said, speaker.say(".", "。")]


def _cell(placement: Placement, speaker: Speaker) -> Paragraph:
    state = placement.state
    count = state.count
    counted = speaker.say(f"{count} technique{'s' if count != 1 else ''}", f"{count} 项技术")
    return Paragraph(
        [
            Marked(speaker.cell(placement.cell), "strong"),
            speaker.say(": ", "："),
            speaker.of(_STATES[state.state]),
            *([speaker.say(f", {counted}", f"，{counted}")] if count else []),
        ]
    )


def _residents(residents: Sequence[Resident], speaker: Speaker) -> Table:
    columns = [
        Column(speaker.say("technique", "技术"), wraps=False),
        Column(speaker.say("stands as", "关系")),
        Column(speaker.say("mechanism", "机制")),
        Column(speaker.say("goal", "目的")),
    ]
    rows: list[Sequence[Words]] = []
    for one in residents:
        said, tone = _STANDINGS[one.standing]
        combines = speaker.say(" combines ", " 组合了 ") + speaker.listed(one.combines) if one.combines else ""
        home = dim(speaker.say(" (home)", "（归属）")) if one.is_home else ""
        rows.append(
            [
                [name(one.technique.id), home],
                [Marked(speaker.of(said), tone)],
                [name(one.technique.mechanism), dim(combines)],
                speaker.of(one.technique.goal),
            ]
        )
    return Table(columns, rows)


def _neighbours(neighbours: Sequence[Beside], speaker: Speaker) -> Table:
    columns = [
        Column(speaker.say("by", "差异"), wraps=False),
        Column(speaker.say("cell", "格子")),
        Column(speaker.say("techniques", "技术")),
    ]
    rows: list[Sequence[Words]] = [
        [[dim(speaker.of(_HOW.get(one.how, Text(one.how, one.how))))], speaker.cell(one.cell), names(one.techniques)]
        for one in neighbours
    ]
    return Table(columns, rows)
