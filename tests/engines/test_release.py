"""Engine releases in order."""

import pytest

from knockon.engines.release import release_of, within
from knockon.terms.errors import IntakeError


def test_releases_sort_with_their_pre_and_post_releases() -> None:
    versions = ["0.9.2", "v0.10.0rc1", "0.10.0", "0.10.0.post1", "0.10.1", "0.11.0.dev3+gabc", "0.11", "1.0"]

    assert sorted(versions, key=release_of) == versions


@pytest.mark.parametrize(
    ("version", "is_within"),
    [("0.9.0", False), ("0.10.0", True), ("0.19.0", True), ("0.20.0rc1", True), ("0.20.0", False)],
)
def test_a_range_holds_its_start_and_not_its_end(version: str, is_within: bool) -> None:
    assert within(version, since="0.10.0", until="0.20.0") is is_within


@pytest.mark.parametrize("version", ["", "main", "latest", "0.x", "1" * 200])
def test_other_words_are_no_version(version: str) -> None:
    with pytest.raises(IntakeError) as caught:
        release_of(version)

    assert caught.value.code == "unreadable-version"
