"""The settings of the service as the command line reads them."""

from typing import TYPE_CHECKING, Any

from knockon.terms.errors import IntakeError, Problem

if TYPE_CHECKING:
    from knockon.settings import Settings


def settings_with(**given: Any) -> "Settings":
    """The settings, those that are given and not None before those of the environment; raises IntakeError."""
    from knockon.settings import Settings

    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise _refused(error) from error


def _refused(error: ValueError) -> IntakeError:
    """Which setting cannot be used, by the name that the environment has for it."""
    # The validation library is the settings' own business; what it found comes with its error.
    found: list[dict[str, Any]] = getattr(error, "errors", list)()
    said = "; ".join(f"KNOCKON_{str(one['loc'][0]).upper()}: {one['msg']}" for one in found if one.get("loc"))
    fix = "correct the option, or the variable of the environment"
    return IntakeError(Problem("bad-setting", f"a setting cannot be used: {said or error}", fix=fix))
