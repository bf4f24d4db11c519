"""What tests share: the handed folder, a PostgreSQL database, a browser; and the rules of a test run.

With `KNOCKON_CI` set a server or browser may not be missing: what is a visible skip elsewhere is a failure there.
"""

import contextlib
import gc
import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import psycopg
import pytest
from hypothesis import HealthCheck, settings

from tests.network import keep_inside
from tests.postgres import PostgresMissing, Server, postgres_server
from tests.sharing import Sharing

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.serving import Service

CHECKOUT = Path(__file__).resolve().parents[1]

# Few examples and the same ones every time; `HYPOTHESIS_PROFILE=search` looks for new ones.
settings.register_profile(
    "default",
    derandomize=True,
    max_examples=20,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", max_examples=2_000, deadline=None, print_blob=True)


def pytest_configure() -> None:
    """Fix the examples and close the network before any test is collected."""
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
    # Thousands of tests and the whole catalog stay in memory; looking through them again and again is a tenth of a run.
    gc.set_threshold(400_000, 20, 20)
    keep_inside()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Sharing:
    """Share the files among the processes of a run."""
    return Sharing(config, log)


def pytest_collection_finish() -> None:
    """Take what was collected out of the garbage collector's rounds: it stays to the end."""
    gc.freeze()


# Folders whose tests start programs or answer thousands of handed cases.
_SLOWEST = ("web", "handed", "curated", "docs", "store", "cli")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest folders first: processes that share the files then end together, with short ones."""

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(CHECKOUT / "tests").parts[0]
        return _SLOWEST.index(folder) if folder in _SLOWEST else len(_SLOWEST)

    items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the cache of all commands of a run, so that the trees are read once; the user's own is left alone."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    os.environ["KNOCKON_CACHE_DIR"] = str(folder / "cache")
    return folder / "cache"


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Give the folder of handed cases and fixtures: `KNOCKON_SHARED`, or `../shared` beside the checkout."""
    folder = Path(os.environ.get("KNOCKON_SHARED") or CHECKOUT.parent / "shared")
    if not folder.is_dir():
        # Not an error in CI either: a clone of the project alone is complete.
        pytest.skip(f"the folder of handed cases is absent: {folder} (KNOCKON_SHARED names another place)")
    return folder


@pytest.fixture
def golden() -> Callable[[Path, str], None]:
    """Give `golden(path, text)`: the file must hold exactly the text; `make golden` and `make docs` write it anew."""

    def compare(path: Path, text: str) -> None:
        if os.environ.get("KNOCKON_GOLDEN") == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        kept = path.read_text(encoding="utf-8") if path.is_file() else None
        assert text == kept, f"{path.relative_to(CHECKOUT)} is stale; `make golden docs` writes it, then read the diff"

    return compare


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Give a PostgreSQL server; `postgres.fresh_database()` makes a database for as long as a `with` lasts."""
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(postgres_server())
        except PostgresMissing as error:
            missing_here(str(error))
        yield server


@pytest.fixture(scope="session")
def fresh_schema(postgres: Server) -> Iterator[Callable[[], str]]:
    """Give a function that gives the URL of an empty PostgreSQL schema, many times faster made than a database."""
    numbers = itertools.count()
    # Nobody cuts the server's power in a test, so no commit has to wait for its disk.
    hurried = "-csynchronous_commit%3Doff"
    with postgres.fresh_database() as url, psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as admin:

        def make() -> str:
            name = f"room_{next(numbers)}"
            admin.execute(f"CREATE SCHEMA {name}")
            return f"{url}?options=-csearch_path%3D{name}%20{hurried}"

        yield make


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory, cache_dir: Path) -> "Iterator[Service]":
    """Give the service as `make run` starts it on an empty database, after it has said its first answer."""
    # Importing httpx costs a tenth of a second, which only tests of the service should pay.
    from tests.serving import environment, serving

    folder, command = tmp_path_factory.mktemp("service"), ("--show-first-answer", "--database-url")
    env = environment(KNOCKON_CACHE_DIR=str(cache_dir), LANG="C.UTF-8", LC_ALL="", PYTHONUTF8="1", COLUMNS="")
    with serving(*command, f"sqlite:///{folder}/knockon.db", log=folder / "log", env=env) as running:
        # It is said at once, and ends with its sources.
        running.wait_for("^  Source: ")
        yield running


@pytest.fixture
def postgres_url(postgres: Server) -> Iterator[str]:
    """Give the SQLAlchemy URL of an empty PostgreSQL database that this test alone has."""
    with postgres.fresh_database() as url:
        yield url


# A page that is left open goes on drawing; so none outlives the tests that look at it.
@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Chrome]":
    """Give a headless Chromium that reaches this machine only."""
    # Importing selenium costs a third of a second, which only browser tests should pay.
    from tests.browser import BrowserMissing, chromium

    with contextlib.ExitStack() as stack:
        try:
            chrome = stack.enter_context(chromium(tmp_path_factory.mktemp("chromium")))
        except BrowserMissing as error:
            missing_here(str(error))
        yield chrome


@pytest.fixture(scope="session")
def promtool() -> None:
    """Make sure that Prometheus' promtool is there, which the code under test runs."""
    if shutil.which("promtool") is None:
        missing_here("promtool, which comes with Prometheus, is not installed")


def missing_here(what: str) -> NoReturn:
    """Skip where something is not installed; fail where it must be."""
    if os.environ.get("KNOCKON_CI"):
        pytest.fail(f"{what}; with KNOCKON_CI set it may not be missing", pytrace=False)
    pytest.skip(what)
