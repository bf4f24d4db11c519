"""Writes docs/generated/ from the code and the data: one function for each page, and the table of them.

Not part of the installed package. `make docs` writes the pages, tests/docs/test_generated.py fails when one is stale.
"""

from collections.abc import Callable, Mapping

from docs.reference.calibration import calibration_page
from docs.reference.cli import cli_page
from docs.reference.errors import errors_page
from docs.reference.graphql import graphql_page
from docs.reference.quantities import quantities_page
from docs.reference.readings import readings_page
from docs.reference.rules import rules_page
from docs.reference.sources import sources_page
from docs.reference.technique import technique_page
from docs.reference.techniques import techniques_page
from docs.reference.vocabulary import vocabulary_page
from knockon.jobs.export import WRITERS
from knockon.jobs.knowledge import Knowledge

PAGES: Mapping[str, Callable[[Knowledge], str]] = {
    "rules": rules_page,
    "techniques": techniques_page,
    "quantities": quantities_page,
    "vocabulary": vocabulary_page,
    "readings": readings_page,
    "sources": sources_page,
    "cli": lambda _: cli_page(),
    "graphql": lambda _: graphql_page(),
    "errors": lambda _: errors_page(),
    "calibration": lambda _: calibration_page(),
}


def matrix(knowledge: Knowledge) -> str:
    """`matrix.svg`, which the page of techniques shows."""
    return WRITERS["svg"](knowledge.catalog, "en")


def technique_pages(knowledge: Knowledge) -> Mapping[str, str]:
    """`techniques/<id>.md` for every live technique, by id."""
    return {one.id: technique_page(knowledge.catalog, one) for one in knowledge.catalog.live}
