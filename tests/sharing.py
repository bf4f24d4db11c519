"""How the processes of a test run share its files: a file stays in one process, and so do those of one start."""

from collections.abc import Iterable

from xdist.scheduler.loadfile import LoadFileScheduling

# Each set waits for something that would be made anew in every process: a served catalog, the pages, vLLM's answers,
# a Prometheus server. That one scrapes from five seconds after its start on, which pass while others are run.
_TOGETHER: Iterable[tuple[str, ...]] = (
    ("tests/web/test_http.py", "tests/web/test_ide.py", "tests/web/test_pages.py", "tests/docs/test_readme.py"),
    ("tests/docs/test_generated.py", "tests/docs/test_errors_page.py"),
    (
        "tests/sources/prometheus/test_api_server.py",
        "tests/sources/test_laws.py",
        "tests/sources/test_scraped_target.py",
    ),
    ("tests/handed/test_engine_answers.py", "tests/curated/test_rules_couple.py"),
)
_SHARE = {file: files[0] for files in _TOGETHER for file in files}


class Sharing(LoadFileScheduling):
    """Hands out whole files, some of them together."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return _SHARE.get(file, file)
