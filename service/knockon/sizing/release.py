"""What of the arithmetic changed with a release of the engine."""

# The first release that prints the tokens of models with several kinds of layers by requests: 0.19.0 still printed
# blocks of one group (vLLM issue 40691), 0.22.0 no longer.
_PRINTS_BY_REQUESTS = (0, 21)
# One release for each way to reckon.
_STANDING_IN = ("0.33.0", "0.22.0", "0.20.0")


def keeps_checkpoints(version: str) -> bool:
    """Whether states of Mamba 2 are kept beside the last two; also where no version is given (empty)."""
    # model_executor/layers/mamba/mamba_mixer2.py:1106-1118 of 0.33.0, the first release in which it was read.
    return not version or version.startswith("0.33")


def prints_blocks(version: str) -> bool:
    """Whether vLLM prints the tokens of its pool by the blocks of one group; not where no version is given (empty)."""
    numbers = version.split(".")[:2]
    if len(numbers) != len(_PRINTS_BY_REQUESTS) or not all(one.isdigit() for one in numbers):
        return False
    # 0.1 stands for builds between releases ("0.1.dev20073").
    release = (int(numbers[0]), int(numbers[1]))
    return release < _PRINTS_BY_REQUESTS and "dev" not in version


def standing_in(version: str) -> str:
    """A release that is reckoned as `version` is: for dozens of releases there are three ways."""
    ways = keeps_checkpoints(version), prints_blocks(version)
    return next((one for one in _STANDING_IN if (keeps_checkpoints(one), prints_blocks(one)) == ways), version)
