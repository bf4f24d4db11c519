"""Whether two names mean one served model: a hub's name, the name it is served under, or a path."""


def is_same_model(one: str, other: str) -> bool | None:
    """Whether both name the same model; None where that cannot be told.

    A team may serve a model under any name, so only two names of a hub ("org/model") tell that they differ.
    """
    if _last(one) == _last(other):
        return True
    return False if "/" in one and "/" in other else None


def _last(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2].casefold()
