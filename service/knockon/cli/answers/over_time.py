"""What `diagnose` says of a series: since when each rule fires, how often it flapped, what nobody saw."""

from collections.abc import Sequence
from datetime import UTC, datetime

from knockon.cli.answers.sources import text_data
from knockon.cli.answers.words import Speaker, dim, name
from knockon.formats.base import Block, Column, KeyValues, Marked, Section, Table, Tone, Words
from knockon.jobs.timeline import OverTime, RuleCourse
from knockon.rules.course import CourseState
from knockon.rules.fill import shown
from knockon.rules.intake import Intake
from knockon.rules.trends import trends_in
from knockon.terms.words import Json, Text

_STATES: dict[CourseState, tuple[Text, Tone]] = {
    CourseState.FIRING: (Text("fires", "触发"), "bad"),
    CourseState.PENDING: (Text("pending", "待定"), "warn"),
    CourseState.UNKNOWN: (Text("cannot tell", "无法判断"), "dim"),
    CourseState.INACTIVE: (Text("left", "已恢复"), "good"),
}
# A smaller number is seconds since some beginning, not since 1970.
_UNIX_MIN = 1e8


def over_time_data(over: OverTime | None, intake: Intake) -> Json:
    """The course of every rule that fired or was about to; null where there was no series."""
    if over is None:
        return None
    return {
        "from_s": over.from_s,
        "to_s": over.to_s,
        "instants": over.instants,
        "step_s": over.step_s,
        "gaps": [{"from_s": from_s, "to_s": to_s} for from_s, to_s in over.gaps],
        "warm_up": None
        if over.warm_up is None
        else {
            "until_s": over.warm_up.until_s,
            "instants": over.warm_up.instants,
            "why": text_data(over.warm_up.why),
        },
        "rules": [_course_data(one) for one in over.spoken],
        "trends": [{"reading": seen.name, "value": seen.value, "from": seen.origin} for seen in trends_in(intake)],
    }


def _course_data(one: RuleCourse) -> Json:
    course, rule = one.course, one.rule
    return {
        "rule": rule.id,
        "kind": rule.kind,
        "wall": rule.wall,
        "state": course.state,
        "since_s": one.since_s,
        "held_s": one.held_s,
        "for_s": rule.for_s,
        "keep_firing_for_s": rule.keep_firing_for_s,
        "fired": len(course.episodes),
        "flaps": course.flaps,
        "unknown_instants": one.unknown,
        "episodes": [
            {"since_s": each.since_s, "fired_s": each.fired_s, "until_s": each.until_s, "unseen_s": each.unseen_s}
            for each in course.episodes
        ],
    }


def over_time_section(over: OverTime, intake: Intake, speaker: Speaker) -> Section:
    """The time that was looked at, and a row for each rule that fired in it or was about to."""
    pairs: list[tuple[str, Words]] = [
        (
            speaker.say("looked at", "时段"),
            speaker.say(
                f"{moment(over.from_s)} to {moment(over.to_s)}, {over.instants} instants, every {span(over.step_s)}",
                f"{moment(over.from_s)} 至 {moment(over.to_s)}，{over.instants} 个时刻，间隔 {span(over.step_s)}",
            ),
        )
    ]
    if over.warm_up is not None:
        until = speaker.say(
            f"left out until {moment(over.warm_up.until_s)}: ", f"略去 {moment(over.warm_up.until_s)} 之前："
        )
        pairs.append((speaker.say("warm-up", "预热"), until + speaker.of(over.warm_up.why)))
    if over.gaps:
        listed = ", ".join(f"{moment(from_s)} +{span(to_s - from_s)}" for from_s, to_s in over.gaps[:3])
        more = f", … ({len(over.gaps)})" if len(over.gaps) > 3 else ""
        pairs.append((speaker.say("not seen", "无数据"), listed + more))
    if trends := trends_in(intake):
        words: list[str | Marked] = []
        for seen in trends:
            words += [*([", "] if words else []), name(seen.name), f" {shown(seen.value)}"]
        pairs.append((speaker.say("trends", "趋势"), words))
    blocks: list[Block] = [KeyValues(pairs)]
    if over.spoken:
        blocks.append(_courses(over, speaker))
    return Section(speaker.say("Over time", "随时间"), blocks)


def _courses(over: OverTime, speaker: Speaker) -> Table:
    rows: list[Sequence[Words]] = [
        [
            [name(one.rule.id)],
            [Marked(speaker.of(_STATES[one.course.state][0]), _STATES[one.course.state][1])],
            _told(one, speaker),
            str(len(one.course.episodes)),
            speaker.of(one.rule.name),
        ]
        for one in over.spoken
    ]
    columns = [
        Column(speaker.say("rule", "规则"), wraps=False),
        Column(speaker.say("now", "当前"), wraps=False),
        Column(speaker.say("since", "自")),
        Column(speaker.say("times", "次数"), align="right", wraps=False),
        Column(speaker.say("about", "内容")),
    ]
    return Table(columns, rows)


def _told(one: RuleCourse, speaker: Speaker) -> Words:
    course, since_s, held_s = one.course, one.since_s, one.held_s
    if since_s is None or held_s is None:
        last = course.episodes[-1] if course.episodes else None
        if last is None or last.until_s is None:
            return "—"
        ended = speaker.say(f"ended {moment(last.until_s)}", f"结束于 {moment(last.until_s)}")
        return [
            ended,
            dim(
                speaker.say(
                    f" after {span(last.until_s - last.since_s)}", f"，持续 {span(last.until_s - last.since_s)}"
                )
            ),
        ]
    held = span(held_s)
    if course.state is CourseState.PENDING:
        wants = span(one.rule.for_s)
        return [moment(since_s), dim(speaker.say(f" ({held} of {wants})", f"（{held}／{wants}）"))]
    unseen = course.episodes[-1].unseen_s
    blind = speaker.say(f", {span(unseen)} of it unseen", f"，其中 {span(unseen)} 无数据") if unseen else ""
    return [moment(since_s), dim(speaker.say(f" ({held}{blind})", f"（{held}{blind}）"))]


def moment(at_s: float) -> str:
    """A time for people, in UTC; seconds where it is not of the calendar."""
    if at_s < _UNIX_MIN:
        return span(at_s)
    return datetime.fromtimestamp(round(at_s), UTC).strftime("%Y-%m-%d %H:%M:%S")


def span(seconds: float) -> str:
    """A length of time for people: 90 s, 12 min, 3 h 20 min."""
    if seconds < 120:
        return f"{seconds:g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 120:
        return f"{minutes} min" if not rest else f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h" if not minutes else f"{hours} h {minutes} min"
