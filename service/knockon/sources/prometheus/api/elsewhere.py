"""What answers where no Prometheus API is: a metrics endpoint, a web page, another path, and what to do with it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

# What a sample and a comment of the text format begin with; metrics of engines have an underscore or a colon.
_SAMPLE = re.compile(r"[a-zA-Z][a-zA-Z0-9]*[_:][a-zA-Z0-9_:]*(?:\{|[ \t]+[-+]?(?:[0-9.]|Inf|NaN))", re.ASCII)
_COMMENT = re.compile(r"# (?:HELP|TYPE|UNIT|EOF)\b")
# How much of an answer is looked at: its first lines tell.
_LINES = 20
_BYTES = 64 * 1024
_PAGE = re.compile(r"\s*<(?:!doctype html|html|\?xml|head|body)", re.IGNORECASE)
_GRAFANA = re.compile(r"<title>\s*Grafana\s*</title>|grafanaBootData", re.IGNORECASE)
# Metrics that only the servers themselves have, and where their API is.
_SERVERS = (("prometheus_tsdb_", ""), ("cortex_", "/prometheus"), ("vm_app_version", ""), ("thanos_", ""))
_PROMETHEUS = "give the address of the Prometheus server itself, without a page: it listens on port 9090 by default"


@dataclass(frozen=True, slots=True)
class Found:
    """What answers, for people, and what to do."""

    what: str
    fix: str = ""


def is_metrics_text(body: bytes) -> bool:
    """Whether it is what a metrics endpoint gives to those that scrape it."""
    lines = [line for line in _text(body).splitlines()[:_LINES] if line.strip()]
    return (
        bool(lines)
        and all(line.startswith("#") or _SAMPLE.match(line) for line in lines)
        and any(_COMMENT.match(line) or _SAMPLE.match(line) for line in lines)
    )


def found_at(url: str, body: bytes, *, status: int, get: Callable[[str], bytes]) -> Found:
    """What stands at `url`, whose answer to a question was none of an API.

    Args:
        url: the address without a trailing slash.
        body: what came back.
        status: the code of HTTP with it.
        get: fetches the beginning of another page of the same server; empty where it has none.
    """
    parts = urlsplit(url)
    root = urlunsplit((parts.scheme, parts.netloc, "", "", ""))
    for page in dict.fromkeys(one for one in (url, f"{url}/metrics", f"{root}/metrics") if one.endswith("/metrics")):
        found = body if is_metrics_text(body) else get(page)
        if is_metrics_text(found):
            return _metrics(url, page, root, found)
    text = _text(body)
    said = "" if status == 200 else f" ({status})"
    if _GRAFANA.search(text):
        return Found(f"{url} is Grafana", "give the address of the data source that it shows, not of Grafana")
    if _PAGE.match(text):
        return Found(f"{url} answers with a web page{said}, not as Prometheus does", _PROMETHEUS)
    if status != 200:
        return Found(f"{url} has no Prometheus API ({status})", _PROMETHEUS)
    return Found(f"{url} answers, but not as Prometheus does", _PROMETHEUS)


def _metrics(url: str, page: str, root: str, text: bytes) -> Found:
    """The metrics of an engine, or of a Prometheus server that has its API elsewhere."""
    path = next((path for name, path in _SERVERS if name.encode() in text), None)
    if path is not None:
        where = f"give {root}{path}" if f"{root}{path}" != url else "give the path that it is served under"
        return Found(f"{url} has no Prometheus API, but it is the server's own metrics that stand at {page}", where)
    target = urlsplit(page)
    scraped = "" if target.path == "/metrics" else f" with metrics_path {target.path}"
    return Found(
        f"{url} gives metrics, and has no API to ask about them"
        if page == url
        else f"{url} has no Prometheus API, only metrics at {page}",
        f"save them twice (`curl -s {page} > before.prom`, some minutes later `> now.prom`) and ask `knockon diagnose "
        f"now.prom --before before.prom --elapsed SECONDS`, or name {target.netloc} as a target in the scrape_configs "
        f"of a Prometheus server{scraped} and give that server's address",
    )


def _text(body: bytes) -> str:
    return body[:_BYTES].decode(errors="replace")
