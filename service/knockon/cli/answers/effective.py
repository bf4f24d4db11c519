"""What the engine will run, beside what was asked: the contract's data, and the section of the page."""

from collections.abc import Sequence

from knockon.catalog.catalog import Catalog
from knockon.cli.answers.facts import unit_of
from knockon.cli.answers.places import place_data
from knockon.cli.answers.words import Speaker, dim, name, number
from knockon.engines.base import Effective
from knockon.expr.vocabulary import Vocabulary
from knockon.formats.base import Column, Marked, Paragraph, Section, Table, Words
from knockon.terms.words import Json, Scalar

# Settings that decide how much is served and how fast: shown also where nobody asked.
_TELLING = (
    "max_model_len",
    "dtype",
    "kv_cache_dtype",
    "kv_block_size_tokens",
    "max_num_seqs",
    "max_num_batched_tokens",
    "enable_prefix_caching",
    "enable_chunked_prefill",
    "mamba_cache_mode",
    "enable_async_scheduling",
    "compilation_mode",
    "cudagraph_mode",
    "cudagraph_capture_size_max",
    "distributed_executor_backend",
    "speculative_method",
)


def effective_data(effective: Sequence[Effective], catalog: Catalog, vocabulary: Vocabulary) -> list[Json]:
    """The contract's `effective`: every setting that could be derived."""
    return [
        {
            "name": one.name,
            "setting": one.setting,
            "asked": one.asked,
            "value": one.value,
            "unit": unit_of(vocabulary, one.name),
            "overridden": one.is_overridden,
            "why": one.why.en,
            "why_zh": one.why.zh,
            "from": _source(one, catalog),
            "at": place_data(one.at),
        }
        for one in effective
    ]


def effective_section(
    effective: Sequence[Effective], vocabulary: Vocabulary, speaker: Speaker, *, is_verbose: bool
) -> Section | None:
    """What the engine changes or chooses that decides most; all of it when verbose; None when there is none."""
    has_graphs = all(one.value != "NONE" for one in effective if one.name == "cudagraph_mode")
    shown = [one for one in effective if is_verbose or _is_telling(one, has_graphs=has_graphs)]
    if not shown:
        return None
    shown.sort(key=lambda one: (not one.is_overridden, _rank(one)))
    columns = [
        Column(speaker.say("setting", "设置"), wraps=False),
        Column(speaker.say("asked", "指定")),
        Column(speaker.say("runs", "实际")),
        Column(speaker.say("why", "原因")),
    ]
    rows: list[Sequence[Words]] = [
        [
            [name(one.name)],
            _value(one.asked, one, vocabulary, speaker),
            [Marked(_said(one.value, one, vocabulary, speaker), "warn")]
            if one.is_overridden
            else _said(one.value, one, vocabulary, speaker),
            [dim(speaker.of(one.why))],
        ]
        for one in shown
    ]
    title = speaker.say("What the engine will run", "引擎实际运行的配置")
    rest = len(effective) - len(shown)
    more = speaker.say(
        f"{rest} more are as asked or by default: --verbose, or --format json",
        f"另有 {rest} 项与指定或默认一致：见 --verbose 或 --format json",
    )
    return Section(title, [Table(columns, rows), *([Paragraph([dim(more)])] if rest else [])])


def _is_telling(one: Effective, *, has_graphs: bool) -> bool:
    if one.name == "cudagraph_capture_size_max" and not has_graphs:
        return False
    return one.is_overridden or (one.asked in (None, "auto") and one.name in _TELLING)


def _rank(one: Effective) -> int:
    return _TELLING.index(one.name) if one.name in _TELLING else len(_TELLING)


def _value(value: Scalar | None, one: Effective, vocabulary: Vocabulary, speaker: Speaker) -> Words:
    return [dim("—")] if value is None else _said(value, one, vocabulary, speaker)


def _said(value: Scalar, one: Effective, vocabulary: Vocabulary, speaker: Speaker) -> str:
    if isinstance(value, bool):
        return speaker.say("on" if value else "off", "开" if value else "关")
    return number(value, unit_of(vocabulary, one.name))


def _source(one: Effective, catalog: Catalog) -> str:
    # A catalog of one's own need not have the citations of the engine's source.
    known = [(catalog.citations.get(cite.ref), cite) for cite in one.cite]
    return "; ".join(f"{citation.title if citation else cite.ref}: {cite.where}" for citation, cite in known)
