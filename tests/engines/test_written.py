"""What shipped YAML says, kept from one run to the next."""

import marshal
from pathlib import Path

import pytest

from knockon.engines.written import shipped_yaml
from knockon.kept import hold_in


@pytest.mark.parametrize(
    "held", [b"", marshal.dumps(None), marshal.dumps({"a": 2}), marshal.dumps(("other", [1])), b"noise"]
)
def test_kept_file_of_another_shape_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bytes) -> None:
    monkeypatch.setenv("KNOCKON_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "flags.yaml"
    path.write_text("a: 1\n", encoding="utf-8")
    assert shipped_yaml(path) == {"a": 1}
    (kept,) = (tmp_path / "cache").iterdir()

    hold_in(kept, held)
    shipped_yaml.cache_clear()

    assert shipped_yaml(path) == {"a": 1}
