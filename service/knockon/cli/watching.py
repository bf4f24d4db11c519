"""A running system that a Prometheus-compatible server watches: what the options of `diagnose` ask about it."""

import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from knockon.expr.vocabulary import Vocabulary
    from knockon.sources.base import Taken

HEADERS_VARIABLE = "KNOCKON_PROMETHEUS_HEADERS"
"""Lines of `Name: value` that go with every question. A variable: options are seen by everybody on the machine."""

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(ms|[smhdw])", re.ASCII)
_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,200}", re.ASCII)
_DEFAULT_LAST_S = 900.0


@dataclass(frozen=True, slots=True)
class Watched:
    """What the options say: where to ask, about which time and which series."""

    url: str
    match: Sequence[str] = ()
    since: str | None = None
    until: str | None = None
    last: str | None = None
    step: str | None = None
    tenant: str | None = None


UrlOption = Annotated[
    str | None, typer.Option("--prometheus", metavar="URL", help="Ask this Prometheus, Thanos or Mimir server.")
]
MatchOption = Annotated[
    list[str] | None,
    typer.Option("--match", metavar="LABEL=VALUE", help="Only series with this label; may be repeated."),
]
FromOption = Annotated[str | None, typer.Option("--from", metavar="TIME", help="Begin of the time asked about.")]
ToOption = Annotated[str | None, typer.Option("--to", metavar="TIME", help="End of it; now if not given.")]
LastOption = Annotated[str | None, typer.Option("--last", metavar="30m", help="Its length; 15m if not given.")]
StepOption = Annotated[str | None, typer.Option("--step", metavar="30s", help="Time between two points.")]
TenantOption = Annotated[
    str | None, typer.Option("--tenant", metavar="NAME", help="The tenant of Mimir or Thanos (X-Scope-OrgID).")
]
TimeoutOption = Annotated[float, typer.Option("--timeout", min=0.1, max=3600.0, help="Seconds for one question.")]


def watched_at(
    url: str | None,
    match: Sequence[str],
    between: tuple[str | None, str | None],
    *,
    last: str | None,
    step: str | None,
    tenant: str | None,
) -> Watched | None:
    """What the options ask about; None without a URL, where none of the others means anything."""
    if url is not None:
        return Watched(url, match, *between, last=last, step=step, tenant=tenant)
    if match or any((*between, last, step, tenant)):
        raise typer.BadParameter("without --prometheus there is nothing to choose from")
    return None


def watched_taken(watched: Watched, vocabulary: "Vocabulary", *, timeout_s: float) -> "Taken":
    """Ask the server and read what it says; raises IntakeError or BadParameter where that cannot be."""
    from knockon.sources.prometheus.api.ask import window_of
    from knockon.sources.prometheus.api.client import server_at
    from knockon.sources.prometheus.api.live import live

    if watched.since and watched.last:
        raise typer.BadParameter("--from and --last both say how long", param_hint="'--last'")
    to_s = _time(watched.until, "--to") if watched.until else time.time()
    length_s = duration(watched.last, "--last") if watched.last else _DEFAULT_LAST_S
    if watched.since:
        length_s = to_s - _time(watched.since, "--from")
    step_s = duration(watched.step, "--step") if watched.step else None
    server = server_at(watched.url, headers=_headers(watched.tenant, os.environ), timeout_s=timeout_s)
    return live(
        server,
        window_of(to_s=to_s, length_s=length_s, step_s=step_s),
        matchers=_matchers(watched.match),
        vocabulary=vocabulary,
    )


def _headers(tenant: str | None, environ: Mapping[str, str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in environ.get(HEADERS_VARIABLE, "").splitlines():
        name, colon, value = line.partition(":")
        if not line.strip():
            continue
        if not colon or not re.fullmatch(r"[A-Za-z0-9-]+", name.strip()) or not value.strip().isprintable():
            # The line itself may be the secret, so it is not shown.
            raise typer.BadParameter(f"a line of {HEADERS_VARIABLE} is not `Name: value`")
        headers[name.strip()] = value.strip()
    if tenant is not None:
        if not tenant.isprintable() or not tenant.strip():
            raise typer.BadParameter("a tenant is a word", param_hint="'--tenant'")
        headers["X-Scope-OrgID"] = tenant.strip()
    return headers


def _matchers(texts: Sequence[str]) -> dict[str, str]:
    matchers: dict[str, str] = {}
    for text in texts:
        label, equals, value = text.partition("=")
        if not equals or not _LABEL.fullmatch(label) or label in matchers:
            raise typer.BadParameter(f"{text!r} is not label=value, each label once", param_hint="'--match'")
        matchers[label] = value
    return matchers


def duration(text: str, option: str) -> float:
    """Seconds of "30m", "90s" or "1h30m"; raises BadParameter, which names the option, for any other text."""
    parts = _PART.findall(text.strip())
    if not parts or "".join(number + unit for number, unit in parts) != text.strip():
        raise typer.BadParameter(f"{text!r} is no time such as 30m, 90s or 1h30m", param_hint=f"'{option}'")
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)


def _time(text: str, option: str) -> float:
    from knockon.sources.moment import seconds_of

    seconds = seconds_of(text)
    if seconds is None:
        raise typer.BadParameter(
            f"{text!r} is no time such as 2026-11-29T12:00:00Z or Unix seconds", param_hint=f"'{option}'"
        )
    return seconds
