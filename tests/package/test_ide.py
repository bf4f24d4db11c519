"""The query IDE is complete in its folder: unchanged files, nothing from elsewhere. That it works is in tests/web."""

import hashlib
import re

from knockon.web.pages import CONTENT_POLICY, IDE


def test_policy_is_the_one_the_readme_asks_for() -> None:
    assert f"`{CONTENT_POLICY}`" in (IDE / "README.md").read_text()


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
