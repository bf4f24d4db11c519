"""The answers of `history`: the runs of a target, and the targets there are."""

from collections.abc import Sequence
from datetime import datetime

from knockon.cli.answers.words import Speaker, dim, name
from knockon.formats.base import Column, Marked, Page, Paragraph, Table, Tone, Verdict, Words
from knockon.rules.fill import shown
from knockon.rules.hierarchy import AMBIGUOUS, HEALTHY, INSUFFICIENT
from knockon.store.run import KeptHypothesis, KeptRun, RunPage, TargetPage
from knockon.terms.words import Json

# Characters of a digest that are shown, enough for `kept:` of `knockon compare`.
_SHOWN = 8
_TONES: dict[str, Tone] = {HEALTHY: "good", AMBIGUOUS: "warn", INSUFFICIENT: "dim"}


def runs_data(target: str, page: RunPage) -> dict[str, Json]:
    """Runs for programs; `total` counts those that are not among them too."""
    return {"target": target, "runs": [run_data(one) for one in page.runs], "total": page.total}


def run_data(run: KeptRun) -> dict[str, Json]:
    """One run with everything that is kept of it."""
    return {
        "id": run.id,
        "target": run.target,
        "taken_at": _exactly(run.taken_at),
        "kept_at": _exactly(run.kept_at),
        "verdict": run.verdict,
        "finest": run.finest,
        "between": list(run.between),
        "hypotheses": [_hypothesis_data(one) for one in run.hypotheses],
        "missing": [
            {
                "reading": one.name,
                "class": one.checklist,
                "decides": list(one.decides),
                "separates": list(one.separates),
            }
            for one in run.missing
        ],
        "readings": [
            {
                "reading": one.name,
                "value": one.value,
                "replica": one.replica,
                "model": one.model,
                "state": one.state,
                "why": one.why,
                "from": one.origin,
            }
            for one in run.readings
        ],
        "settings": dict(run.settings),
        "profile": run.profile,
        "revision": run.revision,
        "digest": run.digest,
    }


def runs_page(target: str, page: RunPage, speaker: Speaker) -> Page:
    """Runs for people, one a row."""
    rows: list[Sequence[Words]] = [
        [
            _written(one.taken_at),
            [Marked(one.verdict, _TONES.get(one.verdict, "bad"))],
            [name(_rules(one))],
            _seen(one.hypotheses[0]) if one.hypotheses else _missing(one, speaker),
            [dim(str(one.revision) if one.revision is not None else one.digest[:_SHOWN])],
            [dim(one.id[:_SHOWN])],
        ]
        for one in page.runs
    ]
    columns = [
        Column(speaker.say("measured", "测量时间"), wraps=False),
        Column(speaker.say("verdict", "判定"), wraps=False),
        Column(speaker.say("by", "依据规则")),
        Column(speaker.say("seen", "所见")),
        Column(speaker.say("revision", "版本"), wraps=False),
        Column(speaker.say("run", "记录"), wraps=False),
    ]
    count = speaker.say(
        f"{len(page.runs)} of {page.total} runs, newest first", f"{page.total} 次中的 {len(page.runs)} 次"
    )
    return Page([Verdict(target, "name", count), Table(columns, rows)])


def targets_data(page: TargetPage) -> dict[str, Json]:
    """Targets for programs; `total` counts those that are not among them too."""
    return {
        "targets": [
            {
                "target": one.name,
                "runs": one.count,
                "first_at": _exactly(one.first_at),
                "latest_at": _exactly(one.latest_at),
                "verdict": one.verdict,
            }
            for one in page.targets
        ],
        "total": page.total,
    }


def targets_page(page: TargetPage, speaker: Speaker) -> Page:
    """Targets for people, one a row."""
    if not page.total:
        said = speaker.say(
            "No run was kept yet: knockon diagnose FILE --keep --target NAME keeps one.",
            "尚未保存任何记录：用 knockon diagnose FILE --keep --target NAME 保存。",
        )
        return Page([Paragraph(said)])
    rows: list[Sequence[Words]] = [
        [
            [name(one.name)],
            str(one.count),
            [Marked(one.verdict, _TONES.get(one.verdict, "bad"))],
            _written(one.latest_at),
        ]
        for one in page.targets
    ]
    columns = [
        Column(speaker.say("target", "对象"), wraps=False),
        Column(speaker.say("runs", "次数"), align="right", wraps=False),
        Column(speaker.say("newest verdict", "最近判定"), wraps=False),
        Column(speaker.say("measured", "测量时间"), wraps=False),
    ]
    return Page([Table(columns, rows)])


def kept_data(run: KeptRun) -> dict[str, Json]:
    """What `diagnose` says of the run it kept."""
    return {"id": run.id, "target": run.target, "taken_at": _exactly(run.taken_at), "is_new": run.is_new}


def kept_paragraph(run: KeptRun, speaker: Speaker) -> Paragraph:
    """The same for people."""
    at = _written(run.taken_at)
    said = (
        speaker.say(f"Kept as the run of {at} of ", f"已保存为 {at} 的记录，对象 ")
        if run.is_new
        else speaker.say(f"The run of {at} was kept before, of ", f"{at} 的记录此前已保存，对象 ")
    )
    return Paragraph([said, name(run.target)])


def _hypothesis_data(one: KeptHypothesis) -> Json:
    return {
        "rule": one.rule,
        "wall": one.wall,
        "confidence": one.confidence,
        "says": one.says.en,
        "says_zh": one.says.zh,
        "observations": [{"reading": seen.name, "value": seen.value, "from": seen.origin} for seen in one.observations],
    }


def _rules(run: KeptRun) -> str:
    return ", ".join(f"{one.rule} {one.confidence:.0%}" for one in run.hypotheses) or "—"


def _seen(one: KeptHypothesis) -> str:
    return ", ".join(f"{seen.name} {shown(seen.value)}" for seen in one.observations if seen.value is not None)


def _missing(run: KeptRun, speaker: Speaker) -> str:
    """What would have decided most."""
    needed = speaker.listed(one.name for one in run.missing[:2])
    return speaker.say(f"needs {needed}", f"需要 {needed}") if needed else ""


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _exactly(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
