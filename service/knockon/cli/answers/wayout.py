"""The way out of a conflict: the settings a finding hangs on, and the nearest deployments that pass."""

from collections.abc import Sequence

from knockon.catalog.catalog import Catalog
from knockon.cli.answers.ledger import ledger_data
from knockon.cli.answers.places import place_data
from knockon.cli.answers.words import TONES, Speaker, dim, name
from knockon.formats.base import Bullets, Item, KeyValues, Marked, Section, Words
from knockon.jobs.check import CheckedNearby
from knockon.jobs.wayout import SettingChange
from knockon.terms.fact import Fact
from knockon.terms.words import Json


def settings_data(settings: Sequence[Fact]) -> Json:
    """The smallest set of settings a finding hangs on, each with where it was written."""
    return [
        {"name": one.name, "value": one.value, "from": one.origin.text, "at": place_data(one.origin.at)}
        for one in settings
    ]


def nearest_data(nearest: Sequence[CheckedNearby], catalog: Catalog) -> Json:
    """The nearest deployments that pass; `drop` names the settings that go back to the engine's default."""
    return [
        {
            "set": {change.name: change.value for change in near.changes if change.value is not None},
            "drop": [change.name for change in near.changes if change.value is None],
            "verdict": near.verdict.value,
            "worse": [text.en for text in near.worse],
            "worse_zh": [text.zh for text in near.worse],
            "ledger": ledger_data(near.ledger, catalog),
        }
        for near in nearest
    ]


def settings_line(settings: Sequence[Fact], speaker: Speaker) -> Words:
    """The settings in one line: `tensor_parallel_size=8 × decode_context_parallel_size=4`."""
    words: list[str | Marked] = []
    for one in settings:
        words += [dim(" × ") if words else speaker.say("in conflict ", "相互冲突 "), name(f"{one.name}={one.value}")]
    return words


def nearest_section(nearest: Sequence[CheckedNearby], speaker: Speaker) -> Section:
    """Each near deployment: what changes, what this check then says, what becomes worse."""
    items = []
    for near in nearest:
        then = Marked(speaker.verdict(near.verdict), TONES[near.verdict])
        pairs: list[tuple[str, Words]] = [
            (speaker.say("then", "之后"), [speaker.say("this check says ", "本检查结论为 "), then])
        ]
        pairs += [(speaker.say("worse", "变差"), speaker.of(text)) for text in near.worse]
        words: list[str | Marked] = []
        for change in near.changes:
            words += [", ", _change(change, speaker)] if words else [_change(change, speaker)]
        items.append(Item(words, [KeyValues(pairs)]))
    return Section(speaker.say("Nearest that pass", "最近的可行配置"), [Bullets(items, is_numbered=len(items) > 1)])


def _change(change: SettingChange, speaker: Speaker) -> str | Marked:
    if change.value is None:
        return name(speaker.say(f"without {change.name}={change.before}", f"不设 {change.name}={change.before}"))
    return name(f"{change.name}={change.value}")
