"""What of the arithmetic changed with a release: a release stands in for others only where nothing tells them apart."""

from knockon.engines import ENGINES
from knockon.engines.dated import releases
from knockon.sizing.release import keeps_checkpoints, prints_blocks, standing_in

VERSIONS = sorted({"", "0.1.dev20073", "main", "0.20", "0.33", "0.33.0rc1", "1", "x.y"}.union(
    version for engine in ENGINES for version, _ in releases(engine)
))  # fmt: skip


def test_the_release_that_stands_in_is_reckoned_alike() -> None:
    for version in VERSIONS:
        other = standing_in(version)

        ways = keeps_checkpoints(version), prints_blocks(version)
        assert (keeps_checkpoints(other), prints_blocks(other)) == ways, version
        assert standing_in(other) == other, version


def test_few_releases_stand_in_for_all() -> None:
    assert {standing_in(version) for version in VERSIONS} == {"0.33.0", "0.22.0", "0.20.0"}
