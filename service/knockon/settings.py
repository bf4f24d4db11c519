"""The settings of the service: from the command line, else from the environment (`KNOCKON_…`), else these defaults."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from knockon.terms.limits import ANSWER_CACHE_BYTES_MAX, HISTORY_DAYS_DEFAULT, HISTORY_DAYS_MAX

# Where the database lies when nobody says; the only folder that the service makes by itself.
DATABASE_FILE = "knockon.db"


def data_dir(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder for a user's data, as each platform has it."""
    if platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / "knockon"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "knockon"
    # XDG base directories: a relative path there is to be ignored.
    home = Path(environment.get("XDG_DATA_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "share") / "knockon"


def default_database_url() -> str:
    """An SQLite file in the user's data folder."""
    return f"sqlite:///{data_dir() / DATABASE_FILE}"


class Settings(BaseSettings):
    """Everything an operator may set. Frozen; made once at the start and handed down."""

    model_config = SettingsConfigDict(env_prefix="KNOCKON_", frozen=True, extra="forbid")

    # Not shown with the settings: it may hold a password.
    database_url: str = Field(
        default_factory=default_database_url,
        repr=False,
        description="Where the revisions are: sqlite:///path or postgresql://user@host:5432/name.",
    )
    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 lets other machines in.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    poll_s: float = Field(
        2.0, ge=0.05, le=3600, description="Seconds between two looks for a new revision in the database."
    )
    stop_s: float = Field(
        10.0, ge=0, le=3600, description="Seconds that running requests may still take when the service is stopped."
    )
    answer_cache_bytes: int = Field(
        ANSWER_CACHE_BYTES_MAX, ge=0, description="Memory for answers that were given already; 0 keeps none."
    )
    history_days: int = Field(
        HISTORY_DAYS_DEFAULT,
        ge=0,
        le=HISTORY_DAYS_MAX,
        description="Days that submitted runs are kept, counted from their measurement; 0 keeps them for ever.",
    )
    read_only: bool = Field(
        default=False,
        description="Write nothing: serve a database that another program has migrated and loaded, keep no runs.",
    )
    cors_origins: tuple[str, ...] = Field(
        (), description='Origins whose pages may ask the API from a browser, as JSON: ["https://portal.example"].'
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="What is logged to stderr.")
