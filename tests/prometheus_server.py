"""A Prometheus server for tests: Debian's binary on the loopback, with a past that was written into it."""

import contextlib
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

# A cold start on two busy cores took 2 s; past this the server is not coming.
START_SECONDS_MAX = 60


class PrometheusMissing(Exception):
    """The binaries are missing, or the server does not start; the text says why."""


@contextlib.contextmanager
def prometheus_server(folder: Path, *, past: str, target: str = "") -> Iterator[str]:
    """Yield the address of a running server.

    Args:
        folder: an empty folder for its files.
        past: OpenMetrics text with timestamps, which the server has stored from the beginning.
        target: host:port of a `/metrics` it scrapes every second; none if empty.

    Raises:
        PrometheusMissing: see there.
    """
    binaries = {name: shutil.which(name) for name in ("prometheus", "promtool")}
    prometheus, promtool = binaries["prometheus"], binaries["promtool"]
    if prometheus is None or promtool is None:
        raise PrometheusMissing("there is no prometheus and promtool (Debian package prometheus)")
    (folder / "past.txt").write_text(past, encoding="utf-8")
    create = [promtool, "tsdb", "create-blocks-from", "openmetrics", str(folder / "past.txt"), str(folder / "data")]
    subprocess.run(create, check=True, capture_output=True)
    scraped = f"  - job_name: here\n    static_configs: [{{targets: ['{target}']}}]\n" if target else "  []\n"
    config = folder / "prometheus.yml"
    often = "global: {scrape_interval: 1s, scrape_timeout: 1s}"
    config.write_text(f"{often}\nscrape_configs:\n{scraped}", encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [
        prometheus,
        f"--config.file={config}",
        f"--storage.tsdb.path={folder / 'data'}",
        # The past stays, however long it is ago.
        "--storage.tsdb.retention.time=100y",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait(process, url, folder / "log.txt")
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=START_SECONDS_MAX)


def _wait(process: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(URLError, ConnectionError), urlopen(f"{url}/-/ready", timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise PrometheusMissing(f"prometheus does not start: {log.read_text(errors='replace')[-500:]}")
