"""Settings by the names that engines give them: `tp=8`, `--tp-size=8`, `VLLM_ATTENTION_BACKEND=FLASHINFER` as facts."""

from knockon.engines import ENGINES
from knockon.engines.meant import facts_stated_by
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.words import Scalar


def spelled_facts(name: str, raw: str, *, engine: str | None, version: str | None = None) -> dict[str, Scalar]:
    """The facts that a setting states; where the engine is not named or has it not, what those that have it agree on.

    Args:
        name: as the engine spells it.
        raw: its value.
        engine: whose setting it is; None where nobody says.
        version: of the engine; variables come and go.

    Raises:
        IntakeError: a value of the wrong type, or engines that have it and mean different things.
    """
    own = facts_stated_by(str(engine), name, raw, version=version) if engine in ENGINES else {}
    if own:
        return own
    stated = {one: facts for one in ENGINES if (facts := facts_stated_by(one, name, raw))}
    told = list(stated.values())
    if any(each != told[0] for each in told[1:]):
        what = f"{name}={raw} does not say the same to {', '.join(stated)}"
        fix = "name the engine with --engine"
        raise IntakeError(Problem("bad-assignment", what, expected="a fact, or a setting of one engine", fix=fix))
    return told[0] if told else {}
