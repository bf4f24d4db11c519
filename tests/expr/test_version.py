from itertools import pairwise

import pytest

from knockon.expr.version import version_key


def test_versions_are_in_the_order_of_their_releases() -> None:
    ordered = [
        "0.9", "0.10.dev1", "0.10a1.dev2", "0.10a1", "0.10b1", "0.10rc1", "0.10rc2", "0.10", "0.10.post1.dev1",
        "0.10.post1", "0.10.0.1", "0.10.1", "0.11", "1", "1.0.1", "25.8",
    ]  # fmt: skip

    keys = [version_key(text) for text in ordered]

    assert all(first is not None and second is not None and first < second for first, second in pairwise(keys))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("0.10", "0.10.0"),
        ("v1.2", "1.2"),
        ("1.2+cu128", "1.2"),
        ("1.2rc1", "1.2-rc.1"),
        ("1.2.dev", "1.2.dev0"),
        ("0", "0.0"),
    ],
)
def test_spellings_of_one_version_have_one_key(left: str, right: str) -> None:
    assert version_key(left) == version_key(right) is not None


@pytest.mark.parametrize("text", ["", "main", "nightly", "1.", ".1", "1.2.x", "1.2 ", "1" * 10, "1.2.3+", "v", "1..2"])
def test_what_is_no_version_has_no_key(text: str) -> None:
    assert version_key(text) is None
