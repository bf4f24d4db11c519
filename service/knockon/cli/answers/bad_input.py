"""What of an answered deployment names nothing known: for programs, for people, and in one line."""

from collections.abc import Mapping, Sequence

from knockon.cli.answers.places import place_data
from knockon.cli.answers.words import Speaker, dim, name
from knockon.formats.base import Bullets, Item, Section
from knockon.jobs.bad_input import BadInput
from knockon.terms.words import Json, Text

# What the command line offers beside the fix that holds everywhere.
_OFFERED: Mapping[str, Text] = {
    "unknown-flag": Text("--allow-unknown lets a plug-in's flags pass", "插件自带的参数可用 --allow-unknown 放行"),
    "unknown-model": Text(
        "`knockon catalog list models` lists what is known; --allow-unknown lets it pass",
        "`knockon catalog list models` 列出已知模型；可用 --allow-unknown 放行",
    ),
}


def bad_input_data(bad: Sequence[BadInput]) -> list[Json]:
    """The contract's `problems`."""
    return [
        {
            "code": one.code,
            "name": one.name,
            "what": one.what.en,
            "what_zh": one.what.zh,
            "expected": one.expected.en,
            "expected_zh": one.expected.zh,
            "fix": one.fix.en,
            "fix_zh": one.fix.zh,
            "suggestions": list(one.suggestions),
            "at": place_data(one.at),
        }
        for one in bad
    ]


def bad_input_section(bad: Sequence[BadInput], speaker: Speaker) -> Section:
    """Each with its place, first of all that there is to read."""
    items = [Item([name(one.name), f": {told(one, speaker)}", dim(f" ({one.at})") if one.at else ""]) for one in bad]
    return Section(speaker.say("Bad input (exit code 2)", "输入有误（退出码 2）"), [Bullets(items)])


def told(one: BadInput, speaker: Speaker) -> str:
    """What is wrong, what was expected, what to do."""
    expected = speaker.say(f"expected {one.expected.en}", f"应为{one.expected.zh}")
    parts = (speaker.of(one.what), expected, speaker.of(one.fix), speaker.of(_OFFERED[one.code]))
    return speaker.say("; ", "；").join(parts)
