from pathlib import Path

import pytest

from knockon.settings import Settings, data_dir


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOCKON_PORT", "9000")
    monkeypatch.setenv("KNOCKON_CORS_ORIGINS", '["https://portal.example"]')

    settings = Settings(host="0.0.0.0")

    assert (settings.host, settings.port) == ("0.0.0.0", 9000)
    assert settings.cors_origins == ("https://portal.example",)


def test_what_is_said_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOCKON_PORT", "9000")

    assert Settings(port=9001).port == 9001


def test_database_url_is_not_shown_with_the_settings() -> None:
    assert "hunter2" not in repr(Settings(database_url="postgresql://u:hunter2@h/k"))


def test_every_setting_says_what_it_is() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        pytest.param({"XDG_DATA_HOME": "/data"}, "linux", Path("/data/knockon"), id="XDG"),
        pytest.param({}, "linux", Path.home() / ".local/share/knockon", id="Linux"),
        pytest.param({"XDG_DATA_HOME": "here"}, "linux", Path.home() / ".local/share/knockon", id="relative XDG"),
        pytest.param({}, "darwin", Path.home() / "Library/Application Support/knockon", id="macOS"),
        pytest.param({"LOCALAPPDATA": "/appdata"}, "win32", Path("/appdata/knockon"), id="Windows"),
    ],
)
def test_data_lies_where_the_platform_has_it(environment: dict[str, str], platform: str, folder: Path) -> None:
    assert data_dir(environment, platform) == folder
