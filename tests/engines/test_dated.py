"""What people know of a version, as a release."""

import pytest

from knockon.engines import read_command
from knockon.engines.dated import dated, releases
from knockon.engines.release import release_of
from knockon.terms.argument import arguments_of
from knockon.terms.errors import IntakeError, LimitExceeded
from knockon.terms.limits import ASKED_TEXT_MAX


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("0.8.5.post1", "0.8.5.post1"),
        ("v0.27.1", "v0.27.1"),
        ("0.26.1rc1.dev693", "0.26.1rc1.dev693"),
        ("Sep 2025", "0.10.2"),
        ("sept. 2025", "0.10.2"),
        ("2025-09", "0.10.2"),
        ("2025-09-12", "0.10.1.1"),
        ("12 September 2025", "0.10.1.1"),
        ("main Sep 2024", "0.6.2"),
        ("before Jun 2026", "0.22.0"),
        ("before 0.24.0", "0.23.0"),
        ("0.27.1 era", "0.27.1"),
        ("Apr-May 2025 (0.8.4)", "0.8.4"),
        ("Mar-Apr 2025", "0.8.5"),
        ("0.11.x", "0.11"),
        ("2025", "0.13.0"),
        ("2024-2025", "0.13.0"),
        ("Dec 2026", "0.33.0"),
        ("2025/09/12", "0.10.1.1"),
        ("12.09.2025", "0.10.1.1"),
        ("20250912", "0.10.1.1"),
        ("2025年9月", "0.10.2"),
        ("9/2025", "0.10.2"),
        ("Q3 2025", "0.10.2"),
        ("mid-2025", "0.10.1.1"),
        ("early 2025", "0.8.5"),
        ("latest (Sep 2025)", "0.10.2"),
        ("vllm/vllm-openai:v0.10.2", "0.10.2"),
    ],
)
def test_what_people_know_of_a_version_is_a_release(text: str, release: str) -> None:
    assert dated(text, engine="vllm").version == release


@pytest.mark.parametrize("text", ["main", "HEAD", "vLLM main branch", "nightly build", "unknown", "latest"])
def test_words_that_name_no_release_leave_the_version_open(text: str) -> None:
    found = dated(text, engine="vllm")

    assert found.version is None
    assert "the newest one known" in found.why


def test_a_build_that_names_no_release_leaves_the_version_open() -> None:
    found = dated("0.1.dev20073+g8e685d198", engine="vllm")

    assert found.version is None
    assert "names no release" in found.why


@pytest.mark.parametrize("text", ["mian", "", "May", "2025-13", "before 0.0.1", "1.", "Jan 2022"])
def test_what_names_no_release_is_refused(text: str) -> None:
    with pytest.raises(IntakeError) as caught:
        dated(text, engine="vllm")
    assert caught.value.code == "unreadable-version"


def test_a_date_without_an_engine_asks_for_the_engine() -> None:
    with pytest.raises(IntakeError, match="name the engine with --engine"):
        dated("Sep 2025", engine="")


def test_a_text_longer_than_any_version_is_refused() -> None:
    with pytest.raises(LimitExceeded):
        dated("0." * ASKED_TEXT_MAX, engine="vllm")


@pytest.mark.parametrize("engine", ["vllm", "sglang", "trtllm"])
def test_releases_are_in_the_order_of_their_days(engine: str) -> None:
    held = releases(engine)

    assert [day for _, day in held] == sorted(day for _, day in held)
    assert len({version for version, _ in held}) == len(held)
    assert all(release_of(version) for version, _ in held)


def test_the_answer_says_how_the_release_was_found() -> None:
    read = read_command(arguments_of(["vllm", "serve", "m"]), version="Sep 2025")

    assert read.by_name()["engine_version"].value == "0.10.2"
    assert read.by_name()["engine_version"].origin.text == "the newest release on 2025-09-30 (Sep 2025)"
    assert read.notes[-1].en == "engine version 0.10.2: the newest release on 2025-09-30 (Sep 2025)"
