"""Where the shipped catalog, rules and migrations lie on disk: in the installed package, or in a checkout."""

from pathlib import Path

from knockon.terms.errors import KnockonError, Problem

_PACKAGE = Path(__file__).resolve().parent


def catalog_dir() -> Path:
    """Return the folder of the shipped catalog.

    Raises:
        KnockonError: the installation has none.
    """
    return find_assets("catalog", _PACKAGE)


def rules_dir() -> Path:
    """Return the folder of the shipped rules.

    Raises:
        KnockonError: the installation has none.
    """
    return find_assets("rules", _PACKAGE)


def alembic_dir() -> Path:
    """Return the folder of the database migrations.

    Raises:
        KnockonError: the installation has none.
    """
    return find_assets("alembic", _PACKAGE)


def find_assets(name: str, package: Path) -> Path:
    """Return the folder `name` that belongs to the package folder `package`.

    A wheel carries it in `_bundled/` inside the package; a checkout has it two folders up, beside `service/`.

    Raises:
        KnockonError: neither place has it.
    """
    places = (package / "_bundled" / name, package.parents[1] / name)
    for place in places:
        if place.is_dir():
            return place
    raise KnockonError(
        Problem(
            code="assets-missing",
            what=f"the shipped folder {name!r} is missing from this installation",
            expected=" or ".join(str(place) for place in places),
            fix="install the package again",
        )
    )
