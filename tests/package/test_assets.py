"""The shipped folders are found in an installed package and in a checkout, and their absence says what to do."""

from pathlib import Path

import pytest

from knockon.assets import alembic_dir, catalog_dir, find_assets, rules_dir
from knockon.terms.errors import KnockonError

CHECKOUT = Path(__file__).resolve().parents[2]


def test_checkout_has_them_beside_the_source_root() -> None:
    found = [catalog_dir(), rules_dir(), alembic_dir()]
    assert found == [CHECKOUT / "catalog", CHECKOUT / "rules", CHECKOUT / "alembic"]


def test_bundled_folder_wins_over_one_two_folders_up(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "knockon"
    bundled = package / "_bundled" / "catalog"
    bundled.mkdir(parents=True)
    (tmp_path / "catalog").mkdir()

    assert find_assets("catalog", package) == bundled


def test_folder_in_neither_place_names_both_and_says_what_to_do(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "knockon"

    with pytest.raises(KnockonError) as caught:
        find_assets("rules", package)

    assert caught.value.code == "assets-missing"
    assert str(caught.value) == (
        "the shipped folder 'rules' is missing from this installation; "
        f"expected {package / '_bundled' / 'rules'} or {tmp_path / 'rules'}; install the package again"
    )
