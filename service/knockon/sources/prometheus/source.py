"""Reads one scrape of `/metrics`, with an earlier one where rates are wanted."""

from collections.abc import Iterator, Mapping

from knockon.expr.vocabulary import Vocabulary
from knockon.sources.base import Taken
from knockon.sources.prometheus.facts import facts_of
from knockon.sources.prometheus.restart import START, began_anew, restarts_of
from knockon.sources.prometheus.scrape import Scrape, looks_like_scrape, read_scrape
from knockon.sources.prometheus.table import Exporter, exporters, wanted_names
from knockon.sources.prometheus.take import SINCE_THE_START, Scrapes, readings_of
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact
from knockon.terms.place import Position
from knockon.terms.reading import Reading
from knockon.terms.words import Text

_SHOWN_MAX = 3
# Under this likeness (0 to 100) a metric is another one, not a misspelled one.
_LIKENESS_MIN = 85
# No name of a metric is longer; comparing a hostile one with every known name would take its time.
_COMPARED_MAX = 200


class Prometheus:
    """The Prometheus text format, from any exporter of the tables."""

    name = "prometheus"

    def recognises(self, text: str, *, filename: str) -> bool:
        """A TYPE or HELP line, or a sample as the first line."""
        del filename
        return looks_like_scrape(text)

    def read(
        self,
        text: str,
        *,
        filename: str,
        vocabulary: Vocabulary,
        before: str | None = None,
        elapsed_s: float | None = None,
    ) -> Taken:
        """Read the scrape; see `Source.read`.

        A scrape of which nothing is known is refused, for a diagnosis of nothing is none. Without `before`, rates are
        missing, quantiles and shares are since the process started. Without `elapsed_s`, rates need timestamps on the
        samples of both scrapes.
        """
        wanted = {**wanted_names(), START: START}
        now = read_scrape(text, filename, wanted)
        earlier = read_scrape(before, f"{filename} (before)", wanted) if before is not None else None
        anew = began_anew(now, earlier, filename) if earlier is not None else None
        if anew is not None:
            # What another process counted is no beginning for this one's rates.
            earlier = None
        scrapes = Scrapes(now, filename, earlier, elapsed_s)
        seen = [exporter for exporter in exporters() if any(name in now.samples for name in exporter.names())]
        readings: list[Reading] = [anew] if anew is not None and seen else []
        facts: list[Fact] = []
        _refuse_strangers(now, filename, wanted)
        notes: list[Text] = [*_ends(now, filename)]
        if earlier is not None:
            notes += _ends(earlier, f"{filename} (before)")
        notes += [*_notes(now, filename), *([_BEGAN_ANEW] if anew is not None else [])]
        for exporter in seen:
            taken = [*readings_of(exporter, scrapes), *restarts_of(exporter, scrapes)]
            stated, disagreements = facts_of(exporter, now, vocabulary, filename=filename)
            readings += taken
            facts += stated
            notes += [*_models(exporter, now), *disagreements]
        if earlier is None and any(SINCE_THE_START in reading.origin for reading in readings):
            notes.append(_SINCE_THE_START)
        engine = next((exporter.engine for exporter in seen if exporter.engine), None)
        return Taken(tuple(readings), tuple(facts), engine, tuple(notes))


_BEGAN_ANEW = Text(
    "The process began anew between the two scrapes: the earlier one is left out, and there are no rates",
    "两次抓取之间进程已重启：不采用较早的一次，因此没有速率",
)
_SINCE_THE_START = Text(
    "One scrape only: quantiles and shares cover everything since the process started; an earlier scrape of the same"
    " target makes them the time between the two, and gives the rates",
    "只有一次抓取：分位数与占比覆盖进程启动以来的全部数据；再提供同一目标的一次较早抓取，即可得到两次之间的值以及速率",
)


def _refuse_strangers(scrape: Scrape, filename: str, wanted: Mapping[str, str]) -> None:
    """Raise IntakeError where there are samples, and no exporter of the tables has any of them."""
    if scrape.samples or not scrape.others or any(one.owns(name) for one in exporters() for name in scrape.others):
        return
    # A metric's name begins with its exporter's word; that of another exporter's metric is no misspelling of it.
    own = {name: _meant(name, wanted) for name in scrape.others}
    near = list(dict.fromkeys(other for other in own.values() if other))[:_SHOWN_MAX]
    meant = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    shown = sorted(scrape.others, key=lambda name: not own[name])[:_SHOWN_MAX]
    raise IntakeError(
        Problem(
            "unknown-metrics",
            f"none of the {scrape.line_count} samples ({', '.join(name[:120] for name in shown)} …) is known",
            expected=f"metrics of {', '.join(exporter.title for exporter in exporters())}",
            fix=f"{meant}give the engine's own /metrics, or readings as YAML",
            at=Position(filename, 1, 1),
        )
    )


def _meant(name: str, wanted: Mapping[str, str]) -> str:
    """The known metric that a name may be a slip for; empty where none is near enough."""
    if len(name) > _COMPARED_MAX:
        return ""
    # rapidfuzz costs more to import than a scrape to read.
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    found = process.extractOne(name, list(wanted), scorer=fuzz.ratio, score_cutoff=_LIKENESS_MIN)
    return found[0] if found else ""


def _ends(scrape: Scrape, filename: str) -> Iterator[Text]:
    """A note where the text ends before its end."""
    if scrape.cut_off is not None:
        yield Text(
            f"{filename} breaks off in line {scrape.cut_off}; that line is left out",
            f"{filename} 在第 {scrape.cut_off} 行中断，该行未读取",
        )
    if scrape.unended is not None:
        yield Text(
            f"{filename} ends in line {scrape.unended} without a line feed, which the format demands: it may break off"
            " there, and the number of that line is not used",
            f"{filename} 的末行（第 {scrape.unended} 行）没有格式要求的换行符：文本可能在此中断，该行的数值不采用",
        )


def _notes(scrape: Scrape, filename: str) -> Iterator[Text]:
    if scrape.samples:
        return
    others = f" ({', '.join(scrape.others[:_SHOWN_MAX])} …)"
    if not scrape.others:
        yield Text(f"there is no sample in {filename}", f"{filename} 中没有样本")
        return
    whose = [exporter.title for exporter in exporters() if any(map(exporter.owns, scrape.others))]
    listed = " / ".join(whose)
    yield Text(
        f"{listed} is known, but none of its {scrape.line_count} samples{others} is a reading",
        f"{listed} 已识别，但其 {scrape.line_count} 个样本{others}均不对应任何读数",
    )


def _models(exporter: Exporter, scrape: Scrape) -> Iterator[Text]:
    """A note when several models report in one scrape: they are kept apart, and a person must know."""
    if not exporter.model:
        return
    models = dict.fromkeys(
        sample.labels[exporter.model]
        for name in dict.fromkeys(exporter.names())
        for sample in scrape.samples.get(name, ())
        if sample.labels.get(exporter.model)
    )
    if len(models) > 1:
        listed = ", ".join(name[:120] for name in list(models)[:_SHOWN_MAX]) + (
            " …" if len(models) > _SHOWN_MAX else ""
        )
        yield Text(
            f"{len(models)} models report in one scrape ({listed}): each stays a replica of its own",
            f"一次抓取中有 {len(models)} 个模型（{listed}）：各自作为独立副本",
        )
