"""The query IDE is complete in its folder: unchanged files, nothing from elsewhere, a page that works."""

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from graphql import build_schema, graphql_sync
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

IDE = Path(__file__).resolve().parents[2] / "service" / "knockon" / "web" / "ide"
# What the folder's README.md asks for.
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; font-src data:; img-src data:"
SCHEMA = build_schema('"The roots." type Query { technique(id: ID!): Technique } type Technique { id: ID! }')
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


class OneTechnique(BaseHTTPRequestHandler):
    """Serves the folder as the service does, and a schema of one field."""

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.removeprefix("/ide").lstrip("/") or "index.html"
        self.answer(TYPES[Path(name).suffix], (IDE / name).read_bytes())

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        roots = {"technique": lambda _info, id: {"id": id}}  # noqa: A006 - the argument's name in the schema
        result = graphql_sync(SCHEMA, asked["query"], roots, operation_name=asked.get("operationName"))
        self.answer("application/json", json.dumps(result.formatted).encode())

    def answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("content-security-policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name it has in the base class
        """Say nothing: the requests are not what is tested."""


@pytest.fixture
def origin() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), OneTechnique) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_policy_is_the_one_the_readme_asks_for() -> None:
    assert f"`{POLICY}`" in (IDE / "README.md").read_text()


def test_files_of_others_are_the_published_ones() -> None:
    table = re.findall(r"^\| (\S+) \| .* \| ([0-9a-f]{64}) \|$", (IDE / "README.md").read_text(), flags=re.MULTILINE)
    others = {path.name for path in IDE.iterdir() if ".min." in path.name}

    assert {name for name, _sum in table} == others
    assert {name: hashlib.sha256((IDE / name).read_bytes()).hexdigest() for name in others} == dict(table)


def test_page_loads_only_files_of_its_folder_and_has_no_inline_script() -> None:
    page = (IDE / "index.html").read_text()
    addresses = [address for address in re.findall(r'(?:src|href)="([^"]*)"', page) if address != "data:,"]

    assert [address for address in addresses if not (IDE.parent / address).is_file()] == []
    assert re.findall(r"<script(?![^>]* src=)|<style| on[a-z]+=", page) == []


@pytest.mark.browser
def test_first_query_is_answered_without_any_other_machine(browser: Chrome, origin: str) -> None:
    wait = WebDriverWait(browser, 20)
    browser.get(f"{origin}/ide")
    wait.until(lambda page: page.find_element(By.CSS_SELECTOR, ".graphiql-execute-button")).click()
    wait.until(lambda page: '"id"' in page.find_element(By.CSS_SELECTOR, ".result-window").text)
    wait.until(lambda page: page.find_element(By.CSS_SELECTOR, '[aria-label="Open settings dialog"]')).click()
    wait.until(lambda page: page.find_element(By.CSS_SELECTOR, ".graphiql-dialog"))

    shown = json.loads(browser.find_element(By.CSS_SELECTOR, ".result-window").text)
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert shown == {"data": {"technique": {"id": "tensor-parallelism"}}}
    assert {f"{urlsplit(name).scheme}://{urlsplit(name).netloc}" for name in loaded} == {origin}
    assert browser.get_log("browser") == []
