"""Manifests as people write them: what is read of each stands beside it, checked by eye.

`make golden` writes the expected files anew; read the difference, and check every place against the manifest.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from knockon.jobs.selftest.told import told
from tests.manifests.told import EXPECTED, files_under

FOLDER = Path(__file__).with_name("corpus")


@pytest.mark.parametrize("folder", sorted(FOLDER.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_manifest_reads_as_expected(folder: Path, golden: Callable[[Path, str], None]) -> None:
    said = yaml.safe_dump(told(files_under(folder)), sort_keys=False, allow_unicode=True, width=120)

    golden(folder / EXPECTED, said)


def test_corpus_has_every_kind_of_manifest() -> None:
    counts = {folder.name: len(list(folder.iterdir())) for folder in sorted(FOLDER.iterdir())}

    assert counts == {
        "broken": 6,
        "compose": 8,
        "dockerfile": 9,
        "kubernetes": 31,
        "shell": 27,
        "systemd": 6,
        "values": 6,
    }
