"""How old a claim is, as the contracts and the pages show it."""

from knockon.cli.answers.words import Speaker, dim
from knockon.formats.base import Marked
from knockon.jobs.age import Ages, Cited
from knockon.terms.words import Json


def age_data(claim: Cited, ages: Ages) -> dict[str, Json]:
    """From which ISO day on it is stale, and whether that day has come, where a day is asked about."""
    stale: dict[str, Json] = {"stale": ages.is_stale(claim)} if ages.day else {}
    return {**stale, "stale_from": ages.stale_from(claim) or None}


def age_words(claim: Cited, ages: Ages, speaker: Speaker) -> list[Marked]:
    """Since when it is stale; nothing while it is fresh."""
    if not ages.is_stale(claim):
        return []
    day = ages.stale_from(claim)
    return [dim(speaker.say(f" (stale since {day})", f"（{day} 起已过期）"))]
